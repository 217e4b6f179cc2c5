// SPDX-License-Identifier: Apache-2.0
// lti: banks of equal systems step as a plain reading of their equations says.
#include "harness.h"

#include "cfpc/lti.h"
#include "core/bank.h"

enum {
    STEPS = 60,
    MOST = 8 // states, inputs, outputs or lines of a random lti
};

static const int32_t widths[] = {1, 7, 63, 64, 65, 200}; // around the tile of 64, and beyond
static const size_t width_count = sizeof widths / sizeof widths[0];

// A bank on memory of exactly its size, so that a sanitizer sees every step outside it.
static cfpc_bank *bank_of(const cfpc_lti *lti, int32_t width)
{
    const size_t bytes = cfpc_bank_size(lti, width);
    assert_int_not_equal(bytes, 0);
    cfpc_bank *bank = NULL;
    assert_ok(cfpc_bank_init(&bank, must_calloc(1, bytes), bytes, lti, width));
    assert_non_null(bank);
    return bank;
}

// ---- random systems --------------------------------------------------------------------------

typedef struct random_lti {
    cfpc_lti lti;
    int32_t delay_steps[MOST];
    cfpc_real matrix[9 * MOST * MOST];
} random_lti;

// Sizes up to these; the rows sum to less than 1, so that nothing grows. A third is zero.
static void draw_lti(dice *d, random_lti *it, int states, int inputs, int outputs, int lines)
{
    it->lti = (cfpc_lti){.states = states,
                         .inputs = inputs,
                         .outputs = outputs,
                         .lines = lines,
                         .delay_steps = it->delay_steps,
                         .matrix = it->matrix};
    for (int32_t i = 0; i < lines; i++)
        it->delay_steps[i] = dice_integer(d, 1, 9);
    const int32_t columns = cfpc_lti_columns(&it->lti);
    for (int32_t k = 0; k < cfpc_lti_rows(&it->lti) * columns; k++)
        it->matrix[k] = dice_integer(d, 0, 2) ? (cfpc_real)(dice_between(d, -1, 1) / columns) : 0;
}

static void draw_signal(dice *d, size_t count, cfpc_real *x)
{
    for (size_t k = 0; k < count; k++)
        x[k] = (cfpc_real)dice_between(d, -1, 1);
}

// ---- the equations, read plainly -------------------------------------------------------------

typedef struct plain_run {
    const cfpc_lti *lti;
    int32_t n;             // the present step
    double s[MOST];        // s[n]
    double z[MOST][STEPS]; // all that ever entered the lines
} plain_run;

static double line_output(const plain_run *it, int32_t line)
{
    const int32_t then = it->n - it->lti->delay_steps[line];
    return then < 0 ? 0 : it->z[line][then];
}

// [s⁺; y; z] = matrix · [s; x; v]
static void plain_step(plain_run *it, const double *x, double *y)
{
    const cfpc_lti *lti = it->lti;
    double known[3 * MOST], found[3 * MOST];
    const int32_t rows = cfpc_lti_rows(lti), columns = cfpc_lti_columns(lti);
    for (int32_t j = 0; j < columns; j++)
        known[j] = j < lti->states                 ? it->s[j]
                   : j < lti->states + lti->inputs ? x[j - lti->states]
                                                   : line_output(it, j - lti->states - lti->inputs);
    for (int32_t i = 0; i < rows; i++) {
        found[i] = 0;
        for (int32_t j = 0; j < columns; j++)
            found[i] += (double)lti->matrix[i * columns + j] * known[j];
    }
    for (int32_t i = 0; i < lti->states; i++)
        it->s[i] = found[i];
    for (int32_t i = 0; i < lti->outputs; i++)
        y[i] = found[lti->states + i];
    for (int32_t i = 0; i < lti->lines; i++)
        it->z[i][it->n] = found[lti->states + lti->outputs + i];
    it->n++;
}

// ---- tests -----------------------------------------------------------------------------------

