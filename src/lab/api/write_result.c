// SPDX-License-Identifier: Apache-2.0
// write_result: all files of a result, in its folder.
#include "api/call.h"
#include "api/given.h"
#include "api/result.h"
#include "draw/figures.h"
#include "draw/population_report.h"
#include "draw/scale_report.h"
#include "draw/tuning_figure.h"
#include "draw/zone_report.h"
#include "run/gain.h"
#include "write/hash.h"
#include "write/standings.h"

typedef lab_outcome writer(lab_folder *folder, const lab_result *result, lab_why *why);

static bool asks_gain(const lab_result *result)
{
    return lab_asks_gain(result->spec);
}

static bool asks_responses(const lab_result *result)
{
    return lab_asks_responses(result->spec);
}

static bool asks_windows(const lab_result *result)
{
    return lab_asks_windows(result->spec);
}

static bool write_result_has_model(const lab_result *result)
{
    return lab_any_model(result->record);
}

static bool was_tuned(const lab_result *result)
{
    return lab_any_tuned(result->record);
}

static bool has_sizes(const lab_result *result)
{
    return result->record->scale_sizes > 0;
}

static bool has_population(const lab_result *result)
{
    return result->record->population.count > 0;
}

static bool has_zone(const lab_result *result)
{
    return lab_has_cells(&result->record->zone);
}

static bool has_joints(const lab_result *result)
{
    return result->record->zone.joints.count > 0;
}

static bool asks_standings(const lab_result *result)
{
    return lab_asks_standings(result->spec);
}

// What is written, in this order, and when; NULL: always.
static const struct {
    writer *write;
    bool (*asked)(const lab_result *result);
} files[] = {{lab_write_curves, NULL},
             {lab_write_signals, NULL},
             {lab_write_phases, NULL},
             {lab_write_traces, NULL},
             {lab_write_weights, NULL},
             {lab_write_responses, asks_responses},
             {lab_write_gain, asks_gain},
             {lab_write_windows, asks_windows},
             {lab_write_models, write_result_has_model},
             {lab_write_tuning, was_tuned},
             {lab_write_scale, has_sizes},
             {lab_write_population, has_population},
             {lab_write_zone, has_zone},
             {lab_write_joints, has_joints},
             {lab_write_standings, asks_standings},
             {lab_write_summary, NULL},
             {lab_write_hashes, NULL},
             {lab_write_hdf5, NULL}};

lab_outcome lab_result_write(lab_folder *folder, const cfpc_result *result, bool figures,
                             lab_why *why)
{
    const lab_result *parts = &result->parts;
    lab_outcome outcome = lab_write_inputs(folder, &result->origin, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_spec(folder, &result->origin, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof files / sizeof files[0]; i++)
        if (!files[i].asked || files[i].asked(parts))
            outcome = files[i].write(folder, parts, why);
    if (outcome == LAB_DONE && figures)
        outcome = lab_draw_figures(folder, parts, why);
    return outcome;
}

static lab_outcome write_result_write_into(const cfpc_result *result, const char *path,
                                           const cfpc_write_options *options, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome =
        lab_folder_begin_as(&folder, path, NULL, options && options->replace, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_result_write(&folder, result, options && options->figures, why);
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

cfpc_outcome cfpc_result_write(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_outcome outcome = lab_check_both(result, "result", folder, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = write_result_write_into(result, folder, options, &call.why);
    return lab_call_end(&call, outcome, why);
}
