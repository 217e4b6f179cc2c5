// SPDX-License-Identifier: Apache-2.0
// fmu_texts: the files of an FMU that depend on the cell: modelDescription.xml and
// buildDescription.xml, which say what it has, and fmu_cell.h and fmu_cell.c, which tie the cell to
// ports/fmi/fmu.c.
#include <inttypes.h>
#include <string.h>

#include "core/image.h"
#include "export/files.h"

// Value references. Signals are the inputs that the basis signals are, or are made of.
enum { FIRST_OUTPUT = 9, LAST_OUTPUT = 14, FIRST_SIGNAL = 16, OUTPUTS_AFTER = 4 };

// The words of the target, and those of an FMU.
enum { FMU_WORDS = 7 };
typedef struct fmu_words {
    lab_word words[LAB_TARGET_WORDS + FMU_WORDS + 1]; // NULL at the end
    char token[64], title[512];
} fmu_words;

// ---- words -----------------------------------------------------------------------------------

// Different cells have different tokens, the same cell always the same one.
static void make_token(char *to, size_t size, const lab_target *target)
{
    const lab_images *images = &target->images;
    const size_t g = (size_t)target->synapses, steps = (size_t)target->trial_steps;
    uint64_t sums[2] = {CFPC_HASH_START, 1};
    for (int k = 0; k < 2; k++) {
        uint64_t sum = cfpci_hash(sums[k], CFPC_VERSION, sizeof CFPC_VERSION);
        sum = cfpci_hash(sum, target->name, strlen(target->name));
        sum = cfpci_hash(sum, images->model, images->model_bytes);
        sum = cfpci_hash(sum, images->data, images->data_bytes);
        for (int i = 0; i < target->bank_count; i++) {
            const cfpc_system *sys = &target->bank[i].system;
            const size_t cells = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
            sum = cfpci_hash(sum, sys->delay_steps, (size_t)sys->lines * sizeof *sys->delay_steps);
            sum = cfpci_hash(sum, sys->matrix, cells * sizeof *sys->matrix);
        }
        sums[k] = target->table ? cfpci_hash(sum, target->table, steps * g * sizeof(double)) : sum;
    }
    snprintf(to, size, "{%08" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%04" PRIx64 "-%012" PRIx64 "}",
             sums[0] >> 32, sums[0] >> 16 & 0xffff, sums[0] & 0xffff, sums[1] >> 48,
             sums[1] & UINT64_C(0xffffffffffff));
}

// A text within the quotes of XML.
static void escape(char *to, size_t size, const char *from)
{
    size_t used = 0;
    for (; *from; from++) {
        const char letter[2] = {*from, '\0'};
        const char *text = *from == '&'                 ? "&amp;"
                           : *from == '<'               ? "&lt;"
                           : *from == '>'               ? "&gt;"
                           : *from == '"'               ? "&quot;"
                           : (unsigned char)*from < ' ' ? " "
                                                        : letter;
        if (used + strlen(text) >= size)
            break;
        memcpy(to + used, text, strlen(text));
        used += strlen(text);
    }
    to[used] = '\0';
}

static int fmu_texts_signals_of(const lab_target *target)
{
    return target->handed ? 1 : target->signals;
}

static void make_words(fmu_words *to, const lab_target *target)
{
    const double rate = lab_target_cell(target, false).rule.rate;
    const int steps = target->trial_steps > 0 ? target->trial_steps : 1000;
    const bool is_float = target->real->real_bytes == sizeof(float);
    char title[256];
    make_token(to->token, sizeof to->token, target);
    snprintf(title, sizeof title, "%s, %s", target->spec->name, target->of->name);
    escape(to->title, sizeof to->title, title);
    const lab_word own[] = {{"token", to->token, 0},
                            {"title", to->title, 0},
                            {"rate", NULL, is_float ? (double)(float)rate : rate},
                            {"stop", NULL, steps * target->setup.rig.step_s},
                            {"signals", NULL, fmu_texts_signals_of(target)},
                            {"width", NULL, target->handed ? target->synapses : 1},
                            {"hears", NULL, fmu_texts_signals_of(target) > 0},
                            {NULL, NULL, 0}};
    _Static_assert(sizeof own == (FMU_WORDS + 1) * sizeof own[0], "FMU_WORDS counts them");
    memcpy(to->words, target->words, LAB_TARGET_WORDS * sizeof own[0]);
    memcpy(to->words + LAB_TARGET_WORDS, own, sizeof own);
}

