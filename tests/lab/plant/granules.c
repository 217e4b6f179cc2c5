// SPDX-License-Identifier: Apache-2.0
// granules: one burst a trial and silence around it, against the alpha function; the table of the
// banks, the tiles of a block and the sums over all cells are of the same signals.
#include "lab/small_lab.h"

#include "plant/banks.h"
#include "plant/granules.h"

enum { STEPS = 2500, CELLS = 2000 };

static const lab_basis_spec cells = {.first_ms = 10, .last_ms = 40, .seed = 1};

static void draw_cells(lab_granules *it, int seed, int steps, int count)
{
    lab_basis_spec of = cells;
    of.seed = seed;
    assert_ok(lab_granules_make(it, &of, 1e-3, steps, count, 0));
}

// ---- the cells -------------------------------------------------------------------------------

// Time constant k in steps of 1 ms: 10 to 40, each by the same factor more than the last.
static double tau_of(int k)
{
    return 10 * exp(k * log(4) / 31);
}

// So many steps after its onset.
static double burst_of(int kind, int age)
{
    const double t = (age + 1) / tau_of(kind);
    return age < 0 || age >= ceil(8 * tau_of(kind)) ? 0 : t * exp(1 - t);
}

static void a_signal_is_one_burst_and_exact_zeros(void **state)
{
    (void)state;
    lab_granules it;
    draw_cells(&it, 1, STEPS, CELLS);
    assert_int_equal(it.longest, 320);
    for (int j = 0; j < CELLS; j++)
        for (int n = 0; n < STEPS; n++) {
            const double expected = burst_of(it.kind[j], n - it.onset[j]);
            const double found = lab_granule(&it, j, n);
            if (expected == 0)
                assert_true(found == 0);
            else
                assert_true(found > 0 && fabs(found - expected) < 1e-13);
        }
    lab_granules_free(&it);
}

static void a_burst_peaks_at_one_after_its_time_constant(void **state)
{
    (void)state;
    lab_granules it;
    draw_cells(&it, 1, STEPS, CELLS);
    for (int j = 0; j < CELLS; j++) {
        const double tau = tau_of(it.kind[j]);
        int peak = 0;
        if (it.onset[j] < 0 || it.onset[j] + 50 > STEPS)
            continue;
        for (int n = 0; n < STEPS; n++)
            peak = lab_granule(&it, j, n) > lab_granule(&it, j, peak) ? n : peak;
        assert_true(fabs(peak + 1 - it.onset[j] - tau) < 1);
        const double highest = lab_granule(&it, j, peak);
        assert_true(highest <= 1 && highest > 1 - 0.5 / (tau * tau));
        if (it.kind[j] == 0)
            assert_true(highest == 1 && peak == it.onset[j] + 9);
    }
    lab_granules_free(&it);
}

static void few_are_active_at_any_time(void **state)
{
    (void)state;
    lab_granules it;
    draw_cells(&it, 1, STEPS, CELLS);
    for (int n = 0; n < STEPS; n++) {
        int active = 0;
        for (int j = 0; j < CELLS; j++)
            active += lab_granule(&it, j, n) > 0;
        assert_in_range(active, CELLS * 4 / 100, CELLS * 9 / 100);
    }
    lab_granules_free(&it);
}

static void onsets_rise_one_a_slot_and_every_burst_is_drawn(void **state)
{
    (void)state;
    const int counts[] = {1, 7, CELLS, 50000};
    for (int i = 0; i < 4; i++) {
        lab_granules it;
        int drawn[LAB_BURSTS] = {0};
        draw_cells(&it, 3, STEPS, counts[i]);
        const double slot = (double)(STEPS + it.longest) / counts[i];
        for (int j = 0; j < counts[i]; j++) {
            assert_true(j == 0 || it.onset[j] >= it.onset[j - 1]);
            const double in_slot = it.onset[j] + it.longest - slot * j;
            assert_true(in_slot > -1 && in_slot < slot);
            assert_true(it.kind[j] < LAB_BURSTS);
            drawn[it.kind[j]]++;
        }
        for (int k = 0; counts[i] >= CELLS && k < LAB_BURSTS; k++)
            assert_in_range(drawn[k], counts[i] / LAB_BURSTS / 2, counts[i] / LAB_BURSTS * 2);
        lab_granules_free(&it);
    }
}

