// SPDX-License-Identifier: Apache-2.0
// number: a double as text that reads back to the same double.
#ifndef CFPC_LAB_NUMBER_H
#define CFPC_LAB_NUMBER_H

typedef struct lab_number_text {
    char text[32];
} lab_number_text;

// The shortest of 15 to 17 digits that reads back exactly; "nan", "inf" or "-inf" otherwise.
lab_number_text lab_number(double value);

// A magnitude beside 1, with as many digits as tell it from 1: 0.9960, 0.9999998.
lab_number_text lab_beside_one(double value);

#endif
