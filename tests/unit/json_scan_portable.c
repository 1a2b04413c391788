/* SPDX-License-Identifier: MIT
 *
 * json_scan.c as a processor without SSE2 would have it.
 */
#undef __SSE2__
#include "json_scan.c"
