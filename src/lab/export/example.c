// SPDX-License-Identifier: Apache-2.0
#include "export/example.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "export/source.h"
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

const char *lab_example_lacks(const lab_target *target)
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
        put_number(it, "#define TWO_PI ", 6.283185307179586, "\n");
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
    put(it, "\nstatic cfpc_real y, u, m, total; // output, command, what is measured, what the "
            "plant is sent\n");
    if (it->machine->saturates)
        put(it, "static bool saturated; // the command was cut off in this step\n");
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

static void put_begin(const writer *it)
{
    put(it, "\nstatic cfpc_status loop_start(void)\n"
            "{\n"
            "    cfpc_status status = cfpc_bank_init(loop_memory, sizeof loop_memory, &loop, 1, "
            "&loop_state);\n");
    if (it->machine->feedforward)
        put(it, "    if (status == CFPC_OK)\n"
                "        status = cfpc_bank_init(feedforward_memory, sizeof feedforward_memory, "
                "&feedforward, 1,\n"
                "                                &feedforward_state);\n");
    put(it, "    return status;\n}\n");
    if (!it->target->resets)
        return;
    put(it, "\nstatic void loop_reset(void)\n"
            "{\n"
            "    cfpc_bank_reset(loop_state);\n"
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
    put(it, "}\n");
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
            "static void simulate(int row, cfpc_real o)\n"
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
                "static cfpc_real seen(int row)\n"
                "{\n"
                "    const int at = past + PAST - ERROR_LATE;\n"
                "    past_r[past] = r_table[row];\n"
                "    past_m[past] = m;\n"
                "    past = (past + 1) % PAST;\n"
                "    return past_r[(at - REFERENCE_LATE) % PAST] - past_m[at % PAST];\n"
                "}\n");
    if (it->late > 0)
        put(it, "\n// What teaches, when it arrives.\n"
                "static cfpc_real late(cfpc_real teaching)\n"
                "{\n"
                "    const cfpc_real arrived = on_the_way[arrival];\n"
                "    on_the_way[arrival] = teaching;\n"
                "    arrival = (arrival + 1) % LATE;\n"
                "    return arrived;\n"
                "}\n");
}

// ---- the program -----------------------------------------------------------------------------

static const char top[] =
    "// @name@_example: the cell of @name@_model.h at work. What is between the lines of dashes "
    "simulates the\n"
    "// loop of the spec '@spec@'; on your machine three lines, marked YOURS below, take its place."
    "\n"
    "// Copy it before you edit it: the next export with --force replaces it.\n"
    "//\n"
    "//     cc -O2 @name@_example.c @name@_model.c cfpc.c && ./a.out\n"
    "#include \"@name@_model.h\"\n"
    "\n"
    "#include <stdio.h>\n"
    "#include <string.h>\n"
    "\n";

static void put_top(const writer *it)
{
    const char *lacks = lab_example_lacks(it->target);
    put(it, top);
    fprintf(it->file,
            "enum { TRIALS = %d, STEPS = %d, ROWS = %d }; // ROWS: of the tables of signals\n",
            it->trials, it->rig->steps, it->rows);
    put_number(it, "#define REACTIVE ", it->target->setup.baseline,
               " // root of the sum of e² over a trial without the cell\n");
    if (*lacks)
        fprintf(it->file, "// The simulated loop leaves out %s.\n", lacks);
    put(it, "\n// ------------------------------------------------------------------------------\n"
            "\n// Signals of a trial.\n");
}

// The square root, by Newton's method; the example needs no libm.
static const char root[] =
    "\n// The square root, without libm.\n"
    "static cfpc_real root(cfpc_real square)\n"
    "{\n"
    "    cfpc_real x = square > 1 ? square : 1;\n"
    "    for (int i = 0; i < 200 && x * x > square; i++)\n"
    "        x = (x + square / x) / 2;\n"
    "    return x;\n"
    "}\n"
    "\n// ------------------------------------------------------------------------------\n";

static void put_heard(const writer *it)
{
    const lab_target *target = it->target;
    if (target->handed)
        put(it, "            const cfpc_real *x = x_table[row];\n");
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *one = &target->signal[i];
        fprintf(it->file, "            const cfpc_real %s = ", one->name);
        if (is_of_world(one->input))
            fprintf(it->file, "%s_table[row];\n", one->name);
        else
            put(it, one->input == LAB_FROM_ANGLE
                        ? (it->spec->angle.counts > 0 ? "angle();\n" : "phase;\n")
                    : one->input == LAB_FROM_MEASUREMENT ? "m;\n"
                    : one->input == LAB_FROM_COMMAND     ? "u;\n"
                                                         : "total;\n");
    }
}

