// SPDX-License-Identifier: Apache-2.0
// output_error: a section's output is y = (B x + C δ)/A, where δ is a pulse at the first row. With
// w = x/A, h = δ/A and q = y/A its derivatives are signals:
//
//     ∂y/∂b_j = z⁻ʲ w,   ∂y/∂c_j = z⁻⁽ʲ⁻¹⁾ h,   ∂y/∂a_j = -z⁻ʲ q.
//
// Signals that change little in a step are nearly the same one step later; so the unknowns are not
// (p1, p2) but (p1 + p2, p1): their derivatives are the later signal and the difference of both.
// In a closed loop the derivatives pass the sensitivity 1/(1 + G). Each column is scaled to length
// 1; a step solves J s = r - ŷ with the damping of Levenberg and Marquardt, from the singular
// values of the R of J = Q R.
#include "identify/output_error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algebra/dense.h"
#include "math/elementary.h"
#include "math/order.h"
#include "system/realise_parts.h"

enum {
    COMMON = 3, // unknowns: feed, offset, slope
    MAX_UNKNOWNS = COMMON + 6 * CFPCI_MAX_SECTIONS,
    MAX_TRIES = 6 // of a step, each more damped
};

static const double largest_radius = 0.99999; // of a pole that starts
static const double enough = 1e-6;            // relative fall of the squares at which it ends

// ---- poles -----------------------------------------------------------------------------------

static void add_section(cfpci_sections *sections, int32_t size, double a1, double a2)
{
    sections->section[sections->count++] = (cfpci_section){.size = size, .a = {a1, a2}};
}

static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static void add_poles(cfpci_sections *sections, int32_t order, const double *re, const double *im)
{
    double real[CFPCI_MAX_ORDER];
    int32_t reals = 0;
    sections->count = 0;
    for (int32_t i = 0; i < order; i++) {
        const double radius = cfpci_hypot(re[i], im[i]);
        const double inside = radius > largest_radius ? largest_radius / radius : 1;
        if (im[i] > 0)
            add_section(sections, 2, -2 * re[i] * inside, radius * radius * inside * inside);
        else if (im[i] == 0)
            real[reals++] = re[i] * inside;
    }
    // Real poles in pairs of neighbours.
    qsort(real, (size_t)reals, sizeof *real, descending);
    for (int32_t i = 0; i + 1 < reals; i += 2)
        add_section(sections, 2, -(real[i] + real[i + 1]), real[i] * real[i + 1]);
    if (reals % 2)
        add_section(sections, 1, -real[reals - 1], 0);
}

cfpc_status cfpci_sections_of(cfpci_sections *sections, int32_t order, const double *a)
{
    double *copy = malloc((size_t)order * (size_t)order * sizeof *copy);
    if (!copy)
        return CFPC_NO_MEMORY;
    double re[CFPCI_MAX_ORDER], im[CFPCI_MAX_ORDER];
    memcpy(copy, a, (size_t)order * (size_t)order * sizeof *copy);
    const cfpc_status status = cfpci_dense_eigenvalues(order, copy, re, im);
    if (status == CFPC_OK)
        add_poles(sections, order, re, im);
    free(copy);
    return status;
}

void cfpci_sections_raise(cfpci_sections *sections)
{
    static const double pole = 0.5;
    for (int32_t i = 0; i < sections->count; i++)
        if (sections->section[i].size == 1) {
            const double other = -sections->section[i].a[0];
            sections->section[i] = (cfpci_section){.size = 2, .a = {-(other + pole), other * pole}};
            return;
        }
    add_section(sections, 1, -pole, 0);
}

// ---- simulation ------------------------------------------------------------------------------

// A section's w, one and two steps ago.
typedef struct memory {
    double w[CFPCI_MAX_SECTIONS][2];
} memory;

// The output of G, without what it starts with and without what goes straight through.
static double output_of(const cfpci_sections *sections, const memory *m)
{
    double y = 0;
    for (int32_t i = 0; i < sections->count; i++)
        y += sections->section[i].b[0] * m->w[i][0] + sections->section[i].b[1] * m->w[i][1];
    return y;
}

