// SPDX-License-Identifier: Apache-2.0
// spec: an experiment as data, and questions about it. load.h reads it from a spec file;
// spec_tables.c says what each key means.
#ifndef CFPC_LAB_SPEC_H
#define CFPC_LAB_SPEC_H

#include "base/nearest.h"
#include "base/outcome.h"
#include "spec/basis_spec.h"
#include "spec/loop_spec.h"
#include "spec/measure_spec.h"
#include "spec/model_file.h"
#include "spec/population_spec.h"
#include "spec/rule_spec.h"
#include "spec/story_spec.h"
#include "spec/task_spec.h"
#include "spec/zone_spec.h"

typedef struct lab_spec {
    lab_place place;
    char *name;        // of the experiment
    char *title;       // one line
    lab_texts applied; // settings that are in it, as path=value; none: it is as it was written
    double step_ms;    // sampling step
    lab_loop_spec loop;
    lab_believed_spec believed; // its place is line 0 if left out
    lab_entry enters;           // where o is added
    lab_teach_spec teach;
    lab_olive_spec olive;
    lab_task_spec task;
    lab_angle_spec angle;           // its place is line 0 if left out
    lab_listing disturbances;       // lab_disturbance_spec
    lab_listing cues;               // lab_cue_spec
    lab_listing basis;              // lab_basis_spec
    lab_prediction_spec prediction; // its place is line 0 if left out
    lab_learning_spec learning;
    lab_guard_spec guard;
    lab_listing rules;              // lab_rule_spec; the first is the experiment's own
    char *rule;                     // whose signals are kept; "": the first's
    int runs;                       // with other seeds; the curves are their mean
    int seed;                       // added to every seed; a repeat adds to it
    lab_listing cases;              // lab_case_spec; may be empty
    lab_listing table;              // lab_column_spec
    lab_tune_spec tune;             // its place is line 0 if left out
    lab_listing phases;             // lab_phase_spec; none: one phase of learning.trials
    lab_scan_spec delay_scan;       // its place is line 0 if left out
    lab_scale_spec scale;           // likewise
    lab_population_spec population; // likewise
    lab_zone_spec zone;             // likewise
    lab_response_spec response;     // likewise
    lab_gain_spec gain;             // likewise
    lab_windows_spec windows;       // likewise
    lab_listing claims;             // lab_claim_spec
    lab_story_spec story;           // its place is line 0 if left out

    lab_model_files models; // files that it names, read

    char *file;    // where it was read from
    int main_rule; // number of `rule`
    bool modified; // claims are reported, not required
} lab_spec;

// The items of the lists of a spec: lab_rules(spec)[i].
#define LAB_ITEMS(name, type, list)                                                                \
    static inline type *name(const lab_spec *spec)                                                 \
    {                                                                                              \
        return spec->list.items;                                                                   \
    }
LAB_ITEMS(lab_rules, lab_rule_spec, rules)
LAB_ITEMS(lab_claims, lab_claim_spec, claims)
LAB_ITEMS(lab_banks, lab_basis_spec, basis)
LAB_ITEMS(lab_cues, lab_cue_spec, cues)
LAB_ITEMS(lab_disturbances, lab_disturbance_spec, disturbances)
LAB_ITEMS(lab_cases, lab_case_spec, cases)
LAB_ITEMS(lab_columns, lab_column_spec, table)
LAB_ITEMS(lab_phases, lab_phase_spec, phases)
LAB_ITEMS(lab_panels, lab_panel_spec, story.panels)
LAB_ITEMS(lab_loop_variants, lab_variant_spec, believed.band.variants)

// Index of the disturbance of this name ("": the first); -1 if there is none.
int lab_disturbance_of(const lab_spec *spec, const char *name);

// Likewise of a cue.
int lab_cue_of(const lab_spec *spec, const char *name);

// Index of the rule of this name; -1 if there is none. A hint (or NULL) is given the names there
// are.
int lab_rule_of(const lab_spec *spec, const char *name, lab_hint *hint);

// Number of panels of the story; 0 if it does not fit a modified spec.
static inline int lab_panel_count(const lab_spec *spec)
{
    return spec->story.place.line > 0 ? spec->story.panels.count : 0;
}