static void the_seed_decides(void **state)
{
    (void)state;
    lab_granules a, b, c;
    draw_cells(&a, 5, STEPS, CELLS);
    draw_cells(&b, 5, STEPS, CELLS);
    draw_cells(&c, 6, STEPS, CELLS);
    assert_memory_equal(a.onset, b.onset, CELLS * sizeof *a.onset);
    assert_memory_equal(a.kind, b.kind, CELLS * sizeof *a.kind);
    assert_memory_not_equal(a.onset, c.onset, CELLS * sizeof *a.onset);
    assert_memory_not_equal(a.kind, c.kind, CELLS * sizeof *a.kind);
    lab_granules_free(&a);
    lab_granules_free(&b);
    lab_granules_free(&c);
}

// ---- the banks -------------------------------------------------------------------------------

#define TWO_BANKS                                                                                  \
    "basis=[{kind: gaussian, count: 3, width_ms: 100, spacing_ms: 200}, {kind: granule, count: "   \
    "40, last_ms: 60, seed: 9}]"

// Beside another bank, with the first time constant that is 10 ms by default.
static void the_table_of_the_banks_holds_the_signals(void **state)
{
    (void)state;
    enum { N = 100, G = 40 };
    lab_spec spec;
    lab_world world;
    lab_basis basis;
    lab_why why;
    lab_granules it;
    must_parse(&spec, SMALL_SPEC, SET(TWO_BANKS));
    must(lab_world_make(&world, &spec, N, &why), &why);
    must(lab_basis_make(&basis, &spec, &world, N, &why), &why);
    const lab_basis_spec of = {.first_ms = 10, .last_ms = 60, .seed = 9};
    assert_ok(lab_granules_make(&it, &of, 0.01, N, G, 0));
    int active = 0;
    assert_int_equal(basis.bases, G + 3);
    for (int n = 0; n < N; n++)
        for (int j = 0; j < G; j++) {
            const double x = lab_granule(&it, j, n);
            assert_true(basis.table[n * (G + 3) + 3 + j] == x);
            active += x > 0;
        }
    assert_in_range(active, N * G / 20, N * G / 2);
    lab_granules_free(&it);
    lab_basis_free(&basis);
    lab_world_free(&world);
    lab_spec_free(&spec);
}

// ---- the tiles -------------------------------------------------------------------------------

enum { SHORT = 700, STRIDE = 64, LONGEST_BLOCK = 64 };

// Every tile of the block; whether it has to be made is counted.
static void expect_block(lab_granules *it, int begin, int step, int steps, int *made, int *silent)
{
    const cfpc_source source = lab_granules_block(it, begin);
    assert_int_equal(source.kind, CFPC_MADE);
    for (int first = 0; first < it->count; first += STRIDE) {
        cfpc_real x[LONGEST_BLOCK * STRIDE];
        const int count = it->count - first < STRIDE ? it->count - first : STRIDE;
        for (int k = 0; k < LONGEST_BLOCK * STRIDE; k++)
            x[k] = 7;
        const bool any = source.make(source.context, step, steps, first, count, STRIDE, x);
        *made += any;
        *silent += !any;
        for (int n = 0; n < steps; n++)
            for (int j = 0; j < count; j++) {
                const cfpc_real found = any ? x[n * STRIDE + j] : 0;
                const int at = begin + step + n; // before the trial there is nothing
                assert_true(found == (at < 0 ? 0 : (cfpc_real)lab_granule(it, first + j, at)));
            }
    }
}

