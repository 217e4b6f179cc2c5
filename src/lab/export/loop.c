// SPDX-License-Identifier: Apache-2.0
#include "export/loop.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "export/bank_source.h"
#include "export/target_words.h"
#include "math/elementary.h"
#include "plant/machine.h"

// What of the loop the program needs.
typedef struct writer {
    FILE *file;
    const lab_target *target;
    const lab_spec *spec;
    const lab_rig *rig;
    const lab_machine *machine; // its limits
    lab_target_words words;
    bool pushed, shifted; // there are disturbances at the plant's input, at its output
    bool turns;           // it has an angle
    bool sees;            // what teaches is what the controller sees
    int late;             // steps that what teaches is late
    int trials;           // that it runs
    int rows;             // of its tables: steps of a trial, or of all of them if they differ
} writer;

enum { MAX_NUMBERS = 100000 }; // of a table of trials that differ

const char *lab_loop_lacks(const lab_target *target)
{
    const lab_spec *spec = target->spec;
    return spec->loop.noise.process > 0 || spec->loop.noise.measurement > 0
               ? "the noise of the loop"
           : spec->loop.measurement_step > 0 ? "the rounding of what is measured"
                                             : "";
}

static void put(const writer *it, const char *text)
{
    lab_put_text(it->file, text, it->words.words);
}

// A number, after some text and before some.
static void put_number(const writer *it, const char *before, double value, const char *after)
{
    put(it, before);
    lab_put_real(it->file, value, it->target->real->real_bytes);
    put(it, after);
}

// ---- signals ---------------------------------------------------------------------------------

// A signal at a row of its table.
typedef double (*signal)(const writer *it, int which, int row);

static int trial_of(const writer *it, int row)
{
    return it->rig->first + row / it->rig->steps;
}

static int step_of(const writer *it, int row)
{
    return row % it->rig->steps;
}

static double reference_at(const writer *it, int which, int row)
{
    (void)which;
    return lab_world_reference(&it->rig->world, trial_of(it, row), step_of(it, row));
}

// What depends on time of the disturbances at a place.
static double disturbance_at(const writer *it, lab_disturbance_place place, int row)
{
    double sum = 0;
    for (int i = 0; i < it->spec->disturbances.count; i++) {
        const lab_disturbance_spec *of = &lab_disturbances(it->spec)[i];
        if (of->at == place && !lab_is_angular(of))
            sum += lab_world_disturbance(&it->rig->world, i, trial_of(it, row), step_of(it, row));
    }
    return sum;
}

static double push_at(const writer *it, int which, int row)
{
    (void)which;
    return disturbance_at(it, LAB_AT_PLANT_INPUT, row);
}

static double shift_at(const writer *it, int which, int row)
{
    (void)which;
    return disturbance_at(it, LAB_AT_PLANT_OUTPUT, row);
}

static double taught_at(const writer *it, int which, int row)
{
    (void)which;
    return it->spec->teach.gain * lab_world_disturbance(&it->rig->world, it->rig->teacher,
                                                        trial_of(it, row), step_of(it, row));
}

static double heard_at(const writer *it, int which, int row)
{
    const lab_target_signal *one = &it->target->signal[which];
    const lab_world *world = &it->rig->world;
    const int trial = trial_of(it, row), n = step_of(it, row);
    return one->input == LAB_FROM_REFERENCE ? lab_world_preview(world, trial, n, one->ahead)
           : one->input == LAB_FROM_CUE     ? lab_world_cue(world, one->source, n)
                                            : lab_world_disturbance(world, one->source, trial, n);
}

static bool is_silent(const writer *it, signal of)
{
    bool silent = true;
    for (int row = 0; row < it->rows; row++)
        silent &= of(it, 0, row) == 0;
    return silent;
}

// A signal over a trial, or over all of them.
static lab_outcome put_signal(const writer *it, const char *name, signal of, int which,
                              lab_why *why)
{
    const size_t rows = (size_t)it->rows;
    double *values = malloc(rows * sizeof *values);
    if (!values)
        return lab_no_memory(why, NULL);
    for (size_t row = 0; row < rows; row++)
        values[row] = of(it, which, (int)row);
    fprintf(it->file, "static const cfpc_real %s_table[ROWS] = {\n", name);
    lab_put_reals(it->file, values, rows, it->target->real->real_bytes);
    put(it, "\n};\n");
    free(values);
    return LAB_DONE;
}

