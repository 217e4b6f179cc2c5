// SPDX-License-Identifier: Apache-2.0
#include "export/cost.h"

// Fitted to what tools/check-export-cost --table measures: gcc 12.2 for the Cortex-M4F (-O2
// -ffp-contract=off -ffunction-sections), instructions counted by QEMU's -icount, code and
// constants from the linker's map, stack from the compiler's call graph. Instructions are a sum
// over what a step does, each a loop whose length is known; tools/check-export-cost holds the sum
// to 20 % for every cell of its list. Double precision has no FPU there: its operations are calls.

// Instructions of one step.
#define STEP 260.0        // each step
#define ADJOINT 170.0     // each step in adjoint form
#define SYNAPSE 9.5       // each synapse: o, and learning
#define ROW 11.4          // each basis signal of a row
#define ACTIVE 6.1        // each that is not 0
#define PASS 5.7          // each synapse of another pass over them
#define ENTRY 79.0        // each entry of the trace's matrix that is not 0
#define ENTRY_SYNAPSE 0.9 // and for each synapse
#define STORE_SYNAPSE 6.2 // each row of the trace's matrix and synapse
#define TAP 2.7           // each tap of the teaching filter
#define GUARD 45.0        // the guard
#define RESPONSE 6.5      // each entry of the matrix of its response that is not 0
#define DELAYED 10.0      // each tap of a delay line
#define LEAKY_ROW 15.0    // each row of a leaky cascade
#define LEAKY_PRODUCT 6.0 // each product in it
#define BANK_CELL 8.2     // each cell of a driven bank's matrix
#define BANK_ENTRY 11.7   // each that is not 0
#define BANK_ROW 161.0    // each row
#define SOFT 40.0         // in double: each multiplication or addition, a call
#define SOFT_TAP 108.0    // in double: each tap or product of numbers that are hardly ever 0

// Bytes.
enum { CODE = 13800, CODE_ADJOINT = 2000, CODE_BANKS = 700, STACK = 370 };
enum { CODE_DOUBLE = 4000, STACK_DOUBLE = 640 }; // with the routines of libgcc

// A linear system, as far as its cost depends on it.
typedef struct system_cost {
    int cells;   // of its matrix
    int entries; // of them that are not 0
    int rows;    // of its matrix
} system_cost;

// What a cell is, as far as the cost of a step depends on it.
typedef struct parts {
    double synapses;      //
    system_cost trace;    //
    bool traced;          // a step moves the traces
    int taps;             // of the teaching filter; 0: by traces
    bool guarded;         //
    system_cost response; // of the guard, if it has one
    int passes;           // over the synapses, beside that of the update
    int rows;             // of basis signals in time or over an angle, made per step
    double active;        // mean number of signals that are not 0 in such a row
    int delayed;          // taps of delay lines
    system_cost leaky;    // all leaky cascades together: rows and products (cells)
    system_cost banks;    // all other driven banks together
} parts;

static system_cost system_of(const cfpc_system *sys)
{
    system_cost system = {.cells = cfpc_system_rows(sys) * cfpc_system_columns(sys),
                          .rows = cfpc_system_rows(sys)};
    for (int k = 0; k < system.cells; k++)
        system.entries += sys->matrix[k] != 0;
    return system;
}

static parts cost_parts_of(const lab_target *target)
{
    const lab_cell_numbers cell = lab_target_cell(target, false);
    const bool rows = target->in_time || target->turning_count > 0,
               again = rows && cell.filter && target->past == CFPC_PAST_GIVEN;
    parts parts = {.synapses = target->synapses,
                   .trace = system_of(cell.trace),
                   .taps = cell.filter ? cell.filter->lead + cell.filter->horizon + 1 : 0,
                   .guarded = cell.guard.on,
                   .passes = (cell.rule.normaliser > 0) +
                             (cell.rule.momentum > 0 || cell.rule.output_penalty > 0),
                   .rows = rows + again};
    parts.traced = parts.trace.cells != 1 && !target->frozen && parts.taps == 0;
    if (cell.guard.on && cell.response)
        parts.response = system_of(cell.response);

    // In time: the mean length of a shape; over an angle: the share of the points of a bump.
    for (int j = 0; target->in_time && j < target->synapses; j++)
        parts.active += (double)target->shapes.length[j] / target->setup.rig.steps;
    for (int i = 0; i < target->turning_count; i++) {
        const cfpc_periodic *periodic = &target->basis.turning[i].periodic;
        parts.active += (double)periodic->length * periodic->synapses / periodic->points;
    }

    for (int i = 0; i < target->bank_count; i++) {
        const cfpc_system *sys = &target->bank[i].system;
        const system_cost bank = system_of(sys);
        if (target->bank[i].kind == LAB_BANK_OF_TAPS)
            parts.delayed += sys->outputs;
        else if (target->bank[i].kind == LAB_BANK_LEAKY) {
            parts.leaky.rows += sys->states;
            parts.leaky.cells += sys->states * (sys->states + 1) / 2;
        } else {
            parts.banks.cells += bank.cells;
            parts.banks.entries += bank.entries;
            parts.banks.rows += bank.rows;
        }
    }
    return parts;
}

