// SPDX-License-Identifier: Apache-2.0
// products: the kernels of all widths give the bits of three nested loops, also of odd shapes, and
// touch nothing beside their matrices.
#include "zone/products.h"

#include "cfpc/zone.h"
#include "harness.h"
#include "zone/kernels.h"

enum {
    GAP = 3,    // numbers between the rows of a
    GUARD = 70, // numbers after a matrix that must not change: more than a tile of any width
    CELLS = 135 // at most
};

// ---- three nested loops ----------------------------------------------------------------------

// Numbers of both precisions are kept as doubles. An operation on floats, done in double and
// rounded, has the bits of the operation in float (53 >= 2 · 24 + 2).
static double rounded(bool is_float, double value)
{
    return is_float ? (double)(float)value : value;
}

// The matrices of a product.
typedef struct product {
    bool is_float;
    cfpci_factors of;
    double keep;
    size_t a_count, b_count, to_count; // numbers of each, the last with its guard
    double *a, *b, *to;
} product;

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static double factor_a(const product *it, int32_t i, int32_t k)
{
    return it->a[i * it->of.a_row + k * it->of.a_next];
}

static double factor_b(const product *it, int32_t k, int32_t p)
{
    return it->b[(size_t)k * (size_t)it->of.cells + (size_t)p];
}

static double loops_at(const product *it, int32_t i, int32_t p)
{
    const bool is_float = it->is_float;
    const double given = it->to[(size_t)i * (size_t)it->of.cells + (size_t)p];
    double all = rounded(is_float, it->keep * given);
    for (int32_t first = 0; first < it->of.count; first += CFPC_DEPTH) {
        double sum = 0;
        for (int32_t k = first; k < smaller(it->of.count, first + CFPC_DEPTH); k++)
            sum =
                rounded(is_float, sum + rounded(is_float, factor_a(it, i, k) * factor_b(it, k, p)));
        all = rounded(is_float, all + sum);
    }
    return all;
}

// ---- products --------------------------------------------------------------------------------

static double *draw_numbers(bool is_float, size_t count, dice *d)
{
    double *it = must_calloc(count, sizeof *it);
    for (size_t k = 0; k < count; k++) // of many magnitudes: almost every sum is rounded
        it[k] = rounded(is_float, ldexp(dice_between(d, -1, 1), dice_integer(d, -8, 0)));
    return it;
}

static product draw_product(bool is_float, cfpci_factors of, double keep, dice *d)
{
    const bool is_empty = of.rows == 0 || of.count == 0;
    const ptrdiff_t last = (of.rows - 1) * of.a_row + (of.count - 1) * of.a_next;
    product it = {.is_float = is_float, .of = of, .keep = keep};
    it.a_count = is_empty ? 0 : (size_t)last + 1;
    it.b_count = (size_t)of.count * (size_t)of.cells;
    it.to_count = (size_t)of.rows * (size_t)of.cells + GUARD;
    it.a = draw_numbers(is_float, it.a_count, d);
    it.b = draw_numbers(is_float, it.b_count, d);
    it.to = draw_numbers(is_float, it.to_count, d);
    return it;
}

static void free_product(product *it)
{
    free(it->a);
    free(it->b);
    free(it->to);
}

static float *as_floats(const double *from, size_t count)
{
    float *to = must_calloc(count, sizeof *to);
    for (size_t k = 0; k < count; k++)
        to[k] = (float)from[k];
    return to;
}

static double *copied(const double *from, size_t count)
{
    double *to = must_calloc(count, sizeof *to);
    memcpy(to, from, count * sizeof *to);
    return to;
}

// What computes a product: a kernel, or a back end that acts or learns.
typedef struct runner {
    cfpci_strip_way way;
    const cfpc_zone_products *by; // NULL: the kernel
    bool learns;
} runner;

static cfpci_panel panel_of(const cfpci_factors *of, bool learns)
{
    return learns ? (cfpci_panel){of->count, of->rows, of->cells, of->a_next}
                  : (cfpci_panel){of->rows, of->count, of->cells, of->a_row};
}

static void run_float(const runner *by, const product *it, float *a, float *b, float *to)
{
    const cfpci_panel panel = panel_of(&it->of, by->learns);
    if (!by->by)
        cfpci_multiply_float_by(by->way)(&it->of, a, b, (float)it->keep, to);
    else if (by->learns)
        by->by->learn_float(&panel, (float)it->keep, a, b, to);
    else
        by->by->act_float(&panel, a, b, to);
}

static void run_double(const runner *by, const product *it, double *to)
{
    const cfpci_panel panel = panel_of(&it->of, by->learns);
    if (!by->by)
        cfpci_multiply_double_by(by->way)(&it->of, it->a, it->b, it->keep, to);
    else if (by->learns)
        by->by->learn_double(&panel, it->keep, it->a, it->b, to);
    else
        by->by->act_double(&panel, it->a, it->b, to);
}