// ---- modelDescription.xml --------------------------------------------------------------------

static const char description[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"@title@\" instantiationToken=\"@token@\"\n"
    "    description=\"A cell that learns to act before the error occurs (counterfactual "
    "predictive "
    "control)\"\n"
    "    license=\"Apache-2.0\" generationTool=\"cfpc @version@\">\n"
    "  <CoSimulation modelIdentifier=\"@name@\" canGetAndSetFMUState=\"true\" "
    "canSerializeFMUState=\"true\"\n"
    "      canHandleVariableCommunicationStepSize=\"false\" fixedInternalStepSize=\"@step_s@\"/>\n"
    "  <UnitDefinitions>\n"
    "    <Unit name=\"s\"><BaseUnit s=\"1\"/></Unit>\n"
    "  </UnitDefinitions>\n"
    "  <LogCategories>\n"
    "    <Category name=\"logStatusError\" description=\"why a call was refused\"/>\n"
    "  </LogCategories>\n"
    "  <DefaultExperiment startTime=\"0\" stopTime=\"@stop@\" stepSize=\"@step_s@\"/>\n"
    "  <ModelVariables>\n"
    "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" "
    "variability=\"continuous\" unit=\"s\"/>\n"
    "    <Float64 name=\"error\" valueReference=\"1\" causality=\"input\" start=\"0\"\n"
    "        description=\"e of this step, which teaches and which the guard watches\"/>\n"
    "@?two_lessons@"
    "    <Float64 name=\"teaching\" valueReference=\"2\" causality=\"input\" start=\"0\"\n"
    "        description=\"what teaches, instead of the error\"/>\n"
    "@/@"
    "    <Boolean name=\"saturated\" valueReference=\"3\" causality=\"input\" start=\"false\"\n"
    "        description=\"the command is saturated: nothing is learned from this step, if the "
    "spec "
    "sets guard.saturated_ms\"/>\n"
    "@?trials@"
    "    <Boolean name=\"next_trial\" valueReference=\"4\" causality=\"input\" start=\"false\"\n"
    "        description=\"a change from false to true starts a new trial with this step\"/>\n"
    "@/@"
    "    <Float64 name=\"rate\" valueReference=\"5\" causality=\"parameter\" "
    "variability=\"tunable\" start=\"@rate@\"\n"
    "        description=\"learning rate\"/>\n"
    "    <Boolean name=\"enable\" valueReference=\"6\" causality=\"parameter\" "
    "variability=\"tunable\" start=\"true\"\n"
    "        description=\"false: o fades out and nothing is learned\"/>\n"
    "    <Float64 name=\"fade_s\" valueReference=\"7\" causality=\"parameter\" "
    "variability=\"tunable\" unit=\"s\" min=\"0\" start=\"0\"\n"
    "        description=\"duration of the fade when enable changes\"/>\n"
    "@?trials@"
    "    <Boolean name=\"trials_by_time\" valueReference=\"8\" causality=\"parameter\" "
    "variability=\"tunable\" start=\"true\"\n"
    "        description=\"a trial ends after @trial_steps@ steps; false: only next_trial ends "
    "it\"/>\n"
    "@/@"
    "    <Float64 name=\"o\" valueReference=\"9\" causality=\"output\" variability=\"discrete\"\n"
    "        description=\"the counterfactual error of this step, to be added where the spec "
    "says\"/>\n"
    "    <Boolean name=\"guarded\" valueReference=\"10\" causality=\"output\"\n"
    "        description=\"the guard has acted\"/>\n"
    "    <Boolean name=\"frozen\" valueReference=\"11\" causality=\"output\"\n"
    "        description=\"learning has stopped\"/>\n"
    "    <Boolean name=\"not_finite\" valueReference=\"12\" causality=\"output\"\n"
    "        description=\"an error or an output was not finite and was not used\"/>\n"
    "    <Int32 name=\"guard_reason\" valueReference=\"13\" causality=\"output\"\n"
    "        description=\"why the guard acted last: 0 it has not, 1 worse than without the "
    "cell, 2 not finite, 3 saturated\"/>\n"
    "    <Int32 name=\"guard_acts\" valueReference=\"14\" causality=\"output\"\n"
    "        description=\"how often the guard has acted\"/>\n"
    "    <Float64 name=\"w\" valueReference=\"15\" causality=\"local\" variability=\"discrete\"\n"
    "        description=\"the weights\"><Dimension start=\"@synapses@\"/></Float64>\n";

// The inputs that basis signals are, or are made of, and the outputs whose references follow those.
static void put_signals(FILE *file, const lab_target *target, const lab_word *words)
{
    static const struct {
        const char *type, *name, *meaning;
    } outputs[] = {
        {"Int32", "guard_pauses", "how often the guard has paused the cell, to look"},
        {"Boolean", "paused", "the guard has paused the cell: o is 0 and nothing is learned"},
        {"Float64", "with_cell", "rms error for which the guard acted last; 0: for another reason"},
        {"Float64", "alone", "rms error without the cell with which it was compared"}};
    _Static_assert(sizeof outputs == OUTPUTS_AFTER * sizeof outputs[0], "it counts them");
    if (target->handed) {
        fprintf(file, "    <Float64 name=\"x\" valueReference=\"%d\" causality=\"input\" start=\"0",
                FIRST_SIGNAL);
        for (int j = 1; j < target->synapses; j++)
            fputs(" 0", file);
        lab_put_text(file,
                     "\"\n        description=\"the basis signals of this step\"><Dimension "
                     "start=\"@synapses@\"/></Float64>\n",
                     words);
    }
    for (int i = 0; i < target->signals; i++)
        fprintf(file,
                "    <Float64 name=\"%s\" valueReference=\"%d\" causality=\"input\" start=\"0\"\n"
                "        description=\"basis signals of this step are made of it\"/>\n",
                target->signal[i].name, FIRST_SIGNAL + i);
    for (int i = 0; i < OUTPUTS_AFTER; i++)
        fprintf(file,
                "    <%s name=\"%s\" valueReference=\"%d\" causality=\"output\" "
                "variability=\"discrete\"\n"
                "        description=\"%s\"/>\n",
                outputs[i].type, outputs[i].name, FIRST_SIGNAL + fmu_texts_signals_of(target) + i,
                outputs[i].meaning);
}

// What each output depends on within a step: the start of a trial, and the signals. The initial
// outputs may depend on all that can be set before.
static void put_structure(FILE *file, const lab_target *target)
{
    const int signals = fmu_texts_signals_of(target), first = LAST_OUTPUT - FIRST_OUTPUT + 1,
              outputs = first + OUTPUTS_AFTER;
    fputs("  </ModelVariables>\n  <ModelStructure>\n", file);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < outputs; i++) {
            const int reference = i < first ? FIRST_OUTPUT + i : FIRST_SIGNAL + signals + i - first;
            if (pass == 1) {
                fprintf(file, "    <InitialUnknown valueReference=\"%d\"/>\n", reference);
                continue;
            }
            fprintf(file, "    <Output valueReference=\"%d\" dependencies=\"%s", reference,
                    target->resets ? "4" : "");
            for (int k = 0; k < signals; k++)
                fprintf(file, "%s%d", k > 0 || target->resets ? " " : "", FIRST_SIGNAL + k);
            fputs("\"/>\n", file);
        }
    fputs("  </ModelStructure>\n</fmiModelDescription>\n", file);
}

