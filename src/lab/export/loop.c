// SPDX-License-Identifier: Apache-2.0
#include "export/loop.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "export/bank_source.h"
#include "export/target_words.h"
#include "math/elementary.h"
#include "plant/running_loop.h"

// What of the loop the program needs.
typedef struct writer {
    FILE *file;
    const lab_target *target;
    const lab_spec *spec;
    const lab_rig *rig;
    const lab_running_loop *running; // its limits
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

static void loop_put(const writer *writer, const char *text)
{
    lab_put_text(writer->file, text, writer->words.words);
}

// A number, after some text and before some.
static void loop_put_number(const writer *writer, const char *before, double value,
                            const char *after)
{
    loop_put(writer, before);
    lab_put_real(writer->file, value, writer->target->real->real_bytes);
    loop_put(writer, after);
}

// ---- signals ---------------------------------------------------------------------------------

// A signal at a row of its table.
typedef double (*signal)(const writer *it, int which, int row);

static int trial_of(const writer *writer, int row)
{
    return writer->rig->first + row / writer->rig->steps;
}

static int loop_step_of(const writer *writer, int row)
{
    return row % writer->rig->steps;
}

static double reference_at(const writer *writer, int which, int row)
{
    (void)which;
    return lab_world_reference(&writer->rig->world, trial_of(writer, row),
                               loop_step_of(writer, row));
}

// What depends on time of the disturbances at a place.
static double disturbance_at(const writer *writer, lab_disturbance_place place, int row)
{
    double sum = 0;
    for (int i = 0; i < writer->spec->disturbances.count; i++) {
        const lab_disturbance_spec *spec = &lab_disturbances(writer->spec)[i];
        if (spec->at == place && !lab_is_angular(spec))
            sum += lab_world_disturbance(&writer->rig->world, i, trial_of(writer, row),
                                         loop_step_of(writer, row));
    }
    return sum;
}

static double push_at(const writer *writer, int which, int row)
{
    (void)which;
    return disturbance_at(writer, LAB_AT_PLANT_INPUT, row);
}

static double shift_at(const writer *writer, int which, int row)
{
    (void)which;
    return disturbance_at(writer, LAB_AT_PLANT_OUTPUT, row);
}

static double taught_at(const writer *writer, int which, int row)
{
    (void)which;
    return writer->spec->teach.gain *
           lab_world_disturbance(&writer->rig->world, writer->rig->teacher, trial_of(writer, row),
                                 loop_step_of(writer, row));
}

static double heard_at(const writer *writer, int which, int row)
{
    const lab_target_signal *one = &writer->target->signal[which];
    const lab_world *world = &writer->rig->world;
    const int trial = trial_of(writer, row), n = loop_step_of(writer, row);
    return one->input == LAB_FROM_REFERENCE ? lab_world_preview(world, trial, n, one->ahead)
           : one->input == LAB_FROM_CUE     ? lab_world_cue(world, one->source, n)
                                            : lab_world_disturbance(world, one->source, trial, n);
}

static bool loop_is_silent(const writer *writer, signal signal)
{
    bool silent = true;
    for (int row = 0; row < writer->rows; row++)
        silent &= signal(writer, 0, row) == 0;
    return silent;
}

// A signal over a trial, or over all of them.
static lab_outcome put_signal(const writer *writer, const char *name, signal signal, int which,
                              lab_why *why)
{
    const size_t rows = (size_t)writer->rows;
    double *values = malloc(rows * sizeof *values);
    if (!values)
        return lab_no_memory(why, NULL);
    for (size_t row = 0; row < rows; row++)
        values[row] = signal(writer, which, (int)row);
    fprintf(writer->file, "static const cfpc_real %s_table[ROWS] = {\n", name);
    lab_put_reals(writer->file, values, rows, writer->target->real->real_bytes);
    loop_put(writer, "\n};\n");
    free(values);
    return LAB_DONE;
}

static bool is_of_world(lab_basis_input input)
{
    return input == LAB_FROM_REFERENCE || input == LAB_FROM_CUE || input == LAB_FROM_DISTURBANCE;
}

static lab_outcome loop_put_signals(const writer *writer, lab_why *why)
{
    lab_outcome outcome = put_signal(writer, "r", reference_at, 0, why);
    if (outcome == LAB_DONE && writer->pushed)
        outcome = put_signal(writer, "push", push_at, 0, why);
    if (outcome == LAB_DONE && writer->shifted)
        outcome = put_signal(writer, "shift", shift_at, 0, why);
    if (outcome == LAB_DONE && writer->spec->teach.signal == LAB_TEACH_DISTURBANCE)
        outcome = put_signal(writer, "teaching", taught_at, 0, why);
    for (int i = 0; outcome == LAB_DONE && i < writer->target->signals; i++)
        if (is_of_world(writer->target->signal[i].input))
            outcome = put_signal(writer, writer->target->signal[i].name, heard_at, i, why);
    return outcome;
}

static void loop_put_row(const writer *writer, const cfpc_real *x, double *values)
{
    const int g = writer->target->synapses;
    for (int j = 0; j < g; j++)
        values[j] = (double)x[j];
    loop_put(writer, "{\n");
    lab_put_reals(writer->file, values, (size_t)g, writer->target->real->real_bytes);
    loop_put(writer, "},\n");
}

// The basis signals that are handed in.
static lab_outcome loop_put_basis(const writer *writer, lab_why *why)
{
    const lab_heard nothing = {0};
    const size_t g = (size_t)writer->target->synapses;
    lab_basis basis;
    if (!writer->target->handed)
        return LAB_DONE;
    cfpc_real *x = calloc(g + 1, sizeof *x);
    double *values = calloc(g + 1, sizeof *values);
    lab_outcome outcome =
        lab_basis_make(&basis, writer->spec, &writer->rig->world, writer->rig->steps, why);
    if (outcome == LAB_DONE && (!x || !values))
        outcome = lab_no_memory(why, NULL);
    loop_put(writer, "static const cfpc_real x_table[ROWS][@NAME@_SYNAPSES] = {\n");
    for (int row = 0; outcome == LAB_DONE && row < writer->rows; row++) {
        lab_basis_step(&basis, &nothing, trial_of(writer, row), loop_step_of(writer, row), x);
        loop_put_row(writer, x, values);
    }
    loop_put(writer, "};\n");
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

static void put_harmonics(const writer *writer, lab_disturbance_place place, const char *name)
{
    for (int i = 0; i < writer->spec->disturbances.count; i++) {
        const lab_disturbance_spec *spec = &lab_disturbances(writer->spec)[i];
        const lab_numbers *harmonics = &spec->signal.harmonics;
        for (int k = 0;
             spec->on && spec->at == place && lab_is_angular(spec) && k < harmonics->rows; k++) {
            const double *h = harmonics->values + (size_t)k * 3;
            fprintf(writer->file, "    x[%s] += ", name);
            loop_put_number(writer, "", h[1], " * sine(");
            loop_put_number(writer, "", h[0], " * phase + ");
            loop_put_number(writer, "", h[2] / 360, ");\n");
        }
    }
}

// Where the machine is, and how it goes on.
static void put_angle(const writer *writer)
{
    const lab_angle_spec *angle_spec = &writer->spec->angle;
    loop_put_number(writer, "\n// Where the machine is, in turns.\n#define ANGLE_START ",
                    angle_spec->start - floor(angle_spec->start), "\n");
    loop_put(writer, "static cfpc_real phase = ANGLE_START; // 0 to 1\n"
                     "\nstatic void turn(void)\n"
                     "{\n");
    if (angle_spec->output == LAB_OUTPUT_IS_POSITION)
        loop_put_number(writer, "    phase = ANGLE_START + ", angle_spec->turns, " * y;\n");
    else
        loop_put_number(writer, "    phase += ", writer->rig->step_s * angle_spec->turns,
                        " * y;\n");
    loop_put(writer, "    phase -= (cfpc_real)(int32_t)phase;\n"
                     "    if (phase < 0)\n"
                     "        phase += 1;\n"
                     "}\n");
    if (has_harmonics(writer->spec)) {
        loop_put_number(writer, "\n#define HALF ", 0.5, "\n");
        loop_put_number(writer, "#define TWO_PI ", CFPCI_TWO_PI, "\n");
        loop_put(writer, sine);
    }
    if (angle_spec->counts > 0)
        fprintf(writer->file,
                "\n// As the encoder reads it.\n"
                "static cfpc_real angle(void)\n"
                "{\n"
                "    return (cfpc_real)(int32_t)(phase * %d) / %d;\n"
                "}\n",
                angle_spec->counts, angle_spec->counts);
}

// ---- the loop --------------------------------------------------------------------------------

static lab_outcome put_system(const writer *writer, const char *name, const cfpc_system *sys,
                              lab_why *why)
{
    const size_t bytes = writer->target->real->bank_bytes(sys);
    if (bytes == 0)
        return lab_no_memory(why, NULL);
    loop_put(writer, "\n");
    lab_put_lti(writer->file, name, sys, writer->target->real->real_bytes);
    fprintf(writer->file,
            "static _Alignas(8) unsigned char %s_memory[%zu];\n"
            "static cfpc_bank *%s_state;\n",
            name, bytes, name);
    return LAB_DONE;
}

static lab_outcome put_systems(const writer *writer, lab_why *why)
{
    const lab_loop *loop = &writer->rig->loop;
    loop_put(writer, "\n// Controller, plant and delays, connected.\n"
                     "enum { DRIVE, PUSH, SHIFT, NOISE");
    loop_put(writer,
             writer->running->saturates ? ", APPLIED, WINDUP, INPUTS };\n" : ", INPUTS };\n");
    loop_put(writer, "enum { Y, U, M, OUTPUTS };");
    lab_outcome outcome =
        put_system(writer, "loop", writer->running->saturates ? &loop->open : &loop->closed, why);
    if (outcome == LAB_DONE && writer->running->feedforward)
        outcome = put_system(writer, "feedforward", &loop->feedforward, why);
    return outcome;
}

static void put_state(const writer *writer)
{
    loop_put(writer,
             "\nstatic int row; // of the tables, now\n"
             "static cfpc_real y, u, m, total; // output, command, what is measured, what the "
             "plant is sent\n"
             "static cfpc_real e, sum; // the error of the last step, and e² of this trial\n");
    if (writer->running->saturates)
        loop_put(writer, "static bool saturated; // the command was cut off in this step\n");
    if (writer->target->two_lessons)
        loop_put(writer, "static cfpc_real teaching; // what the last step has taught\n");
    if (writer->sees)
        fprintf(writer->file,
                "enum { ERROR_LATE = %d, REFERENCE_LATE = %d, PAST = ERROR_LATE + REFERENCE_LATE + "
                "1 };\n"
                "static cfpc_real past_r[PAST], past_m[PAST]; // of the last steps\n"
                "static int past;\n",
                writer->running->error_late, writer->running->reference_late);
    if (writer->late > 0)
        fprintf(writer->file,
                "enum { LATE = %d }; // steps that what teaches is late\n"
                "static cfpc_real on_the_way[LATE];\n"
                "static int arrival;\n",
                writer->late);
}

static void loop_put_start(const writer *writer)
{
    loop_put(writer, "\ncfpc_status @name@_loop_start(void)\n"
                     "{\n"
                     "    cfpc_status status = cfpc_bank_init("
                     "&loop_state, loop_memory, sizeof loop_memory, &loop, 1);\n");
    if (writer->running->feedforward)
        loop_put(writer, "    if (status == CFPC_OK)\n"
                         "        status = cfpc_bank_init(\n"
                         "                                &feedforward_state, feedforward_memory, "
                         "sizeof feedforward_memory, "
                         "&feedforward, 1);\n");
    loop_put(writer, "    return status;\n}\n");
}

// The loop comes to rest.
static void loop_put_reset(const writer *writer)
{
    loop_put(writer, "    cfpc_bank_reset(loop_state);\n"
                     "    y = u = m = total = 0;\n");
    if (writer->running->feedforward)
        loop_put(writer, "    cfpc_bank_reset(feedforward_state);\n");
    if (writer->sees)
        loop_put(writer, "    memset(past_r, 0, sizeof past_r);\n"
                         "    memset(past_m, 0, sizeof past_m);\n"
                         "    past = 0;\n");
    if (writer->turns)
        loop_put(writer, "    phase = ANGLE_START;\n");
    if (writer->late > 0)
        loop_put(writer, "    memset(on_the_way, 0, sizeof on_the_way);\n"
                         "    arrival = 0;\n");
}

static void put_limits(const writer *writer)
{
    const lab_running_loop *running = writer->running;
    if (running->saturates) {
        loop_put(writer, "\n// The command, and what its limits leave of it.\n"
                         "static void saturate(cfpc_real *x)\n"
                         "{\n"
                         "    cfpc_real out[OUTPUTS], applied;\n"
                         "    cfpc_bank_output(&loop, loop_state, x, out);\n"
                         "    applied = out[U];\n");
        if (isfinite(running->low)) {
            loop_put_number(writer, "    if (applied < ", running->low, ")\n");
            loop_put_number(writer, "        applied = ", running->low, ";\n");
        }
        if (isfinite(running->high)) {
            loop_put_number(writer, "    if (applied > ", running->high, ")\n");
            loop_put_number(writer, "        applied = ", running->high, ";\n");
        }
        loop_put(writer, "    x[APPLIED] = applied;\n");
        loop_put_number(writer, "    x[WINDUP] = ", running->windup, " * (applied - out[U]);\n");
        loop_put(writer, "    saturated = applied != out[U];\n}\n");
    }
    if (running->limits_output) {
        loop_put(writer, "\nstatic cfpc_real limited(cfpc_real value)\n{\n");
        if (isfinite(running->output_low)) {
            loop_put_number(writer, "    if (value < ", running->output_low, ")\n");
            loop_put_number(writer, "        return ", running->output_low, ";\n");
        }
        if (isfinite(running->output_high)) {
            loop_put_number(writer, "    if (value > ", running->output_high, ")\n");
            loop_put_number(writer, "        return ", running->output_high, ";\n");
        }
        loop_put(writer, "    return value;\n}\n");
    }
}

static void put_advance(const writer *writer)
{
    const lab_entry enters = writer->spec->enters;
    const bool feedforward = writer->running->feedforward != NULL;
    loop_put(writer, "\n// One step of the loop.\n"
                     "static void simulate(cfpc_real o)\n"
                     "{\n"
                     "    cfpc_real x[INPUTS] = {0}, out[OUTPUTS];\n");
    if (feedforward)
        loop_put(writer,
                 enters == LAB_FEEDFORWARD_INPUT
                     ? "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[row] + o;\n"
                     : "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[row];\n");
    if (feedforward)
        loop_put(writer, "    cfpc_bank_step(&feedforward, feedforward_state, &driven, &sent);\n");
    else
        loop_put(writer, enters == LAB_PLANT_INPUT ? "    const cfpc_real sent = o;\n"
                                                   : "    const cfpc_real sent = 0;\n");
    if (feedforward && enters == LAB_PLANT_INPUT)
        loop_put(writer, "    sent += o;\n");
    loop_put(writer, enters == LAB_CONTROLLER_INPUT ? "    x[DRIVE] = r_table[row] + o;\n"
                                                    : "    x[DRIVE] = r_table[row];\n");
    loop_put(writer,
             writer->pushed ? "    x[PUSH] = push_table[row] + sent;\n" : "    x[PUSH] = sent;\n");
    if (writer->shifted)
        loop_put(writer, "    x[SHIFT] = shift_table[row];\n");
    put_harmonics(writer, LAB_AT_PLANT_INPUT, "PUSH");
    put_harmonics(writer, LAB_AT_PLANT_OUTPUT, "SHIFT");
    if (writer->running->saturates)
        loop_put(writer, "    saturate(x);\n");
    if (writer->running->limits_output)
        loop_put(writer, "    cfpc_bank_output(&loop, loop_state, x, out);\n"
                         "    x[SHIFT] += limited(out[Y]) - out[Y];\n");
    if (writer->running->limits_output && writer->running->saturates)
        loop_put(writer, "    saturate(x);\n");
    loop_put(writer, "    cfpc_bank_step(&loop, loop_state, x, out);\n");
    loop_put(writer,
             writer->running->limits_output ? "    y = limited(out[Y]);\n" : "    y = out[Y];\n");
    loop_put(writer, "    u = out[U];\n"
                     "    m = out[M];\n"
                     "    total = u + sent;\n");
    loop_put(writer, writer->turns ? "    turn();\n}\n" : "}\n");
}

static void put_lessons(const writer *writer)
{
    if (writer->sees)
        loop_put(writer, "\n// r - m, as it comes to the controller: late.\n"
                         "static cfpc_real seen(void)\n"
                         "{\n"
                         "    const int at = past + PAST - ERROR_LATE;\n"
                         "    past_r[past] = r_table[row];\n"
                         "    past_m[past] = m;\n"
                         "    past = (past + 1) % PAST;\n"
                         "    return past_r[(at - REFERENCE_LATE) % PAST] - past_m[at % PAST];\n"
                         "}\n");
    if (writer->late > 0)
        loop_put(writer, "\n// What teaches, when it arrives.\n"
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
static const char *loop_value_of(const writer *writer, const lab_target_signal *one, char *text,
                                 size_t size)
{
    if (is_of_world(one->input)) {
        snprintf(text, size, "%s_table[row]", one->name);
        return text;
    }
    return one->input == LAB_FROM_ANGLE ? (writer->spec->angle.counts > 0 ? "angle()" : "phase")
           : one->input == LAB_FROM_MEASUREMENT ? "m"
           : one->input == LAB_FROM_COMMAND     ? "u"
                                                : "total";
}

static void put_heard(const writer *writer)
{
    const lab_target *target = writer->target;
    char text[LAB_NAME_BYTES + 16];
    if (target->handed)
        loop_put(writer,
                 "\nconst cfpc_real *@name@_loop_x(void)\n{\n    return x_table[row];\n}\n");
    for (int i = 0; i < target->signals; i++)
        fprintf(writer->file, "\ncfpc_real %s_loop_%s(void)\n{\n    return %s;\n}\n", target->name,
                target->signal[i].name,
                loop_value_of(writer, &target->signal[i], text, sizeof text));
}

static void loop_put_step(const writer *writer)
{
    const lab_teacher teacher = writer->spec->teach.signal;
    const char *taught = teacher == LAB_TEACH_COMMAND       ? "u"
                         : teacher == LAB_TEACH_DISTURBANCE ? "teaching_table[row]"
                                                            : "e";
    loop_put(writer, "\nvoid @name@_loop_step(cfpc_real o)\n{\n    simulate(o);\n");
    loop_put(writer, writer->sees ? "    e = seen();\n" : "    e = r_table[row] - y;\n");
    if (writer->target->two_lessons)
        fprintf(writer->file,
                writer->late > 0 ? "    teaching = late(%s);\n" : "    teaching = %s;\n", taught);
    loop_put(writer, "    sum += (r_table[row] - y) * (r_table[row] - y);\n"
                     "    row = row + 1 < ROWS ? row + 1 : 0;\n"
                     "}\n");
}

static void put_results(const writer *writer)
{
    loop_put(writer, "\ncfpc_real @name@_loop_error(void)\n{\n    return e;\n}\n");
    if (writer->target->two_lessons)
        loop_put(writer, "\ncfpc_real @name@_loop_teaching(void)\n{\n    return teaching;\n}\n");
    if (writer->running->saturates)
        loop_put(writer, "\nbool @name@_loop_saturated(void)\n{\n    return saturated;\n}\n");
    loop_put(writer, "\ncfpc_real @name@_loop_end_trial(void)\n"
                     "{\n"
                     "    const cfpc_real relative = root(sum) / REACTIVE;\n"
                     "    sum = 0;\n");
    if (writer->target->resets)
        loop_put_reset(writer);
    loop_put(writer, "    return relative;\n}\n");
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

static lab_outcome loop_put_header(const writer *writer, lab_why *why)
{
    const lab_target *target = writer->target;
    const char *lacks = lab_loop_lacks(target);
    (void)why;
    loop_put(writer, header_begin);
    if (*lacks)
        fprintf(writer->file, "// It leaves out %s.\n", lacks);
    fprintf(writer->file, "enum { %s_LOOP_TRIALS = %d, %s_LOOP_STEPS = %d };\n\n", target->upper,
            writer->trials, target->upper, writer->rig->steps);
    loop_put(writer, "cfpc_status @name@_loop_start(void);\n\n");
    if (target->handed || target->signals > 0)
        loop_put(writer, "// The cell's inputs at this step, before it acts.\n");
    if (target->handed)
        loop_put(writer, "const cfpc_real *@name@_loop_x(void);\n\n");
    for (int i = 0; i < target->signals; i++)
        fprintf(writer->file, "cfpc_real %s_loop_%s(void);\n%s", target->name,
                target->signal[i].name, i + 1 == target->signals ? "\n" : "");
    loop_put(writer, "// One step with the cell's output, and what followed.\n"
                     "void @name@_loop_step(cfpc_real o);\n"
                     "cfpc_real @name@_loop_error(void);\n");
    if (target->two_lessons)
        loop_put(writer, "cfpc_real @name@_loop_teaching(void);\n");
    if (writer->running->saturates)
        loop_put(writer, "bool @name@_loop_saturated(void);\n");
    loop_put(writer,
             "\n// Ends a trial. Its error, relative to that of the loop without the cell.\n"
             "cfpc_real @name@_loop_end_trial(void);\n"
             "\n"
             "#endif\n");
    return LAB_DONE;
}

static void put_top(const writer *writer)
{
    loop_put(writer, "// @name@_loop: see @name@_loop.h. Written by cfpc export.\n"
                     "#include \"@name@_loop.h\"\n"
                     "\n"
                     "#include <string.h>\n"
                     "\n"
                     "#include \"@name@_model.h\"\n"
                     "\n");
    fprintf(writer->file, "enum { ROWS = %d }; // of the tables of signals\n", writer->rows);
    loop_put_number(writer, "#define REACTIVE ", writer->target->setup.baseline,
                    " // root of the sum of e² over a trial without the cell\n");
    loop_put(writer, "\n// Signals of a trial.\n");
}

// Where trials differ, as many as the tables can hold.
static void loop_count_rows(writer *writer)
{
    const int g = writer->target->handed ? writer->target->synapses : 1;
    const int most = MAX_NUMBERS / (writer->rig->steps * g), all = writer->rig->trials;
    writer->trials = writer->spec->task.repeats || all <= most ? all : most > 1 ? most : 1;
    writer->rows =
        writer->spec->task.repeats ? writer->rig->steps : writer->trials * writer->rig->steps;
}

static lab_outcome put_source(const writer *writer, lab_why *why)
{
    put_top(writer);
    lab_outcome outcome = loop_put_signals(writer, why);
    if (outcome == LAB_DONE)
        outcome = loop_put_basis(writer, why);
    if (outcome == LAB_DONE)
        outcome = put_systems(writer, why);
    if (outcome != LAB_DONE)
        return outcome;
    put_state(writer);
    if (writer->turns)
        put_angle(writer);
    put_limits(writer);
    put_advance(writer);
    put_lessons(writer);
    loop_put(writer, root);
    loop_put_start(writer);
    put_heard(writer);
    loop_put_step(writer);
    put_results(writer);
    return LAB_DONE;
}

static lab_outcome loop_write_file(writer *to, lab_folder *folder, const char *ending,
                                   lab_outcome (*put_file)(const writer *to, lab_why *why),
                                   lab_why *why)
{
    lab_outcome outcome = lab_create_of_target(folder, to->target, ending, &to->file, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = put_file(to, why);
    const lab_outcome closed = lab_folder_close(folder, to->file, why);
    return outcome == LAB_DONE ? closed : outcome;
}

lab_outcome lab_write_loop(lab_folder *folder, const lab_target *target, lab_why *why)
{
    const lab_rig *rig = &target->setup.rig;
    lab_running_loop running;
    writer writer = {.target = target,
                     .spec = rig->spec,
                     .rig = rig,
                     .running = &running,
                     .turns = lab_uses_angle(rig->spec),
                     .sees = rig->spec->teach.signal == LAB_TEACH_MEASURED_ERROR,
                     .late = (int)lround(rig->spec->teach.delay_ms / rig->spec->step_ms)};
    lab_target_words_make(&writer.words, target);
    loop_count_rows(&writer);
    writer.pushed = !loop_is_silent(&writer, push_at);
    writer.shifted = !loop_is_silent(&writer, shift_at);
    lab_outcome outcome = lab_from_status(
        why, lab_running_loop_make(&running, rig->spec, &rig->loop), rig->spec->file);
    if (outcome == LAB_DONE)
        outcome = loop_write_file(&writer, folder, "_loop.h", loop_put_header, why);
    if (outcome == LAB_DONE)
        outcome = loop_write_file(&writer, folder, "_loop.c", put_source, why);
    lab_running_loop_free(&running);
    return outcome;
}
