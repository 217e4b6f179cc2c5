// SPDX-License-Identifier: Apache-2.0
// regularised_fir: what an independent program (tests/golden/identify.py) makes of a log, from the
// definition; and the likeliest prior.
#include "design/identify/regularised_fir.h"

#include "golden.h"
#include "signals.h"

enum { STEPS = 300, FIRST = 60, DEAD = 3, TAPS = 40 };

typedef struct given {
    double input[STEPS], output[STEPS];
    cfpci_products products;
} given;

// As the script draws.
static void draw_plain(uint32_t seed, double *x)
{
    for (int n = 0; n < STEPS; n++) {
        seed = (1103515245u * seed + 12345u) % 2147483648u;
        x[n] = seed / 1073741824.0 - 1;
    }
}

static int set_up(void **state)
{
    given *it = must_calloc(1, sizeof *it);
    double noise[STEPS];
    draw_plain(1, it->input);
    draw_plain(2, noise);
    for (int n = 0; n < STEPS; n++) {
        it->output[n] = 0.3 * noise[n] + 2 + 0.01 * n;
        for (int k = 0; k < 30 && DEAD + k <= n; k++)
            it->output[n] += pow(0.85, k) * sin(0.3 * k + 0.2) * it->input[n - DEAD - k];
    }
    assert_ok(cfpci_products_make(&it->products, FIRST, STEPS, DEAD + TAPS, it->input, it->output));
    *state = it;
    return 0;
}

static int tear_down(void **state)
{
    given *it = *state;
    cfpci_products_free(&it->products);
    free(it);
    return 0;
}

// The script's numbers have 16 digits and its matrices a condition of 1e4; the library's sums lose
// as much.
static void expect_golden(const given *it, int order, double slow)
{
    const cfpci_prior prior = {
        .dead_time = DEAD, .taps = TAPS, .order = order, .decay = 0.9, .ratio = 0.05, .slow = slow};
    double expected[TAPS], found[TAPS], misfit;
    char name[64];
    cfpci_posterior posterior;
    assert_ok(cfpci_posterior_make(&posterior, &it->products, &prior, true));
    snprintf(name, sizeof name, "%d.%g.mean", order, slow);
    assert_int_equal(golden_in("identify.csv", name, TAPS, expected), TAPS);
    assert_same(TAPS, posterior.mean, expected, 1e-10);
    snprintf(name, sizeof name, "%d.%g.deviation", order, slow);
    golden_in("identify.csv", name, TAPS, expected);
    for (int j = 0; j < TAPS; j++) {
        double sum = 0;
        for (int i = 0; i < TAPS; i++)
            sum += posterior.spread[i * TAPS + j] * posterior.spread[i * TAPS + j];
        found[j] = sqrt(sum);
    }
    assert_same(TAPS, found, expected, 1e-10);
    snprintf(name, sizeof name, "%d.%g.noise", order, slow);
    golden_in("identify.csv", name, 1, expected);
    assert_near(posterior.noise, expected[0], 1e-10);
    snprintf(name, sizeof name, "%d.%g.misfit", order, slow);
    golden_in("identify.csv", name, 1, expected);
    assert_ok(cfpci_prior_misfit(&it->products, &prior, 1, &misfit));
    assert_near(misfit, expected[0], 1e-8);
    cfpci_posterior_free(&posterior);
}

static void the_posterior_and_the_likelihood_are_golden(void **state)
{
    for (int order = 1; order <= 2; order++) {
        expect_golden(*state, order, 0);
        expect_golden(*state, order, 0.001);
    }
}

// No decay or ratio near the one found is likelier.
static void the_prior_found_is_the_likeliest(void **state)
{
    const given *it = *state;
    cfpci_prior found = {.dead_time = DEAD, .taps = TAPS};
    double least, misfit;
    assert_ok(cfpci_prior_search(&it->products, &found));
    assert_ok(cfpci_prior_misfit(&it->products, &found, 1, &least));
    for (int k = 0; k < 4; k++) {
        cfpci_prior other = found;
        other.ratio *= k == 0 ? 1.3 : k == 1 ? 1 / 1.3 : 1;
        other.decay = k == 2   ? pow(found.decay, 1.2)
                      : k == 3 ? pow(found.decay, 1 / 1.2)
                               : found.decay;
        assert_ok(cfpci_prior_misfit(&it->products, &other, 1, &misfit));
        assert_true(misfit > least);
    }
    found.order = 3 - found.order;
    assert_ok(cfpci_prior_misfit(&it->products, &found, 1, &misfit));
    assert_true(misfit > least);
}

// The response starts at once with its largest values but one: no other dead time is as likely.
static void the_dead_time_is_found(void **state)
{
    const given *it = *state;
    cfpci_prior found = {.dead_time = 0, .taps = DEAD + TAPS};
    assert_ok(cfpci_prior_search(&it->products, &found));
    assert_ok(cfpci_prior_dead_time(&it->products, &found, 20));
    assert_int_equal(found.dead_time, DEAD);
    assert_int_equal(found.taps, TAPS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_posterior_and_the_likelihood_are_golden),
        TEST(the_prior_found_is_the_likeliest),
        TEST(the_dead_time_is_found),
    };
    return cmocka_run_group_tests_name("design.regularised_fir", tests, NULL, NULL);
}