static bool is_of_world(lab_basis_input input)
{
    return input == LAB_FROM_REFERENCE || input == LAB_FROM_CUE || input == LAB_FROM_DISTURBANCE;
}

static lab_outcome put_signals(const writer *it, lab_why *why)
{
    lab_outcome outcome = put_signal(it, "r", reference_at, 0, why);
    if (outcome == LAB_DONE && it->pushed)
        outcome = put_signal(it, "push", push_at, 0, why);
    if (outcome == LAB_DONE && it->shifted)
        outcome = put_signal(it, "shift", shift_at, 0, why);
    if (outcome == LAB_DONE && it->spec->teach.signal == LAB_TEACH_DISTURBANCE)
        outcome = put_signal(it, "teaching", taught_at, 0, why);
    for (int i = 0; outcome == LAB_DONE && i < it->target->signals; i++)
        if (is_of_world(it->target->signal[i].input))
            outcome = put_signal(it, it->target->signal[i].name, heard_at, i, why);
    return outcome;
}

static void put_row(const writer *it, const cfpc_real *x, double *values)
{
    const int g = it->target->synapses;
    for (int j = 0; j < g; j++)
        values[j] = (double)x[j];
    put(it, "{\n");
    lab_put_reals(it->file, values, (size_t)g, it->target->real->real_bytes);
    put(it, "},\n");
}

// The basis signals that are handed in.
static lab_outcome put_basis(const writer *it, lab_why *why)
{
    const lab_heard nothing = {0};
    const size_t g = (size_t)it->target->synapses;
    lab_basis basis;
    if (!it->target->handed)
        return LAB_DONE;
    cfpc_real *x = calloc(g + 1, sizeof *x);
    double *values = calloc(g + 1, sizeof *values);
    lab_outcome outcome = lab_basis_make(&basis, it->spec, &it->rig->world, it->rig->steps, why);
    if (outcome == LAB_DONE && (!x || !values))
        outcome = lab_no_memory(why, NULL);
    put(it, "static const cfpc_real x_table[ROWS][@NAME@_SYNAPSES] = {\n");
    for (int row = 0; outcome == LAB_DONE && row < it->rows; row++) {
        lab_basis_step(&basis, &nothing, trial_of(it, row), step_of(it, row), x);
        put_row(it, x, values);
    }
    put(it, "};\n");
    lab_basis_free(&basis);
    free(values);
    free(x);
    return outcome;
}

// ---- the angle -------------------------------------------------------------------------------

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

static void put_harmonics(const writer *it, lab_disturbance_place place, const char *name)
{
    for (int i = 0; i < it->spec->disturbances.count; i++) {
        const lab_disturbance_spec *of = &lab_disturbances(it->spec)[i];
        const lab_numbers *harmonics = &of->signal.harmonics;
        for (int k = 0; of->on && of->at == place && lab_is_angular(of) && k < harmonics->rows;
             k++) {
            const double *h = harmonics->values + (size_t)k * 3;
            fprintf(it->file, "    x[%s] += ", name);
            put_number(it, "", h[1], " * sine(");
            put_number(it, "", h[0], " * phase + ");
            put_number(it, "", h[2] / 360, ");\n");
        }
    }
}

// Where the machine is, and how it goes on.
static void put_angle(const writer *it)
{
    const lab_angle_spec *of = &it->spec->angle;
    put_number(it, "\n// Where the machine is, in turns.\n#define ANGLE_START ",
               of->start - floor(of->start), "\n");
    put(it, "static cfpc_real phase = ANGLE_START; // 0 to 1\n"
            "\nstatic void turn(void)\n"
            "{\n");
    if (of->output == LAB_OUTPUT_IS_POSITION)
        put_number(it, "    phase = ANGLE_START + ", of->turns, " * y;\n");
    else
        put_number(it, "    phase += ", it->rig->step_s * of->turns, " * y;\n");
    put(it, "    phase -= (cfpc_real)(int32_t)phase;\n"
            "    if (phase < 0)\n"
            "        phase += 1;\n"
            "}\n");
    if (has_harmonics(it->spec)) {
        put_number(it, "\n#define HALF ", 0.5, "\n");
        put_number(it, "#define TWO_PI ", CFPCI_TWO_PI, "\n");
        put(it, sine);
    }
    if (of->counts > 0)
        fprintf(it->file,
                "\n// As the encoder reads it.\n"
                "static cfpc_real angle(void)\n"
                "{\n"
                "    return (cfpc_real)(int32_t)(phase * %d) / %d;\n"
                "}\n",
                of->counts, of->counts);
}