static const char *where_of(const lab_spec *spec)
{
    return spec->enters == LAB_PLANT_INPUT         ? "the command"
           : spec->enters == LAB_FEEDFORWARD_INPUT ? "the feed-forward path's input"
                                                   : "the controller's input";
}

static void put_step(const writer *it)
{
    const lab_teacher teacher = it->spec->teach.signal;
    const char *taught = teacher == LAB_TEACH_COMMAND       ? "u"
                         : teacher == LAB_TEACH_DISTURBANCE ? "teaching_table[row]"
                                                            : "e";
    put_heard(it);
    put(it, "            const cfpc_real o = @name@_act(@arguments@);\n");
    fprintf(it->file,
            "            simulate(row, o); // YOURS (1): hand out o: add it to %s\n"
            "            const cfpc_real e = %s; // YOURS (2): read the error\n",
            where_of(it->spec), it->sees ? "seen(row)" : "r_table[row] - y");
    if (it->machine->saturates)
        put(it, "            cfpc_saturated(@name@_model(), @name@_data(), saturated);\n");
    if (it->target->two_lessons)
        fprintf(it->file,
                it->late > 0 ? "            %s_learn(late(%s), e);\n"
                             : "            %s_learn(%s, e);\n",
                it->target->name, taught);
    else
        put(it, "            @name@_learn(e);\n");
    put(it, "            // YOURS (3): wait for the next step, @NAME@_STEP_S seconds after this "
            "one began\n");
    put(it, it->sees ? "            sum += (r_table[row] - y) * (r_table[row] - y);\n"
                     : "            sum += e * e;\n");
}

static void put_main(const writer *it)
{
    put(it, "\nint main(void)\n"
            "{\n"
            "    if (@name@_start() != CFPC_OK || loop_start() != CFPC_OK) {\n"
            "        puts(\"the cell cannot start\");\n"
            "        return 1;\n"
            "    }\n"
            "    puts(\"trial,@rule@\"); // error relative to the loop without the cell\n"
            "    for (int trial = 1; trial <= TRIALS; trial++) {\n"
            "        cfpc_real sum = 0;\n");
    if (it->target->resets)
        put(it, "        loop_reset();\n");
    put(it, "        for (int n = 0; n < STEPS; n++) {\n");
    put(it, it->rows > it->rig->steps ? "            const int row = (trial - 1) * STEPS + n;\n"
                                      : "            const int row = n;\n");
    put_step(it);
    put(it, "        }\n");
    if (it->target->resets)
        put(it, "        @name@_next_trial();\n");
    put(it, "        printf(\"%d,%.12g\\n\", trial, (double)(root(sum) / REACTIVE));\n"
            "    }\n"
            "    return 0;\n"
            "}\n");
}

// Where trials differ, as many as the tables can hold.
static void count_rows(writer *it)
{
    const int g = it->target->handed ? it->target->synapses : 1;
    const int most = MAX_NUMBERS / (it->rig->steps * g), all = it->rig->trials;
    it->trials = it->spec->task.repeats || all <= most ? all : most > 1 ? most : 1;
    it->rows = it->spec->task.repeats ? it->rig->steps : it->trials * it->rig->steps;
}

static lab_outcome write_all(writer *it, lab_why *why)
{
    count_rows(it);
    it->pushed = !is_silent(it, push_at);
    it->shifted = !is_silent(it, shift_at);
    it->turns = lab_uses_angle(it->spec);
    it->sees = it->spec->teach.signal == LAB_TEACH_MEASURED_ERROR;
    it->late = (int)lround(it->spec->teach.delay_ms / it->spec->step_ms);
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
    put_begin(it);
    put_limits(it);
    put_advance(it);
    put_lessons(it);
    put(it, root);
    put_main(it);
    return LAB_DONE;
}

lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why)
{
    const lab_rig *rig = &target->setup.rig;
    lab_machine machine;
    writer it = {.target = target, .spec = rig->spec, .rig = rig, .machine = &machine};
    char name[LAB_NAME_BYTES + 16];
    lab_target_words_make(&it.words, target);
    snprintf(name, sizeof name, "%s_example.c", target->name);
    lab_outcome outcome =
        lab_from_status(why, lab_machine_make(&machine, rig->spec, &rig->loop), rig->spec->file);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, name, &it.file, why);
    if (outcome == LAB_DONE) {
        outcome = write_all(&it, why);
        const lab_outcome closed = lab_folder_close(folder, it.file, why);
        outcome = outcome == LAB_DONE ? closed : outcome;
    }
    lab_machine_free(&machine);
    return outcome;
}
