// SPDX-License-Identifier: Apache-2.0
#include "export/turning.h"

#include <math.h>
#include <stdlib.h>

#include "export/text.h"

enum { POINTS = 4096 }; // in a turn, of a disturbance that depends on the angle

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

static bool has_angular(const lab_spec *spec, lab_disturbance_place place)
{
    for (int i = 0; i < spec->disturbances.count; i++) {
        const lab_disturbance_spec *of = &lab_disturbances(spec)[i];
        if (lab_is_angular(of) && of->on && of->at == place)
            return true;
    }
    return false;
}

// The sum of the disturbances that depend on the angle, over a turn.
static lab_outcome put_angular(FILE *file, const lab_target *target, const char *name,
                               lab_disturbance_place place, lab_why *why)
{
    const lab_world *world = &target->setup.rig.world;
    const cfpc_periodic of = {.synapses = 1, .points = POINTS, .length = POINTS};
    double *values = calloc(POINTS + 1, sizeof *values);
    if (!values)
        return lab_no_memory(why, NULL);
    for (int k = 0; k <= POINTS; k++)
        for (int i = 0; i < target->spec->disturbances.count; i++) {
            const lab_disturbance_spec *one = &lab_disturbances(target->spec)[i];
            if (lab_is_angular(one) && one->on && one->at == place)
                values[k] += lab_signal_at_angle(&world->disturbances[i], (double)k / POINTS);
        }
    put_periodic(file, name, &of, values, target->real->real_bytes);
    free(values);
    return LAB_DONE;
}

static void put_real(FILE *file, const lab_target *target, const char *before, double value,
                     const char *after)
{
    fputs(before, file);
    lab_put_real(file, value, target->real->real_bytes);
    fputs(after, file);
}

static bool is_position(const lab_target *target)
{
    return target->spec->angle.output == LAB_OUTPUT_IS_POSITION;
}

// That of a velocity stays within a turn.
static double start_of(const lab_target *target)
{
    const double start = target->spec->angle.start;
    return is_position(target) ? start : start - floor(start);
}

lab_outcome lab_put_angle(FILE *file, const lab_target *target, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    if (!lab_uses_angle(target->spec))
        return LAB_DONE;
    put_real(file, target, "\nstatic cfpc_real angle = ", start_of(target), "; // in turns\n");
    if (has_angular(target->spec, LAB_AT_PLANT_INPUT))
        outcome = put_angular(file, target, "angular_push", LAB_AT_PLANT_INPUT, why);
    if (outcome == LAB_DONE && has_angular(target->spec, LAB_AT_PLANT_OUTPUT))
        outcome = put_angular(file, target, "angular_shift", LAB_AT_PLANT_OUTPUT, why);
    return outcome;
}

static void put_input(FILE *file, const char *input, const char *name)
{
    fprintf(file,
            "    cfpc_real %s_now;\n"
            "    cfpc_periodic_row(&%s, angle, &%s_now);\n"
            "    x[%s] += %s_now;\n",
            name, name, name, input, name);
}

void lab_put_angular_inputs(FILE *file, const lab_target *target)
{
    if (has_angular(target->spec, LAB_AT_PLANT_INPUT))
        put_input(file, "PUSH", "angular_push");
    if (has_angular(target->spec, LAB_AT_PLANT_OUTPUT))
        put_input(file, "SHIFT", "angular_shift");
}

void lab_put_angle_step(FILE *file, const lab_target *target)
{
    const lab_angle_spec *of = &target->spec->angle;
    if (!lab_uses_angle(target->spec))
        return;
    if (is_position(target)) {
        put_real(file, target, "    angle = ", start_of(target), "");
        put_real(file, target, " + ", of->turns, " * y;\n");
        return;
    }
    put_real(file, target, "    angle += ", of->turns * target->setup.rig.step_s, " * y;\n");
    fputs("    angle -= angle >= 1 ? 1 : angle < 0 ? -1 : 0; // stays within a turn\n", file);
}

void lab_put_angle_reset(FILE *file, const lab_target *target)
{
    if (lab_uses_angle(target->spec))
        put_real(file, target, "    angle = ", start_of(target), ";\n");
}

void lab_put_angle_read(FILE *file, const lab_target *target)
{
    const int counts = target->spec->angle.counts;
    if (counts > 0 && !is_position(target))
        fprintf(file, "(cfpc_real)(int32_t)(angle * %d) / %d; // as the encoder counts\n", counts,
                counts);
    else
        fputs("angle;\n", file);
}
