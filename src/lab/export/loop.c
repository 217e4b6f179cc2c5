// SPDX-License-Identifier: Apache-2.0
// loop: NAME_loop.h and NAME_loop.c, the spec's loop, simulated, for the program around an exported
// cell (example.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/files.h"
#include "math/elementary.h"
#include "plant/running_loop.h"

enum { MAX_NUMBERS = 100000 }; // of a table of trials that differ

enum { LOOP_WORDS = 20, LOOP_REALS = 10 };

// What of the loop the program needs.
typedef struct writer {
    FILE *file;
    const lab_target *target;
    const lab_spec *spec;
    const lab_rig *rig;
    int trials; // that it runs
    int rows;   // of its tables: steps of a trial, or of all of them if they differ
    lab_word words[LAB_TARGET_WORDS + LOOP_WORDS + LOOP_REALS + 1]; // NULL at the end
    lab_real_text reals[LOOP_REALS]; // those that are numbers of cfpc_real
} writer;

static void loop_put(const writer *writer, const char *text)
{
    lab_put_text(writer->file, text, writer->words);
}

// ---- signals ---------------------------------------------------------------------------------

// A table of a signal: the reference, what disturbs the plant's input and its output, what teaches,
// or what drives banks.
typedef enum table { REFERENCE, PUSH, SHIFT, TEACHING, HEARD } table;

// A signal (`which` of those that drive banks) at a row of its table.
static double value_at(const writer *writer, table table, int which, int row)
{
    const lab_world *world = &writer->rig->world;
    const int trial = writer->rig->first + row / writer->rig->steps, n = row % writer->rig->steps;
    if (table == REFERENCE)
        return lab_world_reference(world, trial, n);
    if (table == TEACHING)
        return writer->spec->teach.gain *
               lab_world_disturbance(world, writer->rig->teacher, trial, n);
    if (table == HEARD) {
        const lab_target_signal *one = &writer->target->signal[which];
        return one->input == LAB_FROM_REFERENCE ? lab_world_preview(world, trial, n, one->ahead)
               : one->input == LAB_FROM_CUE     ? lab_world_cue(world, one->source, n)
                                            : lab_world_disturbance(world, one->source, trial, n);
    }

    // What depends on time of the disturbances at a place.
    const lab_disturbance_place place = table == PUSH ? LAB_AT_PLANT_INPUT : LAB_AT_PLANT_OUTPUT;
    double sum = 0;
    for (int i = 0; i < writer->spec->disturbances.count; i++) {
        const lab_disturbance_spec *spec = &lab_disturbances(writer->spec)[i];
        if (spec->at == place && !lab_is_angular(spec))
            sum += lab_world_disturbance(world, i, trial, n);
    }
    return sum;
}

static bool loop_has(const writer *writer, table table)
{
    bool is = false;
    for (int row = 0; row < writer->rows; row++)
        is |= value_at(writer, table, 0, row) != 0;
    return is;
}

// A signal over a trial, or over all of them.
static void loop_put_table(const writer *writer, const char *name, table table, int which)
{
    size_t used = 0;
    fprintf(writer->file, "static const cfpc_real %s_table[ROWS] = {\n", name);
    for (int row = 0; row < writer->rows; row++)
        lab_put_real_item(writer->file, value_at(writer, table, which, row),
                          writer->target->real->real_bytes, &used);
    fputs("\n};\n", writer->file);
}

static bool is_of_world(lab_basis_input input)
{
    return input == LAB_FROM_REFERENCE || input == LAB_FROM_CUE || input == LAB_FROM_DISTURBANCE;
}

static void loop_put_signals(const writer *writer)
{
    const lab_target *target = writer->target;
    loop_put_table(writer, "r", REFERENCE, 0);
    if (loop_has(writer, PUSH))
        loop_put_table(writer, "push", PUSH, 0);
    if (loop_has(writer, SHIFT))
        loop_put_table(writer, "shift", SHIFT, 0);
    if (writer->spec->teach.signal == LAB_TEACH_DISTURBANCE)
        loop_put_table(writer, "teaching", TEACHING, 0);
    for (int i = 0; i < target->signals; i++)
        if (is_of_world(target->signal[i].input))
            loop_put_table(writer, target->signal[i].name, HEARD, i);
}