// ---- the loop --------------------------------------------------------------------------------

static lab_outcome put_system(const writer *it, const char *name, const cfpc_system *sys,
                              lab_why *why)
{
    const size_t bytes = it->target->real->bank_bytes(sys);
    if (bytes == 0)
        return lab_no_memory(why, NULL);
    put(it, "\n");
    lab_put_lti(it->file, name, sys, it->target->real->real_bytes);
    fprintf(it->file,
            "static _Alignas(8) unsigned char %s_memory[%zu];\n"
            "static cfpc_bank *%s_state;\n",
            name, bytes, name);
    return LAB_DONE;
}

static lab_outcome put_systems(const writer *it, lab_why *why)
{
    const lab_loop *loop = &it->rig->loop;
    put(it, "\n// Controller, plant and delays, connected.\n"
            "enum { DRIVE, PUSH, SHIFT, NOISE");
    put(it, it->machine->saturates ? ", APPLIED, WINDUP, INPUTS };\n" : ", INPUTS };\n");
    put(it, "enum { Y, U, M, OUTPUTS };");
    lab_outcome outcome =
        put_system(it, "loop", it->machine->saturates ? &loop->open : &loop->closed, why);
    if (outcome == LAB_DONE && it->machine->feedforward)
        outcome = put_system(it, "feedforward", &loop->feedforward, why);
    return outcome;
}

static void put_state(const writer *it)
{
    put(it, "\nstatic int row; // of the tables, now\n"
            "static cfpc_real y, u, m, total; // output, command, what is measured, what the "
            "plant is sent\n"
            "static cfpc_real e, sum; // the error of the last step, and e² of this trial\n");
    if (it->machine->saturates)
        put(it, "static bool saturated; // the command was cut off in this step\n");
    if (it->target->two_lessons)
        put(it, "static cfpc_real teaching; // what the last step has taught\n");
    if (it->sees)
        fprintf(it->file,
                "enum { ERROR_LATE = %d, REFERENCE_LATE = %d, PAST = ERROR_LATE + REFERENCE_LATE + "
                "1 };\n"
                "static cfpc_real past_r[PAST], past_m[PAST]; // of the last steps\n"
                "static int past;\n",
                it->machine->error_late, it->machine->reference_late);
    if (it->late > 0)
        fprintf(it->file,
                "enum { LATE = %d }; // steps that what teaches is late\n"
                "static cfpc_real on_the_way[LATE];\n"
                "static int arrival;\n",
                it->late);
}

static void put_start(const writer *it)
{
    put(it, "\ncfpc_status @name@_loop_start(void)\n"
            "{\n"
            "    cfpc_status status = cfpc_bank_init(loop_memory, sizeof loop_memory, &loop, 1, "
            "&loop_state);\n");
    if (it->machine->feedforward)
        put(it, "    if (status == CFPC_OK)\n"
                "        status = cfpc_bank_init(feedforward_memory, sizeof feedforward_memory, "
                "&feedforward, 1,\n"
                "                                &feedforward_state);\n");
    put(it, "    return status;\n}\n");
}

// The loop comes to rest.
static void put_reset(const writer *it)
{
    put(it, "    cfpc_bank_reset(loop_state);\n"
            "    y = u = m = total = 0;\n");
    if (it->machine->feedforward)
        put(it, "    cfpc_bank_reset(feedforward_state);\n");
    if (it->sees)
        put(it, "    memset(past_r, 0, sizeof past_r);\n"
                "    memset(past_m, 0, sizeof past_m);\n"
                "    past = 0;\n");
    if (it->turns)
        put(it, "    phase = ANGLE_START;\n");
    if (it->late > 0)
        put(it, "    memset(on_the_way, 0, sizeof on_the_way);\n"
                "    arrival = 0;\n");
}

