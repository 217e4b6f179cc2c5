// SPDX-License-Identifier: Apache-2.0
#include "export/turning.h"

#include <math.h>
#include <stdlib.h>

#include "export/text.h"

// ---- basis signals ---------------------------------------------------------------------------

static void put_periodic(FILE *file, const char *name, const cfpc_periodic *of,
                         const double *values, size_t real_bytes)
{
    fprintf(file, "static const cfpc_real %s_values[] = {\n", name);
    lab_put_reals(file, values, (size_t)of->length + 1, real_bytes);
    fprintf(file,
            "\n};\n"
            "static const cfpc_periodic %s = {.synapses = %d, .points = %d, .first = %d,\n"
            "                                 .length = %d, .values = %s_values};\n",
            name, (int)of->synapses, (int)of->points, (int)of->first, (int)of->length, name);
}

lab_outcome lab_put_bumps(FILE *file, const lab_target *target, lab_why *why)
{
    for (int i = 0; i < target->turnings; i++) {
        const cfpc_periodic *of = &target->basis.turning[i].periodic;
        char name[32];
        double *values = malloc(((size_t)of->length + 1) * sizeof *values);
        if (!values)
            return lab_no_memory(why, NULL);
        for (int32_t k = 0; k <= of->length; k++)
            values[k] = (double)of->values[k];
        snprintf(name, sizeof name, "around_%d", i + 1);
        fprintf(file, "\n// The basis signals over the angle: one bump, at %d places in a turn.\n",
                (int)of->synapses);
        put_periodic(file, name, of, values, target->real->real_bytes);
        free(values);
    }
    return LAB_DONE;
}

void lab_put_bump_rows(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->turnings; i++)
        fprintf(file, "    cfpc_periodic_row(&around_%d, turns, row + %d);\n", i + 1,
                target->basis.turning[i].column);
}

// ---- the simulated angle ---------------------------------------------------------------------

static void put_real(FILE *file, const lab_target *target, const char *before, double value,
                     const char *after)
{
    fputs(before, file);
    lab_put_real(file, value, target->real->real_bytes);
    fputs(after, file);
}

static const char sine[] =
    "\n// The sine of an angle in turns, without libm: its series, from -1/4 to 1/4 turn.\n"
    "static cfpc_real sine(cfpc_real turns)\n"
    "{\n"
    "    cfpc_real t = turns - (cfpc_real)(int32_t)turns, x, term, sum;\n"
    "    t = t > HALF ? t - 1 : t < -HALF ? t + 1 : t;\n"
    "    t = t > HALF / 2 ? HALF - t : t < -HALF / 2 ? -HALF - t : t;\n"
    "    x = TWO_PI * t;\n"
    "    sum = term = x;\n"
    "    for (int k = 1; k < 11; k++) {\n"
    "        term *= -x * x / (cfpc_real)(2 * k * (2 * k + 1));\n"
    "        sum += term;\n"
    "    }\n"
    "    return sum;\n"
    "}\n";

static bool has_harmonics(const lab_spec *spec)
{
    bool has = false;
    for (int i = 0; i < spec->disturbances.count; i++)
        has |= lab_disturbances(spec)[i].on && lab_is_angular(&lab_disturbances(spec)[i]);
    return has;
}

// Within a turn: 0 to 1.
static double start_of(const lab_target *target)
{
    return target->spec->angle.start - floor(target->spec->angle.start);
}

void lab_put_angle(FILE *file, const lab_target *target)
{
    if (!lab_uses_angle(target->spec))
        return;
    put_real(file, target, "\nstatic cfpc_real angle = ", start_of(target),
             "; // in turns, 0 to 1\n");
    if (has_harmonics(target->spec)) {
        put_real(file, target, "\n#define HALF ", 0.5, "\n");
        put_real(file, target, "#define TWO_PI ", 6.283185307179586, "\n");
        fputs(sine, file);
    }
}

static void put_harmonics(FILE *file, const lab_target *target, const lab_disturbance_spec *of)
{
    const lab_numbers *harmonics = &of->signal.harmonics;
    for (int k = 0; k < harmonics->rows; k++) {
        const double *h = harmonics->values + (size_t)k * 3;
        fprintf(file, "    x[%s] += ", of->at == LAB_AT_PLANT_INPUT ? "PUSH" : "SHIFT");
        put_real(file, target, "", h[1], " * sine(");
        put_real(file, target, "", h[0], " * angle + ");
        put_real(file, target, "", h[2] / 360, ");\n");
    }
}

void lab_put_angular_inputs(FILE *file, const lab_target *target)
{
    for (int i = 0; i < target->spec->disturbances.count; i++) {
        const lab_disturbance_spec *of = &lab_disturbances(target->spec)[i];
        if (of->on && lab_is_angular(of))
            put_harmonics(file, target, of);
    }
}

void lab_put_angle_step(FILE *file, const lab_target *target)
{
    const lab_angle_spec *of = &target->spec->angle;
    if (!lab_uses_angle(target->spec))
        return;
    if (of->output == LAB_OUTPUT_IS_POSITION) {
        put_real(file, target, "    angle = ", start_of(target), "");
        put_real(file, target, " + ", of->turns, " * y;\n");
    } else
        put_real(file, target, "    angle += ", of->turns * target->setup.rig.step_s, " * y;\n");
    fputs("    angle -= (cfpc_real)(int32_t)angle; // stays within a turn\n"
          "    angle += angle < 0 ? 1 : 0;\n",
          file);
}

void lab_put_angle_reset(FILE *file, const lab_target *target)
{
    if (lab_uses_angle(target->spec))
        put_real(file, target, "    angle = ", start_of(target), ";\n");
}

void lab_put_angle_read(FILE *file, const lab_target *target)
{
    const int counts = target->spec->angle.counts;
    if (counts > 0)
        fprintf(file, "(cfpc_real)(int32_t)(angle * %d) / %d; // as the encoder counts\n", counts,
                counts);
    else
        fputs("angle;\n", file);
}
