// SPDX-License-Identifier: Apache-2.0
// doubt: what a second certificate contradicts is not decided.
#include "cfpc/certificate.h"
#include "harness.h"
#include "pursuit.h"
#include "small_problem.h"

static cfpc_certificate ends_at(cfpc_verdict verdict, double asymptote)
{
    return (cfpc_certificate){.verdict = verdict,
                              .asymptote = asymptote,
                              .asymptote_low = asymptote,
                              .asymptote_high = asymptote,
                              .verdict_decided = true,
                              .asymptote_decided = true};
}

static void expect(cfpc_certificate it, cfpc_certificate other, bool verdict, bool asymptote)
{
    cfpc_doubt(&it, &other);
    assert_int_equal(it.verdict_decided, verdict);
    assert_int_equal(it.asymptote_decided, asymptote);
}

static void certificates_that_agree_are_decided(void **state)
{
    (void)state;
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, 0.200009), true, true);
    expect(ends_at(CFPC_DIVERGES, NAN), ends_at(CFPC_DIVERGES, NAN), true, true);
    expect(ends_at(CFPC_EVENTUAL, 1e-9), ends_at(CFPC_EVENTUAL, 1e-7), true, true);
}

static void what_they_contradict_is_not(void **state)
{
    (void)state;
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, 0.25), true, false);
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, 0.20002), true, false);
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, INFINITY), true, false);
    expect(ends_at(CFPC_MONOTONE, 0.25), ends_at(CFPC_EVENTUAL, 0.25), false, true);
    expect(ends_at(CFPC_EVENTUAL, 0.25), ends_at(CFPC_DIVERGES, NAN), false, false);
    expect(ends_at(CFPC_DIVERGES, NAN), ends_at(CFPC_EVENTUAL, 0.25), false, false);
}

static void a_doubt_stays(void **state)
{
    (void)state;
    cfpc_certificate it = ends_at(CFPC_MONOTONE, 0.2);
    const cfpc_certificate against = ends_at(CFPC_EVENTUAL, 0.5);
    const cfpc_certificate agrees = ends_at(CFPC_MONOTONE, 0.2);
    cfpc_doubt(&it, &against);
    expect(it, agrees, false, false);
}

static void the_end_lies_between_both(void **state)
{
    (void)state;
    cfpc_certificate it = ends_at(CFPC_MONOTONE, 0.2);
    const cfpc_certificate less = ends_at(CFPC_MONOTONE, 0.1), more = ends_at(CFPC_MONOTONE, 0.3);
    cfpc_doubt(&it, &less);
    cfpc_doubt(&it, &more);
    assert_near(it.asymptote_low, 0.1, 0);
    assert_near(it.asymptote_high, 0.3, 0);
}

// ---- slow learning ---------------------------------------------------------------------------

// One basis, x = 1, that is the error itself: λ is N, w ends at 1, and no error is left. After 2^40
// trials at a rate of 1e-12/λ a share of (1 - 1e-12)^(2^40) is.
static void what_takes_a_million_million_trials_is_not_decided(void **state)
{
    (void)state;
    enum { N = 9 };
    const double x[N] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    cfpc_system path;
    cfpc_problem problem;
    cfpc_learning_map map;
    cfpc_certificate slow, quick;
    const cfpc_lesson lesson = {.steps = N, .bases = 1, .trace = x};
    assert_ok(cfpc_gain(&path, 1));
    assert_ok(cfpc_problem_pose(&problem, &path, N, 1, x, x));
    assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
    assert_ok(cfpc_certify(&slow, &map, 1e-12 / N));
    assert_ok(cfpc_certify(&quick, &map, 1e-9 / N));
    assert_true(quick.asymptote_decided && !slow.asymptote_decided);
    assert_near(quick.asymptote, 0, 1e-15);
    assert_near(slow.asymptote_low, 0, 1e-15);
    assert_near(slow.asymptote_high, exp(-1e-12 * 0x1p40), 1e-3); // 1 - 1e-12 is known to 1e-4
    assert_int_equal(slow.verdict, CFPC_MONOTONE);
    cfpc_learning_map_free(&map);
    cfpc_problem_free(&problem);
    cfpc_system_free(&path);
}

