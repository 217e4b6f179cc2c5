// SPDX-License-Identifier: Apache-2.0
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/elementary.h"

lab_number_text lab_number(double value)
{
    lab_number_text number;
    if (isnan(value)) {
        snprintf(number.text, sizeof number.text, "nan");
        return number;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        if (strtod(number.text, NULL) == value)
            break;
    }
    return number;
}

lab_number_text lab_beside_one(double value)
{
    lab_number_text number;
    const double apart = fabs(value - 1);
    const int digits = apart > 0 && apart < 1e-4 ? (int)ceil(-cfpci_log10(apart)) + 1 : 4;
    snprintf(number.text, sizeof number.text, "%.*f", digits < 16 ? digits : 16, value);
    return number;
}