static void put_limits(const writer *it)
{
    const lab_machine *machine = it->machine;
    if (machine->saturates) {
        put(it, "\n// The command, and what its limits leave of it.\n"
                "static void saturate(cfpc_real *x)\n"
                "{\n"
                "    cfpc_real out[OUTPUTS], applied;\n"
                "    cfpc_bank_output(&loop, loop_state, x, out);\n"
                "    applied = out[U];\n");
        if (isfinite(machine->low)) {
            put_number(it, "    if (applied < ", machine->low, ")\n");
            put_number(it, "        applied = ", machine->low, ";\n");
        }
        if (isfinite(machine->high)) {
            put_number(it, "    if (applied > ", machine->high, ")\n");
            put_number(it, "        applied = ", machine->high, ";\n");
        }
        put(it, "    x[APPLIED] = applied;\n");
        put_number(it, "    x[WINDUP] = ", machine->windup, " * (applied - out[U]);\n");
        put(it, "    saturated = applied != out[U];\n}\n");
    }
    if (machine->limits_output) {
        put(it, "\nstatic cfpc_real limited(cfpc_real value)\n{\n");
        if (isfinite(machine->output_low)) {
            put_number(it, "    if (value < ", machine->output_low, ")\n");
            put_number(it, "        return ", machine->output_low, ";\n");
        }
        if (isfinite(machine->output_high)) {
            put_number(it, "    if (value > ", machine->output_high, ")\n");
            put_number(it, "        return ", machine->output_high, ";\n");
        }
        put(it, "    return value;\n}\n");
    }
}

static void put_advance(const writer *it)
{
    const lab_entry enters = it->spec->enters;
    const bool feedforward = it->machine->feedforward != NULL;
    put(it, "\n// One step of the loop.\n"
            "static void simulate(cfpc_real o)\n"
            "{\n"
            "    cfpc_real x[INPUTS] = {0}, out[OUTPUTS];\n");
    if (feedforward)
        put(it, enters == LAB_FEEDFORWARD_INPUT
                    ? "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[row] + o;\n"
                    : "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[row];\n");
    if (feedforward)
        put(it, "    cfpc_bank_step(&feedforward, feedforward_state, &driven, &sent);\n");
    else
        put(it, enters == LAB_PLANT_INPUT ? "    const cfpc_real sent = o;\n"
                                          : "    const cfpc_real sent = 0;\n");
    if (feedforward && enters == LAB_PLANT_INPUT)
        put(it, "    sent += o;\n");
    put(it, enters == LAB_CONTROLLER_INPUT ? "    x[DRIVE] = r_table[row] + o;\n"
                                           : "    x[DRIVE] = r_table[row];\n");
    put(it, it->pushed ? "    x[PUSH] = push_table[row] + sent;\n" : "    x[PUSH] = sent;\n");
    if (it->shifted)
        put(it, "    x[SHIFT] = shift_table[row];\n");
    put_harmonics(it, LAB_AT_PLANT_INPUT, "PUSH");
    put_harmonics(it, LAB_AT_PLANT_OUTPUT, "SHIFT");
    if (it->machine->saturates)
        put(it, "    saturate(x);\n");
    if (it->machine->limits_output)
        put(it, "    cfpc_bank_output(&loop, loop_state, x, out);\n"
                "    x[SHIFT] += limited(out[Y]) - out[Y];\n");
    if (it->machine->limits_output && it->machine->saturates)
        put(it, "    saturate(x);\n");
    put(it, "    cfpc_bank_step(&loop, loop_state, x, out);\n");
    put(it, it->machine->limits_output ? "    y = limited(out[Y]);\n" : "    y = out[Y];\n");
    put(it, "    u = out[U];\n"
            "    m = out[M];\n"
            "    total = u + sent;\n");
    put(it, it->turns ? "    turn();\n}\n" : "}\n");
}

static void put_lessons(const writer *it)
{
    if (it->sees)
        put(it, "\n// r - m, as it comes to the controller: late.\n"
                "static cfpc_real seen(void)\n"
                "{\n"
                "    const int at = past + PAST - ERROR_LATE;\n"
                "    past_r[past] = r_table[row];\n"
                "    past_m[past] = m;\n"
                "    past = (past + 1) % PAST;\n"
                "    return past_r[(at - REFERENCE_LATE) % PAST] - past_m[at % PAST];\n"
                "}\n");
    if (it->late > 0)
        put(it, "\n// What teaches, when it arrives.\n"
                "static cfpc_real late(cfpc_real sent)\n"
                "{\n"
                "    const cfpc_real arrived = on_the_way[arrival];\n"
                "    on_the_way[arrival] = sent;\n"
                "    arrival = (arrival + 1) % LATE;\n"
                "    return arrived;\n"
                "}\n");
}

