// SPDX-License-Identifier: Apache-2.0
// realise: after d steps of dead time a response is D, CB, CAB, CA²B, … . The Hankel matrix
//
//         [CB    CAB   CA²B …]
//     H = [CAB   CA²B  …     ] = [C; CA; CA²; …] [B AB A²B …] = U S Vᵀ
//         [CA²B  …           ]
//
// has as many singular values as there are states. With both factors taken as U√S and √S Vᵀ,
//
//     A = S^-½ Uᵀ H⁺ V S^-½,   B: first column of √S Vᵀ,   C: first row of U√S,
//
// where H⁺ is H one sample later: the balanced realisation of Ho and Kalman.
#include "cfpc/system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "algebra/dense.h"
#include "algebra/dense_rows.h"
#include "math/order.h"
#include "system/realise_parts.h"

enum {
    MAX_ROWS = 300 // of a Hankel matrix
};

// What counts as zero, and the maximum number of states.
typedef struct limits {
    double tolerance;
    int32_t max_states;
} limits;

// ---- the response ----------------------------------------------------------------------------

// Checks what all are given, and counts the steps before the response starts: those in which it is
// at most `nothing`.
static cfpc_status realise_check(double step_s, int32_t steps, const double *response, limits limit,
                                 int32_t *dead, double *nothing)
{
    if (steps < 1 || limit.max_states < 0)
        return CFPC_BAD_SIZE;
    if (!(step_s > 0) || !isfinite(step_s) || !(limit.tolerance >= 0 && limit.tolerance < 1) ||
        !cfpci_are_finite((size_t)steps, response))
        return CFPC_BAD_VALUE;
    double most = 0;
    for (int32_t n = 0; n < steps; n++)
        most = cfpci_max(most, fabs(response[n]));
    *nothing = limit.tolerance * most;
    *dead = 0;
    while (*dead + 1 < steps && fabs(response[*dead]) <= *nothing)
        ++*dead;
    return most > 0 ? CFPC_OK : CFPC_BAD_VALUE;
}

// ---- Ho and Kalman ---------------------------------------------------------------------------

typedef struct hankel {
    int32_t rows;   // and columns
    int32_t order;  // number of significant singular values
    double *matrix; // H, then H⁺; all are one allocation    (rows x rows)
    double *u;      // U                                     (rows x rows)
    double *vt;     // Vᵀ                                    (rows x rows)
    double *moved;  // Vᵀ H⁺                                 (order x rows)
    double *a;      // A                                     (order x order)
    double *s;      // singular values, descending           (rows)
    double *b;      // B                                     (order)
    double *c;      // C                                     (order)
} hankel;

// The matrix of g (count) from its sample `first` on.
static void hankel_fill(hankel *hankel, int32_t first, int32_t count, const double *g)
{
    for (int32_t i = 0; i < hankel->rows; i++)
        for (int32_t j = 0; j < hankel->rows; j++) {
            const int32_t k = first + i + j;
            hankel->matrix[i * hankel->rows + j] = k < count ? g[k] : 0;
        }
}

// A, B and C from H⁺ and the singular vectors of H, of the singular values that count.
static void fill_state_space(hankel *hankel, limits limit)
{
    const int32_t rows = hankel->rows;
    const double share = cfpci_max(limit.tolerance, rows * DBL_EPSILON);
    int32_t order = 0;
    while (order < rows && order < limit.max_states && hankel->s[order] > share * hankel->s[0])
        order++;
    hankel->order = order;
    cfpci_dense_multiply(false, order, rows, rows, hankel->vt, hankel->matrix, 0, hankel->moved);
    for (int32_t i = 0; i < order; i++) {
        const double root = sqrt(hankel->s[i]);
        hankel->b[i] = root * hankel->vt[i * rows];
        hankel->c[i] = root * hankel->u[i];
        for (int32_t j = 0; j < order; j++) {
            for (int32_t k = 0; k < rows; k++) // H⁺ is symmetric: moved is also (H⁺V)ᵀ
                hankel->a[i * order + j] += hankel->u[k * rows + i] * hankel->moved[j * rows + k];
            hankel->a[i * order + j] /= root * sqrt(hankel->s[j]);
        }
    }
}

// The system whose response is response[0], response[1], … without dead time.
static cfpc_status realise_states(cfpc_system *sys, double step_s, int32_t steps,
                                  const double *response, limits limit)
{
    *sys = (cfpc_system){0};
    const double *g = response + 1;
    const int32_t count = steps - 1, most = count / 2 > 0 ? count / 2 : count;
    const int32_t rows = most < MAX_ROWS ? most : MAX_ROWS;
    const size_t n = (size_t)rows;
    double *at = calloc(5 * n * n + 3 * n + 1, sizeof *at);
    if (!at)
        return CFPC_NO_MEMORY;
    hankel hankel = {.rows = rows, .matrix = at, .u = at + n * n, .vt = at + 2 * n * n};
    hankel.moved = at + 3 * n * n;
    hankel.a = at + 4 * n * n;
    hankel.s = at + 5 * n * n;
    hankel.b = hankel.s + n;
    hankel.c = hankel.b + n;
    hankel_fill(&hankel, 0, count, g);
    cfpc_status status = cfpci_dense_svd(rows, rows, hankel.matrix, hankel.u, hankel.s, hankel.vt);
    if (status == CFPC_OK && rows > 0) {
        hankel_fill(&hankel, 1, count, g);
        fill_state_space(&hankel, limit);
    }
    if (status == CFPC_OK)
        status =
            cfpc_state_space(sys, step_s, hankel.order, hankel.a, hankel.b, hankel.c, response[0]);
    free(at);
    return status;
}

// ---- with its dead time ----------------------------------------------------------------------

