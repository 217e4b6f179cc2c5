// SPDX-License-Identifier: Apache-2.0
#include "export/source.h"

#include "export/bank_source.h"
#include "export/target_words.h"

// ---- the header ------------------------------------------------------------------------------

static const char header_begin[] =
    "// @name@_model: a cell of cfpc, exported from the spec '@spec@', rule '@rule@', for @real@\n"
    "// (cfpc @version@). Written by cfpc export; do not edit.\n"
    "//\n"
    "//     @name@_start();                     once\n"
    "//     o = @name@_act(@arguments@);        at every step: add o where the spec says\n"
    "//     @name@_learn(@lesson@);             at every step, with what that step has taught\n";

static const char header_begin_trial[] =
    "//     @name@_next_trial();                after the last step of a trial\n";

static const char header_sizes[] =
    "#ifndef @NAME@_MODEL_H\n"
    "#define @NAME@_MODEL_H\n"
    "\n"
    "#include \"cfpc.h\"\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n"
    "#define @NAME@_SYNAPSES @synapses@\n"
    "#define @NAME@_STEP_S @step_s@ // sampling step in seconds: the time between two calls\n"
    "#define @NAME@_TRIAL_STEPS @trial_steps@ // steps of a trial; 0: there are no trials\n"
    "#define @NAME@_MODEL_BYTES @model_bytes@ // flash\n"
    "#define @NAME@_DATA_BYTES @data_bytes@ // RAM\n"
    "#define @NAME@_STACK_BYTES @stack_bytes@ // of these functions on a Cortex-M4F, about\n"
    "\n"
    "// Checks the model, and sets the data to rest. CFPC_OK, or what is wrong with the model.\n"
    "cfpc_status @name@_start(void);\n"
    "\n";

static const char header_act[] = "// o, the counterfactual error, to be added @where@.\n"
                                 "cfpc_real @name@_act(@parameters@);\n"
                                 "\n"
                                 "// Learns from @lesson_meaning@. Call it once after\n"
                                 "// every @name@_act.\n"
                                 "void @name@_learn(@lesson_parameters@);\n"
                                 "\n";

static const char header_trial[] =
    "// Ends a trial: what it taught is learned, and the next one begins at step 0.\n"
    "void @name@_next_trial(void);\n"
    "\n";

static const char header_end[] =
    "// For all else that cfpc.h offers: cfpc_enable, cfpc_flags, cfpc_weights, ...\n"
    "const cfpc_model *@name@_model(void);\n"
    "cfpc_data *@name@_data(void);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif\n";

static void source_put_signals(FILE *file, const lab_target *target)
{
    static const char *const meaning[] = {
        [LAB_FROM_REFERENCE] = "the reference r",
        [LAB_FROM_CUE] = "1 while the cue is there, else 0",
        [LAB_FROM_DISTURBANCE] = "the disturbance, as it is measured",
        [LAB_FROM_MEASUREMENT] = "what was measured in the step before",
        [LAB_FROM_COMMAND] = "the controller's command of the step before",
        [LAB_FROM_TOTAL_COMMAND] = "what was sent to the plant in the step before",
        [LAB_FROM_PREDICTION] = "",
        [LAB_FROM_ANGLE] = "the angle in turns, any number; a counter that wraps is best"};
    for (int i = 0; i < target->signals; i++) {
        fprintf(file, "// %s: %s", target->signal[i].name, meaning[target->signal[i].input]);
        if (target->signal[i].ahead > 0)
            fprintf(file, " %d steps ahead", target->signal[i].ahead);
        fputs("\n", file);
    }
    if (target->handed)
        fputs("// x: the basis signals of this step (SYNAPSES)\n", file);
}

lab_outcome lab_write_model_header(lab_folder *folder, const lab_target *target, lab_why *why)
{
    lab_target_words words;
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_model.h", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_target_words_make(&words, target);
    lab_put_text(file, header_begin, words.words);
    if (target->resets)
        lab_put_text(file, header_begin_trial, words.words);
    lab_put_text(file, header_sizes, words.words);
    source_put_signals(file, target);
    lab_put_text(file, header_act, words.words);
    if (target->resets)
        lab_put_text(file, header_trial, words.words);
    lab_put_text(file, header_end, words.words);
    return lab_folder_close(folder, file, why);
}

// ---- the source: constants -------------------------------------------------------------------

