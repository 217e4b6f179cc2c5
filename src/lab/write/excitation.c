// SPDX-License-Identifier: Apache-2.0
#include "write/excitation.h"

#include <math.h>

#include "base/json.h"
#include "base/number.h"
#include "cfpc/config.h"

// ---- probe.csv -------------------------------------------------------------------------------

// What will be logged, had the loop no noise and were it as believed: `probe` is what to add, `r`
// the reference with it.
static void put_table(FILE *file, const lab_excitation *it)
{
    fputs(it->u ? "time_s,probe,r,y,u\n" : "time_s,probe,r,y\n", file);
    for (int n = 0; n < it->steps; n++) {
        const double probe = lab_probe_at(it, n);
        fprintf(file, "%s,", lab_number(n * it->design.step_s).text);
        fprintf(file, "%s,", lab_number(probe).text);
        fprintf(file, "%s,", lab_number(it->at_plant ? 0 : probe).text);
        fputs(lab_number(it->y[n]).text, file);
        fprintf(file, "%s%s\n", it->u ? "," : "", it->u ? lab_number(it->u[n]).text : "");
    }
}

// ---- probe.h ---------------------------------------------------------------------------------

// One period, in C and C++ alike; nine digits tell every float.
static void put_header(FILE *file, const lab_excitation *it)
{
    const cfpc_excitation *d = &it->design;
    fprintf(file,
            "/* A probe for '%s', by cfpc excite. Every %s s add the next value of cfpc_probe to "
            "the\n   %s, starting again after the last, and log it with what is measured:\n"
            "   %d periods of %s s. */\n"
            "#ifndef CFPC_PROBE_H\n#define CFPC_PROBE_H\n\n"
            "#define CFPC_PROBE_STEPS %d /* of one period */\n"
            "#define CFPC_PROBE_PERIODS %d\n"
            "#define CFPC_PROBE_STEP_S %.8ef\n\n"
            "static const float cfpc_probe[CFPC_PROBE_STEPS] = {",
            it->spec->name, lab_number(d->step_s).text, it->at_plant ? "command" : "reference",
            d->periods, lab_number(d->period_steps * d->step_s).text, d->period_steps, d->periods,
            d->step_s);
    for (int n = 0; n < d->period_steps; n++)
        fprintf(file, "%s%.8ef%s", n % 6 ? " " : "\n    ", (double)(float)d->probe[n],
                n + 1 < d->period_steps ? "," : "");
    fputs("};\n\n#endif\n", file);
}

// ---- probe.json ------------------------------------------------------------------------------

static void put(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n  \"%s\": ", key);
    lab_json_number(file, value);
}

static void put_array(FILE *file, const char *key, int count, const double *values)
{
    fprintf(file, ",\n    \"%s\": [", key);
    for (int k = 0; k < count; k++) {
        fputs(k ? ", " : "", file);
        lab_json_number(file, values ? values[k] : NAN);
    }
    fputc(']', file);
}

static void put_expected(FILE *file, const lab_excitation *it)
{
    put(file, "task_rms", it->task_rms);
    put(file, "output_rms", it->output_rms);
    put(file, "output_peak", it->y_peak);
    put(file, "command_low", it->u_low);
    put(file, "command_high", it->u_high);
    fprintf(file, ",\n  \"saturates\": %s,\n  \"noise_from\": ", it->saturates ? "true" : "false");
    if (it->noise_from)
        lab_json_text(file, it->noise_from);
    else
        fputs("null", file);
    put(file, "noise_rms", it->noise_from ? it->noise_rms : NAN);
    put(file, "error", it->design.error);
    put(file, "relative_rms", it->design.relative_rms);
    put(file, "relative_max", it->design.relative_max);
    put(file, "relative_max_hz", it->design.relative_hz);
}

static void put_lines(FILE *file, const lab_excitation *it)
{
    const cfpc_excitation *d = &it->design;
    fprintf(file, ",\n  \"lines\": {\n    \"count\": %d", d->lines);
    put_array(file, "hz", d->lines, d->hz);
    put_array(file, "amplitude", d->lines, d->amplitude);
    put_array(file, "t_re", d->lines, d->re);
    put_array(file, "t_im", d->lines, d->im);
    put_array(file, "deviation", d->lines, it->noise_from ? d->deviation : NULL);
    fputs("\n  }\n}\n", file);
}

static void put_json(FILE *file, const lab_excitation *it)
{
    const cfpc_excitation *d = &it->design;
    fputs("{\n  \"name\": ", file);
    lab_json_text(file, it->spec->name);
    fputs(",\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    fprintf(file, ",\n  \"enters\": \"%s\"", it->at_plant ? "plant-input" : "controller-input");
    put(file, "step_s", d->step_s);
    put(file, "steps", it->steps);
    put(file, "seconds", it->steps * d->step_s);
    put(file, "periods", d->periods);
    put(file, "period_steps", d->period_steps);
    put(file, "period_s", d->period_steps * d->step_s);
    put(file, "settling_s", d->settling * d->step_s);
    put(file, "low_hz", it->low_hz);
    put(file, "high_hz", it->high_hz);
    put(file, "rms", d->rms);
    put(file, "peak", d->peak);
    put(file, "crest_factor", d->peak / d->rms);
    put_expected(file, it);
    put_lines(file, it);
}

// ---- the folder ------------------------------------------------------------------------------

static lab_outcome write_file(lab_folder *folder, const char *name,
                              void (*write)(FILE *, const lab_excitation *),
                              const lab_excitation *it, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    write(file, it);
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_write_excitation(lab_folder *folder, const lab_excitation *it, lab_why *why)
{
    lab_outcome outcome = write_file(folder, "probe.csv", put_table, it, why);
    if (outcome == LAB_DONE)
        outcome = write_file(folder, "probe.h", put_header, it, why);
    if (outcome == LAB_DONE)
        outcome = write_file(folder, "probe.json", put_json, it, why);
    return outcome;
}
