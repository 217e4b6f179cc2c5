// SPDX-License-Identifier: Apache-2.0
// connect: combines parts and a wiring into one system.
//
// Side by side the parts are rows s⁺, y, z over columns s, u, v. With u = F y + E w:
//
//     y = Y_s s + Y_v v + Y_u (F y + E w)     and with K = Y_u F, which must be nilpotent,
//     y = (I + K + K² + …)(Y_s s + Y_u E w + Y_v v)
//
// and every other row uses u = F y + E w from there.
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "cfpc/system.h"
#include "system/given.h"
#include "system/reshape.h"

// The parts side by side, and the arrays computed from them.
typedef struct assembly {
    cfpc_system all; // block-diagonal: inputs u, outputs y
    double *y_u;     // outputs by part inputs; all are one allocation  (ny x nu)
    double *k;       // y_u · from_parts                              (ny x ny)
    double *y;       // outputs in terms of [s; w; v]                 (ny x columns)
    double *y_first; // the same before any feedback                  (ny x columns)
    double *y_next;  // the next iterate of y                         (ny x columns)
    double *u;       // part inputs in terms of [s; w; v]             (nu x columns)
    bool *reaches;   // transitive closure of k                       (ny x ny)
} assembly;

// The parts side by side, and room for the rest.
static cfpc_status assembly_make(assembly *made, int32_t count, const cfpc_system *parts,
                                 int32_t inputs)
{
    *made = (assembly){0};
    cfpc_system sum = {.step_s = -1}, at = {0};
    for (int32_t p = 0; p < count; p++) {
        sum.states += parts[p].states;
        sum.inputs += parts[p].inputs;
        sum.outputs += parts[p].outputs;
        sum.lines += parts[p].lines;
        if (parts[p].step_s < 0)
            continue;
        if (sum.step_s >= 0 && sum.step_s != parts[p].step_s)
            return CFPC_BAD_SHAPE;
        sum.step_s = parts[p].step_s;
    }
    const cfpc_status status =
        cfpc_system_make(&made->all, sum.step_s, sum.states, sum.inputs, sum.outputs, sum.lines);
    if (status != CFPC_OK)
        return status;
    for (int32_t p = 0; p < count; p++) {
        cfpci_place(&made->all, &parts[p], &at);
        at.states += parts[p].states;
        at.inputs += parts[p].inputs;
        at.outputs += parts[p].outputs;
        at.lines += parts[p].lines;
    }

    const size_t ny = (size_t)sum.outputs, nu = (size_t)sum.inputs;
    const size_t columns = (size_t)sum.states + (size_t)inputs + (size_t)sum.lines;
    const size_t numbers = ny * nu + ny * ny + (3 * ny + nu) * columns;
    made->y_u = calloc(numbers + ny * ny / sizeof *made->y_u + 1, sizeof *made->y_u);
    if (!made->y_u)
        return CFPC_NO_MEMORY;
    made->k = made->y_u + ny * nu;
    made->y = made->k + ny * ny;
    made->y_first = made->y + ny * columns;
    made->y_next = made->y_first + ny * columns;
    made->u = made->y_next + ny * columns;
    made->reaches = (bool *)(made->y_u + numbers);
    return CFPC_OK;
}

// Whether some output feeds itself within one step (Warshall's closure of the pattern of k).
static bool has_ring(assembly *assembly)
{
    const int32_t n = assembly->all.outputs;
    for (int32_t i = 0; i < n * n; i++)
        assembly->reaches[i] = assembly->k[i] != 0;
    for (int32_t via = 0; via < n; via++)
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                assembly->reaches[i * n + j] |=
                    assembly->reaches[i * n + via] && assembly->reaches[via * n + j];
    for (int32_t i = 0; i < n; i++)
        if (assembly->reaches[i * n + i])
            return true;
    return false;
}

// Fills y and u in terms of [s; w; v].
static cfpc_status solve_signals(assembly *assembly, const cfpc_wiring *wiring)
{
    const cfpc_system *all = &assembly->all;
    const int32_t ns = all->states, nu = all->inputs, ny = all->outputs, nv = all->lines;
    const int32_t nw = wiring->inputs, columns = ns + nw + nv;
    const int32_t all_columns = cfpc_system_columns(all);
    for (int32_t i = 0; i < ny; i++)
        memcpy(assembly->y_u + i * nu, all->matrix + (ns + i) * all_columns + ns,
               (size_t)nu * sizeof(double));
    cfpci_dense_multiply(false, ny, ny, nu, assembly->y_u, wiring->from_parts, 0, assembly->k);
    if (has_ring(assembly))
        return CFPC_ALGEBRAIC_LOOP;

    for (int32_t i = 0; i < ny; i++) {
        const double *from = all->matrix + (ns + i) * all_columns;
        double *to = assembly->y_first + i * columns;
        memcpy(to, from, (size_t)ns * sizeof *to);
        memcpy(to + ns + nw, from + ns + nu, (size_t)nv * sizeof *to);
        for (int32_t p = 0; p < nu; p++)
            for (int32_t w = 0; w < nw; w++)
                to[ns + w] += assembly->y_u[i * nu + p] * wiring->from_outside[p * nw + w];
    }
    // y = y_first + k y is exact after at most ny iterations, because k is nilpotent.
    const size_t bytes = (size_t)ny * (size_t)columns * sizeof(double);
    for (int32_t round = 0; round < ny; round++) {
        memcpy(assembly->y_next, assembly->y_first, bytes);
        cfpci_dense_multiply(false, ny, columns, ny, assembly->k, assembly->y, 1, assembly->y_next);
        memcpy(assembly->y, assembly->y_next, bytes);
    }
    cfpci_dense_multiply(false, nu, columns, ny, wiring->from_parts, assembly->y, 0, assembly->u);
    for (int32_t p = 0; p < nu; p++)
        for (int32_t w = 0; w < nw; w++)
            assembly->u[p * columns + ns + w] += wiring->from_outside[p * nw + w];
    return CFPC_OK;
}