static const char source_begin[] =
    "// @name@_model: see @name@_model.h. Written by cfpc export; do not edit.\n"
    "#include \"@name@_model.h\"\n"
    "\n"
    "#include <string.h>\n"
    "\n"
    "#if CFPC_REAL_IS_FLOAT != @is_float@\n"
    "#error \"this cell was exported for @real@: compile with -DCFPC_REAL_IS_FLOAT=@is_float@\"\n"
    "#endif\n"
    "#if CFPC_ADJOINT < @is_adjoint@\n"
    "#error \"this cell learns in adjoint form: compile with -DCFPC_ADJOINT=1, or with its own "
    "cfpc.h\"\n"
    "#endif\n"
    "\n"
    "// ---- constants, for flash ------------------------------------------------------------\n"
    "\n"
    "// The model.\n"
    "static const _Alignas(8) unsigned char image[@NAME@_MODEL_BYTES] = {\n";

static void source_put_array(FILE *file, const char *name, const int32_t *values, size_t count)
{
    fprintf(file, "static const int32_t %s[] = {\n", name);
    lab_put_ints(file, values, count);
    fputs("\n};\n", file);
}

static void put_shapes(FILE *file, const lab_target *target)
{
    const lab_shape_table *shapes = &target->shapes;
    const size_t g = (size_t)shapes->synapses;
    const double nothing = 0;
    const bool empty = shapes->count == 0;
    fprintf(file,
            "\n// The basis signals: %d shape%s for %d signals (cfpc_shapes in cfpc.h).\n"
            "static const cfpc_real values[] = {\n",
            shapes->shapes, shapes->shapes == 1 ? "" : "s", target->synapses);
    lab_put_reals(file, empty ? &nothing : shapes->values, empty ? 1 : (size_t)shapes->count,
                  target->real->real_bytes);
    fputs("\n};\n", file);
    source_put_array(file, "start", shapes->start, g);
    source_put_array(file, "length", shapes->length, g);
    source_put_array(file, "first", shapes->first, g);
    if (shapes->fraction) {
        fputs("static const cfpc_real fraction[] = {\n", file);
        lab_put_reals(file, shapes->fraction, g, target->real->real_bytes);
        fputs("\n};\n", file);
    }
    fprintf(file,
            "static const cfpc_shapes shapes = {.synapses = %d, .values = values, .start = start,\n"
            "                                   .length = length, .first = first, .fraction = %s};"
            "\n",
            shapes->synapses, shapes->fraction ? "fraction" : "NULL");
}

// One bump of a bank over the angle.
static void put_turning(FILE *file, const lab_target *target, int which)
{
    const cfpc_periodic *periodic = &target->basis.turning[which].periodic;
    fprintf(file,
            "\n// Basis signals over the angle (cfpc_periodic in cfpc.h).\n"
            "static const cfpc_real bump_%d[] = {\n",
            which + 1);
    size_t used = 0;
    for (int32_t k = 0; k <= periodic->length; k++)
        lab_put_real_item(file, (double)periodic->values[k], target->real->real_bytes, &used);
    fprintf(file,
            "\n};\n"
            "static const cfpc_periodic periodic_%d = {.synapses = %d, .points = %d, .first = %d,\n"
            "                                         .length = %d, .values = bump_%d};\n",
            which + 1, (int)periodic->synapses, (int)periodic->points, (int)periodic->first,
            (int)periodic->length, which + 1);
}

static void source_put_constants(FILE *file, const lab_target *target)
{
    lab_put_bytes(file, target->images.model, target->images.model_bytes);
    fputs("\n};\n", file);
    if (target->in_time)
        put_shapes(file, target);
    for (int i = 0; i < target->turning_count; i++)
        put_turning(file, target, i);
    lab_put_bank_constants(file, target);
    if (target->weights) {
        fputs("\n// Trained weights.\nstatic const cfpc_real weights[] = {\n", file);
        lab_put_reals(file, target->weights, (size_t)target->synapses, target->real->real_bytes);
        fputs("\n};\n", file);
    }
}

// ---- the source: functions -------------------------------------------------------------------

static void put_memory(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(
        file,
        "\n// ---- memory, for RAM --------------------------------------------------------"
        "--------\n\n"
        "#ifndef @NAME@_RAM // where it is, for example __attribute__((section(\".ccmram\")))\n"
        "#define @NAME@_RAM\n"
        "#endif\n\n"
        "static @NAME@_RAM _Alignas(8) unsigned char memory[@NAME@_DATA_BYTES];\n"
        "static @NAME@_RAM const cfpc_model *model;\n"
        "static @NAME@_RAM cfpc_data *data;\n",
        words);
    if (!target->handed)
        lab_put_text(
            file, "static @NAME@_RAM cfpc_real row[@NAME@_SYNAPSES]; // basis signals of a step\n",
            words);
    if (target->in_time && !target->resets)
        lab_put_text(file, "static @NAME@_RAM int32_t now; // step in the trial\n", words);
    lab_put_bank_memory(file, target);
    fputs("\n// ---- functions ------------------------------------------------------------------"
          "-----\n\n",
          file);
}

