// SPDX-License-Identifier: Apache-2.0
#include "write/excitation.h"

#include <math.h>

#include "base/number.h"
#include "cfpc/config.h"
#include "write/entries.h"

// ---- probe.csv -------------------------------------------------------------------------------

// What will be logged, had the loop no noise and were it as believed: `probe` is what to add, `r`
// the reference with it.
static void excitation_put_table(FILE *file, const lab_excitation *excitation)
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

void lab_excitation_json(FILE *file, const lab_excitation *excitation)
{
    static const char outer[] = ",\n  ", inner[] = ",\n    ";
    const cfpc_excitation *d = &excitation->design;
    const char *noise_from = excitation->noise_from;

    // The probe.
    lab_entry_text(file, "{\n  ", "name", excitation->spec->name);
    lab_entry_text(file, outer, "version", CFPC_VERSION);
    lab_entry_text(file, outer, "enters",
                   excitation->at_plant ? "plant-input" : "controller-input");
    lab_entry_number(file, outer, "step_s", d->step_s);
    lab_entry_number(file, outer, "steps", excitation->steps);
    lab_entry_number(file, outer, "seconds", excitation->steps * d->step_s);
    lab_entry_number(file, outer, "periods", d->periods);
    lab_entry_number(file, outer, "period_steps", d->period_steps);
    lab_entry_number(file, outer, "period_s", d->period_steps * d->step_s);
    lab_entry_number(file, outer, "settling_s", d->settling * d->step_s);
    lab_entry_number(file, outer, "low_hz", excitation->low_hz);
    lab_entry_number(file, outer, "high_hz", excitation->high_hz);
    lab_entry_number(file, outer, "rms", d->rms);
    lab_entry_number(file, outer, "peak", d->peak);
    lab_entry_number(file, outer, "crest_factor", d->peak / d->rms);

    // What it is expected to do, and how accurate the model will be.
    lab_entry_number(file, outer, "task_rms", excitation->task_rms);
    lab_entry_number(file, outer, "output_rms", excitation->output_rms);
    lab_entry_number(file, outer, "output_peak", excitation->y_peak);
    lab_entry_number(file, outer, "command_low", excitation->u_low);
    lab_entry_number(file, outer, "command_high", excitation->u_high);
    lab_entry_truth(file, outer, "saturates", excitation->saturates);
    lab_entry_text(file, outer, "noise_from", noise_from);
    lab_entry_number(file, outer, "noise_rms", noise_from ? excitation->noise_rms : NAN);
    lab_entry_number(file, outer, "error", d->error);
    lab_entry_number(file, outer, "relative_rms", d->relative_rms);
    lab_entry_number(file, outer, "relative_max", d->relative_max);
    lab_entry_number(file, outer, "relative_max_hz", d->relative_hz);

    // Line by line of its spectrum.
    lab_entry_number(file, ",\n  \"lines\": {\n    ", "count", d->lines);
    lab_entry_numbers(file, inner, "hz", d->lines, d->hz);
    lab_entry_numbers(file, inner, "amplitude", d->lines, d->amplitude);
    lab_entry_numbers(file, inner, "t_re", d->lines, d->re);
    lab_entry_numbers(file, inner, "t_im", d->lines, d->im);
    lab_entry_numbers(file, inner, "deviation", d->lines, noise_from ? d->deviation : NULL);
    fputs("\n  }\n}\n", file);
}

// ---- the folder ------------------------------------------------------------------------------

lab_outcome lab_write_excitation(lab_folder *folder, const lab_excitation *excitation, lab_why *why)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const lab_excitation *excitation);
    } files[] = {{"probe.csv", excitation_put_table},
                 {"probe.h", excitation_put_header},
                 {"probe.json", lab_excitation_json}};
    lab_outcome outcome = LAB_DONE;
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof files / sizeof files[0]; i++) {
        FILE *file;
        outcome = lab_folder_create(folder, files[i].name, &file, why);
        if (outcome != LAB_DONE)
            return outcome;
        files[i].write(file, excitation);
        outcome = lab_folder_close(folder, file, why);
    }
    return outcome;
}
