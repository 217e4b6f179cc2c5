// SPDX-License-Identifier: Apache-2.0
// export: the cell of a rule, written for a target.
#include "export/export.h"

#include <math.h>
#include <stdlib.h>

#include "api/call.h"
#include "api/experiment.h"
#include "base/text.h"
#include "export/files.h"
#include "export/fmu.h"
#include "export/make_target.h"

// Bytes; hardly a microcontroller has more, and the source would soon be a hundred megabytes.
enum { USUAL_FLASH = 4 << 20 };

// What is written, and where.
typedef struct exported {
    const cfpc_export_options *options;
    lab_target target;
    const char *place;
    lab_why compiler_said;
} exported;

static lab_outcome check_bytes(double bytes, const char *what, lab_why *why)
{
    return bytes == 0 || (bytes >= 1 && bytes <= 0x1p40)
               ? LAB_DONE
               : lab_refuse(why, "%s must be a positive number of bytes; this is %g", what, bytes);
}

// What a cell needs of a microcontroller is counted for its C source: a model file has the whole
// table of its basis signals. A simulator computes in double, a microcontroller in float.
static lab_outcome read_export_options(lab_target_options *to, const cfpc_export_options *from,
                                       lab_why *why)
{
    const bool is_c = from->kind == CFPC_EXPORT_C;
    const size_t usual = from->kind == CFPC_EXPORT_FMU ? sizeof(double) : sizeof(float);
    *to = (lab_target_options){.name = from->name,
                               .weights = from->weights,
                               .frozen = from->frozen,
                               .real_bytes = from->real_bytes ? from->real_bytes : usual,
                               .usual_flash = is_c ? USUAL_FLASH : 0,
                               .flash = floor(from->flash),
                               .ram = floor(from->ram)};
    if ((unsigned)from->kind > CFPC_EXPORT_FMU)
        return lab_refuse(why, "an export is C source, model files or an FMU");
    if (to->real_bytes != sizeof(float) && to->real_bytes != sizeof(double))
        return lab_refuse(why, "a number must have 4 or 8 bytes; this is %zu", to->real_bytes);
    if (!is_c && (from->flash != 0 || from->ram != 0))
        return lab_refuse(why, "flash and RAM are counted for C source only, not for a model file "
                               "or an FMU");
    if (!from->firmware && from->kind != CFPC_EXPORT_BIN)
        return lab_refuse(why, "no folder of the core's source was given");
    const lab_outcome outcome = check_bytes(from->flash, "the flash", why);
    return outcome == LAB_DONE ? check_bytes(from->ram, "the RAM", why) : outcome;
}

static lab_outcome export_fill(lab_folder *folder, const void *context, bool figures, lab_why *why)
{
    const exported *exported = context;
    const cfpc_export_options *how = exported->options;
    (void)figures;
    return how->kind == CFPC_EXPORT_C ? lab_export_c(folder, &exported->target, how->firmware, why)
                                      : lab_export_bin(folder, &exported->target, why);
}

// What a compiler said belongs to the text: an FMU without a library is still an FMU.
static lab_outcome put_exported(FILE *to, const void *context, lab_why *why)
{
    static const char *const files[] = {[CFPC_EXPORT_C] =
                                            "_model.c, _model.h, _loop.c, _loop.h and _example.c",
                                        [CFPC_EXPORT_BIN] = ".model and .data"};
    const exported *exported = context;
    const lab_target *target = &exported->target;
    const cfpc_export_kind kind = exported->options->kind;
    (void)why;
    fprintf(to, "rule '%s' of %s, %s, %d synapse%s, in %s", target->of->name, target->spec->name,
            target->real->name, target->synapses, lab_plural(target->synapses), exported->place);
    if (kind != CFPC_EXPORT_FMU)
        fprintf(to, ": %s%s", target->name, files[kind]);
    fputc('\n', to);
    lab_put_phase(to, target, "  ");
    if (kind == CFPC_EXPORT_C)
        lab_put_needs(to, target, "  ");
    if (*exported->compiler_said.text)
        fprintf(to, "  its sources only, no library: %s\n", exported->compiler_said.text);
    return LAB_DONE;
}

cfpc_outcome cfpc_experiment_export(const cfpc_experiment *experiment, const char *place,
                                    const cfpc_export_options *options, char **text, cfpc_why *why)
{
    const cfpc_export_options from = options ? *options : (cfpc_export_options){0};
    exported exported = {.options = &from, .place = place};
    const bool is_fmu = from.kind == CFPC_EXPORT_FMU;
    lab_target_options how;
    char standard[400];
    lab_call call;
    lab_call_begin(&call, NULL);
    if (text)
        *text = NULL;
    lab_outcome outcome = lab_check_given(experiment, "experiment", &call.why);
    if (outcome == LAB_DONE)
        outcome = read_export_options(&how, &from, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_target_make(&exported.target, &experiment->plan, &how, &call.why);
    if (outcome == LAB_DONE && !place) {
        snprintf(standard, sizeof standard, "out/%s-%s%s", experiment->spec.name,
                 exported.target.name, is_fmu ? ".fmu" : "");
        exported.place = standard;
    }
    if (outcome == LAB_DONE && is_fmu)
        outcome = lab_export_fmu(exported.place, &exported.target, from.firmware,
                                 from.write.replace, &exported.compiler_said, &call.why);
    else if (outcome == LAB_DONE)
        outcome =
            lab_write_into(exported.place, &from.write, NULL, export_fill, &exported, &call.why);
    if (outcome == LAB_DONE && text)
        outcome = lab_tell(text, put_exported, &exported, &call.why);
    lab_target_free(&exported.target);
    return lab_call_end(&call, outcome, why);
}
