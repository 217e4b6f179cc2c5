// SPDX-License-Identifier: Apache-2.0
// check_parts: what the checks of a spec have in common, and the list of those that involve more
// than one of its fields. Each refuses what it checks with the line of the spec that is at fault.
#ifndef CFPC_LAB_CHECK_PARTS_H
#define CFPC_LAB_CHECK_PARTS_H

#include "spec/spec.h"

enum {
    LONGEST_NAME = 40,       // characters
    LONGEST_TRIAL = 10000000 // steps
};

typedef lab_outcome lab_check(const lab_spec *spec, lab_why *why);

// Makes these checks, which end with NULL, up to the first that refuses.
lab_outcome lab_check_all(const lab_spec *spec, lab_check *const *checks, lab_why *why);

#define REFUSE(node, ...) lab_spec_refuse(spec, (node)->place, why, __VA_ARGS__)

// Whether it is made of letters, digits, '+', '-' and '_'.
bool lab_is_word(const char *name);

// A name that becomes a column, a dataset or a path: plain, and not used by an earlier one.
lab_outcome lab_check_name(const lab_spec *spec, lab_place place, const char *what,
                           const lab_listing *listing, size_t bytes, size_t name_at, int index,
                           lab_why *why);

#define CHECK_NAME(what, listing, type, index)                                                     \
    lab_check_name(spec, ((type *)(listing)->items)[index].place, what, listing, sizeof(type),     \
                   offsetof(type, name), index, why)

// Whether a time is a whole number of steps.
bool lab_is_whole(double time_ms, double step_ms);

// A delay of the spec must be a whole number of steps, and no longer than the longest trial; one
// that is left out is both.
lab_outcome lab_check_time(const lab_spec *spec, lab_place place, const char *key, double ms,
                           lab_why *why);

// The part of a loop about which something else than the truth is believed; NULL: none.
const char *lab_part_believed(const lab_believed_spec *believed);

// A disturbance that depends on the angle is known only while the loop runs: what needs it before
// is refused. source: its name, "": the first.
lab_outcome lab_check_known(const lab_spec *spec, lab_place place, const char *source,
                            const char *doing, lab_why *why);

// spec_check: all of them.
lab_outcome lab_spec_check(const lab_spec *spec, lab_why *why);

// identified_check: what cannot go with a loop of which only the response is known.
lab_outcome lab_check_identified(const lab_spec *spec, lab_why *why);

// loop_check: plant, controller, feed-forward path, delays, what the cell believes.
lab_outcome lab_check_loop(const lab_spec *spec, lab_why *why);

// signal_check: reference and teacher; disturbances and cues.
lab_outcome lab_check_task(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_events(const lab_spec *spec, lab_why *why);

// basis_check: the banks of the cell, and those of a first stage.
lab_outcome lab_check_basis(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_prediction(const lab_spec *spec, lab_why *why);

// rule_check: what is run: rules, in cases and phases, tuned and put side by side; and whether a
// path names what all rules have in common.
bool lab_is_of_all(const char *path);
lab_outcome lab_check_cases(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_table(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_tune(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_rules(const lab_spec *spec, lab_why *why);
lab_outcome lab_check_phases(const lab_spec *spec, lab_why *why);

// zone_check: a zone of cells, and the loops and rules that it can have.
lab_outcome lab_check_zone(const lab_spec *spec, lab_why *why);

#endif