// One row of s⁺ or z: the row of the parts, with u substituted.
static void close_row(const assembly *assembly, int32_t nw, const double *from, double *to)
{
    const int32_t ns = assembly->all.states, nu = assembly->all.inputs, nv = assembly->all.lines;
    const int32_t columns = ns + nw + nv;
    for (int32_t j = 0; j < ns; j++)
        to[j] += from[j];
    for (int32_t j = 0; j < nv; j++)
        to[ns + nw + j] += from[ns + nu + j];
    for (int32_t p = 0; p < nu; p++)
        for (int32_t j = 0; j < columns; j++)
            to[j] += from[ns + p] * assembly->u[p * columns + j];
}

static cfpc_status close_all(cfpc_system *sys, const assembly *assembly, const cfpc_wiring *wiring)
{
    const cfpc_system *all = &assembly->all;
    cfpc_status status = cfpc_system_make(sys, all->step_s, all->states, wiring->inputs,
                                          wiring->outputs, all->lines);
    if (status != CFPC_OK)
        return status;
    const int32_t columns = cfpc_system_columns(sys), all_columns = cfpc_system_columns(all);
    for (int32_t i = 0; i < all->states; i++)
        close_row(assembly, wiring->inputs, all->matrix + i * all_columns,
                  sys->matrix + i * columns);
    cfpci_dense_multiply(false, wiring->outputs, columns, all->outputs, wiring->to_outside,
                         assembly->y, 0, sys->matrix + all->states * columns);
    for (int32_t i = 0; i < all->lines; i++)
        close_row(assembly, wiring->inputs,
                  all->matrix + (all->states + all->outputs + i) * all_columns,
                  sys->matrix + (sys->states + sys->outputs + i) * columns);
    memcpy(sys->delay_steps, all->delay_steps, (size_t)all->lines * sizeof *sys->delay_steps);
    return CFPC_OK;
}

static bool all_given(int32_t count, const cfpc_system *parts)
{
    for (int32_t p = 0; p < count; p++)
        if (!parts || !cfpci_given(&parts[p]))
            return false;
    return true;
}

cfpc_status cfpc_connect(cfpc_system *sys, int32_t count, const cfpc_system *parts,
                         const cfpc_wiring *wiring)
{
    *sys = (cfpc_system){0};
    if (!all_given(count, parts) || !wiring || !wiring->from_parts || !wiring->from_outside ||
        !wiring->to_outside)
        return CFPC_MISSING;
    assembly assembly;
    cfpc_status status = assembly_make(&assembly, count, parts, wiring->inputs);
    if (status == CFPC_OK)
        status = solve_signals(&assembly, wiring);
    if (status == CFPC_OK)
        status = close_all(sys, &assembly, wiring);
    cfpc_system_free(&assembly.all);
    free(assembly.y_u);
    return status;
}

cfpc_status cfpc_series(cfpc_system *sys, int32_t count, const cfpc_system *parts)
{
    *sys = (cfpc_system){0};
    if (count < 1)
        return CFPC_BAD_SIZE;
    if (!all_given(count, parts))
        return CFPC_MISSING;
    for (int32_t p = 0; p < count; p++)
        if (parts[p].inputs != 1 || parts[p].outputs != 1)
            return CFPC_BAD_SHAPE;
    const size_t n = (size_t)count;
    double *numbers = calloc(n * n + 2 * n, sizeof *numbers);
    if (!numbers)
        return CFPC_NO_MEMORY;
    double *from_parts = numbers, *from_outside = numbers + n * n, *to_outside = from_outside + n;
    for (size_t p = 1; p < n; p++)
        from_parts[p * n + p - 1] = 1;
    from_outside[0] = 1;
    to_outside[n - 1] = 1;
    const cfpc_wiring wiring = {.inputs = 1,
                                .outputs = 1,
                                .from_parts = from_parts,
                                .from_outside = from_outside,
                                .to_outside = to_outside};
    cfpc_status status = cfpc_connect(sys, count, parts, &wiring);
    free(numbers);
    return status;
}