// ---- what the example calls ------------------------------------------------------------------

// What a signal is now.
static const char *value_of(const writer *it, const lab_target_signal *one, char *text, size_t size)
{
    if (is_of_world(one->input)) {
        snprintf(text, size, "%s_table[row]", one->name);
        return text;
    }
    return one->input == LAB_FROM_ANGLE         ? (it->spec->angle.counts > 0 ? "angle()" : "phase")
           : one->input == LAB_FROM_MEASUREMENT ? "m"
           : one->input == LAB_FROM_COMMAND     ? "u"
                                                : "total";
}

static void put_heard(const writer *it)
{
    const lab_target *target = it->target;
    char text[LAB_NAME_BYTES + 16];
    if (target->handed)
        put(it, "\nconst cfpc_real *@name@_loop_x(void)\n{\n    return x_table[row];\n}\n");
    for (int i = 0; i < target->signals; i++)
        fprintf(it->file, "\ncfpc_real %s_loop_%s(void)\n{\n    return %s;\n}\n", target->name,
                target->signal[i].name, value_of(it, &target->signal[i], text, sizeof text));
}

static void put_step(const writer *it)
{
    const lab_teacher teacher = it->spec->teach.signal;
    const char *taught = teacher == LAB_TEACH_COMMAND       ? "u"
                         : teacher == LAB_TEACH_DISTURBANCE ? "teaching_table[row]"
                                                            : "e";
    put(it, "\nvoid @name@_loop_step(cfpc_real o)\n{\n    simulate(o);\n");
    put(it, it->sees ? "    e = seen();\n" : "    e = r_table[row] - y;\n");
    if (it->target->two_lessons)
        fprintf(it->file, it->late > 0 ? "    teaching = late(%s);\n" : "    teaching = %s;\n",
                taught);
    put(it, "    sum += (r_table[row] - y) * (r_table[row] - y);\n"
            "    row = row + 1 < ROWS ? row + 1 : 0;\n"
            "}\n");
}

static void put_results(const writer *it)
{
    put(it, "\ncfpc_real @name@_loop_error(void)\n{\n    return e;\n}\n");
    if (it->target->two_lessons)
        put(it, "\ncfpc_real @name@_loop_teaching(void)\n{\n    return teaching;\n}\n");
    if (it->machine->saturates)
        put(it, "\nbool @name@_loop_saturated(void)\n{\n    return saturated;\n}\n");
    put(it, "\ncfpc_real @name@_loop_end_trial(void)\n"
            "{\n"
            "    const cfpc_real relative = root(sum) / REACTIVE;\n"
            "    sum = 0;\n");
    if (it->target->resets)
        put_reset(it);
    put(it, "    return relative;\n}\n");
}

// The square root, by Newton's method; the loop needs no libm.
static const char root[] = "\n// The square root, without libm.\n"
                           "static cfpc_real root(cfpc_real square)\n"
                           "{\n"
                           "    cfpc_real x = square > 1 ? square : 1;\n"
                           "    for (int i = 0; i < 200 && x * x > square; i++)\n"
                           "        x = (x + square / x) / 2;\n"
                           "    return x;\n"
                           "}\n";

// ---- the files -------------------------------------------------------------------------------

static const char header_begin[] =
    "// @name@_loop: the loop of the spec '@spec@', simulated, for @name@_example.c. On your "
    "machine the\n"
    "// real one takes its place. Written by cfpc export.\n"
    "#ifndef @NAME@_LOOP_H\n"
    "#define @NAME@_LOOP_H\n"
    "\n"
    "#include \"cfpc.h\"\n"
    "\n";

