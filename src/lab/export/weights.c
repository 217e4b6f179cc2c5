// SPDX-License-Identifier: Apache-2.0
#include "export/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"

static int column_of(const lab_csv *csv, const char *rule)
{
    for (int i = 1; i < csv->columns; i++) // the first counts the basis signals
        if (strcmp(csv->names[i], rule) == 0)
            return i;
    return -1;
}

static lab_outcome take(double *weights, int count, const lab_csv *csv, const char *file,
                        const char *rule, lab_why *why)
{
    const int column = column_of(csv, rule);
    if (csv->rows != count)
        return lab_refuse(why,
                          "%s: rule '%s' has %d weights there, but %d basis signals in the spec: "
                          "give the run of this spec",
                          file, rule, csv->rows, count);
    for (int j = 0; j < count; j++) {
        weights[j] = csv->values[(size_t)j * (size_t)csv->columns + (size_t)column];
        if (!isfinite(weights[j]))
            return lab_refuse(why, "%s: the weights of rule '%s' are not finite: it diverged", file,
                              rule);
    }
    return LAB_DONE;
}

// Looks into one file; *found says whether it has the rule.
static lab_outcome look(double *weights, int count, const char *file, const char *rule, bool *found,
                        lab_why *why)
{
    lab_csv csv = {0};
    lab_outcome outcome = lab_csv_read(&csv, file, why);
    *found = outcome == LAB_DONE && column_of(&csv, rule) >= 0;
    if (*found)
        outcome = take(weights, count, &csv, file, rule, why);
    lab_csv_free(&csv);
    return outcome;
}

lab_outcome lab_weights_read(double *weights, int count, const char *folder, const lab_spec *spec,
                             const char *rule, lab_why *why)
{
    char file[4096];
    bool found = false;
    snprintf(file, sizeof file, "%s/weights.csv", folder);
    if (access(file, F_OK) != 0)
        return lab_refuse(why,
                          "%s: holds no weights.csv; --weights needs the folder of a result "
                          "of 'cfpc run'",
                          folder);
    lab_outcome outcome = look(weights, count, file, rule, &found, why);
    for (int i = 0; outcome == LAB_DONE && !found && i < spec->rules.count; i++) {
        snprintf(file, sizeof file, "%s/weights-%s.csv", folder, lab_rules(spec)[i].name);
        if (access(file, F_OK) == 0)
            outcome = look(weights, count, file, rule, &found, why);
    }
    if (outcome == LAB_DONE && !found)
        outcome = lab_refuse(why, "%s: has no weights of rule '%s': give the run of this spec",
                             folder, rule);
    return outcome;
}
