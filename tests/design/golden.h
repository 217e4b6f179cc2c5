// SPDX-License-Identifier: Apache-2.0
// golden: values that an independent script made, from tests/golden.
#ifndef CFPC_TESTS_GOLDEN_H
#define CFPC_TESTS_GOLDEN_H

#include "harness.h"

// The values of this name in the order they stand in the file, at most `most`; how many there are.
static inline int golden_in(const char *file_name, const char *name, int most, double *values)
{
    char path[512], line[256], row_name[64];
    int found = 0, index;
    double value;
    snprintf(path, sizeof path, "%s/golden/%s", TEST_SOURCE_DIR, file_name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%63[^,],%d,%lf", row_name, &index, &value) == 3 &&
            strcmp(row_name, name) == 0) {
            assert_true(found < most);
            values[found++] = value;
        }
    fclose(file);
    return found;
}

#endif
