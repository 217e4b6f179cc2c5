// SPDX-License-Identifier: Apache-2.0
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