static void output_error_push(const cfpci_sections *sections, memory *m, double x)
{
    for (int32_t i = 0; i < sections->count; i++) {
        const cfpci_section *s = &sections->section[i];
        double *w = m->w[i];
        const double next = x - s->a[0] * w[0] - s->a[1] * w[1];
        w[1] = w[0];
        w[0] = next;
    }
}

// What the sections start with, at the rows after the first; x of a pulse is c1, then c2.
static double step_start(const cfpci_sections *sections, memory *m, int32_t row)
{
    double y = 0;
    for (int32_t i = 0; i < sections->count; i++) {
        const cfpci_section *s = &sections->section[i];
        double *w = m->w[i];
        const double pulse = row < 2 ? s->c[row] : 0;
        const double now = pulse - s->a[0] * w[0] - s->a[1] * w[1];
        w[1] = w[0];
        w[0] = now;
        y += now;
    }
    return y;
}

// What enters G at every row, and the output without its trend (rows each).
static void output_error_simulate(const cfpci_sections *sections, const cfpci_rows *rows, double *x,
                                  double *y)
{
    memory run = {0}, start = {0};
    const int32_t d = sections->delay, count = rows->end - rows->first;
    const double *u = rows->input + rows->first, *logged = rows->output + rows->first;
    for (int32_t n = 0; n < count; n++) {
        y[n] = output_of(sections, &run) + step_start(sections, &start, n);
        x[n] = u[n - d];
        if (sections->closed)
            x[n] -= n < d ? logged[n - d] : y[n - d]; // without feed, y is known before x
        y[n] += sections->feed * x[n];
        output_error_push(sections, &run, x[n]);
    }
}

static double slope_at(const cfpci_rows *rows, int32_t n)
{
    return (double)n / (rows->end - rows->first) - 0.5;
}

// ---- unknowns --------------------------------------------------------------------------------

// p1 + p2 and p1 move by two unknowns; of size 1, p1 alone.
static const double *move_pair(int32_t size, double *p, const double *by)
{
    if (size == 1) {
        p[0] += by[0];
        return by + 1;
    }
    p[0] += by[1];
    p[1] += by[0] - by[1];
    return by + 2;
}

static void move(cfpci_sections *sections, const double *by)
{
    sections->feed += by[0];
    sections->trend[0] += by[1];
    sections->trend[1] += by[2];
    by += COMMON;
    for (int32_t i = 0; i < sections->count; i++) {
        cfpci_section *s = &sections->section[i];
        by = move_pair(s->size, s->b, by);
        by = move_pair(s->size, s->c, by);
        by = move_pair(s->size, s->a, by);
    }
}

// Poles inside the unit circle; those of an open path may be anywhere.
static bool allowed(const cfpci_sections *sections)
{
    for (int32_t i = 0; i < sections->count && !sections->closed; i++) {
        const double a1 = sections->section[i].a[0], a2 = sections->section[i].a[1];
        if (!(a2 < 1) || !(fabs(a1) < 1 + a2))
            return false;
    }
    return true;
}

// ---- derivatives -----------------------------------------------------------------------------

// Columns of J, of `rows` numbers each; those of a section are filled from w, h or q, which is
// v = x/A: at lags 1 and 2 or, for what it starts with, 0 and 1.
typedef struct columns {
    int32_t rows;
    double *next; // column
} columns;

static void add_pair(columns *to, int32_t size, const double *v, int32_t lag, double sign)
{
    double *later = to->next, *difference = size == 2 ? to->next + to->rows : NULL;
    for (int32_t n = 0; n < to->rows; n++) {
        const double one = n < lag ? 0 : v[n - lag], two = n < lag + 1 ? 0 : v[n - lag - 1];
        later[n] = sign * (size == 2 ? two : one);
        if (difference)
            difference[n] = sign * (one - two);
    }
    to->next += (size_t)size * (size_t)to->rows;
}

