// SPDX-License-Identifier: Apache-2.0
// example: NAME_example.c, a short program with an exported cell in the spec's loop (loop.c). The
// three lines are marked that a machine has instead of that loop.
#include "export/files.h"
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
    "        for (int n = 0; n < @NAME@_LOOP_STEPS; n++) {\n"
    "@?handed@            const cfpc_real *x = @name@_loop_x();\n@/@";

static const char bottom[] =
    "            const cfpc_real o = @name@_act(@arguments@);\n"
    "            @name@_loop_step(o); // YOURS (1): add o to @place@\n"
    "            const cfpc_real e = @name@_loop_error(); // YOURS (2): read the error\n"
    "@?saturates@"
    "            cfpc_saturated(@name@_model(), @name@_data(), @name@_loop_saturated());\n"
    "@/@"
    "            @name@_learn(@?two_lessons@@name@_loop_teaching(), @/@e);\n"
    "            // YOURS (3): wait for the next step, @NAME@_STEP_S seconds after this one began\n"
    "        }\n"
    "@?trials@        @name@_next_trial();\n@/@"
    "        const cfpc_real error = @name@_loop_end_trial();\n"
    "        printf(\"%d,%.12g\\n\", trial, (double)error);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

lab_outcome lab_write_example(lab_folder *folder, const lab_target *target, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, "_example.c", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_put_filled(file, target, top);
    for (int i = 0; i < target->signals; i++)
        fprintf(file, "            const cfpc_real %s = %s_loop_%s();\n", target->signal[i].name,
                target->name, target->signal[i].name);
    lab_put_filled(file, target, bottom);
    return lab_folder_close(folder, file, why);
}