static void expect_pulse_after(int32_t delay, int32_t width)
{
    const cfpc_lti lti = cfpc_trace_delay(&delay);
    cfpc_bank *bank = bank_of(&lti, width);
    cfpc_real *x = must_calloc((size_t)width, sizeof *x),
              *y = must_calloc((size_t)width, sizeof *y);
    for (int32_t n = 0; n < 3 * delay + 5; n++) {
        for (int32_t j = 0; j < width; j++)
            x[j] = n == 2 ? (cfpc_real)(j + 1) : 0; // each copy has a pulse of its own
        cfpc_bank_step(&lti, bank, x, y);
        for (int32_t j = 0; j < width; j++)
            assert_true(y[j] == (n == 2 + delay ? (cfpc_real)(j + 1) : 0));
    }
    free(bank);
    free(x);
    free(y);
}

static void a_pulse_through_a_line_comes_out_after_its_delay(void **state)
{
    (void)state;
    const int32_t delays[] = {1, 2, 3, 7, 50, 130};
    for (size_t d = 0; d < sizeof delays / sizeof delays[0]; d++)
        for (size_t w = 0; w < width_count; w++)
            expect_pulse_after(delays[d], widths[w]);
}

static void expect_equal_to_single_banks(dice *d, const cfpc_lti *lti, int32_t width)
{
    const size_t nx = (size_t)(lti->inputs * width), ny = (size_t)(lti->outputs * width);
    cfpc_real *x = must_calloc(nx, sizeof *x), *y = must_calloc(ny, sizeof *y);
    cfpc_bank *bank = bank_of(lti, width);
    cfpc_bank **single = must_calloc((size_t)width, sizeof(cfpc_bank *));
    for (int32_t j = 0; j < width; j++)
        single[j] = bank_of(lti, 1);
    for (int n = 0; n < STEPS; n++) {
        draw_signal(d, nx, x);
        cfpc_bank_step(lti, bank, x, y);
        for (int32_t j = 0; j < width; j++) {
            cfpc_real own_x[MOST], own_y[MOST];
            for (int32_t i = 0; i < lti->inputs; i++)
                own_x[i] = x[i * width + j];
            cfpc_bank_step(lti, single[j], own_x, own_y);
            for (int32_t i = 0; i < lti->outputs; i++)
                assert_memory_equal(&own_y[i], &y[i * width + j], sizeof *y);
        }
    }
    for (int32_t j = 0; j < width; j++)
        free(single[j]);
    free(single);
    free(bank);
    free(x);
    free(y);
}

static void a_bank_equals_its_copies_one_by_one_bit_for_bit(void **state)
{
    (void)state;
    dice d = {11};
    random_lti it;
    for (size_t w = 0; w < width_count; w++) {
        draw_lti(&d, &it, 3, 2, 2, 2);
        expect_equal_to_single_banks(&d, &it.lti, widths[w]);
    }
}

static void expect_plain_equations(dice *d, const cfpc_lti *lti)
{
    plain_run plain = {.lti = lti};
    cfpc_bank *bank = bank_of(lti, 1);
    double found[STEPS * MOST], expected[STEPS * MOST];
    for (int n = 0; n < STEPS; n++) {
        cfpc_real x[MOST], y[MOST];
        double plain_x[MOST];
        draw_signal(d, (size_t)lti->inputs, x);
        for (int32_t i = 0; i < lti->inputs; i++)
            plain_x[i] = x[i];
        plain_step(&plain, plain_x, expected + n * lti->outputs);
        cfpc_bank_step(lti, bank, x, y);
        for (int32_t i = 0; i < lti->outputs; i++)
            found[n * lti->outputs + i] = y[i];
    }
    assert_same(STEPS * lti->outputs, found, expected, TOLERANCE);
    free(bank);
}

static void states_and_lines_step_as_the_equations_say(void **state)
{
    (void)state;
    dice d = {12};
    random_lti it;
    for (int draw = 0; draw < 60; draw++) {
        draw_lti(&d, &it, dice_integer(&d, 0, 5), dice_integer(&d, 1, 3), dice_integer(&d, 1, 3),
                 dice_integer(&d, 0, 4));
        expect_plain_equations(&d, &it.lti);
    }
}

