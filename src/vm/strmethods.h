/* SPDX-License-Identifier: MIT
 *
 * strmethods -- methods of str by topic; strtype.c has the table.
 */
#ifndef CORDON_VM_STRMETHODS_H
#define CORDON_VM_STRMETHODS_H

#include "vm/text.h"

#define METHOD(name) val str_##name(struct vm *vm, const val *args, size_t n)

/* strfind.c */
METHOD(m_find);
METHOD(m_rfind);
METHOD(m_index);
METHOD(m_rindex);
METHOD(m_count);
METHOD(m_replace);
METHOD(m_startswith);
METHOD(m_endswith);
METHOD(m_partition);
METHOD(m_rpartition);
METHOD(m_removeprefix);
METHOD(m_removesuffix);
/* strsplit.c */
METHOD(m_split);
METHOD(m_rsplit);
METHOD(m_splitlines);
METHOD(m_join);
METHOD(m_strip);
METHOD(m_lstrip);
METHOD(m_rstrip);
/* strcase.c */
METHOD(m_upper);
METHOD(m_lower);
METHOD(m_casefold);
METHOD(m_title);
METHOD(m_capitalize);
METHOD(m_swapcase);
METHOD(m_isalnum);
METHOD(m_isalpha);
METHOD(m_isascii);
METHOD(m_isdecimal);
METHOD(m_isdigit);
METHOD(m_isidentifier);
METHOD(m_islower);
METHOD(m_isnumeric);
METHOD(m_isprintable);
METHOD(m_isspace);
METHOD(m_istitle);
METHOD(m_isupper);
#undef METHOD

/* Text of a str argument; TypeError that names what it is for. */
int text_argument(struct vm *vm, val v, const char *what, str *out);

/* Searching bytes, shared with bytes objects. -1: not there. */
ptrdiff_t find_bytes(str s, str sub);
/* -2: a limit fired, for the search may take long. */
ptrdiff_t rfind_bytes(struct vm *vm, str s, str sub);
/* What looking for sub in s took, which was found at `at` or not (-1): a search
 * that ends early costs little, however much lies behind. */
bool charge_find(struct vm *vm, str s, str sub, ptrdiff_t at, bool last);

#endif
