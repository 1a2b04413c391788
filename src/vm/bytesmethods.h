/* SPDX-License-Identifier: MIT
 *
 * bytesmethods -- methods of bytes and bytearray by topic; bytestype.c has the
 * tables.
 */
#ifndef CORDON_VM_BYTESMETHODS_H
#define CORDON_VM_BYTESMETHODS_H

#include "vm/bytes.h"
#include "vm/text.h"

#define METHOD(name) val bytes_##name(struct vm *vm, const val *args, size_t n)

/* bytesfind.c */
METHOD(m_find);
METHOD(m_rfind);
METHOD(m_index);
METHOD(m_rindex);
METHOD(m_count);
METHOD(m_startswith);
METHOD(m_endswith);
METHOD(m_replace);
METHOD(m_partition);
METHOD(m_rpartition);
METHOD(m_removeprefix);
METHOD(m_removesuffix);
/* bytessplit.c */
METHOD(m_split);
METHOD(m_rsplit);
METHOD(m_splitlines);
METHOD(m_join);
METHOD(m_strip);
METHOD(m_lstrip);
METHOD(m_rstrip);
/* bytescase.c */
METHOD(m_upper);
METHOD(m_lower);
METHOD(m_swapcase);
METHOD(m_title);
METHOD(m_capitalize);
METHOD(m_isalnum);
METHOD(m_isalpha);
METHOD(m_isascii);
METHOD(m_isdigit);
METHOD(m_islower);
METHOD(m_isspace);
METHOD(m_istitle);
METHOD(m_isupper);
METHOD(m_ljust);
METHOD(m_rjust);
METHOD(m_center);
METHOD(m_zfill);
METHOD(m_expandtabs);
METHOD(m_translate);
METHOD(m_maketrans);
#undef METHOD

/* The bytes of a bytes-like argument, or TypeError. */
int bytes_argument(struct vm *vm, val v, str *out);

/* What was built, as `like`; the builder is empty afterwards. */
val bytes_built(struct vm *vm, val like, struct build *b);

#endif