static void no_input_is_an_input_of_zeros(void **state)
{
    (void)state;
    dice d = {13};
    random_lti it;
    draw_lti(&d, &it, 3, 2, 2, 2);
    cfpc_bank *bank = bank_of(&it.lti, 5), *twin = bank_of(&it.lti, 5);
    cfpc_real x[10], y[10], twin_y[10];
    const cfpc_real zeros[10] = {0};
    for (int n = 0; n < STEPS; n++) {
        const bool driven = n % 7 == 0;
        draw_signal(&d, 10, x);
        cfpc_bank_step(&it.lti, bank, driven ? x : NULL, y);
        cfpc_bank_step(&it.lti, twin, driven ? x : zeros, twin_y);
        assert_memory_equal(y, twin_y, sizeof y);
    }
    free(bank);
    free(twin);
}

// A system without memory has a short cut: with and without input and output it does the same.
static void a_gain_may_lack_input_and_output(void **state)
{
    (void)state;
    const cfpc_real gain = (cfpc_real)-1.5, zero = 0;
    const cfpc_lti lti = {.inputs = 1, .outputs = 1, .matrix = &gain},
                   nothing = {.inputs = 1, .outputs = 1, .matrix = &zero};
    cfpc_bank *bank = bank_of(&lti, 3);
    const cfpc_real x[3] = {1, -2, 4};
    cfpc_real y[3];
    cfpc_bank_step(&lti, bank, x, y);
    for (int j = 0; j < 3; j++)
        assert_true(y[j] == gain * x[j]);
    cfpc_bank_step(&lti, bank, x, NULL);
    cfpc_bank_step(&lti, bank, NULL, y);
    for (int j = 0; j < 3; j++)
        assert_true(y[j] == 0);
    y[0] = y[1] = y[2] = 7;
    cfpc_bank_step(&nothing, bank, x, y);
    for (int j = 0; j < 3; j++)
        assert_true(y[j] == 0);
    free(bank);
}

static void a_bank_that_was_reset_runs_like_a_new_one(void **state)
{
    (void)state;
    dice d = {14};
    random_lti it;
    draw_lti(&d, &it, 3, 1, 1, 3);
    cfpc_bank *used = bank_of(&it.lti, 70), *fresh = bank_of(&it.lti, 70);
    cfpc_real x[70], y[70], fresh_y[70];
    for (int n = 0; n < 13; n++) { // no multiple of the delays: the lines stand anywhere
        draw_signal(&d, 70, x);
        cfpc_bank_step(&it.lti, used, x, y);
    }
    cfpc_bank_reset(used);
    assert_memory_equal(used, fresh, cfpc_bank_size(&it.lti, 70));
    for (int n = 0; n < STEPS; n++) {
        draw_signal(&d, 70, x);
        cfpc_bank_step(&it.lti, used, x, y);
        cfpc_bank_step(&it.lti, fresh, x, fresh_y);
        assert_memory_equal(y, fresh_y, sizeof y);
    }
    free(used);
    free(fresh);
}

static void a_copy_of_the_bytes_goes_on_alike(void **state)
{
    (void)state;
    dice d = {15};
    random_lti it;
    draw_lti(&d, &it, 2, 1, 1, 2);
    cfpc_bank *bank = bank_of(&it.lti, 3), *copy = bank_of(&it.lti, 3);
    cfpc_real x[3], y[3], copy_y[3];
    for (int n = 0; n < STEPS; n++) {
        draw_signal(&d, 3, x);
        cfpc_bank_step(&it.lti, bank, x, y);
        if (n > 20) {
            cfpc_bank_step(&it.lti, copy, x, copy_y);
            assert_memory_equal(y, copy_y, sizeof y);
        }
        if (n == 20)
            memcpy(copy, bank, cfpc_bank_size(&it.lti, 3));
    }
    free(bank);
    free(copy);
}

