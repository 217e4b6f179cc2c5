// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments.h"
#include "export/export.h"
#include "export/readme.h"
#include "load.h"
#include "verbs.h"

static const app_option options[] = {
    {"--rule", "NAME", "the rule to export; default: the spec's first", false},
    {"--as", "KIND", "c: C source; bin: model and data files; default c", false},
    {"--real", "TYPE", "precision: float or double; default float", false},
    {"--out", "DIR", "output folder; default out/SPEC-NAME", false},
    {"--name", "NAME", "of the files and functions; default: made from the rule's name", false},
    {"--weights", "RUN", "start with the weights of this result of 'cfpc run'", false},
    {"--frozen", NULL, "do not learn: use the weights as they are", false},
    {"--flash", "SIZE", "bytes of flash that there are, e.g. 64k; refuse what does not fit", false},
    {"--ram", "SIZE", "bytes of RAM that there are, e.g. 16k", false},
    {"--set", "KEY=VALUE", "set a key of the spec, e.g. loop.delay_ms=80; repeatable", true},
    {"--force", NULL, "replace an existing export in the folder", false},
    {0}};

// The objects of an export, freed together.
typedef struct work {
    app_experiment experiment;
    lab_target target;
} work;

static void work_free(work *it)
{
    lab_target_free(&it->target);
    app_experiment_free(&it->experiment);
}

// ---- options ---------------------------------------------------------------------------------

// A number of bytes: 65536, 64k, 1M.
static lab_outcome read_size(const app_line *line, const char *option, double *bytes, lab_why *why)
{
    const char *text = app_value(line, option);
    char *end = NULL;
    if (!text)
        return LAB_DONE;
    errno = 0;
    const double value = strtod(text, &end);
    const double unit = end != text && (*end == 'k' || *end == 'K') ? 1024
                        : end != text && *end == 'M'                ? 1024 * 1024
                                                                    : 1;
    if (unit > 1)
        end++;
    if (end == text || *end || errno != 0 || !isfinite(value) || value * unit < 1 ||
        value * unit > 0x1p40)
        return lab_refuse(why, "%s must be a number of bytes, as 65536, 64k or 1M; this is '%.80s'",
                          option, text);
    *bytes = floor(value * unit);
    return LAB_DONE;
}

static lab_outcome read_real(const app_line *line, size_t *bytes, lab_why *why)
{
    const char *type = app_value(line, "--real");
    *bytes = type && strcmp(type, "double") == 0 ? sizeof(double) : sizeof(float);
    return !type || strcmp(type, "float") == 0 || strcmp(type, "double") == 0
               ? LAB_DONE
               : lab_refuse(why, "--real must be float or double; this is '%.80s'", type);
}

static lab_outcome read_kind(const app_line *line, bool *is_c, lab_why *why)
{
    const char *kind = app_value(line, "--as");
    *is_c = !kind || strcmp(kind, "c") == 0;
    return *is_c || strcmp(kind, "bin") == 0
               ? LAB_DONE
               : lab_refuse(why, "--as must be c or bin; this is '%.80s'", kind);
}

static lab_outcome read_options(lab_target_options *to, const app_line *line, lab_why *why)
{
    *to = (lab_target_options){.name = app_value(line, "--name"),
                               .weights = app_value(line, "--weights"),
                               .frozen = app_value(line, "--frozen") != NULL};
    lab_outcome outcome = read_real(line, &to->real_bytes, why);
    if (outcome == LAB_DONE)
        outcome = read_size(line, "--flash", &to->flash, why);
    if (outcome == LAB_DONE)
        outcome = read_size(line, "--ram", &to->ram, why);
    return outcome;
}

// ---- writing ---------------------------------------------------------------------------------

static lab_outcome write_c(lab_folder *folder, const lab_target *target, lab_why *why)
{
    char *firmware = app_shared_folder("CFPC_FIRMWARE", "firmware");
    const lab_outcome outcome =
        firmware ? lab_export_c(folder, target, firmware, why) : lab_no_memory(why, NULL);
    free(firmware);
    return outcome;
}

static lab_outcome write_into(const work *it, const char *path, bool is_c, bool force, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = is_c ? write_c(&folder, &it->target, why) : lab_export_bin(&folder, &it->target, why);
    return app_end_result(&folder, outcome, why);
}

static void report(const lab_target *target, const char *path, bool is_c)
{
    printf("rule '%s' of %s, %s, %d synapse%s, in %s: %s%s\n", target->of->name, target->spec->name,
           target->real->name, target->synapses, target->synapses == 1 ? "" : "s", path,
           target->name, is_c ? "_model.c, _model.h and _example.c" : ".model and .data");
    if (is_c)
        lab_put_needs(stdout, target, "  ");
}

static lab_outcome export(work *it, const app_line *line, lab_why *why)
{
    lab_target_options how;
    bool is_c = true;
    char standard[400];
    lab_outcome outcome = read_options(&how, line, why);
    if (outcome == LAB_DONE)
        outcome = read_kind(line, &is_c, why);
    if (outcome == LAB_DONE)
        outcome = app_load_plan(&it->experiment, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_target_make(&it->target, &it->experiment.plan, &how, why);
    if (outcome != LAB_DONE)
        return outcome;
    snprintf(standard, sizeof standard, "out/%s-%s", it->experiment.spec.name, it->target.name);
    const char *path = app_value(line, "--out") ? app_value(line, "--out") : standard;
    outcome = write_into(it, path, is_c, app_value(line, "--force"), why);
    if (outcome == LAB_DONE)
        report(&it->target, path, is_c);
    return outcome;
}

static int run(const app_line *line)
{
    work it = {0};
    lab_why why = {{0}};
    const lab_outcome outcome = export(&it, line, &why);
    work_free(&it);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

const app_verb app_verb_export = {
    .name = "export",
    .arguments = "SPEC",
    .summary = "write the cell of a rule for firmware: C source, or model files",
    .text =
        "SPEC is a name from 'cfpc list' or a path to a spec file. The folder appears complete or\n"
        "not at all, and compiles alone: NAME_model.c and .h (the model for flash, static memory,\n"
        "no allocation), NAME_example.c (a whole program with the spec's loop, simulated), cfpc.c\n"
        "and .h (the core) and README.md (flash, RAM, stack and instructions per step). With\n"
        "--as bin it holds NAME.model and NAME.data, which cfpc_model_load and cfpc_data_load\n"
        "read. Exit code: 0 done, 1 failed, 2 bad usage, or a cell that does not fit or that\n"
        "cannot run outside the lab.\n",
    .options = options,
    .positionals = 1,
    .run = run};