// The basis signals that are handed in.
static lab_outcome loop_put_basis(const writer *writer, lab_why *why)
{
    const lab_heard nothing = {0};
    const lab_rig *rig = writer->rig;
    const int g = writer->target->synapses;
    lab_basis basis;
    if (!writer->target->handed)
        return LAB_DONE;
    cfpc_real *x = calloc((size_t)g + 1, sizeof *x);
    lab_outcome outcome = lab_basis_make(&basis, writer->spec, &rig->world, rig->steps, why);
    if (outcome == LAB_DONE && !x)
        outcome = lab_no_memory(why, NULL);
    loop_put(writer, "static const cfpc_real x_table[ROWS][@NAME@_SYNAPSES] = {\n");
    for (int row = 0; outcome == LAB_DONE && row < writer->rows; row++) {
        size_t used = 0;
        lab_basis_step(&basis, &nothing, rig->first + row / rig->steps, row % rig->steps, x);
        fputs("{\n", writer->file);
        for (int j = 0; j < g; j++)
            lab_put_real_item(writer->file, (double)x[j], writer->target->real->real_bytes, &used);
        fputs("},\n", writer->file);
    }
    fputs("};\n", writer->file);
    lab_basis_free(&basis);
    free(x);
    return outcome;
}

// ---- the loop --------------------------------------------------------------------------------

static lab_outcome put_system(const writer *writer, const char *name, const cfpc_system *sys,
                              lab_why *why)
{
    const size_t bytes = writer->target->real->bank_bytes(sys);
    if (bytes == 0)
        return lab_no_memory(why, NULL);
    fputs("\n", writer->file);
    lab_put_lti(writer->file, name, sys, writer->target->real->real_bytes);
    fprintf(writer->file,
            "static _Alignas(8) unsigned char %s_memory[%zu];\n"
            "static cfpc_bank *%s_state;\n",
            name, bytes, name);
    return LAB_DONE;
}

static void put_harmonics(const writer *writer, lab_disturbance_place place, const char *name)
{
    const size_t real = writer->target->real->real_bytes;
    for (int i = 0; i < writer->spec->disturbances.count; i++) {
        const lab_disturbance_spec *spec = &lab_disturbances(writer->spec)[i];
        const lab_numbers *harmonics = &spec->signal.harmonics;
        if (!spec->on || spec->at != place || !lab_is_angular(spec))
            continue;
        for (int k = 0; k < harmonics->rows; k++) {
            const double *h = harmonics->values + (size_t)k * 3;
            fprintf(writer->file, "    x[%s] += %s * sine(%s * phase + %s);\n", name,
                    lab_real(h[1], real).text, lab_real(h[0], real).text,
                    lab_real(h[2] / 360, real).text);
        }
    }
}

// What drives the cell: each signal as it is now.
static void put_heard(const writer *writer)
{
    const lab_target *target = writer->target;
    for (int i = 0; i < target->signals; i++) {
        const char *name = target->signal[i].name;
        const lab_basis_input input = target->signal[i].input;
        const bool counts = writer->spec->angle.counts > 0;
        fprintf(writer->file, "\ncfpc_real %s_loop_%s(void)\n{\n    return %s%s;\n}\n",
                target->name, name, is_of_world(input) ? name : "",
                is_of_world(input)              ? "_table[row]"
                : input == LAB_FROM_ANGLE       ? (counts ? "angle()" : "phase")
                : input == LAB_FROM_MEASUREMENT ? "m"
                : input == LAB_FROM_COMMAND     ? "u"
                                                : "total");
    }
}

// ---- texts -----------------------------------------------------------------------------------

static const char header_begin[] =
    "// @name@_loop: the loop of the spec '@spec@', simulated, for @name@_example.c. On your "
    "machine the\n"
    "// real one takes its place. Written by cfpc export.\n"
    "#ifndef @NAME@_LOOP_H\n"
    "#define @NAME@_LOOP_H\n"
    "\n"
    "#include \"cfpc.h\"\n"
    "\n"
    "@?lacks@// It leaves out @lacks@.\n@/@"
    "enum { @NAME@_LOOP_TRIALS = @runs@, @NAME@_LOOP_STEPS = @steps@ };\n"
    "\n"
    "cfpc_status @name@_loop_start(void);\n"
    "\n"
    "@?hears@// The cell's inputs at this step, before it acts.\n@/@"
    "@?handed@const cfpc_real *@name@_loop_x(void);\n\n@/@";

