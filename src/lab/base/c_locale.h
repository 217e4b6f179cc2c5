// SPDX-License-Identifier: Apache-2.0
// c_locale: numbers in files and messages have a decimal point, whatever locale a program chose.
#ifndef CFPC_LAB_C_LOCALE_H
#define CFPC_LAB_C_LOCALE_H

#include <locale.h>

// The locale of the calling thread becomes that of C, until it is given back.
typedef struct lab_locale {
    locale_t before;
} lab_locale;

// The locale of C takes no memory, and is not freed: another thread may be in it.
static inline lab_locale lab_locale_enter(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (lab_locale){.before = plain ? uselocale(plain) : (locale_t)0};
}

static inline void lab_locale_leave(lab_locale locale)
{
    if (locale.before)
        uselocale(locale.before);
}

#endif
