// SPDX-License-Identifier: Apache-2.0
// source: an exported cell as C source: NAME_model.h and NAME_model.c.
#include "base/text.h"
#include "export/files.h"

// ---- the header ------------------------------------------------------------------------------

static const char header_begin[] =
    "// @name@_model: a cell of cfpc, exported from the spec '@spec@', rule '@rule@', for @real@\n"
    "// (cfpc @version@). Written by cfpc export; do not edit.\n"
    "//\n"
    "//     @name@_start();                     once\n"
    "//     o = @name@_act(@arguments@);        at every step: add o where the spec says\n"
    "//     @name@_learn(@lesson@);             at every step, with what that step has taught\n"
    "@?trials@//     @name@_next_trial();                after the last step of a trial\n@/@"
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

static const char header_end[] =
    "@?handed@// x: the basis signals of this step (SYNAPSES)\n@/@"
    "// o, the counterfactual error, to be added @where@.\n"
    "cfpc_real @name@_act(@parameters@);\n"
    "\n"
    "// Learns from @lesson_meaning@. Call it once after\n"
    "// every @name@_act.\n"
    "void @name@_learn(@lesson_parameters@);\n"
    "\n"
    "@?trials@"
    "// Ends a trial: what it taught is learned, and the next one begins at step 0.\n"
    "void @name@_next_trial(void);\n"
    "\n"
    "@/@"
    "// For all else that cfpc.h offers: cfpc_enable, cfpc_flags, cfpc_weights, ...\n"
    "const cfpc_model *@name@_model(void);\n"
    "cfpc_data *@name@_data(void);\n"
    "\n"
    "#ifdef __cplusplus\n"
    "}\n"
    "#endif\n"
    "\n"
    "#endif\n";

lab_outcome lab_write_model_header(lab_folder *folder, const lab_target *target, lab_why *why)
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
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_model.h", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_put_filled(file, target, header_begin);
    for (int i = 0; i < target->signals; i++) {
        const lab_target_signal *signal = &target->signal[i];
        fprintf(file, "// %s: %s", signal->name, meaning[signal->input]);
        if (signal->ahead > 0)
            fprintf(file, " %d steps ahead", signal->ahead);
        fputs("\n", file);
    }
    lab_put_filled(file, target, header_end);
    return lab_folder_close(folder, file, why);
}

// ---- the source ------------------------------------------------------------------------------

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

static void source_put_constants(FILE *file, const lab_target *target)
{
    const lab_shape_table *shapes = &target->shapes;
    const size_t g = (size_t)target->synapses, real = target->real->real_bytes;
    const double nothing = 0; // C has no empty arrays
    lab_put_bytes(file, target->images.model, target->images.model_bytes);
    fputs("\n};\n", file);
    if (target->in_time) {
        fprintf(file,
                "\n// The basis signals: %d shape%s for %d signals (cfpc_shapes in cfpc.h).\n",
                shapes->shapes, lab_plural(shapes->shapes), target->synapses);
        lab_put_real_array(file, "values", shapes->count > 0 ? shapes->values : &nothing,
                           shapes->count > 0 ? (size_t)shapes->count : 1, 1, real);
        lab_put_int_array(file, "start", shapes->start, g);
        lab_put_int_array(file, "length", shapes->length, g);
        lab_put_int_array(file, "first", shapes->first, g);
        if (shapes->fraction)
            lab_put_real_array(file, "fraction", shapes->fraction, g, 1, real);
        fprintf(file,
                "static const cfpc_shapes shapes = {.synapses = %d, .values = values, .start = "
                "start,\n"
                "                                   .length = length, .first = first, .fraction = "
                "%s};\n",
                shapes->synapses, shapes->fraction ? "fraction" : "NULL");
    }
    for (int i = 0; i < target->turning_count; i++) { // a bump of each bank over the angle
        const cfpc_periodic *periodic = &target->basis.turning[i].periodic;
        size_t used = 0;
        fprintf(file,
                "\n// Basis signals over the angle (cfpc_periodic in cfpc.h).\n"
                "static const cfpc_real bump_%d[] = {\n",
                i + 1);
        for (int32_t k = 0; k <= periodic->length; k++)
            lab_put_real_item(file, (double)periodic->values[k], real, &used);
        fprintf(file,
                "\n};\n"
                "static const cfpc_periodic periodic_%d = {.synapses = %d, .points = %d, .first = "
                "%d,\n"
                "                                         .length = %d, .values = bump_%d};\n",
                i + 1, (int)periodic->synapses, (int)periodic->points, (int)periodic->first,
                (int)periodic->length, i + 1);
    }
    lab_put_bank_constants(file, target);
    if (target->weights) {
        fputs("\n// Trained weights.\n", file);
        lab_put_real_array(file, "weights", target->weights, g, 1, real);
    }
}

// ---- the source: functions -------------------------------------------------------------------