// v = x/A; x may be NULL: a pulse.
static void all_pole(const cfpci_section *s, int32_t rows, const double *x, double *v)
{
    double one = 0, two = 0;
    for (int32_t n = 0; n < rows; n++) {
        v[n] = (x ? x[n] : n == 0) - s->a[0] * one - s->a[1] * two;
        two = one;
        one = v[n];
    }
}

// Three signals of room in `v`.
static void add_section_columns(columns *to, const cfpci_section *s, const double *x, bool poles,
                                double *v)
{
    const int32_t rows = to->rows;
    double *w = v, *h = w + rows, *y = h + rows;
    all_pole(s, rows, x, w);
    all_pole(s, rows, NULL, h);
    add_pair(to, s->size, w, 1, 1);
    add_pair(to, s->size, h, 0, 1);
    if (!poles)
        return;
    for (int32_t n = 0; n < rows; n++) { // y = B w + C h
        y[n] = s->c[0] * h[n];
        if (n > 0)
            y[n] += s->b[0] * w[n - 1] + s->c[1] * h[n - 1];
        if (n > 1)
            y[n] += s->b[1] * w[n - 2];
    }
    all_pole(s, rows, y, w);
    add_pair(to, s->size, w, 1, -1);
}

// The sensitivity 1/(1 + G), in place.
static void through_loop(const cfpci_sections *sections, int32_t rows, double *column)
{
    memory m = {0};
    for (int32_t n = 0; n < rows; n++) {
        column[n] += output_of(sections, &m);
        output_error_push(sections, &m, n < sections->delay ? 0 : -column[n - sections->delay]);
    }
}

// J for the input x of G; without poles, what is linear only. Returns its number of columns.
static int32_t fill_jacobian(const cfpci_sections *sections, const cfpci_rows *log, bool poles,
                             bool loop, const double *x, double *v, double *j)
{
    const int32_t rows = log->end - log->first;
    const size_t apart = (size_t)rows;
    for (int32_t n = 0; n < rows; n++) {
        j[n] = sections->direct ? x[n] : 0;
        j[apart + (size_t)n] = 1;
        j[2 * apart + (size_t)n] = slope_at(log, n);
    }
    columns to = {.rows = rows, .next = j + COMMON * apart};
    for (int32_t i = 0; i < sections->count; i++)
        add_section_columns(&to, &sections->section[i], x, poles, v);
    const int32_t count = (int32_t)((size_t)(to.next - j) / apart);
    for (int32_t k = 0; loop && k < count; k++)
        if (k == 0 || k >= COMMON)
            through_loop(sections, rows, j + (size_t)k * apart);
    return count;
}

// ---- steps -----------------------------------------------------------------------------------

// J s = left, solved for any damping.
typedef struct damped {
    int32_t count;              // of unknowns
    double size[MAX_UNKNOWNS];  // of each column before it was scaled
    double value[MAX_UNKNOWNS]; // singular values
    double right[MAX_UNKNOWNS]; // Uᵀ of the right side
    double *vt;                 // (count x count)
} damped;

// j (rows x count + 1, by columns, the last being the right side) is destroyed.
static cfpc_status damped_make(damped *damped, int32_t rows, int32_t count, double *j)
{
    const size_t n = (size_t)count, wide = n + 1;
    damped->count = count;
    for (size_t k = 0; k < n; k++) {
        double *column = j + k * (size_t)rows;
        double square = 0;
        for (int32_t i = 0; i < rows; i++)
            square += column[i] * column[i];
        damped->size[k] = sqrt(square);
        const double scale = square > 0 ? 1 / damped->size[k] : 0;
        for (int32_t i = 0; i < rows; i++)
            column[i] *= scale;
    }
    double *r = malloc((wide * wide + 2 * n * n) * sizeof *r);
    damped->vt = malloc((n * n + 1) * sizeof *damped->vt);
    cfpc_status status = r && damped->vt ? CFPC_OK : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = cfpci_dense_qr(rows, count + 1, j, r);
    if (status == CFPC_OK) {
        double *square = r + wide * wide, *u = square + n * n, right[MAX_UNKNOWNS];
        for (size_t i = 0; i < n; i++) {
            memcpy(square + i * n, r + i * wide, n * sizeof *square);
            right[i] = r[i * wide + n];
        }
        status = cfpci_dense_svd(count, count, square, u, damped->value, damped->vt);
        if (status == CFPC_OK)
            cfpci_dense_times_vector(true, count, count, u, right, damped->right);
    }
    free(r);
    return status;
}