static cfpc_status realise_check_stable(const cfpc_system *sys)
{
    bool stable;
    const cfpc_status status = cfpc_is_stable(sys, &stable);
    return status == CFPC_OK && !stable ? CFPC_UNSTABLE : status;
}

cfpc_status cfpci_behind_delay(cfpc_system *sys, const cfpc_system *states, int32_t delay_steps)
{
    *sys = (cfpc_system){0};
    cfpc_system parts[2] = {[1] = *states};
    cfpc_status status = cfpc_delay(&parts[0], states->step_s, delay_steps);
    if (status == CFPC_OK)
        status = cfpc_series(sys, 2, parts);
    cfpc_system_free(&parts[0]);
    return status;
}

cfpc_status cfpc_realise(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                         double tolerance, int32_t max_states)
{
    *sys = (cfpc_system){0};
    const limits limit = {.tolerance = tolerance, .max_states = max_states};
    int32_t dead;
    double nothing;
    cfpc_status status = realise_check(step_s, steps, response, limit, &dead, &nothing);
    if (status != CFPC_OK)
        return status;
    cfpc_system states;
    status = realise_states(&states, step_s, steps - dead, response + dead, limit);
    if (status == CFPC_OK)
        status = cfpci_behind_delay(sys, &states, dead);
    if (status == CFPC_OK)
        status = realise_check_stable(&states); // the line only has poles at 0
    cfpc_system_free(&states);
    return status;
}

// ---- the loop --------------------------------------------------------------------------------

// By division of power series: L[n] = T[n] + Σ T[k] L[n - b - k].
cfpc_status cfpci_open_path(int32_t dead, int32_t b, int32_t count, const double *response,
                            double *path)
{
    for (int32_t n = dead; n < dead + count; n++) {
        double sum = response[n];
        for (int32_t k = dead; k <= n - b - dead; k++)
            sum += response[k] * path[n - b - k - dead];
        if (!isfinite(sum))
            return CFPC_BAD_VALUE;
        path[n - dead] = sum;
    }
    return CFPC_OK;
}

cfpc_status cfpci_close_path(cfpc_system *sys, const cfpc_system *path,
                             int32_t measurement_delay_steps)
{
    cfpc_system parts[2] = {*path};
    cfpc_status status = cfpc_delay(&parts[1], path->step_s, measurement_delay_steps);
    const double from_parts[] = {0, -1, 1, 0}, from_outside[] = {1, 0}, to_outside[] = {1, 0};
    const cfpc_wiring wiring = {.inputs = 1,
                                .outputs = 1,
                                .from_parts = from_parts,
                                .from_outside = from_outside,
                                .to_outside = to_outside};
    if (status == CFPC_OK)
        status = cfpc_connect(sys, 2, parts, &wiring);
    cfpc_system_free(&parts[1]);
    return status;
}

cfpc_status cfpc_realise_loop(cfpc_system *sys, double step_s, int32_t steps,
                              const double *response, double tolerance, int32_t max_states,
                              int32_t measurement_delay_steps)
{
    *sys = (cfpc_system){0};
    const limits limit = {.tolerance = tolerance, .max_states = max_states};
    int32_t dead;
    double nothing;
    cfpc_status status = realise_check(step_s, steps, response, limit, &dead, &nothing);
    if (status != CFPC_OK)
        return status;
    if (measurement_delay_steps < 0)
        return CFPC_BAD_DELAY;
    const int32_t used = 2 * MAX_ROWS + 1;
    const int32_t count = steps - dead < used ? steps - dead : used;
    if (dead == 0 && measurement_delay_steps == 0)
        return CFPC_ALGEBRAIC_LOOP;
    double *samples = calloc((size_t)count, sizeof *samples);
    if (!samples)
        return CFPC_NO_MEMORY;
    cfpc_system states = {0}, path = {0};
    status = cfpci_open_path(dead, measurement_delay_steps, count, response, samples);
    if (status == CFPC_OK)
        status = realise_states(&states, step_s, count, samples, limit);
    if (status == CFPC_OK)
        status = cfpci_behind_delay(&path, &states, dead);
    if (status == CFPC_OK)
        status = cfpci_close_path(sys, &path, measurement_delay_steps);
    if (status == CFPC_OK)
        status = realise_check_stable(sys);
    free(samples);
    cfpc_system_free(&states);
    cfpc_system_free(&path);
    return status;
}

// ---- as it is --------------------------------------------------------------------------------

// Line i holds x, `dead` + i steps late: z_0 = x, z_i = v_(i-1); without dead time the first tap
// needs no line.
cfpc_status cfpc_fir(cfpc_system *sys, double step_s, int32_t steps, const double *response,
                     double tolerance)
{
    *sys = (cfpc_system){0};
    const limits limit = {.tolerance = tolerance};
    int32_t dead;
    double nothing;
    cfpc_status status = realise_check(step_s, steps, response, limit, &dead, &nothing);
    if (status != CFPC_OK)
        return status;
    while (fabs(response[steps - 1]) <= nothing)
        steps--;
    const int32_t taps = steps - dead, at_once = dead == 0;
    if (taps > CFPC_FIR_MAX)
        return CFPC_TOO_LARGE;
    status = cfpc_system_make(sys, step_s, 0, 1, 1, taps - at_once);
    if (status != CFPC_OK)
        return status;
    const size_t columns = (size_t)cfpc_system_columns(sys);
    for (int32_t k = 0; k < taps; k++) // the columns are x, then the lines
        sys->matrix[k + 1 - at_once] = response[dead + k];
    for (int32_t i = 0; i < sys->lines; i++) {
        sys->matrix[((size_t)i + 1) * columns + (size_t)i] = 1;
        sys->delay_steps[i] = i == 0 && dead > 0 ? dead : 1;
    }
    return CFPC_OK;
}