// ---- rounding --------------------------------------------------------------------------------

enum { CROWD = 40, TURNS = 4 };

// Widrow-Hoff learning of the pursuit experiment with this number of Gaussians. The weights are
// those of a turned basis, X Q with Q orthogonal: exactly the same map with other weights, so that
// the verdict is the same. Only rounding is not.
typedef struct turned {
    cfpc_system transfer;
    double *basis; // X Q            (N x count)
    cfpc_problem problem;
} turned;

// A reflection I - 2 v vᵀ/vᵀv; with v = 0, none.
static void turn(int rows, int count, double *x, const double *v)
{
    const double size = norm(count, v);
    for (int n = 0; n < rows && size > 0; n++, x += count) {
        double along = 0;
        for (int j = 0; j < count; j++)
            along += x[j] * v[j];
        for (int j = 0; j < count; j++)
            x[j] -= 2 * along / (size * size) * v[j];
    }
}

static turned turned_make(int count, uint64_t seed)
{
    turned it = {.basis = must_calloc(PURSUIT_STEPS * CROWD, sizeof(double))};
    double r[PURSUIT_STEPS], v[CROWD];
    dice d = {seed};
    pursuit_transfer(&it.transfer);
    for (int n = 0; n < PURSUIT_STEPS; n++)
        r[n] = pursuit_target(n);
    const cfpc_time_basis_def gaussians = {
        .count = count, .first_s = 0.3, .spacing_s = 2.0 / count, .width_s = 1.0 / count};
    assert_ok(cfpc_time_basis(&gaussians, PURSUIT_STEP_S, PURSUIT_STEPS, count, 0, it.basis));
    for (int k = 0; seed > 0 && k < 3; k++) {
        for (int j = 0; j < count; j++)
            v[j] = dice_between(&d, -1, 1);
        turn(PURSUIT_STEPS, count, it.basis, v);
    }
    assert_ok(cfpc_problem_make(&it.problem, &it.transfer, PURSUIT_STEPS, count, it.basis, r));
    return it;
}

static void turned_free(turned *it)
{
    cfpc_problem_free(&it->problem);
    cfpc_system_free(&it->transfer);
    free(it->basis);
}

// At this share of 1/λmax, without or with another trace than the basis.
static cfpc_certificate certify_turned(const turned *it, double fraction, cfpc_lesson lesson)
{
    cfpc_learning_map map;
    cfpc_certificate said;
    lesson.steps = PURSUIT_STEPS;
    lesson.bases = it->problem.bases;
    lesson.trace = lesson.trace ? lesson.trace : it->basis;
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it->problem));
    assert_ok(cfpc_certify(&said, &map, cfpc_problem_rate(&it->problem, fraction)));
    cfpc_learning_map_free(&map);
    return said;
}

// 20 bases: the eigenvalues are from 14 to 89. Rounding moves the smallest by some 1e-3 if the
// basis is turned, which is 1e-5 of the radius. It converges, and diverges at seven times the rate.
static void where_rounding_is_small_the_verdict_is_decided(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TURNS; seed++) {
        turned it = turned_make(20, seed);
        const cfpc_certificate good = certify_turned(&it, 0.5, (cfpc_lesson){0});
        assert_int_equal(good.verdict, CFPC_EVENTUAL);
        assert_near(good.radius, 0.95311, seed == 0 ? 5e-6 : 1e-4);
        assert_true(good.verdict_decided);
        const cfpc_certificate bad = certify_turned(&it, 3.5, (cfpc_lesson){0});
        assert_int_equal(bad.verdict, CFPC_DIVERGES);
        assert_true(bad.verdict_decided && bad.asymptote_decided);
        turned_free(&it);
    }
}