static void output_error_solve(const damped *damped, double damping, double *step)
{
    double share[MAX_UNKNOWNS];
    for (int32_t k = 0; k < damped->count; k++) {
        const double s = damped->value[k], divisor = s * s + damping;
        share[k] = divisor > 0 ? damped->right[k] * s / divisor : 0;
    }
    cfpci_dense_times_vector(true, damped->count, damped->count, damped->vt, share, step);
    for (int32_t k = 0; k < damped->count; k++)
        step[k] = damped->size[k] > 0 ? step[k] / damped->size[k] : 0;
}

// ---- least squares ---------------------------------------------------------------------------

typedef struct workspace {
    int32_t rows;
    double *x;    // owns all                (rows)
    double *left; //                      (rows)
    double *v;    //                         (3 rows)
    double *j;    //                         (unknowns + 1 x rows)
} workspace;

static cfpc_status workspace_make(workspace *made, const cfpci_sections *sections,
                                  const cfpci_rows *rows)
{
    const size_t count = (size_t)(rows->end - rows->first);
    size_t columns = 5 + COMMON + 1;
    for (int32_t i = 0; i < sections->count; i++)
        columns += 3 * (size_t)sections->section[i].size;
    double *x = malloc(columns * count * sizeof *x);
    if (!x)
        return CFPC_NO_MEMORY;
    *made = (workspace){.rows = rows->end - rows->first,
                        .x = x,
                        .left = x + count,
                        .v = x + 2 * count,
                        .j = x + 5 * count};
    return CFPC_OK;
}

// Unknowns of a linear step, with none for the poles, in their places among all.
static void spread_step(const cfpci_sections *sections, const double *linear, double *step)
{
    for (int32_t k = 0; k < COMMON; k++)
        *step++ = *linear++;
    for (int32_t i = 0; i < sections->count; i++) {
        const int32_t size = sections->section[i].size;
        for (int32_t k = 0; k < 2 * size; k++)
            *step++ = *linear++;
        for (int32_t k = 0; k < size; k++)
            *step++ = 0;
    }
}

cfpc_status cfpci_output_error_start(cfpci_sections *sections, const cfpci_rows *rows,
                                     const double *nearby)
{
    const double *u = rows->input + rows->first, *y = rows->output + rows->first;
    workspace room = {0};
    damped equations = {0};
    cfpc_status status = workspace_make(&room, sections, rows);
    sections->feed = sections->trend[0] = sections->trend[1] = 0;
    for (int32_t i = 0; i < sections->count; i++)
        for (int k = 0; k < 2; k++)
            sections->section[i].b[k] = sections->section[i].c[k] = 0;
    if (status == CFPC_OK) {
        for (int32_t n = 0; n < room.rows; n++)
            room.x[n] = u[n - sections->delay] -
                        (sections->closed ? nearby[rows->first + n - sections->delay] : 0);
        const int32_t count = fill_jacobian(sections, rows, false, false, room.x, room.v, room.j);
        memcpy(room.j + (size_t)count * (size_t)room.rows, y, (size_t)room.rows * sizeof *y);
        status = damped_make(&equations, room.rows, count, room.j);
    }
    if (status == CFPC_OK) {
        double linear[MAX_UNKNOWNS], step[MAX_UNKNOWNS];
        output_error_solve(&equations, 1e-12, linear);
        spread_step(sections, linear, step);
        move(sections, step);
    }
    free(equations.vt);
    free(room.x);
    return status;
}

