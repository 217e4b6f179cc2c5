// SPDX-License-Identifier: Apache-2.0
// json: values of a JSON file, written so that any reader takes them.
#ifndef CFPC_LAB_JSON_H
#define CFPC_LAB_JSON_H

#include <stdio.h>

// A string, quoted and escaped, in one line: YAML takes it, too. Returns how many bytes were
// written.
int lab_json_text(FILE *file, const char *text);

// A number with all its digits; null where there is none, as JSON knows no NaN and no infinity.
void lab_json_number(FILE *file, double value);

#endif