static lab_outcome put_header(const writer *it, lab_why *why)
{
    const lab_target *target = it->target;
    const char *lacks = lab_loop_lacks(target);
    (void)why;
    put(it, header_begin);
    if (*lacks)
        fprintf(it->file, "// It leaves out %s.\n", lacks);
    fprintf(it->file, "enum { %s_LOOP_TRIALS = %d, %s_LOOP_STEPS = %d };\n\n", target->upper,
            it->trials, target->upper, it->rig->steps);
    put(it, "cfpc_status @name@_loop_start(void);\n\n");
    if (target->handed || target->signals > 0)
        put(it, "// What the cell is told at this step, before it acts.\n");
    if (target->handed)
        put(it, "const cfpc_real *@name@_loop_x(void);\n\n");
    for (int i = 0; i < target->signals; i++)
        fprintf(it->file, "cfpc_real %s_loop_%s(void);\n%s", target->name, target->signal[i].name,
                i + 1 == target->signals ? "\n" : "");
    put(it, "// One step, with what the cell puts out; and what came of it.\n"
            "void @name@_loop_step(cfpc_real o);\n"
            "cfpc_real @name@_loop_error(void);\n");
    if (target->two_lessons)
        put(it, "cfpc_real @name@_loop_teaching(void);\n");
    if (it->machine->saturates)
        put(it, "bool @name@_loop_saturated(void);\n");
    put(it, "\n// Ends a trial. Its error, relative to that of the loop without the cell.\n"
            "cfpc_real @name@_loop_end_trial(void);\n"
            "\n"
            "#endif\n");
    return LAB_DONE;
}

static void put_top(const writer *it)
{
    put(it, "// @name@_loop: see @name@_loop.h. Written by cfpc export.\n"
            "#include \"@name@_loop.h\"\n"
            "\n"
            "#include <string.h>\n"
            "\n"
            "#include \"@name@_model.h\"\n"
            "\n");
    fprintf(it->file, "enum { ROWS = %d }; // of the tables of signals\n", it->rows);
    put_number(it, "#define REACTIVE ", it->target->setup.baseline,
               " // root of the sum of e² over a trial without the cell\n");
    put(it, "\n// Signals of a trial.\n");
}

// Where trials differ, as many as the tables can hold.
static void count_rows(writer *it)
{
    const int g = it->target->handed ? it->target->synapses : 1;
    const int most = MAX_NUMBERS / (it->rig->steps * g), all = it->rig->trials;
    it->trials = it->spec->task.repeats || all <= most ? all : most > 1 ? most : 1;
    it->rows = it->spec->task.repeats ? it->rig->steps : it->trials * it->rig->steps;
}

static lab_outcome put_source(const writer *it, lab_why *why)
{
    put_top(it);
    lab_outcome outcome = put_signals(it, why);
    if (outcome == LAB_DONE)
        outcome = put_basis(it, why);
    if (outcome == LAB_DONE)
        outcome = put_systems(it, why);
    if (outcome != LAB_DONE)
        return outcome;
    put_state(it);
    if (it->turns)
        put_angle(it);
    put_limits(it);
    put_advance(it);
    put_lessons(it);
    put(it, root);
    put_start(it);
    put_heard(it);
    put_step(it);
    put_results(it);
    return LAB_DONE;
}

static lab_outcome write_file(writer *it, lab_folder *folder, const char *ending,
                              lab_outcome (*put_file)(const writer *it, lab_why *why), lab_why *why)
{
    lab_outcome outcome = lab_create_of_target(folder, it->target, ending, &it->file, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = put_file(it, why);
    const lab_outcome closed = lab_folder_close(folder, it->file, why);
    return outcome == LAB_DONE ? closed : outcome;
}

lab_outcome lab_write_loop(lab_folder *folder, const lab_target *target, lab_why *why)
{
    const lab_rig *rig = &target->setup.rig;
    lab_machine machine;
    writer it = {.target = target,
                 .spec = rig->spec,
                 .rig = rig,
                 .machine = &machine,
                 .turns = lab_uses_angle(rig->spec),
                 .sees = rig->spec->teach.signal == LAB_TEACH_MEASURED_ERROR,
                 .late = (int)lround(rig->spec->teach.delay_ms / rig->spec->step_ms)};
    lab_target_words_make(&it.words, target);
    count_rows(&it);
    it.pushed = !is_silent(&it, push_at);
    it.shifted = !is_silent(&it, shift_at);
    lab_outcome outcome =
        lab_from_status(why, lab_machine_make(&machine, rig->spec, &rig->loop), rig->spec->file);
    if (outcome == LAB_DONE)
        outcome = write_file(&it, folder, "_loop.h", put_header, why);
    if (outcome == LAB_DONE)
        outcome = write_file(&it, folder, "_loop.c", put_source, why);
    lab_machine_free(&machine);
    return outcome;
}
