// SPDX-License-Identifier: Apache-2.0
#include "base/c_locale.h"

// The locale of C takes no memory, and is not freed: another thread may be in it.
lab_locale lab_locale_enter(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (lab_locale){.before = plain ? uselocale(plain) : (locale_t)0};
}

void lab_locale_leave(lab_locale locale)
{
    if (locale.before)
        uselocale(locale.before);
}
