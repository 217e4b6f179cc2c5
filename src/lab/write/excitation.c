// SPDX-License-Identifier: Apache-2.0
#include "write/excitation.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cfpc/config.h"

// ---- probe.csv -------------------------------------------------------------------------------

// What will be logged, had the loop no noise and were it as believed: `probe` is what to add, `r`
// the reference with it.
static void put_table(FILE *file, const lab_excitation *excitation)
{
    fputs(excitation->u ? "time_s,probe,r,y,u\n" : "time_s,probe,r,y\n", file);
    for (int n = 0; n < excitation->steps; n++) {
        const double probe = lab_probe_at(excitation, n);
        fprintf(file, "%s,", lab_number(n * excitation->design.step_s).text);
        fprintf(file, "%s,", lab_number(probe).text);
        fprintf(file, "%s,", lab_number(excitation->at_plant ? 0 : probe).text);
        fputs(lab_number(excitation->y[n]).text, file);
        fprintf(file, "%s%s\n", excitation->u ? "," : "",
                excitation->u ? lab_number(excitation->u[n]).text : "");
    }
}

// ---- probe.h ---------------------------------------------------------------------------------

// One period, in C and C++ alike; nine digits tell every float.
static void excitation_put_header(FILE *file, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    fprintf(file,
            "/* A probe for '%s', by cfpc excite. Every %s s add the next value of cfpc_probe to "
            "the\n   %s, starting again after the last, and log it with what is measured:\n"
            "   %d periods of %s s. */\n"
            "#ifndef CFPC_PROBE_H\n#define CFPC_PROBE_H\n\n"
            "#define CFPC_PROBE_STEPS %d /* of one period */\n"
            "#define CFPC_PROBE_PERIODS %d\n"
            "#define CFPC_PROBE_STEP_S %.8ef\n\n"
            "static const float cfpc_probe[CFPC_PROBE_STEPS] = {",
            excitation->spec->name, lab_number(d->step_s).text,
            excitation->at_plant ? "command" : "reference", d->periods,
            lab_number(d->period_steps * d->step_s).text, d->period_steps, d->periods, d->step_s);
    for (int n = 0; n < d->period_steps; n++)
        fprintf(file, "%s%.8ef%s", n % 6 ? " " : "\n    ", (double)(float)d->probe[n],
                n + 1 < d->period_steps ? "," : "");
    fputs("};\n\n#endif\n", file);
}

// ---- probe.json ------------------------------------------------------------------------------

static void excitation_put(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_number(file, value);
}

static void excitation_put_array(FILE *file, const char *key, int count, const double *values)
{
    fprintf(file, ",\n    \"%s\": [", key);
    for (int k = 0; k < count; k++) {
        fputs(k ? ", " : "", file);
        lab_json_number(file, values ? values[k] : NAN);
    }
    fputc(']', file);
}

static void put_expected(FILE *file, const lab_excitation *excitation)
{
    excitation_put(file, "task_rms", excitation->task_rms);
    excitation_put(file, "output_rms", excitation->output_rms);
    excitation_put(file, "output_peak", excitation->y_peak);
    excitation_put(file, "command_low", excitation->u_low);
    excitation_put(file, "command_high", excitation->u_high);
    fprintf(file, ",\n  \"saturates\": %s,\n  \"noise_from\": ",
            excitation->saturates ? "true" : "false");
    if (excitation->noise_from)
        lab_json_text(file, excitation->noise_from);
    else
        fputs("null", file);
    excitation_put(file, "noise_rms", excitation->noise_from ? excitation->noise_rms : NAN);
    excitation_put(file, "error", excitation->design.error);
    excitation_put(file, "relative_rms", excitation->design.relative_rms);
    excitation_put(file, "relative_max", excitation->design.relative_max);
    excitation_put(file, "relative_max_hz", excitation->design.relative_hz);
}

static void put_lines(FILE *file, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    fprintf(file, ",\n  \"lines\": {\n    \"count\": %d", d->lines);
    excitation_put_array(file, "hz", d->lines, d->hz);
    excitation_put_array(file, "amplitude", d->lines, d->amplitude);
    excitation_put_array(file, "t_re", d->lines, d->re);
    excitation_put_array(file, "t_im", d->lines, d->im);
    excitation_put_array(file, "deviation", d->lines, excitation->noise_from ? d->deviation : NULL);
    fputs("\n  }\n}\n", file);
}

void lab_excitation_json(FILE *file, const lab_excitation *excitation)
{
    const cfpc_excitation *d = &excitation->design;
    fputs("{\n  \"name\": ", file);
    lab_json_text(file, excitation->spec->name);
    fputs(",\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    fprintf(file, ",\n  \"enters\": \"%s\"",
            excitation->at_plant ? "plant-input" : "controller-input");
    excitation_put(file, "step_s", d->step_s);
    excitation_put(file, "steps", excitation->steps);
    excitation_put(file, "seconds", excitation->steps * d->step_s);
    excitation_put(file, "periods", d->periods);
    excitation_put(file, "period_steps", d->period_steps);
    excitation_put(file, "period_s", d->period_steps * d->step_s);
    excitation_put(file, "settling_s", d->settling * d->step_s);
    excitation_put(file, "low_hz", excitation->low_hz);
    excitation_put(file, "high_hz", excitation->high_hz);
    excitation_put(file, "rms", d->rms);
    excitation_put(file, "peak", d->peak);
    excitation_put(file, "crest_factor", d->peak / d->rms);
    put_expected(file, excitation);
    put_lines(file, excitation);
}

// ---- the folder ------------------------------------------------------------------------------

static lab_outcome excitation_write_file(lab_folder *folder, const char *name,
                                         void (*write)(FILE *, const lab_excitation *),
                                         const lab_excitation *excitation, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    write(file, excitation);
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_write_excitation(lab_folder *folder, const lab_excitation *excitation, lab_why *why)
{
    lab_outcome outcome = excitation_write_file(folder, "probe.csv", put_table, excitation, why);
    if (outcome == LAB_DONE)
        outcome = excitation_write_file(folder, "probe.h", excitation_put_header, excitation, why);
    if (outcome == LAB_DONE)
        outcome = excitation_write_file(folder, "probe.json", lab_excitation_json, excitation, why);
    return outcome;
}
