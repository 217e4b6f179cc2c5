// SPDX-License-Identifier: Apache-2.0
// standings_made_up: a run of a few rules and figures, for the tables and figures that compare
// them.
#ifndef CFPC_TESTS_STANDINGS_MADE_UP_H
#define CFPC_TESTS_STANDINGS_MADE_UP_H

#include "lab/small_lab.h"
#include "write/standings.h"

#define HEAD SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING
#define COLUMNS                                                                                    \
    "table:\n"                                                                                     \
    "  - {title: error, measure: rrmse_last}\n"                                                    \
    "  - {title: what it gains, measure: gain, better: high}\n"                                    \
    "  - {title: weights, measure: parameters, better: neither}\n"
#define THREE_RULES                                                                                \
    "rules:\n"                                                                                     \
    "  - {name: x, trace: forward-model}\n"                                                        \
    "  - {name: y, trace: none}\n"                                                                 \
    "  - {name: z, trace: none}\n"

enum { MAX_RULES = 8, COLUMN_COUNT = 3 };

// A run of which nothing is known but names and figures.
typedef struct made_up {
    lab_spec spec;
    lab_rule_record rules[MAX_RULES];
    lab_record record;
    lab_measure measure[MAX_RULES * COLUMN_COUNT];
    lab_measures measures;
    lab_result result;
} made_up;

// `values` has a row a rule; a figure that is NAN is not there.
static inline void make_up(made_up *it, const char *yaml, const double (*values)[COLUMN_COUNT])
{
    *it = (made_up){.measures = {.measure = it->measure}};
    must_parse(&it->spec, yaml, SET_NOTHING);
    it->record = (lab_record){.rules = it->spec.rules.count, .rule = it->rules};
    assert_in_range(it->record.rules, 1, MAX_RULES);
    for (int i = 0; i < it->record.rules; i++) {
        it->rules[i].name = lab_rules(&it->spec)[i].name;
        for (int c = 0; c < COLUMN_COUNT; c++) {
            if (isnan(values[i][c]))
                continue;
            lab_measure *figure = &it->measure[it->measures.count++];
            figure->value = values[i][c];
            snprintf(figure->name, sizeof figure->name, "rules.%s.%s", it->rules[i].name,
                     lab_columns(&it->spec)[c].measure);
        }
    }
    it->result = (lab_result){.spec = &it->spec, .record = &it->record, .measures = &it->measures};
}

#endif
