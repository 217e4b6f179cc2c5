// SPDX-License-Identifier: Apache-2.0
// readme: README.md of an exported folder: what is in it, and what it needs of a target.
#include "base/text.h"
#include "export/files.h"

void lab_put_needs(FILE *file, const lab_target *target, const char *bullet)
{
    const lab_shape_table *shapes = &target->shapes;
    const lab_cost *cost = &target->cost;
    const size_t real = target->real->real_bytes, model = target->images.model_bytes;
    const size_t basis = target->in_time ? lab_shapes_bytes(shapes, real) : 0;
    const size_t weights = target->weights ? (size_t)target->synapses * real : 0;
    const size_t banks = cost->constants - model - basis - weights;
    fprintf(file, "%sflash: %zu bytes of constants (model %zu", bullet, cost->constants, model);
    if (basis > 0)
        fprintf(file, ", basis signals %zu", basis);
    if (banks > 0)
        fprintf(file, ", %s %zu",
                target->turning_count == 0 ? "driven banks"
                : target->bank_count == 0  ? "bumps over the angle"
                                           : "driven banks and bumps over the angle",
                banks);
    if (weights > 0)
        fprintf(file, ", weights %zu", weights);
    fprintf(file, ") and about %zu of code, with the core's own tables\n", cost->code);
    fprintf(file, "%sRAM: %zu bytes (data %zu) and about %zu of stack\n", bullet, cost->ram,
            target->images.data_bytes, cost->stack);
    fprintf(file, "%sinstructions per step on a Cortex-M4F: about %.0f\n", bullet,
            cost->instructions);
    if (!target->in_time)
        return;
    fprintf(file, "%sbasis signals: %d shape%s, %d values instead of a table of %zu; ", bullet,
            shapes->shapes, lab_plural(shapes->shapes), shapes->count,
            (size_t)target->trial_steps * (size_t)target->synapses);
    if (shapes->fraction)
        fprintf(file,
                "interpolated between steps, as the whole shapes do not fit: they differ from the "
                "spec's by at most %.2g of the largest\n",
                shapes->error);
    else
        fputs("as in the spec, up to rounding\n", file);
}

void lab_put_phase(FILE *file, const lab_target *target, const char *bullet)
{
    const int count = target->spec->phases.count;
    const lab_phase_spec *phase = lab_phases(target->spec);
    if (count < 2)
        return;
    fprintf(file, "%sphase 1 of %d: %s; the others are not exported\n", bullet, count, phase->name);
    if (target->weights)
        fprintf(file, "%sweights: those at the end of the run, after its last phase, %s\n", bullet,
                phase[count - 1].name);
}

// ---- the file --------------------------------------------------------------------------------

static const char top[] =
    "# @name@: a cell that anticipates\n"
    "\n"
    "Rule '@rule@' of the spec '@spec@', exported by cfpc @version@ for @real@. It has @synapses@ "
    "synapses and runs once\n"
    "every @step_s@ s.\n"
    "\n";

static const char files[] =
    "| file | holds |\n"
    "| --- | --- |\n"
    "| @name@_model.h | the functions to call, and the sizes |\n"
    "| @name@_model.c | the model for flash, the memory, no allocation |\n"
    "| @name@_example.c | a program to start from; three lines are yours |\n"
    "| @name@_loop.h, @name@_loop.c | the spec's loop, simulated: what the example runs in |\n"
    "| cfpc.h, cfpc.c | the core of cfpc (Apache-2.0) |\n"
    "\n"
    "## Try it\n"
    "\n"
    "```sh\n"
    "cc -O2 -ffp-contract=off @name@_example.c @name@_loop.c @name@_model.c cfpc.c -o "
    "@name@\n"
    "./@name@\n"
    "```\n"
    "\n"
    "It prints the error of every trial, relative to that of the loop without the cell. Copy "
    "@name@_example.c before you\n"
    "edit it: the next export with --force replaces every file of this folder.\n"
    "\n"
    "## What it needs\n"
    "\n";

static const char notes[] =
    "\n"
    "The bytes of model, basis signals and data are exact. Code, stack and instructions are for "
    "gcc 12 with\n"
    "`-O2 -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -ffp-contract=off`, to within 20 %.\n"
    "@!is_adjoint@"
    "\n"
    "The cell learns by traces, so cfpc.h switches the adjoint form off (`CFPC_ADJOINT 0`), which "
    "saves code. A cell in\n"
    "adjoint form beside it needs `CFPC_ADJOINT 1`, as in the cfpc.h exported with that one.\n"
    "@/@"
    "@?lacks@"
    "\n"
    "The simulated loop leaves out @lacks@, so that its errors differ from those of `cfpc run`.\n"
    "@/@"
    "@!frozen@"
    "@?guarded@"
    "\n"
    "## The guard\n"
    "\n"
    "It stops a cell that makes your loop worse than it would be without it, at the same time.\n"
    "It needs no call and no measurement before: your machine may differ from the spec. If it\n"
    "suspects the cell, it pauses it for one or two rounds (o is 0), measures the loop alone, and\n"
    "compares. `cfpc_guard_last(@name@_data())` says what it did last, and the two errors.\n"
    "@|@"
    "\n"
    "There is no guard: `--set guard=on` exports one, which stops learning that makes the loop\n"
    "worse than it is without the cell.\n"
    "@/@"
    "@/@"
    "@?weights@"
    "\n"
    "## Weights\n"
    "\n"
    "The weights are trained: those of rule '@rule@' at the end of a run. @?frozen@They are "
    "frozen: "
    "nothing is learned.@|@Learning goes on from them.@/@\n"
    "@/@";

lab_outcome lab_write_readme(lab_folder *folder, const lab_target *target, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, "README.md", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_put_filled(file, target, top);
    lab_put_phase(file, target, "- ");
    fputs(target->spec->phases.count > 1 ? "\n" : "", file);
    lab_put_filled(file, target, files);
    lab_put_needs(file, target, "- ");
    lab_put_filled(file, target, notes);
    return lab_folder_close(folder, file, why);
}