static const char memory[] =
    "\n"
    "// ---- memory, for RAM ----------------------------------------------------------------\n"
    "\n"
    "#ifndef @NAME@_RAM // where it is, for example __attribute__((section(\".ccmram\")))\n"
    "#define @NAME@_RAM\n"
    "#endif\n"
    "\n"
    "static @NAME@_RAM _Alignas(8) unsigned char memory[@NAME@_DATA_BYTES];\n"
    "static @NAME@_RAM const cfpc_model *model;\n"
    "static @NAME@_RAM cfpc_data *data;\n"
    "@!handed@static @NAME@_RAM cfpc_real row[@NAME@_SYNAPSES]; // basis signals of a step\n@/@"
    "@?cycles@static @NAME@_RAM int32_t now; // step in the trial\n@/@";

static const char functions[] =
    "\n"
    "// ---- functions -----------------------------------------------------------------------\n"
    "\n";

static const char start[] =
    "cfpc_status @name@_start(void)\n"
    "{\n"
    "    cfpc_status status = cfpc_model_built_in(&model, image, sizeof image);\n"
    "    if (status == CFPC_OK)\n"
    "        status = cfpc_data_init(&data, memory, sizeof memory, model);\n";

// After the starts of the banks.
static const char start_end[] =
    "@?cycles@    now = 0;\n@/@"
    "@?weights@"
    "    if (status != CFPC_OK)\n"
    "        return status;\n"
    "    memcpy(cfpc_weights(data), weights, sizeof weights);\n"
    "@?frozen@    cfpc_freeze(data);\n@/@"
    "    return CFPC_OK;\n"
    "@|@"
    "    return status;\n"
    "@/@"
    "}\n"
    "\n"
    "cfpc_real @name@_act(@parameters@)\n"
    "{\n"
    "@?cycles@"
    "    cfpc_shapes_row(&shapes, now, row);\n"
    "    now = now + 1 < @NAME@_TRIAL_STEPS ? now + 1 : 0;\n"
    "@|@"
    "@?in_time@    cfpc_shapes_row(&shapes, cfpc_clock(data), row);\n@/@"
    "@/@";

// After the steps of the banks. In adjoint form the basis signals of M steps ago are made again,
// where they are functions of the time; no ring keeps them.
static const char act_end[] =
    "    return cfpc_act(model, data, @?handed@x@|@row@/@);\n"
    "}\n"
    "\n"
    "void @name@_learn(@lesson_parameters@)\n"
    "{\n"
    "@?again@"
    "@?trials@"
    "    cfpc_shapes_row(&shapes, cfpc_clock(data) - 1 - @horizon@, row);\n"
    "@|@"
    "    const int32_t past = now - @past@; // the input that learns now\n"
    "    cfpc_shapes_row(&shapes, past < 0 ? past + @NAME@_TRIAL_STEPS : past, row);\n"
    "@/@"
    "    cfpc_teach_given(model, data, row, @?two_lessons@teaching@|@e@/@);\n"
    "    cfpc_watch(model, data, e);\n"
    "@|@"
    "@?two_lessons@"
    "    cfpc_teach(model, data, teaching);\n"
    "    cfpc_watch(model, data, e);\n"
    "@|@"
    "    cfpc_learn(model, data, e);\n"
    "@/@"
    "@/@"
    "}\n"
    "\n"
    "@?trials@"
    "void @name@_next_trial(void)\n"
    "{\n"
    "@?again@"
    "    const int64_t clock = cfpc_clock(data);\n"
    "    for (int32_t due = cfpc_due(data); due > 0; due--) {\n"
    "        cfpc_shapes_row(&shapes, clock - due, row);\n"
    "        cfpc_learn_due(model, data, row);\n"
    "    }\n"
    "@/@"
    "    cfpc_next_trial(model, data);\n"
    "@/@";

static const char end[] = "@?trials@}\n\n@/@"
                          "const cfpc_model *@name@_model(void)\n"
                          "{\n"
                          "    return model;\n"
                          "}\n"
                          "\n"
                          "cfpc_data *@name@_data(void)\n"
                          "{\n"
                          "    return data;\n"
                          "}\n";

lab_outcome lab_write_model_source(lab_folder *folder, const lab_target *target, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_model.c", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_put_filled(file, target, source_begin);
    source_put_constants(file, target);
    lab_put_filled(file, target, memory);
    lab_put_banks(file, target, LAB_BANK_MEMORY);
    lab_put_filled(file, target, functions);
    lab_put_banks(file, target, LAB_BANK_FUNCTION);
    lab_put_filled(file, target, start);
    lab_put_banks(file, target, LAB_BANK_START);
    lab_put_filled(file, target, start_end);
    lab_put_banks(file, target, LAB_BANK_STEP);
    for (int i = 0; i < target->turning_count; i++)
        fprintf(file, "    cfpc_periodic_row(&periodic_%d, turns, row + %d);\n", i + 1,
                target->basis.turning[i].column);
    lab_put_filled(file, target, act_end);
    if (target->resets)
        lab_put_banks(file, target, LAB_BANK_RESET);
    lab_put_filled(file, target, end);
    return lab_folder_close(folder, file, why);
}