static void tiles_of_a_block_hold_the_signals(void **state)
{
    (void)state;
    const int counts[] = {1, 63, 64, 65, 1000}, lengths[] = {1, 7, 51, LONGEST_BLOCK};
    for (int i = 0; i < 5; i++) {
        lab_granules it;
        int made = 0, silent = 0;
        draw_cells(&it, 11, SHORT, counts[i]);
        for (int k = 0; k < 4; k++)
            for (int n = 0; n < SHORT; n += lengths[k]) {
                const int steps = SHORT - n < lengths[k] ? SHORT - n : lengths[k];
                expect_block(&it, n, 0, steps, &made, &silent);
                if (steps > 3) // a part of it
                    expect_block(&it, n, 2, steps - 3, &made, &silent);
                expect_block(&it, n, -40, steps, &made, &silent); // and what was before
            }
        assert_true(made > 0 && (counts[i] < 1000 || silent > made));
        lab_granules_free(&it);
    }
}

// ---- the sums --------------------------------------------------------------------------------

// X Xᵀ a, from the signals one by one.
static void plain_gram(const lab_granules *it, const double *a, double *out)
{
    memset(out, 0, (size_t)it->steps * sizeof *out);
    for (int j = 0; j < it->count; j++) {
        double sum = 0;
        for (int n = 0; n < it->steps; n++)
            sum += lab_granule(it, j, n) * a[n];
        for (int n = 0; n < it->steps; n++)
            out[n] += lab_granule(it, j, n) * sum;
    }
}

// ‖a - b‖ / ‖b‖
static double apart(const double *a, const double *b, int count)
{
    double difference = 0, all = 0;
    for (int n = 0; n < count; n++) {
        difference += (a[n] - b[n]) * (a[n] - b[n]);
        all += b[n] * b[n];
    }
    return sqrt(difference / all);
}

static void sums_over_all_cells_are_those_of_the_table(void **state)
{
    (void)state;
    const int counts[] = {2, 7, 300};
    dice d = {13};
    for (int i = 0; i < 3; i++) {
        lab_granules it;
        double a[SHORT], found[SHORT], expected[SHORT];
        draw_cells(&it, 2, SHORT, counts[i]);
        for (int n = 0; n < SHORT; n++)
            a[n] = dice_between(&d, -1, 1);
        plain_gram(&it, a, expected);
        lab_granules_gram(&it, 1, a, found);
        assert_true(apart(found, expected, SHORT) < 1e-12);
        lab_granules_free(&it);
    }
}

// In their part of aᵀ X Xᵀ a, which is what λmax is made of.
static void some_cells_stand_for_all(void **state)
{
    (void)state;
    lab_granules it;
    double a[STEPS], out[STEPS], sum[4] = {0};
    draw_cells(&it, 1, STEPS, CELLS);
    for (int n = 0; n < STEPS; n++)
        a[n] = 1 + sin(n / 200.);
    for (int stride = 1; stride <= 3; stride++) {
        lab_granules_gram(&it, stride, a, out);
        for (int n = 0; n < STEPS; n++)
            sum[stride] += a[n] * out[n];
        assert_near(sum[stride], sum[1], 0.06 * sum[1]);
        assert_true(stride == 1 || sum[stride] != sum[1]);
    }
    lab_granules_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_is_one_burst_and_exact_zeros),
        cmocka_unit_test(a_burst_peaks_at_one_after_its_time_constant),
        cmocka_unit_test(few_are_active_at_any_time),
        cmocka_unit_test(onsets_rise_one_a_slot_and_every_burst_is_drawn),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(the_table_of_the_banks_holds_the_signals),
        cmocka_unit_test(tiles_of_a_block_hold_the_signals),
        cmocka_unit_test(sums_over_all_cells_are_those_of_the_table),
        cmocka_unit_test(some_cells_stand_for_all),
    };
    return cmocka_run_group_tests_name("lab.granules", tests, NULL, NULL);
}