static double instructions_of(const parts *p, bool is_float)
{
    const double g = p->synapses;
    const double trace =
        p->traced ? ENTRY * p->trace.entries +
                        g * (ENTRY_SYNAPSE * p->trace.entries + STORE_SYNAPSE * p->trace.rows)
                  : 0;
    const double banks = DELAYED * p->delayed + LEAKY_ROW * p->leaky.rows +
                         LEAKY_PRODUCT * p->leaky.cells + BANK_CELL * p->banks.cells +
                         BANK_ENTRY * p->banks.entries + BANK_ROW * p->banks.rows;
    const double step = STEP + (p->taps > 0 ? ADJOINT + TAP * p->taps : 0) + SYNAPSE * g +
                        p->rows * (ROW * g + ACTIVE * p->active) + PASS * g * p->passes + trace +
                        (p->guarded ? GUARD + RESPONSE * p->response.entries : 0) + banks;
    if (is_float)
        return step;

    // What double precision adds.
    const double products = p->taps > 0 ? 0 : g * p->trace.entries;
    return step + (SOFT * (4 * g + 2 * products + 2 * p->response.entries + 2 * p->banks.entries +
                           2 * g * p->passes) +
                   SOFT_TAP * (p->taps + p->leaky.cells));
}

static lab_cost cost_of(const lab_target *target)
{
    const size_t real = target->real->real_bytes, g = (size_t)target->synapses;
    const bool is_float = real == sizeof(float);
    const parts parts = cost_parts_of(target);
    lab_cost cost = {.constants = target->images.model_bytes + (target->weights ? g * real : 0) +
                                  (target->in_time ? lab_shapes_bytes(&target->shapes, real) : 0),
                     .code = CODE + (parts.taps > 0 ? CODE_ADJOINT : 0) +
                             (parts.banks.rows > 0 ? CODE_BANKS : 0) + (is_float ? 0 : CODE_DOUBLE),
                     .ram = target->images.data_bytes + (target->handed ? 0 : g * real) + 16,
                     .stack = is_float ? STACK : STACK_DOUBLE,
                     .instructions = instructions_of(&parts, is_float)};
    for (int i = 0; i < target->bank_count; i++) {
        const lab_target_bank *bank = &target->bank[i];
        const cfpc_system *sys = &bank->system;
        const size_t cells = (size_t)cfpc_system_rows(sys) * (size_t)cfpc_system_columns(sys);
        if (bank->kind == LAB_BANK_LEAKY)
            cost.constants += 2 * (size_t)sys->states * real;
        else if (bank->kind == LAB_BANK_OF_LTI)
            cost.constants += cells * real + (size_t)sys->lines * sizeof(int32_t);
        cost.ram += bank->state_bytes + (bank->kind == LAB_BANK_OF_LTI ? 8 : 0);
    }
    for (int i = 0; i < target->turning_count; i++)
        cost.constants += ((size_t)target->basis.turning[i].periodic.length + 1) * real;
    return cost;
}

// ---- whether it fits -------------------------------------------------------------------------

// Packs the basis signals in time: whole shapes, or one shape per bank, interpolated between steps.
static lab_outcome pack(lab_target *target, bool interpolate, lab_why *why)
{
    const int steps = target->setup.rig.steps, g = target->synapses;
    const size_t bytes = target->real->real_bytes;
    cfpc_status status = CFPC_OK;
    if (target->in_time && interpolate)
        status = lab_shapes_interpolate(&target->shapes, &target->arena, target->table, steps, g,
                                        bytes, target->spec, target->basis.first);
    else if (target->in_time)
        status = lab_shapes_pack(&target->shapes, &target->arena, target->table, steps, g, bytes);
    if (status == CFPC_OK)
        target->cost = cost_of(target);
    return lab_from_status(why, status, target->spec->file);
}

static double flash_of(const lab_target *target)
{
    return (double)(target->cost.constants + target->cost.code);
}

lab_outcome lab_target_fit(lab_target *target, const lab_target_options *options, lab_why *why)
{
    const lab_cost *cost = &target->cost;
    const char *rule = target->of->name;
    lab_outcome outcome = pack(target, false, why);

    // All as it is or, if that does not fit and is smaller so, with one shape per bank.
    if (outcome == LAB_DONE && options->flash > 0 && flash_of(target) > options->flash &&
        target->in_time) {
        const lab_shape_table whole = target->shapes;
        const lab_cost needed = target->cost;
        outcome = pack(target, true, why);
        if (outcome == LAB_DONE && lab_shapes_bytes(&target->shapes, target->real->real_bytes) >=
                                       lab_shapes_bytes(&whole, target->real->real_bytes)) {
            target->shapes = whole;
            target->cost = needed;
        }
    }
    if (outcome != LAB_DONE)
        return outcome;

    const cfpc_system *trace = &target->rule->trace;
    const double ram = (double)(cost->ram + cost->stack), flash = flash_of(target);
    if (options->flash == 0 && options->usual_flash > 0 && flash > options->usual_flash)
        return lab_refuse(why,
                          "rule '%s' needs %.0f bytes of flash, more than %.0f: its trace has %d "
                          "states and %d delay lines for %d synapses; --flash SIZE exports it "
                          "anyway",
                          rule, flash, options->usual_flash, trace->states, trace->lines,
                          target->synapses);
    if (options->flash > 0 && flash > options->flash)
        return lab_refuse(why,
                          "rule '%s' needs %.0f bytes of flash (%zu of constants, about %zu of "
                          "code); --flash says that there are %.0f",
                          rule, flash, cost->constants, cost->code, options->flash);
    if (options->ram > 0 && ram > options->ram)
        return lab_refuse(why,
                          "rule '%s' needs %.0f bytes of RAM (%zu of data, about %zu of stack); "
                          "--ram says that there are %.0f",
                          rule, ram, cost->ram, cost->stack, options->ram);
    return LAB_DONE;
}
