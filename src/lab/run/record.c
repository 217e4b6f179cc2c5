// SPDX-License-Identifier: Apache-2.0
#include "run/record.h"

#include <math.h>
#include <stdio.h>

const lab_tuning *lab_tuning_of(const lab_record *record, int rule)
{
    return record->tuning && record->tuning[rule].constants > 0 ? &record->tuning[rule] : NULL;
}

bool lab_any_tuned(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (lab_tuning_of(record, i))
            return true;
    return false;
}

const char *lab_guard_sentence(cfpc_guard_reason reason)
{
    switch (reason) {
    case CFPC_GUARD_WORSE:
        return "the loop was worse with the cell than without it";
    case CFPC_GUARD_NOT_FINITE:
        return "a number was not finite";
    case CFPC_GUARD_SATURATED:
        return "the command saturated for too long";
    case CFPC_GUARD_NOTHING:
        break;
    }
    return "it did not act";
}

bool lab_any_varied(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].is_varied)
            return true;
    return false;
}

bool lab_one_teacher(const lab_record *record)
{
    for (int i = 1; i < record->rules; i++)
        if (record->rule[i].teacher != record->rule[0].teacher)
            return false;
    return true;
}

bool lab_any_model(const lab_record *record)
{
    for (int i = 0; i < record->rules; i++)
        if (record->rule[i].model.peak_ms)
            return true;
    return false;
}

lab_model_text lab_model_sentence(const lab_model_record *model, int last)
{
    lab_model_text to = {
        "its model never predicted what teaches, so that it learned nothing: use a "
        "larger 'probe', a longer 'memory_s' or a larger 'max_dead_time_ms', and "
        "check that o reaches what teaches (a command that is always saturated "
        "hides it)"};
    if (!isnan(model->ready_s) && isnan(model->peak_ms[last]))
        snprintf(to.text, sizeof to.text, "its model predicted from %.3g s on, but not at the end",
                 model->ready_s);
    else if (!isnan(model->ready_s))
        snprintf(to.text, sizeof to.text,
                 "its model predicts from %.3g s on; at the end it peaks at %g ms (right: %.4g)",
                 model->ready_s, model->peak_ms[last], model->right_ms[last]);
    return to;
}

lab_diverged lab_diverged_text(const lab_record *record, int rule)
{
    lab_diverged diverged = {""};
    if (record->rule[rule].diverged_at > 0)
        snprintf(diverged.text, sizeof diverged.text, " (diverged at trial %d)",
                 record->rule[rule].diverged_at);
    return diverged;
}

lab_filter_text lab_filter_sentence(const lab_filter_record *filter, double step_s)
{
    lab_filter_text to = {"learns by traces"};
    if (filter->is_adjoint)
        snprintf(to.text, sizeof to.text,
                 "adjoint form, horizon M = %d steps (%g ms), lead L = %d steps (%g ms), %.2g of "
                 "the filter's energy cut off",
                 filter->horizon, filter->horizon * step_s * 1e3, filter->lead,
                 filter->lead * step_s * 1e3, filter->neglected);
    return to;
}

void lab_record_free(lab_record *record)
{
    lab_arena_free(&record->arena);
    *record = (lab_record){0};
}