static void source_put_start(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(file,
                 "cfpc_status @name@_start(void)\n"
                 "{\n"
                 "    cfpc_status status = cfpc_model_built_in(&model, image, sizeof image);\n"
                 "    if (status == CFPC_OK)\n"
                 "        status = cfpc_data_init(&data, memory, sizeof memory, model);\n",
                 words);
    lab_put_bank_starts(file, target);
    if (target->in_time && !target->resets)
        fputs("    now = 0;\n", file);
    if (!target->weights) {
        fputs("    return status;\n}\n\n", file);
        return;
    }
    fputs("    if (status != CFPC_OK)\n"
          "        return status;\n",
          file);
    fputs("    memcpy(cfpc_weights(data), weights, sizeof weights);\n", file);
    if (target->frozen)
        fputs("    cfpc_freeze(data);\n", file);
    fputs("    return CFPC_OK;\n}\n\n", file);
}

static void source_put_act(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(file, "cfpc_real @name@_act(@parameters@)\n{\n", words);
    if (target->in_time && target->resets)
        fputs("    cfpc_shapes_row(&shapes, cfpc_clock(data), row);\n", file);
    else if (target->in_time)
        lab_put_text(file,
                     "    cfpc_shapes_row(&shapes, now, row);\n"
                     "    now = now + 1 < @NAME@_TRIAL_STEPS ? now + 1 : 0;\n",
                     words);
    lab_put_bank_steps(file, target);
    for (int i = 0; i < target->turning_count; i++)
        fprintf(file, "    cfpc_periodic_row(&periodic_%d, turns, row + %d);\n", i + 1,
                target->basis.turning[i].column);
    fprintf(file, "    return cfpc_act(model, data, %s);\n}\n\n", target->handed ? "x" : "row");
}

static bool source_gives_past(const lab_target *target)
{
    return target->horizon >= 0 && target->past == CFPC_PAST_GIVEN;
}

// The basis signals of M steps ago are made again; no ring keeps them.
static void put_past(FILE *file, const lab_target *target, const lab_word *words)
{
    if (target->resets) {
        lab_put_text(file, "    cfpc_shapes_row(&shapes, cfpc_clock(data) - 1 - @horizon@, row);\n",
                     words);
        return;
    }
    fprintf(file, "    const int32_t past = now - %d; // the input that learns now\n",
            (target->horizon + 1) % target->trial_steps);
    lab_put_text(
        file, "    cfpc_shapes_row(&shapes, past < 0 ? past + @NAME@_TRIAL_STEPS : past, row);\n",
        words);
}

static void put_learn(FILE *file, const lab_target *target, const lab_word *words)
{
    const char *taught = target->two_lessons ? "teaching" : "e";
    lab_put_text(file, "void @name@_learn(@lesson_parameters@)\n{\n", words);
    if (source_gives_past(target))
        put_past(file, target, words);
    if (source_gives_past(target))
        fprintf(file, "    cfpc_teach_given(model, data, row, %s);\n", taught);
    else if (target->two_lessons)
        fputs("    cfpc_teach(model, data, teaching);\n", file);
    fputs(source_gives_past(target) || target->two_lessons
              ? "    cfpc_watch(model, data, e);\n}\n\n"
              : "    cfpc_learn(model, data, e);\n}\n\n",
          file);
}

static void put_next_trial(FILE *file, const lab_target *target, const lab_word *words)
{
    if (!target->resets)
        return;
    lab_put_text(file, "void @name@_next_trial(void)\n{\n", words);
    if (source_gives_past(target))
        fputs("    const int64_t clock = cfpc_clock(data);\n"
              "    for (int32_t due = cfpc_due(data); due > 0; due--) {\n"
              "        cfpc_shapes_row(&shapes, clock - due, row);\n"
              "        cfpc_learn_due(model, data, row);\n"
              "    }\n",
              file);
    fputs("    cfpc_next_trial(model, data);\n", file);
    lab_put_bank_resets(file, target);
    fputs("}\n\n", file);
}

lab_outcome lab_write_model_source(lab_folder *folder, const lab_target *target, lab_why *why)
{
    lab_target_words words;
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_model.c", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_target_words_make(&words, target);
    lab_put_text(file, source_begin, words.words);
    source_put_constants(file, target);
    put_memory(file, target, words.words);
    lab_put_bank_functions(file, target);
    source_put_start(file, target, words.words);
    source_put_act(file, target, words.words);
    put_learn(file, target, words.words);
    put_next_trial(file, target, words.words);
    lab_put_text(file,
                 "const cfpc_model *@name@_model(void)\n{\n    return model;\n}\n\n"
                 "cfpc_data *@name@_data(void)\n{\n    return data;\n}\n",
                 words.words);
    return lab_folder_close(folder, file, why);
}