// Whether a bank is driven by the prediction.
static inline bool lab_hears_prediction(const lab_spec *spec)
{
    for (int i = 0; i < spec->basis.count; i++)
        if (lab_family_of_basis(lab_banks(spec)[i].kind) == LAB_DRIVEN &&
            lab_banks(spec)[i].input == LAB_FROM_PREDICTION)
            return true;
    return false;
}

// Whether a disturbance depends on the angle.
static inline bool lab_is_angular(const lab_disturbance_spec *disturbance)
{
    return disturbance->signal.kind == LAB_HARMONICS;
}

// Whether basis signals or disturbances depend on the angle.
bool lab_uses_angle(const lab_spec *spec);

// Whether rules are tried at several rates.
static inline bool lab_tunes(const lab_spec *spec)
{
    return spec->tune.place.line > 0;
}

// Whether the response of every trial is to be measured.
static inline bool lab_asks_responses(const lab_spec *spec)
{
    return spec->response.place.line > 0;
}

// Whether the error in windows of a trial is to be measured.
static inline bool lab_asks_windows(const lab_spec *spec)
{
    return spec->windows.place.line > 0;
}

static inline int lab_loop_variant_count(const lab_spec *spec)
{
    return spec->believed.place.line > 0 ? spec->believed.band.variants.count : 0;
}

// Whether the loop has a path from the reference to the plant, beside the controller.
static inline bool lab_has_feedforward(const lab_spec *spec)
{
    return spec->loop.model == LAB_LOOP_OF_PARTS && spec->loop.feedforward.place.line > 0;
}

// Whether the spec gives a band of the believed model; a model file may bring one besides.
static inline bool lab_gives_band(const lab_spec *spec)
{
    return spec->believed.place.line > 0 && spec->believed.band.place.line > 0;
}

// Whether a rule learns its forward model while it runs.
static inline bool lab_learns_model(const lab_spec *spec, const lab_rule_spec *rule)
{
    return spec->believed.model == LAB_BELIEVED_LEARNED && rule->trace == LAB_TRACE_FORWARD_MODEL;
}

// Whether a rule of a spec has its trace moved to the teaching signal.
static inline bool lab_is_adjoint(const lab_spec *spec, const lab_rule_spec *rule)
{
    return spec->learning.form == LAB_ADJOINT || lab_is_filtered(rule->trace) ||
           lab_learns_model(spec, rule);
}

// Whether the loop is identified as a whole; whether what is believed is.
static inline bool lab_is_identified(const lab_spec *spec, bool believed)
{
    if (believed && spec->believed.model != LAB_BELIEVED_GIVEN)
        return spec->believed.model == LAB_BELIEVED_IDENTIFIED;
    return spec->loop.model == LAB_LOOP_IDENTIFIED;
}

// Whether the teaching signal arrives as spikes; whether it arrives with noise of either kind.
static inline bool lab_has_spikes(const lab_spec *spec)
{
    return spec->teach.spikes.rate_hz > 0;
}

static inline bool lab_has_noisy_teacher(const lab_spec *spec)
{
    return spec->teach.noise > 0 || lab_has_spikes(spec);
}

// The model of a file that the spec names; NULL if it names no such model, or without memory.
const lab_model_file *lab_spec_model(const lab_spec *spec, const char *file);

// Index of the phase that this one is compared with; -1 if there is none.
int lab_against(const lab_spec *spec, int phase);

// Trials of all phases together.
int lab_spec_trials(const lab_spec *spec);

// Makes the rule of this name the one whose signals are kept.
lab_outcome lab_spec_choose_rule(lab_spec *spec, const char *name, lab_why *why);

// Refuses with the place in the spec file.
#define lab_spec_refuse(spec, place, why, ...)                                                     \
    (lab_spec_say((spec), (place), (why), __VA_ARGS__), LAB_REFUSED)
__attribute__((format(printf, 4, 5))) void lab_spec_say(const lab_spec *spec, lab_place place,
                                                        lab_why *why, const char *format, ...);

// LAB_DONE for CFPC_OK, or what was wrong with the part of the spec at this place.
lab_outcome lab_spec_from_status(const lab_spec *spec, lab_place place, const char *part,
                                 cfpc_status status, lab_why *why);

// The path of a file that a spec names, relative to the spec file; the caller frees it.
char *lab_spec_path(const lab_spec *spec, const char *name);

// A teaching signal's name in a spec, and in a sentence: "the measured error r - m".
const char *lab_teacher_name(lab_teacher teacher);
const char *lab_teacher_phrase(lab_teacher teacher);

#endif
