// SPDX-License-Identifier: Apache-2.0
// write_result: all files of a result, in its folder.
#include "api/call.h"
#include "api/given.h"
#include "api/into.h"
#include "api/result.h"
#include "api/told.h"
#include "draw/figures.h"
#include "draw/population_report.h"
#include "draw/scale_report.h"
#include "draw/tuning_figure.h"
#include "draw/zone_report.h"
#include "report/report.h"
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

static lab_outcome write_result_fill(lab_folder *folder, const void *context, bool figures,
                                     lab_why *why)
{
    const cfpc_result *result = context;
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

cfpc_outcome cfpc_result_write(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, options ? options->progress : NULL);
    lab_outcome outcome = lab_check_both(result, "result", folder, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome =
            lab_write_into(folder, options, &call.progress, write_result_fill, result, &call.why);
    return lab_call_end(&call, outcome, why);
}

// ---- as text ---------------------------------------------------------------------------------

static lab_outcome write_result_put(FILE *to, const void *result, lab_why *why)
{
    (void)why;
    lab_put_result(to, &((const cfpc_result *)result)->parts);
    return LAB_DONE;
}

cfpc_outcome cfpc_result_text(const cfpc_result *result, char **text, cfpc_why *why)
{
    return lab_tell_program(text, write_result_put, result, "result", why);
}

typedef struct result_place {
    const cfpc_result *result;
    const char *folder;
    bool figures;
} result_place;

static lab_outcome write_result_put_files(FILE *to, const void *context, lab_why *why)
{
    const result_place *place = context;
    (void)why;
    lab_put_result_files(to, &place->result->parts, place->folder, place->figures);
    return LAB_DONE;
}

cfpc_outcome cfpc_result_files(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why)
{
    const result_place place = {result, folder, options && options->figures};
    return lab_tell_program(text, write_result_put_files, result && folder ? &place : NULL,
                            result ? "folder" : "result", why);
}