static void size_and_init_agree(void **state)
{
    (void)state;
    dice d = {16};
    random_lti it;
    for (int draw = 0; draw < 30; draw++) {
        draw_lti(&d, &it, dice_integer(&d, 0, 5), 1, dice_integer(&d, 1, 3),
                 dice_integer(&d, 0, 4));
        const int32_t width = dice_integer(&d, 1, 100);
        const size_t bytes = cfpc_bank_size(&it.lti, width);
        unsigned char *mem = malloc(bytes);
        assert_non_null(mem);
        memset(mem, 0xA5, bytes);
        cfpc_bank *bank = (cfpc_bank *)mem;
        assert_int_equal(cfpc_bank_init(&bank, mem, bytes - 1, &it.lti, width),
                         CFPC_MEMORY_TOO_SMALL);
        assert_null(bank);
        for (size_t k = 0; k < bytes; k++)
            assert_int_equal(mem[k], 0xA5);
        assert_ok(cfpc_bank_init(&bank, mem, bytes, &it.lti, width));
        assert_ptr_equal(bank, mem);
        free(mem);
    }
}

static void unaligned_or_no_memory_is_refused(void **state)
{
    (void)state;
    const cfpc_lti lti = cfpc_trace_none();
    uint64_t mem[64];
    assert_true(cfpc_bank_size(&lti, 1) <= sizeof mem - 8);
    cfpc_bank *bank = NULL;
    for (int off = 1; off < 8; off++)
        assert_int_equal(cfpc_bank_init(&bank, (char *)mem + off, sizeof mem - 8, &lti, 1),
                         CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_bank_init(&bank, NULL, sizeof mem, &lti, 1), CFPC_MEMORY_UNALIGNED);
    assert_null(bank);
}

// The check and the bank's init name the same fault; the size is 0.
static void expect_refused(const cfpc_lti *lti, cfpc_status status)
{
    uint64_t mem[64];
    cfpc_bank *bank = NULL;
    assert_int_equal(cfpc_lti_check(lti), status);
    assert_int_equal(cfpc_bank_size(lti, 1), 0);
    assert_int_equal(cfpc_bank_init(&bank, mem, sizeof mem, lti, 1), status);
    assert_null(bank);
}

static void bad_sizes_are_refused(void **state)
{
    (void)state;
    dice d = {17};
    random_lti good, bad;
    draw_lti(&d, &good, 2, 1, 1, 2);
    assert_ok(cfpc_lti_check(&good.lti));
    int32_t *fields[] = {&bad.lti.states, &bad.lti.inputs, &bad.lti.outputs, &bad.lti.lines};
    const int32_t counts[] = {-1, INT32_MIN, INT32_MAX, 1 << 20};
    for (size_t f = 0; f < 4; f++)
        for (size_t c = 0; c < 4; c++) {
            bad = good;
            *fields[f] = counts[c];
            expect_refused(&bad.lti, CFPC_BAD_SIZE);
        }
    bad = good;
    bad.lti.inputs = 0;
    expect_refused(&bad.lti, CFPC_BAD_SIZE);
    bad = good;
    bad.lti.outputs = 0;
    expect_refused(&bad.lti, CFPC_BAD_SIZE);
}

static void a_bad_width_is_refused(void **state)
{
    (void)state;
    uint64_t mem[64];
    cfpc_bank *bank = NULL;
    const cfpc_lti lti = cfpc_trace_none();
    for (int32_t width = -1; width < 1; width++) {
        assert_int_equal(cfpc_bank_size(&lti, width), 0);
        assert_int_equal(cfpc_bank_init(&bank, mem, sizeof mem, &lti, width), CFPC_BAD_SIZE);
    }
}

static void more_than_the_machine_can_address_has_size_0(void **state)
{
    (void)state;
    const int32_t delay = INT32_MAX;
    const cfpc_lti lti = cfpc_trace_delay(&delay);
    uint64_t mem[64];
    cfpc_bank *bank = NULL;
    const int32_t counts[] = {INT32_MAX, INT32_MAX - 100}; // not to be counted; not to be addressed
    for (int k = 0; k < 2; k++) {
        assert_int_equal(cfpc_bank_size(&lti, counts[k]), 0);
        assert_int_equal(cfpc_bank_init(&bank, mem, sizeof mem, &lti, counts[k]), CFPC_BAD_SIZE);
    }
}