// 40 bases: the eigenvalues are from 1.07 to 9.1, computed with 120 digits from an M that is not
// turned. Rounding moves them by more than that: those of a turned basis have real parts of either
// sign. With the effect of the basis as its trace M is symmetric, and the verdict is decided.
static void where_rounding_decides_the_verdict_is_not(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TURNS; seed++) {
        turned it = turned_make(CROWD, seed);
        const cfpc_certificate doubtful = certify_turned(&it, 0.5, (cfpc_lesson){0});
        assert_false(doubtful.verdict_decided || doubtful.asymptote_decided);
        assert_true(isinf(doubtful.asymptote_high));
        const cfpc_certificate good =
            certify_turned(&it, 0.5, (cfpc_lesson){.trace = it.problem.h});
        assert_int_equal(good.verdict, CFPC_MONOTONE);
        assert_true(good.verdict_decided && good.asymptote_decided);
        turned_free(&it);
    }
}

// ---- another threshold -----------------------------------------------------------------------

// Basis 5 is basis 4 and a little of something else: one singular value of about that size.
static cfpc_learning_map map_with(const small_problem *it, double little, double faint,
                                  cfpc_problem *problem)
{
    cfpc_learning_map map;
    double basis[SMALL_STEPS * SMALL_BASES];
    memcpy(basis, it->basis, sizeof basis);
    for (int n = 0; n < SMALL_STEPS; n++)
        basis[n * SMALL_BASES + 5] =
            basis[n * SMALL_BASES + 4] + little * it->basis[n * SMALL_BASES + 5];
    assert_ok(cfpc_problem_make(problem, &it->transfer, SMALL_STEPS, SMALL_BASES, basis, it->r));
    const cfpc_lesson lesson = {
        .steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = problem->h, .faint = faint};
    assert_ok(cfpc_learning_map_make(&map, &lesson, problem));
    return map;
}

static void where_no_direction_is_between_the_thresholds_the_map_is_the_same(void **state)
{
    (void)state;
    static const double little[] = {1, 1e-3, 1e-7, 1e-11},
                        lines[] = {CFPC_FAINT_LESS, CFPC_FAINT_MORE};
    small_problem it = small_problem_make(4400);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++) {
            cfpc_problem problem, again;
            cfpc_learning_map map = map_with(&it, little[k], 0, &problem), other;
            cfpc_learning_map made = map_with(&it, little[k], lines[i], &again);
            const bool is = cfpc_learning_map_faint(&other, &map, lines[i]);
            assert_true(is == (k != 2) && is == map.clear);
            if (is) {
                assert_int_equal(other.directions, made.directions);
                assert_memory_equal(other.reduced, made.reduced,
                                    (size_t)made.directions * (size_t)made.directions *
                                        sizeof *made.reduced);
                assert_near(other.still, made.still, 1e-14 * made.still);
                assert_near(other.drift, made.drift, 1e-14 * made.drift);
            }
            cfpc_learning_map_free(&map);
            cfpc_learning_map_free(&made);
            cfpc_problem_free(&problem);
            cfpc_problem_free(&again);
        }
    small_problem_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_that_agree_are_decided),
        cmocka_unit_test(what_they_contradict_is_not),
        cmocka_unit_test(a_doubt_stays),
        cmocka_unit_test(the_end_lies_between_both),
        cmocka_unit_test(what_takes_a_million_million_trials_is_not_decided),
        cmocka_unit_test(where_rounding_is_small_the_verdict_is_decided),
        cmocka_unit_test(where_rounding_decides_the_verdict_is_not),
        cmocka_unit_test(where_no_direction_is_between_the_thresholds_the_map_is_the_same),
    };
    return cmocka_run_group_tests_name("design.doubt", tests, NULL, NULL);
}