static const char header_end[] =
    "// One step with the cell's output, and what followed.\n"
    "void @name@_loop_step(cfpc_real o);\n"
    "cfpc_real @name@_loop_error(void);\n"
    "@?two_lessons@cfpc_real @name@_loop_teaching(void);\n@/@"
    "@?saturates@bool @name@_loop_saturated(void);\n@/@"
    "\n"
    "// Ends a trial. Its error, relative to that of the loop without the cell.\n"
    "cfpc_real @name@_loop_end_trial(void);\n"
    "\n"
    "#endif\n";

static const char top[] =
    "// @name@_loop: see @name@_loop.h. Written by cfpc export.\n"
    "#include \"@name@_loop.h\"\n"
    "\n"
    "#include <string.h>\n"
    "\n"
    "#include \"@name@_model.h\"\n"
    "\n"
    "enum { ROWS = @rows@ }; // of the tables of signals\n"
    "#define REACTIVE @reactive@ // root of the sum of e² over a trial without the cell\n"
    "\n"
    "// Signals of a trial.\n";

static const char systems[] =
    "\n"
    "// Controller, plant and delays, connected.\n"
    "enum { DRIVE, PUSH, SHIFT, NOISE, @?saturates@APPLIED, WINDUP, @/@INPUTS };\n"
    "enum { Y, U, M, OUTPUTS };";

static const char state[] =
    "\n"
    "static int row; // of the tables, now\n"
    "static cfpc_real y, u, m, total; // output, command, what is measured, what the plant is "
    "sent\n"
    "static cfpc_real e, sum; // the error of the last step, and e² of this trial\n"
    "@?saturates@static bool saturated; // the command was cut off in this step\n@/@"
    "@?two_lessons@static cfpc_real teaching; // what the last step has taught\n@/@"
    "@?sees@"
    "enum { ERROR_LATE = @error_late@, REFERENCE_LATE = @reference_late@, PAST = ERROR_LATE + "
    "REFERENCE_LATE + 1 };\n"
    "static cfpc_real past_r[PAST], past_m[PAST]; // of the last steps\n"
    "static int past;\n"
    "@/@"
    "@?late@"
    "enum { LATE = @late@ }; // steps that what teaches is late\n"
    "static cfpc_real on_the_way[LATE];\n"
    "static int arrival;\n"
    "@/@";

// The sine is its series, from -1/4 to 1/4 turn.
static const char angle[] =
    "@?turns@"
    "\n"
    "// Where the machine is, in turns.\n"
    "#define ANGLE_START @angle_start@\n"
    "static cfpc_real phase = ANGLE_START; // 0 to 1\n"
    "\n"
    "static void turn(void)\n"
    "{\n"
    "    phase @?is_position@= ANGLE_START + @|@+= @/@@output_turns@ * y;\n"
    "    phase -= (cfpc_real)(int32_t)phase;\n"
    "    if (phase < 0)\n"
    "        phase += 1;\n"
    "}\n"
    "@?harmonics@"
    "\n"
    "#define HALF @half@\n"
    "#define TWO_PI @two_pi@\n"
    "\n"
    "// The sine of an angle in turns, without libm: its series, from -1/4 to 1/4 turn.\n"
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
    "}\n"
    "@/@"
    "@?counts@"
    "\n"
    "// As the encoder reads it.\n"
    "static cfpc_real angle(void)\n"
    "{\n"
    "    return (cfpc_real)(int32_t)(phase * @counts@) / @counts@;\n"
    "}\n"
    "@/@"
    "@/@";

