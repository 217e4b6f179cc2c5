// SPDX-License-Identifier: Apache-2.0
#include "export/example.h"

#include "export/target_words.h"
#include "plant/systems.h"

static const char top[] =
    "// @name@_example: the cell of @name@_model.h learns in the loop of the spec '@spec@', which\n"
    "// @name@_loop.c simulates. On your machine that file falls away, and three lines, marked "
    "YOURS,\n"
    "// become your own.\n"
    "// Copy it before you edit it: the next export with --force replaces it.\n"
    "//\n"
    "//     cc -O2 -ffp-contract=off @name@_example.c @name@_loop.c @name@_model.c cfpc.c && "
    "./a.out\n"
    "#include <stdio.h>\n"
    "\n"
    "#include \"@name@_loop.h\"\n"
    "#include \"@name@_model.h\"\n"
    "\n"
    "int main(void)\n"
    "{\n"
    "    if (@name@_start() != CFPC_OK || @name@_loop_start() != CFPC_OK) {\n"
    "        puts(\"the cell cannot start\");\n"
    "        return 1;\n"
    "    }\n"
    "    puts(\"trial,@rule@\"); // the error, relative to that of the loop without the cell\n"
    "    for (int trial = 1; trial <= @NAME@_LOOP_TRIALS; trial++) {\n"
    "        for (int n = 0; n < @NAME@_LOOP_STEPS; n++) {\n";

static const char bottom[] = "        printf(\"%d,%.12g\\n\", trial, (double)error);\n"
                             "    }\n"
                             "    return 0;\n"
                             "}\n";

static const char *example_where_of(const lab_spec *spec)
{
    return spec->enters == LAB_PLANT_INPUT         ? "the command"
           : spec->enters == LAB_FEEDFORWARD_INPUT ? "the feed-forward path's input"
                                                   : "the controller's input";
}

// The cell's inputs, and what it does.
static void example_put_act(FILE *file, const lab_target *target, const lab_word *words)
{
    if (target->handed)
        lab_put_text(file, "            const cfpc_real *x = @name@_loop_x();\n", words);
    for (int i = 0; i < target->signals; i++)
        fprintf(file, "            const cfpc_real %s = %s_loop_%s();\n", target->signal[i].name,
                target->name, target->signal[i].name);
    lab_put_text(file, "            const cfpc_real o = @name@_act(@arguments@);\n", words);
}

static void example_put_step(FILE *file, const lab_target *target, const lab_word *words)
{
    example_put_act(file, target, words);
    fprintf(file, "            %s_loop_step(o); // YOURS (1): add o to %s\n", target->name,
            example_where_of(target->spec));
    lab_put_text(file,
                 "            const cfpc_real e = @name@_loop_error(); // YOURS (2): read the "
                 "error\n",
                 words);
    if (lab_saturates(target->spec))
        lab_put_text(file,
                     "            cfpc_saturated(@name@_model(), @name@_data(), "
                     "@name@_loop_saturated());\n",
                     words);
    lab_put_text(file,
                 target->two_lessons ? "            @name@_learn(@name@_loop_teaching(), e);\n"
                                     : "            @name@_learn(e);\n",
                 words);
    lab_put_text(
        file,
        "            // YOURS (3): wait for the next step, @NAME@_STEP_S seconds after this "
        "one began\n"
        "        }\n",
        words);
}

lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why)
{
    lab_target_words words;
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_example.c", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_target_words_make(&words, target);
    lab_put_text(file, top, words.words);
    example_put_step(file, target, words.words);
    if (target->resets)
        lab_put_text(file, "        @name@_next_trial();\n", words.words);
    lab_put_text(file, "        const cfpc_real error = @name@_loop_end_trial();\n", words.words);
    lab_put_text(file, bottom, words.words);
    return lab_folder_close(folder, file, why);
}
