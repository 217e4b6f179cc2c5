// SPDX-License-Identifier: Apache-2.0
// c_locale: numbers in files and messages have a decimal point, whatever locale a program chose.
#ifndef CFPC_LAB_C_LOCALE_H
#define CFPC_LAB_C_LOCALE_H

#include <locale.h>

// The locale of the calling thread becomes that of C, until it is given back.
typedef struct lab_locale {
    locale_t before;
} lab_locale;

lab_locale lab_locale_enter(void);
void lab_locale_leave(lab_locale locale);

#endif