static void bad_delays_are_refused(void **state)
{
    (void)state;
    const int32_t delays[] = {0, -1, INT32_MIN};
    for (size_t k = 0; k < 3; k++) {
        const cfpc_lti lti = cfpc_trace_delay(&delays[k]);
        expect_refused(&lti, CFPC_BAD_DELAY);
    }
}

static void an_entry_that_is_not_finite_is_refused_wherever_it_stands(void **state)
{
    (void)state;
    dice d = {18};
    random_lti it;
    draw_lti(&d, &it, 2, 1, 1, 2);
    for (int32_t k = 0; k < cfpc_lti_rows(&it.lti) * cfpc_lti_columns(&it.lti); k++) {
        const cfpc_real good = it.matrix[k];
        it.matrix[k] = (cfpc_real)(k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -INFINITY);
        expect_refused(&it.lti, CFPC_BAD_VALUE);
        it.matrix[k] = good;
    }
    assert_ok(cfpc_lti_check(&it.lti));
}

// One copy that is run for several steps at a time, of any number, equals one that is stepped: with
// states that depend on earlier ones only, as in a chain, with others, and with short lines.
static void a_run_equals_its_steps(void **state)
{
    (void)state;
    enum { LONG = 400, ROWS = 3 * MOST };
    dice d = {29};
    for (int draw = 0; draw < 200; draw++) {
        random_lti it;
        cfpc_real x[LONG], y[LONG], scratch[ROWS * CFPC_RUN];
        draw_lti(&d, &it, dice_integer(&d, 0, MOST), 1, 1, dice_integer(&d, 0, MOST));
        const int32_t columns = cfpc_lti_columns(&it.lti);
        for (int32_t i = 0; draw % 2 == 0 && i < it.lti.states; i++) // a chain
            memset(it.matrix + i * columns + i + 1, 0,
                   (size_t)(it.lti.states - 1 - i) * sizeof *it.matrix);
        for (int32_t i = 0; draw % 4 < 2 && i < it.lti.lines; i++)
            it.delay_steps[i] = dice_integer(&d, 20, 50);
        assert_true(cfpci_run_scratch(&it.lti) <= sizeof scratch / sizeof *scratch);
        draw_signal(&d, LONG, x);
        cfpc_bank *run = bank_of(&it.lti, 1), *stepped = bank_of(&it.lti, 1);
        for (int32_t n = 0, steps; n < LONG; n += steps) {
            steps = dice_integer(&d, 1, 70);
            steps = steps < LONG - n ? steps : LONG - n;
            cfpci_bank_run(&it.lti, run, scratch, x + n, y + n, steps);
        }
        for (int32_t n = 0; n < LONG; n++) {
            cfpc_real expected;
            cfpc_bank_step(&it.lti, stepped, x + n, &expected);
            assert_near(y[n], expected, CFPC_REAL_IS_FLOAT ? 2e-6 : 4e-15);
        }
        free(run);
        free(stepped);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulse_through_a_line_comes_out_after_its_delay),
        cmocka_unit_test(a_bank_equals_its_copies_one_by_one_bit_for_bit),
        cmocka_unit_test(states_and_lines_step_as_the_equations_say),
        cmocka_unit_test(a_run_equals_its_steps),
        cmocka_unit_test(no_input_is_an_input_of_zeros),
        cmocka_unit_test(a_gain_may_lack_input_and_output),
        cmocka_unit_test(a_bank_that_was_reset_runs_like_a_new_one),
        cmocka_unit_test(a_copy_of_the_bytes_goes_on_alike),
        cmocka_unit_test(size_and_init_agree),
        cmocka_unit_test(unaligned_or_no_memory_is_refused),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(a_bad_width_is_refused),
        cmocka_unit_test(more_than_the_machine_can_address_has_size_0),
        cmocka_unit_test(bad_delays_are_refused),
        cmocka_unit_test(an_entry_that_is_not_finite_is_refused_wherever_it_stands),
    };
    return cmocka_run_group_tests_name("core.lti", tests, NULL, NULL);
}