static const char simulate[] =
    "@?saturates@"
    "\n"
    "// The command, and what its limits leave of it.\n"
    "static void saturate(cfpc_real *x)\n"
    "{\n"
    "    cfpc_real out[OUTPUTS], applied;\n"
    "    cfpc_bank_output(&loop, loop_state, x, out);\n"
    "    applied = out[U];\n"
    "@?low@    if (applied < @low@)\n        applied = @low@;\n@/@"
    "@?high@    if (applied > @high@)\n        applied = @high@;\n@/@"
    "    x[APPLIED] = applied;\n"
    "    x[WINDUP] = @windup@ * (applied - out[U]);\n"
    "    saturated = applied != out[U];\n"
    "}\n"
    "@/@"
    "@?limits@"
    "\n"
    "static cfpc_real limited(cfpc_real value)\n"
    "{\n"
    "@?output_low@    if (value < @output_low@)\n        return @output_low@;\n@/@"
    "@?output_high@    if (value > @output_high@)\n        return @output_high@;\n@/@"
    "    return value;\n"
    "}\n"
    "@/@"
    "\n"
    "// One step of the loop.\n"
    "static void simulate(cfpc_real o)\n"
    "{\n"
    "    cfpc_real x[INPUTS] = {0}, out[OUTPUTS];\n"
    "@?feedforward@"
    "    cfpc_real sent = 0;\n"
    "    const cfpc_real driven = r_table[row]@?to_feedforward@ + o@/@;\n"
    "    cfpc_bank_step(&feedforward, feedforward_state, &driven, &sent);\n"
    "@?to_plant@    sent += o;\n@/@"
    "@|@"
    "    const cfpc_real sent = @?to_plant@o@|@0@/@;\n"
    "@/@"
    "    x[DRIVE] = r_table[row]@?to_controller@ + o@/@;\n"
    "    x[PUSH] = @?pushed@push_table[row] + @/@sent;\n"
    "@?shifted@    x[SHIFT] = shift_table[row];\n@/@";

// After the harmonics.
static const char simulate_end[] = "@?saturates@    saturate(x);\n@/@"
                                   "@?limits@"
                                   "    cfpc_bank_output(&loop, loop_state, x, out);\n"
                                   "    x[SHIFT] += limited(out[Y]) - out[Y];\n"
                                   "@?saturates@    saturate(x);\n@/@"
                                   "@/@"
                                   "    cfpc_bank_step(&loop, loop_state, x, out);\n"
                                   "    y = @?limits@limited(out[Y])@|@out[Y]@/@;\n"
                                   "    u = out[U];\n"
                                   "    m = out[M];\n"
                                   "    total = u + sent;\n"
                                   "@?turns@    turn();\n@/@"
                                   "}\n";

static const char lessons[] =
    "@?sees@"
    "\n"
    "// r - m, as it comes to the controller: late.\n"
    "static cfpc_real seen(void)\n"
    "{\n"
    "    const int at = past + PAST - ERROR_LATE;\n"
    "    past_r[past] = r_table[row];\n"
    "    past_m[past] = m;\n"
    "    past = (past + 1) % PAST;\n"
    "    return past_r[(at - REFERENCE_LATE) % PAST] - past_m[at % PAST];\n"
    "}\n"
    "@/@"
    "@?late@"
    "\n"
    "// What teaches, when it arrives.\n"
    "static cfpc_real late(cfpc_real sent)\n"
    "{\n"
    "    const cfpc_real arrived = on_the_way[arrival];\n"
    "    on_the_way[arrival] = sent;\n"
    "    arrival = (arrival + 1) % LATE;\n"
    "    return arrived;\n"
    "}\n"
    "@/@"
    "\n"
    "// The square root, without libm.\n"
    "static cfpc_real root(cfpc_real square)\n"
    "{\n"
    "    cfpc_real x = square > 1 ? square : 1;\n"
    "    for (int i = 0; i < 200 && x * x > square; i++)\n"
    "        x = (x + square / x) / 2;\n"
    "    return x;\n"
    "}\n";

static const char start[] =
    "\n"
    "cfpc_status @name@_loop_start(void)\n"
    "{\n"
    "    cfpc_status status = cfpc_bank_init(&loop_state, loop_memory, sizeof loop_memory, &loop, "
    "1);\n"
    "@?feedforward@"
    "    if (status == CFPC_OK)\n"
    "        status = cfpc_bank_init(\n"
    "                                &feedforward_state, feedforward_memory, sizeof "
    "feedforward_memory, &feedforward, 1);\n"
    "@/@"
    "    return status;\n"
    "}\n"
    "@?handed@\nconst cfpc_real *@name@_loop_x(void)\n{\n    return x_table[row];\n}\n@/@";

