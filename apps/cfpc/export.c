// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiments.h"
#include "export/export.h"
#include "export/fmu.h"
#include "export/make_target.h"
#include "export/readme.h"
#include "load.h"
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

// Bytes; hardly a microcontroller has more, and the source would be a hundred megabytes soon.
enum { USUAL_FLASH = 4 << 20 };

typedef enum kind { AS_C, AS_BIN, AS_FMU } kind;

// The objects of an export, freed together.
typedef struct work {
    cfpc_experiment experiment;
    lab_target target;
} work;

static void export_work_free(work *work)
{
    lab_target_free(&work->target);
    lab_experiment_clear(&work->experiment);
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
        return lab_refuse(why,
                          "%s must be a positive number of bytes, such as 64k; this is '%.80s'",
                          option, text);
    *bytes = floor(value * unit);
    return LAB_DONE;
}

static lab_outcome read_kind(const app_line *line, kind *to, lab_why *why)
{
    static const char *const names[] = {[AS_C] = "c", [AS_BIN] = "bin", [AS_FMU] = "fmu"};
    const char *name = app_value(line, "--as");
    *to = AS_C;
    for (kind k = AS_C; name && k <= AS_FMU; k++)
        if (strcmp(name, names[k]) == 0)
            *to = k;
    return !name || strcmp(name, names[*to]) == 0
               ? LAB_DONE
               : lab_refuse(why, "--as must be c, bin or fmu; this is '%.80s'", name);
}

// A simulator computes in double, a microcontroller in float.
static lab_outcome read_real(const app_line *line, kind as, size_t *bytes, lab_why *why)
{
    const char *type = app_value(line, "--real");
    if (!type)
        type = as == AS_FMU ? "double" : "float";
    *bytes = strcmp(type, "double") == 0 ? sizeof(double) : sizeof(float);
    return strcmp(type, "float") == 0 || strcmp(type, "double") == 0
               ? LAB_DONE
               : lab_refuse(why, "--real must be float or double; this is '%.80s'", type);
}

// What a cell needs of a microcontroller is counted for its C source: a model file has the whole
// table of its basis signals.
static lab_outcome read_sizes(lab_target_options *to, kind as, const app_line *line, lab_why *why)
{
    if (as != AS_C && (app_value(line, "--flash") || app_value(line, "--ram")))
        return lab_refuse(why, "--flash and --ram are for --as c: what a model file or an FMU "
                               "needs is not counted");
    to->usual_flash = as == AS_C ? USUAL_FLASH : 0;
    const lab_outcome outcome = read_size(line, "--flash", &to->flash, why);
    return outcome == LAB_DONE ? read_size(line, "--ram", &to->ram, why) : outcome;
}

static lab_outcome export_read_options(lab_target_options *to, kind *as, const app_line *line,
                                       lab_why *why)
{
    *to = (lab_target_options){.name = app_value(line, "--name"),
                               .weights = app_value(line, "--weights"),
                               .frozen = app_value(line, "--frozen") != NULL};
    lab_outcome outcome = read_kind(line, as, why);
    if (outcome == LAB_DONE)
        outcome = read_real(line, *as, &to->real_bytes, why);
    if (outcome == LAB_DONE)
        outcome = read_sizes(to, *as, line, why);
    return outcome;
}

// ---- writing ---------------------------------------------------------------------------------

static lab_outcome export_write_folder(const lab_target *target, const char *path, kind as,
                                       const char *firmware, bool force, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = as == AS_C ? lab_export_c(&folder, target, firmware, why)
                         : lab_export_bin(&folder, target, why);
    return app_end_result(&folder, outcome, why);
}

// What a compiler said belongs to the report: an FMU without a library is still an FMU.
static lab_outcome write_as(const lab_target *target, const char *path, kind as, bool force,
                            lab_why *said, lab_why *why)
{
    char *firmware = app_shared_folder("CFPC_FIRMWARE", "firmware");
    const lab_outcome outcome = !firmware ? lab_no_memory(why, NULL)
                                : as == AS_FMU
                                    ? lab_export_fmu(path, target, firmware, force, said, why)
                                    : export_write_folder(target, path, as, firmware, force, why);
    free(firmware);
    return outcome;
}

static void export_report(const lab_target *target, const char *path, kind as, const lab_why *said)
{
    static const char *const files[] = {[AS_C] =
                                            "_model.c, _model.h, _loop.c, _loop.h and _example.c",
                                        [AS_BIN] = ".model and .data"};
    printf("rule '%s' of %s, %s, %d synapse%s, in %s", target->of->name, target->spec->name,
           target->real->name, target->synapses, target->synapses == 1 ? "" : "s", path);
    if (as != AS_FMU)
        printf(": %s%s", target->name, files[as]);
    printf("\n");
    lab_put_phase(stdout, target, "  ");
    if (as == AS_C)
        lab_put_needs(stdout, target, "  ");
    if (*said->text)
        printf("  its sources only, no library: %s\n", said->text);
}

static lab_outcome export(work *work, const app_line *line, lab_why *why)
{
    lab_target_options how;
    lab_why said = {0};
    kind as = AS_C;
    char standard[400];
    lab_outcome outcome = export_read_options(&how, &as, line, why);
    if (outcome == LAB_DONE)
        outcome = app_load_plan(&work->experiment, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_target_make(&work->target, &work->experiment.plan, &how, why);
    if (outcome != LAB_DONE)
        return outcome;
    snprintf(standard, sizeof standard, "out/%s-%s%s", work->experiment.spec.name,
             work->target.name, as == AS_FMU ? ".fmu" : "");
    const char *path = app_value(line, "--out") ? app_value(line, "--out") : standard;
    outcome = write_as(&work->target, path, as, app_value(line, "--force"), &said, why);
    if (outcome == LAB_DONE)
        export_report(&work->target, path, as, &said);
    return outcome;
}

static int export_run(const app_line *line)
{
    work work = {0};
    lab_why why = {0};
    const lab_outcome outcome = export(&work, line, &why);
    export_work_free(&work);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
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
    .run = export_run};