// Mean square of what is left, which is in room->left then, as what enters G is in room->x.
static double mean_square_of(const cfpci_sections *sections, const cfpci_rows *rows,
                             workspace *room)
{
    double *left = room->left, sum = 0;
    output_error_simulate(sections, rows, room->x, left);
    for (int32_t n = 0; n < room->rows; n++) {
        const double trend = sections->trend[0] + sections->trend[1] * slope_at(rows, n);
        left[n] = rows->output[rows->first + n] - left[n] - trend;
        sum += left[n] * left[n];
    }
    return sum / room->rows;
}

// Steps with more and more damping, until one makes the squares smaller; false if none does.
static bool step_down(cfpci_sections *sections, const cfpci_rows *rows, const damped *equations,
                      workspace *room, double *damping, double *mean_square)
{
    double step[MAX_UNKNOWNS];
    for (int try = 0; try < MAX_TRIES; try++) {
        cfpci_sections next = *sections;
        output_error_solve(equations, *damping, step);
        move(&next, step);
        const double reached = allowed(&next) ? mean_square_of(&next, rows, room) : INFINITY;
        if (reached < *mean_square) {
            *sections = next;
            *mean_square = reached;
            *damping /= 10;
            return true;
        }
        *damping = cfpci_max(*damping * 5, 1e-9);
    }
    return false;
}

cfpc_status cfpci_output_error(cfpci_sections *sections, const cfpci_rows *rows, int32_t iterations,
                               double *mean_square)
{
    workspace room = {0};
    double damping = 1e-3;
    bool ends = false;
    cfpc_status status = workspace_make(&room, sections, rows);
    if (status == CFPC_OK)
        *mean_square = mean_square_of(sections, rows, &room);
    for (int32_t i = 0; status == CFPC_OK && !ends && i < iterations; i++) {
        if (!isfinite(damping) || !isfinite(*mean_square))
            break;
        damped equations = {0};
        const double before = *mean_square;
        mean_square_of(sections, rows, &room); // again: a refused step may have changed the room
        const int32_t count =
            fill_jacobian(sections, rows, true, sections->closed, room.x, room.v, room.j);
        memcpy(room.j + (size_t)count * (size_t)room.rows, room.left,
               (size_t)room.rows * sizeof *room.left);
        status = damped_make(&equations, room.rows, count, room.j);
        if (status == CFPC_OK)
            ends = !step_down(sections, rows, &equations, &room, &damping, mean_square) ||
                   before - *mean_square < enough * before;
        free(equations.vt);
    }
    free(room.x);
    return status;
}

// ---- as a system -----------------------------------------------------------------------------

cfpc_status cfpci_sections_part(cfpc_system *part, const cfpci_sections *sections, double step_s)
{
    *part = (cfpc_system){0};
    int32_t order = 0;
    for (int32_t i = 0; i < sections->count; i++)
        order += sections->section[i].size;
    cfpc_system states;
    cfpc_status status = cfpc_system_make(&states, step_s, order, 1, 1, 0);
    if (status != CFPC_OK)
        return status;
    const size_t wide = (size_t)order + 1, last = (size_t)order;
    states.matrix[last * wide + last] = sections->feed;
    for (size_t i = 0, at = 0; i < (size_t)sections->count;
         at += (size_t)sections->section[i].size, i++) {
        const cfpci_section *s = &sections->section[i];
        states.matrix[at * wide + last] = 1;
        for (size_t k = 0; k < (size_t)s->size; k++) {
            states.matrix[at * wide + at + k] = -s->a[k];
            states.matrix[last * wide + at + k] = s->b[k];
        }
        if (s->size == 2)
            states.matrix[(at + 1) * wide + at] = 1;
    }
    status = cfpci_behind_delay(part, &states, sections->delay);
    cfpc_system_free(&states);
    return status;
}