// The result, with its guard. Each matrix has memory of its own: a sanitizer sees what is read
// beside it.
static double *result_of(const runner *by, const product *it)
{
    double *result = copied(it->to, it->to_count);
    if (!it->is_float) {
        run_double(by, it, result);
        return result;
    }
    float *a = as_floats(it->a, it->a_count), *b = as_floats(it->b, it->b_count);
    float *to = as_floats(it->to, it->to_count);
    run_float(by, it, a, b, to);
    for (size_t k = 0; k < it->to_count; k++)
        result[k] = (double)to[k];
    free(a);
    free(b);
    free(to);
    return result;
}

static void expect_loops(const runner *by, const product *it)
{
    double *result = result_of(by, it);
    const size_t all = it->to_count - GUARD;
    for (size_t k = 0; k < all; k++) {
        const int32_t i = (int32_t)(k / (size_t)it->of.cells), p = (int32_t)k % it->of.cells;
        assert_near(result[k], loops_at(it, i, p), 0);
    }
    assert_memory_equal(result + all, it->to + all, GUARD * sizeof *result);
    free(result);
}

// ---- kernels ---------------------------------------------------------------------------------

static void expect_kernels(bool is_float, cfpci_factors of, dice *d)
{
    static const double keeps[] = {1, 0.75, 0};
    product it = draw_product(is_float, of, keeps[dice_integer(d, 0, 2)], d);
    for (int way = 0; way < CFPC_STRIP_WAYS; way++)
        if (cfpci_strip_has((cfpci_strip_way)way))
            expect_loops(&(runner){.way = (cfpci_strip_way)way}, &it);
    free_product(&it);
}

// a by rows and by columns, in both precisions.
static void expect_all(int32_t rows, int32_t count, int32_t cells, dice *d)
{
    for (int is_float = 0; is_float < 2; is_float++) {
        expect_kernels(is_float, (cfpci_factors){rows, count, cells, count + GAP, 1}, d);
        expect_kernels(is_float, (cfpci_factors){rows, count, cells, 1, rows + GAP}, d);
    }
}

static void kernels_are_loops_for_every_number_of_cells(void **state)
{
    (void)state;
    dice d = {11};
    for (int32_t cells = 1; cells <= CELLS; cells++)
        expect_all(dice_integer(&d, 1, 20), dice_integer(&d, 1, 40), cells, &d);
}

static void kernels_are_loops_for_every_number_of_rows(void **state)
{
    (void)state;
    dice d = {12};
    for (int32_t rows = 0; rows <= 60; rows++)
        expect_all(rows, dice_integer(&d, 1, 40), dice_integer(&d, 1, CELLS), &d);
}

static void sums_of_any_length_have_their_order(void **state)
{
    (void)state;
    static const int32_t counts[] = {0, 1, 2, CFPC_DEPTH - 1, CFPC_DEPTH, CFPC_DEPTH + 1, 700};
    dice d = {13};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int repeat = 0; repeat < 4; repeat++)
            expect_all(dice_integer(&d, 1, 15), counts[k], dice_integer(&d, 1, CELLS), &d);
}

// ---- back ends -------------------------------------------------------------------------------

static void expect_products(const cfpc_zone_products *by, bool is_float, dice *d)
{
    const int32_t steps = dice_integer(d, 1, 60), count = dice_integer(d, 1, 200);
    const int32_t cells = dice_integer(d, 1, CELLS), stride = count + GAP;
    product act = draw_product(is_float, (cfpci_factors){steps, count, cells, stride, 1}, 1, d);
    product learn = draw_product(is_float, (cfpci_factors){count, steps, cells, 1, stride},
                                 dice_integer(d, 0, 4) / 4., d);
    expect_loops(&(runner){.by = by}, &act);
    expect_loops(&(runner){.by = by, .learns = true}, &learn);
    free_product(&act);
    free_product(&learn);
}

static void plain_products_are_loops(void **state)
{
    (void)state;
    dice d = {21};
    for (int repeat = 0; repeat < 24; repeat++)
        expect_products(cfpc_zone_default_products(), repeat % 2, &d);
}

static void without_inputs_or_steps_only_the_leak_remains(void **state)
{
    (void)state;
    const cfpci_panel no_inputs = {.steps = 2, .count = 0, .cells = 1, .x_stride = 0};
    const cfpci_panel no_steps = {.steps = 0, .count = 2, .cells = 1, .x_stride = 2};
    const double none[1] = {0};
    double out[2] = {3, 4}, w[2] = {5, 6};
    cfpc_zone_default_products()->act_double(&no_inputs, none, none, out);
    cfpc_zone_default_products()->learn_double(&no_steps, 0.5, none, none, w);
    assert_near(out[0], 3, 0);
    assert_near(out[1], 4, 0);
    assert_near(w[0], 2.5, 0);
    assert_near(w[1], 3, 0);
}

static void back_ends_have_names(void **state)
{
    (void)state;
    assert_string_equal(cfpc_zone_products_name(cfpc_zone_default_products()), "plain");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_loops_for_every_number_of_cells),
        cmocka_unit_test(kernels_are_loops_for_every_number_of_rows),
        cmocka_unit_test(sums_of_any_length_have_their_order),
        cmocka_unit_test(plain_products_are_loops),
        cmocka_unit_test(without_inputs_or_steps_only_the_leak_remains),
        cmocka_unit_test(back_ends_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