static const char step[] =
    "\n"
    "void @name@_loop_step(cfpc_real o)\n"
    "{\n"
    "    simulate(o);\n"
    "    e = @?sees@seen()@|@r_table[row] - y@/@;\n"
    "@?two_lessons@    teaching = @?late@late(@taught@)@|@@taught@@/@;\n@/@"
    "    sum += (r_table[row] - y) * (r_table[row] - y);\n"
    "    row = row + 1 < ROWS ? row + 1 : 0;\n"
    "}\n"
    "\n"
    "cfpc_real @name@_loop_error(void)\n{\n    return e;\n}\n"
    "@?two_lessons@\ncfpc_real @name@_loop_teaching(void)\n{\n    return teaching;\n}\n@/@"
    "@?saturates@\nbool @name@_loop_saturated(void)\n{\n    return saturated;\n}\n@/@"
    "\n"
    "cfpc_real @name@_loop_end_trial(void)\n"
    "{\n"
    "    const cfpc_real relative = root(sum) / REACTIVE;\n"
    "    sum = 0;\n"
    "@?trials@" // the loop comes to rest
    "    cfpc_bank_reset(loop_state);\n"
    "    y = u = m = total = 0;\n"
    "@?feedforward@    cfpc_bank_reset(feedforward_state);\n@/@"
    "@?sees@"
    "    memset(past_r, 0, sizeof past_r);\n"
    "    memset(past_m, 0, sizeof past_m);\n"
    "    past = 0;\n"
    "@/@"
    "@?turns@    phase = ANGLE_START;\n@/@"
    "@?late@    memset(on_the_way, 0, sizeof on_the_way);\n    arrival = 0;\n@/@"
    "@/@"
    "    return relative;\n"
    "}\n";

// ---- their words -----------------------------------------------------------------------------

// Those that are numbers of cfpc_real: "" where one is not finite.
static void make_reals(writer *to, lab_word *words, const lab_running_loop *running)
{
    const lab_angle_spec *turning = &to->spec->angle;
    const struct {
        const char *key;
        double value;
    } reals[] = {{"reactive", to->target->setup.baseline},
                 {"low", running->low},
                 {"high", running->high},
                 {"windup", running->windup},
                 {"output_low", running->output_low},
                 {"output_high", running->output_high},
                 {"angle_start", turning->start - floor(turning->start)},
                 {"output_turns", turning->output == LAB_OUTPUT_IS_POSITION
                                      ? turning->turns
                                      : to->rig->step_s * turning->turns},
                 {"half", 0.5},
                 {"two_pi", CFPCI_TWO_PI}};
    _Static_assert(sizeof reals == LOOP_REALS * sizeof reals[0], "LOOP_REALS counts them");
    for (int i = 0; i < LOOP_REALS; i++) {
        if (isfinite(reals[i].value))
            to->reals[i] = lab_real(reals[i].value, to->target->real->real_bytes);
        words[i] = (lab_word){reals[i].key, to->reals[i].text, 0};
    }
}

static void loop_make_words(writer *to, const lab_running_loop *running)
{
    const lab_spec *spec = to->spec;
    const lab_teacher teacher = spec->teach.signal;
    bool harmonics = false;
    for (int i = 0; i < spec->disturbances.count; i++)
        harmonics |= lab_disturbances(spec)[i].on && lab_is_angular(&lab_disturbances(spec)[i]);
    const lab_word own[] = {{"runs", NULL, to->trials},
                            {"rows", NULL, to->rows},
                            {"steps", NULL, to->rig->steps},
                            {"hears", NULL, to->target->handed || to->target->signals > 0},
                            {"feedforward", NULL, running->feedforward != NULL},
                            {"to_plant", NULL, spec->enters == LAB_PLANT_INPUT},
                            {"to_feedforward", NULL, spec->enters == LAB_FEEDFORWARD_INPUT},
                            {"to_controller", NULL, spec->enters == LAB_CONTROLLER_INPUT},
                            {"limits", NULL, running->limits_output},
                            {"pushed", NULL, loop_has(to, PUSH)},
                            {"shifted", NULL, loop_has(to, SHIFT)},
                            {"turns", NULL, lab_uses_angle(spec)},
                            {"is_position", NULL, spec->angle.output == LAB_OUTPUT_IS_POSITION},
                            {"harmonics", NULL, harmonics},
                            {"counts", NULL, spec->angle.counts},
                            {"sees", NULL, teacher == LAB_TEACH_MEASURED_ERROR},
                            {"error_late", NULL, running->error_late},
                            {"reference_late", NULL, running->reference_late},
                            {"late", NULL, (int)lround(spec->teach.delay_ms / spec->step_ms)},
                            {"taught",
                             teacher == LAB_TEACH_COMMAND       ? "u"
                             : teacher == LAB_TEACH_DISTURBANCE ? "teaching_table[row]"
                                                                : "e",
                             0}};
    _Static_assert(sizeof own == LOOP_WORDS * sizeof own[0], "LOOP_WORDS counts them");
    memcpy(to->words, to->target->words, LAB_TARGET_WORDS * sizeof own[0]);
    memcpy(to->words + LAB_TARGET_WORDS, own, sizeof own);
    make_reals(to, to->words + LAB_TARGET_WORDS + LOOP_WORDS, running);
}

