// SPDX-License-Identifier: Apache-2.0
#include "write/entries.h"

#include <math.h>

void lab_entry_number(FILE *file, const char *before, const char *key, double value)
{
    fprintf(file, "%s\"%s\": ", before, key);
    lab_json_number(file, value);
}

void lab_entry_truth(FILE *file, const char *before, const char *key, bool is)
{
    fprintf(file, "%s\"%s\": %s", before, key, is ? "true" : "false");
}

void lab_entry_text(FILE *file, const char *before, const char *key, const char *text)
{
    fprintf(file, "%s\"%s\": ", before, key);
    if (text)
        lab_json_text(file, text);
    else
        fputs("null", file);
}

void lab_entry_numbers(FILE *file, const char *before, const char *key, int count,
                       const double *values)
{
    fprintf(file, "%s\"%s\": [", before, key);
    for (int k = 0; k < count; k++) {
        fputs(k ? ", " : "", file);
        lab_json_number(file, values ? values[k] : NAN);
    }
    fputc(']', file);
}
