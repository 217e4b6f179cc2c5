// SPDX-License-Identifier: Apache-2.0
#include "export/example.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "export/source.h"
#include "export/turning.h"
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
    bool sees;            // what teaches is what the controller sees
    int late;             // steps that what teaches is late
} writer;

const char *lab_example_lacks(const lab_target *target)
{
    const lab_spec *spec = target->spec;
    return spec->loop.noise.process > 0 || spec->loop.noise.measurement > 0
               ? "the noise of the loop"
           : spec->loop.measurement_step > 0 ? "the rounding of what is measured"
           : !spec->task.repeats             ? "what differs from trial to trial"
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

typedef double (*signal)(const writer *it, int which, int n);

static double reference_at(const writer *it, int which, int n)
{
    (void)which;
    return lab_world_reference(&it->rig->world, it->rig->first, n);
}

static double push_at(const writer *it, int which, int n)
{
    (void)which;
    return lab_world_push(&it->rig->world, it->rig->first, n);
}

static double shift_at(const writer *it, int which, int n)
{
    (void)which;
    return lab_world_shift(&it->rig->world, it->rig->first, n);
}

static double taught_at(const writer *it, int which, int n)
{
    (void)which;
    return it->spec->teach.gain *
           lab_world_disturbance(&it->rig->world, it->rig->teacher, it->rig->first, n);
}

static double heard_at(const writer *it, int which, int n)
{
    const lab_target_signal *one = &it->target->signal[which];
    const lab_world *world = &it->rig->world;
    return one->input == LAB_FROM_REFERENCE
               ? lab_world_preview(world, it->rig->first, n, one->ahead)
           : one->input == LAB_FROM_CUE
               ? lab_world_cue(world, one->source, n)
               : lab_world_disturbance(world, one->source, it->rig->first, n);
}

static bool is_silent(const writer *it, signal of)
{
    bool silent = true;
    for (int n = 0; n < it->rig->steps; n++)
        silent &= of(it, 0, n) == 0;
    return silent;
}

// A signal over a trial, as a table.
static lab_outcome put_signal(const writer *it, const char *name, signal of, int which,
                              lab_why *why)
{
    const size_t steps = (size_t)it->rig->steps;
    double *values = malloc(steps * sizeof *values);
    if (!values)
        return lab_no_memory(why, NULL);
    for (size_t n = 0; n < steps; n++)
        values[n] = of(it, which, (int)n);
    fprintf(it->file, "static const cfpc_real %s_table[STEPS] = {\n", name);
    lab_put_reals(it->file, values, steps, it->target->real->real_bytes);
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

// Hands in the basis signals of the lab, of the first trial.
static lab_outcome put_basis(const writer *it, lab_why *why)
{
    const size_t steps = (size_t)it->rig->steps, g = (size_t)it->target->synapses;
    if (!it->target->handed)
        return LAB_DONE;
    put(it, "static const cfpc_real x_table[STEPS][@NAME@_SYNAPSES] = {\n");
    for (size_t n = 0; n < steps; n++) {
        put(it, "{");
        lab_put_reals(it->file, it->target->setup.x + n * g, g, it->target->real->real_bytes);
        put(it, "},\n");
    }
    put(it, "};\n");
    return ferror(it->file) ? lab_fail(why, "the example cannot be written") : LAB_DONE;
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
    lab_put_angle_reset(it->file, it->target);
    if (it->machine->feedforward)
        put(it, "    cfpc_bank_reset(feedforward_state);\n");
    if (it->sees)
        put(it, "    memset(past_r, 0, sizeof past_r);\n"
                "    memset(past_m, 0, sizeof past_m);\n"
                "    past = 0;\n");
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
            "static void simulate(int n, cfpc_real o)\n"
            "{\n"
            "    cfpc_real x[INPUTS] = {0}, out[OUTPUTS];\n");
    if (feedforward)
        put(it, enters == LAB_FEEDFORWARD_INPUT
                    ? "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[n] + o;\n"
                    : "    cfpc_real sent = 0;\n    const cfpc_real driven = r_table[n];\n");
    if (feedforward)
        put(it, "    cfpc_bank_step(&feedforward, feedforward_state, &driven, &sent);\n");
    else
        put(it, enters == LAB_PLANT_INPUT ? "    const cfpc_real sent = o;\n"
                                          : "    const cfpc_real sent = 0;\n");
    if (feedforward && enters == LAB_PLANT_INPUT)
        put(it, "    sent += o;\n");
    put(it, enters == LAB_CONTROLLER_INPUT ? "    x[DRIVE] = r_table[n] + o;\n"
                                           : "    x[DRIVE] = r_table[n];\n");
    put(it, it->pushed ? "    x[PUSH] = push_table[n] + sent;\n" : "    x[PUSH] = sent;\n");
    if (it->shifted)
        put(it, "    x[SHIFT] = shift_table[n];\n");
    lab_put_angular_inputs(it->file, it->target);
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
    lab_put_angle_step(it->file, it->target);
    put(it, "}\n");
}

static void put_lessons(const writer *it)
{
    if (it->sees)
        put(it, "\n// r - m, as it comes to the controller: late.\n"
                "static cfpc_real seen(int n)\n"
                "{\n"
                "    const int at = past + PAST - ERROR_LATE;\n"
                "    past_r[past] = r_table[n];\n"
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
    fprintf(it->file, "enum { TRIALS = %d, STEPS = %d };\n", it->rig->trials, it->rig->steps);
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
        put(it, "            const cfpc_real *x = x_table[n];\n");
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *one = &target->signal[i];
        fprintf(it->file, "            const cfpc_real %s = ", one->name);
        if (is_of_world(one->input))
            fprintf(it->file, "%s_table[n];\n", one->name);
        else if (one->input == LAB_FROM_ANGLE)
            lab_put_angle_read(it->file, it->target);
        else
            put(it, one->input == LAB_FROM_MEASUREMENT ? "m;\n"
                    : one->input == LAB_FROM_COMMAND   ? "u;\n"
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
                         : teacher == LAB_TEACH_DISTURBANCE ? "teaching_table[n]"
                                                            : "e";
    put_heard(it);
    put(it, "            const cfpc_real o = @name@_act(@arguments@);\n");
    fprintf(it->file,
            "            simulate(n, o); // YOURS (1): hand out o: add it to %s\n"
            "            const cfpc_real e = %s; // YOURS (2): read the error\n",
            where_of(it->spec), it->sees ? "seen(n)" : "r_table[n] - y");
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
    put(it, it->sees ? "            sum += (r_table[n] - y) * (r_table[n] - y);\n"
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
    put_step(it);
    put(it, "        }\n");
    if (it->target->resets)
        put(it, "        @name@_next_trial();\n");
    put(it, "        printf(\"%d,%.10g\\n\", trial, (double)(root(sum) / REACTIVE));\n"
            "    }\n"
            "    return 0;\n"
            "}\n");
}

static lab_outcome write_all(writer *it, lab_why *why)
{
    it->pushed = !is_silent(it, push_at);
    it->shifted = !is_silent(it, shift_at);
    it->sees = it->spec->teach.signal == LAB_TEACH_MEASURED_ERROR;
    it->late = (int)lround(it->spec->teach.delay_ms / it->spec->step_ms);
    put_top(it);
    lab_outcome outcome = put_signals(it, why);
    if (outcome == LAB_DONE)
        outcome = put_basis(it, why);
    if (outcome == LAB_DONE)
        outcome = put_systems(it, why);
    if (outcome == LAB_DONE)
        outcome = lab_put_angle(it->file, it->target, why);
    if (outcome != LAB_DONE)
        return outcome;
    put_state(it);
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
