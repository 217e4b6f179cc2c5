// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiments.h"
#include "load.h"
#include "say.h"
#include "verbs.h"

static const app_option options[] = {
    {"--rule", "NAME", "the rule to export; default: the spec's first", false},
    {"--as", "KIND", "c: C source; bin: model and data files; fmu: FMI 3.0; default c", false},
    {"--real", "TYPE", "precision: float or double; default float, of an FMU double", false},
    {"--out", "DIR", "output folder, or file of an FMU; default out/SPEC-NAME, .fmu", false},
    {"--name", "NAME", "of the files and functions; default: made from the rule's name", false},
    {"--weights", "RUN", "start with the weights of this result of 'cfpc run'", false},
    {"--frozen", NULL, "do not learn: use the weights as they are", false},
    {"--flash", "SIZE", "bytes of flash, e.g. 64k; refuse what does not fit; default 4M", false},
    {"--ram", "SIZE", "bytes of RAM that there are, e.g. 16k", false},
    {"--set", "KEY=VALUE", "set a key of the spec, e.g. loop.delay_ms=80; repeatable", true},
    {"--force", NULL, "replace an existing export in the folder", false},
    {0}};

// A number of bytes: 65536, 64k, 1M.
static cfpc_outcome read_size(const app_line *line, const char *option, double *bytes,
                              cfpc_why *why)
{
    const char *text = app_value(line, option);
    char *end = NULL;
    if (!text)
        return CFPC_DONE;
    errno = 0;
    const double value = strtod(text, &end);
    const double unit = end != text && (*end == 'k' || *end == 'K') ? 1024
                        : end != text && *end == 'M'                ? 1024 * 1024
                                                                    : 1;
    if (unit > 1)
        end++;
    if (end == text || *end || errno != 0 || !isfinite(value) || value * unit < 1 ||
        value * unit > 0x1p40)
        return app_refuse(why,
                          "%s must be a positive number of bytes, such as 64k; this is '%.80s'",
                          option, text);
    *bytes = floor(value * unit);
    return CFPC_DONE;
}

static cfpc_outcome export_read_options(cfpc_export_options *to, const app_line *line,
                                        cfpc_why *why)
{
    static const char *const kinds[] = {
        [CFPC_EXPORT_C] = "c", [CFPC_EXPORT_BIN] = "bin", [CFPC_EXPORT_FMU] = "fmu"};
    const char *kind = app_value(line, "--as"), *type = app_value(line, "--real");
    *to = (cfpc_export_options){.name = app_value(line, "--name"),
                                .weights = app_value(line, "--weights"),
                                .frozen = app_value(line, "--frozen"),
                                .kind = CFPC_EXPORT_C,
                                .write = app_write_options(line)};
    for (int k = 0; kind && k < 3; k++)
        if (strcmp(kind, kinds[k]) == 0)
            to->kind = (cfpc_export_kind)k;
    if (kind && strcmp(kind, kinds[to->kind]) != 0)
        return app_refuse(why, "--as must be c, bin or fmu; this is '%.80s'", kind);
    const bool is_double = type && strcmp(type, "double") == 0;
    if (type && !is_double && strcmp(type, "float") != 0)
        return app_refuse(why, "--real must be float or double; this is '%.80s'", type);
    to->real_bytes = !type ? 0 : is_double ? sizeof(double) : sizeof(float);
    if (to->kind != CFPC_EXPORT_C && (app_value(line, "--flash") || app_value(line, "--ram")))
        return app_refuse(why, "--flash and --ram are for --as c: what a model file or an FMU "
                               "needs is not counted");
    const cfpc_outcome outcome = read_size(line, "--flash", &to->flash, why);
    return outcome == CFPC_DONE ? read_size(line, "--ram", &to->ram, why) : outcome;
}

static cfpc_outcome export(const app_line *line, cfpc_why *why)
{
    cfpc_export_options how;
    cfpc_experiment *experiment = NULL;
    char *firmware = app_shared_folder("CFPC_FIRMWARE", "firmware"), *text = NULL;
    cfpc_outcome outcome = firmware ? export_read_options(&how, line, why) : app_no_memory(why);
    if (outcome == CFPC_DONE)
        outcome = app_load(&experiment, line, why);
    if (outcome == CFPC_DONE) {
        how.firmware = firmware;
        outcome = cfpc_experiment_export(experiment, app_value(line, "--out"), &how, &text, why);
    }
    app_print_text(text);
    cfpc_experiment_free(experiment);
    free(firmware);
    return outcome;
}

const app_verb app_verb_export = {
    .name = "export",
    .arguments = "SPEC",
    .summary = "write the cell of a rule for firmware: C source, model files or an FMU",
    .text =
        "SPEC is a name from 'cfpc list' or a path to a spec file. The folder appears complete or\n"
        "not at all, and compiles alone: NAME_model.c and .h (the model for flash, static memory,\n"
        "no allocation), NAME_example.c (a short program to start from), NAME_loop.c and .h (the\n"
        "spec's loop, simulated, for that program), cfpc.c and .h (the core) and README.md\n"
        "(flash, RAM, stack and instructions per step). With --as bin it holds NAME.model and\n"
        "NAME.data, which cfpc_model_load and cfpc_data_load read. Of a spec with phases it is\n"
        "the cell of the first; --weights RUN are those that RUN ended its last phase with.\n"
        "With --as fmu it is one file for Simulink, OpenModelica and others (FMI 3.0,\n"
        "co-simulation; docs/fmu.md), with a library for this machine where there is a compiler.\n"
        "Exit code: 0 done, 1 failed, 2 bad usage, or a cell that does not fit or that\n"
        "cannot run outside the lab.\n",
    .options = options,
    .positionals = 1,
    .run = export};