static void put_description(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(file, description, words);
    put_signals(file, target, words);
    put_structure(file, target);
}

// ---- buildDescription.xml --------------------------------------------------------------------

static const char build[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<fmiBuildDescription fmiVersion=\"3.0\">\n"
    "  <BuildConfiguration modelIdentifier=\"@name@\">\n"
    "    <SourceFileSet language=\"C11\" compilerOptions=\"-O2 -ffp-contract=off\">\n"
    "      <SourceFile name=\"fmu.c\"/>\n"
    "      <SourceFile name=\"fmu_cell.c\"/>\n"
    "      <SourceFile name=\"cfpc.c\"/>\n"
    "    </SourceFileSet>\n"
    "  </BuildConfiguration>\n"
    "</fmiBuildDescription>\n";

// ---- fmu_cell.h and fmu_cell.c ---------------------------------------------------------------

static const char cell_header[] =
    "// fmu_cell: which cell this FMU is. Written by cfpc export; do not edit.\n"
    "#ifndef FMU_CELL_H\n"
    "#define FMU_CELL_H\n"
    "\n"
    "#include \"@name@_model.h\"\n"
    "\n"
    "#define FMU_TOKEN \"@token@\"\n"
    "#define FMU_STEP_S @NAME@_STEP_S\n"
    "#define FMU_STEP_TEXT \"@step_s@\"\n"
    "#define FMU_SYNAPSES @NAME@_SYNAPSES\n"
    "#define FMU_SIGNALS @signals@ // inputs that the basis signals are, or are made of\n"
    "#define FMU_SIGNAL_WIDTH @width@ // numbers of each\n"
    "#define FMU_TWO_LESSONS @two_lessons@ // 1: what teaches is not the error\n"
    "#define FMU_TRIALS @trials@ // 1: there are trials\n"
    "#define FMU_TRIAL_STEPS @trial_steps@\n"
    "\n"
    "// The state of a cell, without pointers.\n"
    "typedef struct fmu_memory {\n"
    "    _Alignas(8) unsigned char data[@NAME@_DATA_BYTES];\n";

static const char cell_header_end[] =
    "@?cycles@    int32_t now; // step in the cycle of the basis signals\n@/@"
    "} fmu_memory;\n"
    "\n"
    "// Checks the model; *to becomes a cell at rest.\n"
    "cfpc_status fmu_start(fmu_memory *to);\n"
    "\n"
    "// A state that leaves the program is sealed, and checked when it comes back: CFPC_OK, or "
    "what\n"
    "// is wrong with it.\n"
    "void fmu_seal(fmu_memory *it);\n"
    "cfpc_status fmu_check(const fmu_memory *it);\n"
    "\n"
    "// The functions below work on a copy of the state, one per thread.\n"
    "void fmu_load(const fmu_memory *from);\n"
    "void fmu_save(fmu_memory *to);\n"
    "const cfpc_model *fmu_model(void);\n"
    "cfpc_data *fmu_data(void);\n"
    "cfpc_real fmu_act(const cfpc_real *signals); // (FMU_SIGNALS x FMU_SIGNAL_WIDTH)\n"
    "void fmu_learn(cfpc_real teaching, cfpc_real e);\n"
    "void fmu_next_trial(void);\n"
    "\n"
    "#endif\n";

static void put_cell_header(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(file, cell_header, words);
    lab_put_banks(file, target, LAB_BANK_STATE);
    lab_put_text(file, cell_header_end, words);
}

static const char cell_source[] =
    "// fmu_cell: see fmu_cell.h. Written by cfpc export; do not edit.\n"
    "#define @NAME@_RAM _Thread_local\n"
    "#include \"@name@_model.c\"\n"
    "\n"
    "#include \"fmu_cell.h\"\n"
    "\n"
    "// In cfpc.c: whether a bank is one of this network, as `expected` is.\n"
    "bool cfpci_bank_valid(const cfpc_bank *bank, const cfpc_bank *expected, const cfpc_lti "
    "*lti);\n"
    "\n"
    "void fmu_seal(fmu_memory *it)\n"
    "{\n"
    "    cfpc_data_seal((cfpc_data *)it->data);\n"
    "}\n"
    "\n"
    "cfpc_status fmu_check(const fmu_memory *it)\n"
    "{\n"
    "    cfpc_status status = @name@_start(); // all as it is at rest\n"
    "    if (status == CFPC_OK)\n"
    "        status = cfpc_data_restore(model, data, it->data, sizeof it->data);\n";

// After the checks of the banks.
static const char cell_load[] =
    "@?cycles@"
    "    if (status == CFPC_OK && (it->now < 0 || it->now >= @NAME@_TRIAL_STEPS))\n"
    "        status = CFPC_ALTERED;\n"
    "@/@"
    "    return status;\n"
    "}\n"
    "\n"
    "cfpc_status fmu_start(fmu_memory *to)\n"
    "{\n"
    "    const cfpc_status status = @name@_start();\n"
    "    fmu_save(to);\n"
    "    return status;\n"
    "}\n"
    "\n"
    "void fmu_load(const fmu_memory *from)\n"
    "{\n"
    "    if (!data) // not yet in this thread\n"
    "        (void)@name@_start();\n"
    "    memcpy(memory, from->data, sizeof memory);\n";

static const char cell_save[] = "@?cycles@    now = from->now;\n@/@"
                                "}\n"
                                "\n"
                                "void fmu_save(fmu_memory *to)\n"
                                "{\n"
                                "    memcpy(to->data, memory, sizeof memory);\n";

static const char cell_act[] = "@?cycles@    to->now = now;\n@/@"
                               "}\n"
                               "\n"
                               "const cfpc_model *fmu_model(void)\n"
                               "{\n"
                               "    return model;\n"
                               "}\n"
                               "\n"
                               "cfpc_data *fmu_data(void)\n"
                               "{\n"
                               "    return data;\n"
                               "}\n"
                               "\n"
                               "cfpc_real fmu_act(const cfpc_real *signals)\n"
                               "{\n"
                               "@!hears@    (void)signals;\n@/@"
                               "    return @name@_act(@?handed@signals@/@";

static const char cell_end[] = ");\n"
                               "}\n"
                               "\n"
                               "void fmu_learn(cfpc_real teaching, cfpc_real e)\n"
                               "{\n"
                               "@!two_lessons@    (void)teaching;\n@/@"
                               "    @name@_learn(@lesson@);\n"
                               "}\n"
                               "\n"
                               "void fmu_next_trial(void)\n"
                               "{\n"
                               "@?trials@    @name@_next_trial();\n@/@"
                               "}\n";

static void put_cell_source(FILE *file, const lab_target *target, const lab_word *words)
{
    lab_put_text(file, cell_source, words);
    lab_put_banks(file, target, LAB_BANK_CHECK);
    lab_put_text(file, cell_load, words);
    lab_put_banks(file, target, LAB_BANK_LOAD);
    lab_put_text(file, cell_save, words);
    lab_put_banks(file, target, LAB_BANK_SAVE);
    lab_put_text(file, cell_act, words);
    for (int i = 0; i < target->signals; i++)
        fprintf(file, "%ssignals[%d]", i > 0 ? ", " : "", i);
    lab_put_text(file, cell_end, words);
}

// ---- all of them -----------------------------------------------------------------------------

static void put_build(FILE *file, const lab_target *target, const lab_word *words)
{
    (void)target;
    lab_put_text(file, build, words);
}

lab_outcome lab_write_fmu_texts(lab_folder *folder, const lab_target *target, lab_why *why)
{
    static const struct {
        const char *name;
        void (*put)(FILE *file, const lab_target *target, const lab_word *words);
    } texts[] = {{"modelDescription.xml", put_description},
                 {"buildDescription.xml", put_build},
                 {"fmu_cell.h", put_cell_header},
                 {"fmu_cell.c", put_cell_source}};
    fmu_words words;
    lab_outcome outcome = LAB_DONE;
    make_words(&words, target);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof texts / sizeof texts[0]; i++) {
        FILE *file;
        outcome = lab_folder_create(folder, texts[i].name, &file, why);
        if (outcome != LAB_DONE)
            break;
        texts[i].put(file, target, words.words);
        outcome = lab_folder_close(folder, file, why);
    }
    return outcome;
}