// ---- the files -------------------------------------------------------------------------------

static lab_outcome put_source(const writer *writer, const lab_running_loop *running, lab_why *why)
{
    const lab_loop *loop = &writer->rig->loop;
    loop_put(writer, top);
    loop_put_signals(writer);
    lab_outcome outcome = loop_put_basis(writer, why);
    loop_put(writer, systems);
    if (outcome == LAB_DONE)
        outcome = put_system(writer, "loop", running->saturates ? &loop->open : &loop->closed, why);
    if (outcome == LAB_DONE && running->feedforward)
        outcome = put_system(writer, "feedforward", &loop->feedforward, why);
    loop_put(writer, state);
    loop_put(writer, angle);
    loop_put(writer, simulate);
    put_harmonics(writer, LAB_AT_PLANT_INPUT, "PUSH");
    put_harmonics(writer, LAB_AT_PLANT_OUTPUT, "SHIFT");
    loop_put(writer, simulate_end);
    loop_put(writer, lessons);
    loop_put(writer, start);
    put_heard(writer);
    loop_put(writer, step);
    return outcome;
}

static lab_outcome write_both(writer *to, lab_folder *folder, const lab_running_loop *running,
                              lab_why *why)
{
    const lab_target *target = to->target;
    lab_outcome outcome = lab_create_of_target(folder, target, "_loop.h", &to->file, why);
    if (outcome != LAB_DONE)
        return outcome;
    loop_put(to, header_begin);
    for (int i = 0; i < target->signals; i++)
        fprintf(to->file, "cfpc_real %s_loop_%s(void);\n%s", target->name, target->signal[i].name,
                i + 1 == target->signals ? "\n" : "");
    loop_put(to, header_end);
    outcome = lab_folder_close(folder, to->file, why);
    if (outcome == LAB_DONE)
        outcome = lab_create_of_target(folder, target, "_loop.c", &to->file, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = put_source(to, running, why);
    const lab_outcome closed = lab_folder_close(folder, to->file, why);
    return outcome == LAB_DONE ? closed : outcome;
}

lab_outcome lab_write_loop(lab_folder *folder, const lab_target *target, lab_why *why)
{
    const lab_rig *rig = &target->setup.rig;
    const bool repeats = rig->spec->task.repeats;
    lab_running_loop running;
    lab_outcome outcome = lab_from_status(
        why, lab_running_loop_make(&running, rig->spec, &rig->loop), rig->spec->file);

    // Where trials differ, as many as the tables can hold.
    const int most = MAX_NUMBERS / (rig->steps * (target->handed ? target->synapses : 1));
    const int trials = repeats || rig->trials <= most ? rig->trials : most > 1 ? most : 1;
    writer writer = {.target = target,
                     .spec = rig->spec,
                     .rig = rig,
                     .trials = trials,
                     .rows = repeats ? rig->steps : trials * rig->steps};
    if (outcome == LAB_DONE) {
        loop_make_words(&writer, &running);
        outcome = write_both(&writer, folder, &running, why);
    }
    lab_running_loop_free(&running);
    return outcome;
}
