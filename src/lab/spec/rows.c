// SPDX-License-Identifier: Apache-2.0
#include "spec/rows.h"

#include <string.h>

const char *lab_bare_name(const lab_rule_spec *rule)
{
    const size_t prefix = strlen(rule->in_case);
    return prefix > 0 && strncmp(rule->name, rule->in_case, prefix) == 0 ? rule->name + prefix + 1
                                                                         : rule->name;
}

int lab_row_of(const lab_spec *spec, int rule)
{
    const char *name = lab_bare_name(&lab_rules(spec)[rule]);
    int row = 0;
    for (int i = 0; i < rule; i++) {
        bool is_new = true;
        if (strcmp(lab_bare_name(&lab_rules(spec)[i]), name) == 0)
            return lab_row_of(spec, i);
        for (int k = 0; k < i; k++)
            is_new &=
                strcmp(lab_bare_name(&lab_rules(spec)[k]), lab_bare_name(&lab_rules(spec)[i])) != 0;
        row += is_new;
    }
    return row;
}
