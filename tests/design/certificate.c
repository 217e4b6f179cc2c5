// SPDX-License-Identifier: Apache-2.0
// certificate: what it says of learning is what learning does.
#include "plain_learning.h"
#include "pursuit.h"
#include "small_problem.h"

enum { DRAWS = 20, ENTRIES = SMALL_STEPS * SMALL_BASES, ORDER_MAX = 24 };

// ---- maps to certify -------------------------------------------------------------------------

typedef struct simulation {
    small_problem small;
    double trace[ENTRIES];               // Z
    double p[SMALL_BASES * SMALL_BASES]; // P
    cfpc_lesson lesson;
    cfpc_learning_map map;
} simulation;

// Traces like the effect, but not the same; every kind of extra in turn.
static void simulation_make(simulation *it, dice *d, int kind)
{
    it->small = small_problem_make((uint64_t)dice_integer(d, 1, 1 << 20));
    double gain[SMALL_BASES];
    for (int j = 0; j < SMALL_BASES; j++)
        gain[j] = dice_between(d, 0.3, 1);
    for (int k = 0; k < ENTRIES; k++)
        it->trace[k] = it->small.problem.h[k] * gain[k % SMALL_BASES] +
                       dice_between(d, -0.2, 0.2) * it->small.problem.h[(k * 7) % ENTRIES];
    for (int k = 0; k < SMALL_BASES * SMALL_BASES; k++)
        it->p[k] = (k % (SMALL_BASES + 1) == 0) + dice_between(d, -0.1, 0.1);
    it->lesson = (cfpc_lesson){.steps = SMALL_STEPS,
                               .bases = SMALL_BASES,
                               .late_steps = kind % 3 == 2 ? 1 : 0,
                               .trace = it->trace,
                               .preconditioner = kind % 2 ? it->p : NULL,
                               .output_penalty = kind % 3 == 1 ? 0.02 : 0,
                               .leak = kind % 4 >= 2 ? dice_between(d, 0.001, 0.1) : 0,
                               .momentum = kind % 8 >= 4 ? dice_between(d, 0.1, 0.9) : 0};
    assert_ok(cfpc_learning_map_make(&it->map, &it->lesson, &it->small.problem));
    assert_int_equal(it->map.directions, SMALL_BASES);
}

static void simulation_free(simulation *it)
{
    cfpc_learning_map_free(&it->map);
    small_problem_free(&it->small);
}

static cfpc_certificate certify(const cfpc_learning_map *map, double rate)
{
    cfpc_certificate it;
    cfpc_verdict verdict;
    assert_ok(cfpc_certify(&it, map, rate));
    assert_ok(cfpc_learning_verdict(&verdict, map, rate));
    assert_int_equal(verdict, it.verdict);
    return it;
}

// ---- the map, by hand ------------------------------------------------------------------------

typedef struct plain_phi {
    int n;
    double a[ORDER_MAX * ORDER_MAX];
} plain_phi;

// Column by column: what a trial does to a unit of g, or of v.
static plain_phi phi_of(const cfpc_learning_map *map, double rate)
{
    const int q = map->directions, n = map->momentum > 0 ? 2 * q : q;
    plain_phi phi = {.n = n};
    assert_true(n <= ORDER_MAX);
    for (int column = 0; column < n; column++)
        for (int i = 0; i < q; i++) {
            const double g = i == column, v = column - q == i;
            const double pushed = column < q ? map->reduced[i * q + column] : 0;
            const double next = map->momentum * v - rate * pushed;
            phi.a[i * n + column] = (1 - map->leak) * g + next;
            if (n > q)
                phi.a[(q + i) * n + column] = next;
        }
    return phi;
}

static plain_phi product(const plain_phi *a, const plain_phi *b)
{
    plain_phi c = {.n = a->n};
    for (int i = 0; i < a->n; i++)
        for (int k = 0; k < a->n; k++)
            for (int j = 0; j < a->n; j++)
                c.a[i * a->n + j] += a->a[i * a->n + k] * b->a[k * a->n + j];
    return c;
}

static double size_of(const plain_phi *a)
{
    return norm(a->n * a->n, a->a);
}

// The start x (n, of length 1) that a trial makes largest, by power iteration; returns its growth.
static double worst_start(const plain_phi *phi, double *x)
{
    const int n = phi->n;
    double y[ORDER_MAX], grown = 0, before_that = -1;
    for (int j = 0; j < n; j++)
        x[j] = 1 + 0.37 * (j % 3) - 0.11 * j;
    for (int k = 0; k < 5000 && fabs(grown - before_that) > 1e-13 * grown; k++) {
        before_that = grown;
        for (int i = 0; i < n; i++)
            y[i] = dot(n, phi->a + i * n, x);
        times_transposed(n, n, phi->a, y, x);
        const double size = norm(n, x);
        for (int j = 0; size > 0 && j < n; j++)
            x[j] /= size;
        grown = sqrt(size);
    }
    return grown;
}

// log ‖Φᵏ‖ at k = 2^doublings, scaled on the way so that it neither under- nor overflows.
static double log_of_power(plain_phi phi, int doublings)
{
    double log_size = 0;
    for (int k = 0; k <= doublings; k++) {
        const double size = size_of(&phi);
        for (int j = 0; j < phi.n * phi.n; j++)
            phi.a[j] /= size;
        log_size = 2 * log_size + log(size);
        if (k < doublings)
            phi = product(&phi, &phi);
    }
    return log_size;
}

// ---- the bounds ------------------------------------------------------------------------------

static void below_rate_max_powers_vanish_and_above_they_grow(void **state)
{
    (void)state;
    dice d = {801};
    int found = 0;
    for (int k = 0; k < 4 * DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, k);
        const double most = certify(&it.map, 1).rate_max;
        if (most > 0) {
            assert_true(log_of_power(phi_of(&it.map, 0.999 * most), 30) < -10);
            assert_true(log_of_power(phi_of(&it.map, 1.001 * most), 30) > 10);
            const cfpc_certificate under = certify(&it.map, 0.999 * most);
            const cfpc_certificate over = certify(&it.map, 1.001 * most);
            assert_int_not_equal(under.verdict, CFPC_DIVERGES);
            assert_int_equal(over.verdict, CFPC_DIVERGES);
            assert_true(under.radius < 1 && over.radius > 1);
            assert_true(isinf(over.growth) && over.growth_trial == -1 && isnan(over.asymptote));
            found++;
        } else
            assert_true(log_of_power(phi_of(&it.map, 1e-3 / norm(36, it.map.m)), 30) > 10);
        simulation_free(&it);
    }
    assert_true(found > 3 * DRAWS);
}

static void the_radius_is_the_rate_at_which_powers_change(void **state)
{
    (void)state;
    dice d = {802};
    for (int k = 0; k < 2 * DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, k);
        const double rate = dice_between(&d, 0.1, 3) / norm(36, it.map.m);
        const double radius = exp(log_of_power(phi_of(&it.map, rate), 40) / pow(2, 40));
        assert_near(certify(&it.map, rate).radius, radius, 1e-7);
        simulation_free(&it);
    }
}

static void below_rate_max_monotone_every_trial_shrinks_and_above_one_grows(void **state)
{
    (void)state;
    dice d = {803};
    int found = 0;
    for (int k = 0; k < 4 * DRAWS; k++) {
        simulation it;
        double x[ORDER_MAX];
        simulation_make(&it, &d, k);
        const double most = certify(&it.map, 1).rate_max_monotone;
        const double some = 0.1 / norm(36, it.map.m);
        if (most > 0) {
            const plain_phi under = phi_of(&it.map, 0.999 * most);
            const plain_phi over = phi_of(&it.map, 1.001 * most);
            worst_start(&under, x);
            for (int trial = 0; trial < 50; trial++) {
                double next[ORDER_MAX];
                for (int i = 0; i < under.n; i++)
                    next[i] = dot(under.n, under.a + i * under.n, x);
                assert_true(norm(under.n, next) < norm(under.n, x));
                memcpy(x, next, sizeof x);
            }
            assert_true(worst_start(&over, x) > 1);
            const cfpc_certificate said = certify(&it.map, 0.999 * most);
            assert_int_equal(said.verdict, CFPC_MONOTONE);
            assert_near(said.growth, 1, 0);
            assert_int_equal(said.growth_trial, 0);
            assert_int_not_equal(certify(&it.map, 1.001 * most).verdict, CFPC_MONOTONE);
            found++;
        } else {
            const plain_phi phi = phi_of(&it.map, some);
            assert_true(worst_start(&phi, x) >= 1);
        }
        simulation_free(&it);
    }
    assert_true(found > DRAWS);
}

static void the_norm_is_the_growth_of_the_worst_start(void **state)
{
    (void)state;
    dice d = {804};
    for (int k = 0; k < 2 * DRAWS; k++) {
        simulation it;
        double x[ORDER_MAX];
        simulation_make(&it, &d, k);
        const double rate = dice_between(&d, 0.1, 3) / norm(36, it.map.m);
        const plain_phi phi = phi_of(&it.map, rate);
        const double worst = worst_start(&phi, x);
        assert_near(certify(&it.map, rate).norm, worst, 1e-6 * worst);
        simulation_free(&it);
    }
}

// Z = H: M is symmetric, and both bounds are 2/λmax; with momentum 2 (1 + μ)/λmax, the heavy
// ball's; with a leak (2 - leak)/λmax.
static void gradient_descent_has_the_textbooks_bounds(void **state)
{
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(8000u + (uint64_t)k);
        const double lambda = it.problem.lambda_max;
        cfpc_lesson lesson = {.steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = it.problem.h};
        cfpc_learning_map map;
        assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
        const cfpc_certificate plain = certify(&map, 0.5 / lambda);
        assert_int_equal(plain.verdict, CFPC_MONOTONE);
        assert_near(plain.rate_max * lambda, 2, 1e-10);
        assert_near(plain.rate_max_monotone * lambda, 2, 1e-10);
        assert_near(plain.asymptote, it.problem.rrmse_optimum, 1e-10);
        cfpc_learning_map_free(&map);

        lesson.momentum = 0.6;
        assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
        assert_near(certify(&map, 0.5 / lambda).rate_max * lambda, 3.2, 1e-10);
        cfpc_learning_map_free(&map);

        lesson.momentum = 0;
        lesson.leak = 0.1;
        assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
        const cfpc_certificate leaky = certify(&map, 0.5 / lambda);
        assert_near(leaky.rate_max * lambda, 1.9, 1e-10);
        assert_near(leaky.rate_max_monotone * lambda, 1.9, 1e-10);
        cfpc_learning_map_free(&map);
        small_problem_free(&it);
    }
}

// ---- maps made by hand -----------------------------------------------------------------------

enum { HAND_MAX = 4 };

// Any M and b: over twice as many steps as weights, H = [I; 0], Z = [Mᵀ; I] and e0 = [0; b].
static void hand_made(cfpc_learning_map *map, int size, const double *m, const double *b,
                      double momentum)
{
    double unit[2 * HAND_MAX * HAND_MAX] = {0}, z[2 * HAND_MAX * HAND_MAX] = {0};
    double e0[2 * HAND_MAX] = {0};
    cfpc_system path;
    cfpc_problem problem;
    for (int i = 0; i < size; i++) {
        unit[i * size + i] = z[(size + i) * size + i] = 1;
        e0[size + i] = b[i];
        for (int j = 0; j < size; j++)
            z[i * size + j] = m[j * size + i];
    }
    assert_ok(cfpc_gain(&path, 1));
    assert_ok(cfpc_problem_pose(&problem, &path, 2 * size, size, unit, e0));
    const cfpc_lesson lesson = {.steps = 2 * size, .bases = size, .trace = z, .momentum = momentum};
    assert_ok(cfpc_learning_map_make(map, &lesson, &problem));
    assert_int_equal(map->directions, size);
    cfpc_problem_free(&problem);
    cfpc_system_free(&path);
}

// M = I and momentum μ: ‖Φ‖ < 1 for rates (1 ± √(1 - 2μ²))/2, by Φ's four numbers.
static void momentum_is_monotone_between_two_rates(void **state)
{
    (void)state;
    const double unit[] = {1, 0, 0, 1}, b[] = {1, 2};
    const double momenta[] = {0.1, 0.4, 0.6, 0.7, 0.707};
    cfpc_learning_map map;
    for (int k = 0; k < 5; k++) {
        const double root = sqrt(1 - 2 * momenta[k] * momenta[k]);
        const double low = (1 - root) / 2, high = (1 + root) / 2;
        hand_made(&map, 2, unit, b, momenta[k]);
        const cfpc_certificate said = certify(&map, low + 1e-6);
        assert_int_equal(said.verdict, CFPC_MONOTONE);
        assert_near(said.rate_max_monotone, high, 1e-10);
        assert_int_equal(certify(&map, low - 1e-6).verdict, CFPC_EVENTUAL);
        assert_int_equal(certify(&map, high + 1e-6).verdict, CFPC_EVENTUAL);
        assert_near(said.rate_max, 2 * (1 + momenta[k]), 1e-10);
        cfpc_learning_map_free(&map);
    }
    hand_made(&map, 2, unit, b, 0.71);
    assert_near(certify(&map, 0.5).rate_max_monotone, 0, 0);
    cfpc_learning_map_free(&map);
}

// Both eigenvalues are 1, but the first weight does not answer to itself: M + Mᵀ is singular.
static void a_weight_that_others_mend_is_not_monotone(void **state)
{
    (void)state;
    const double m[] = {0, 1, -1, 2}, b[] = {1, 2};
    cfpc_learning_map map;
    hand_made(&map, 2, m, b, 0);
    const cfpc_certificate said = certify(&map, 0.1);
    assert_int_equal(said.verdict, CFPC_EVENTUAL);
    assert_near(said.rate_max, 2, 1e-6);
    assert_near(said.rate_max_monotone, 0, 0);
    assert_true(said.norm > 1);
    cfpc_learning_map_free(&map);
}

// Rotated, an eigenvalue of 0 becomes one of ± 1e-17: it is still and binds nothing, as long as b
// does not push along it.
static void an_eigenvalue_of_rounding_is_still(void **state)
{
    (void)state;
    for (int k = 1; k < 50; k++) {
        const double c = cos(k), s = sin(k), m[] = {c * c, c * s, c * s, s * s};
        const double held[] = {3 * c, 3 * s}, pushed[] = {3 * c - 1e-3 * s, 3 * s + 1e-3 * c};
        cfpc_learning_map map;
        hand_made(&map, 2, m, held, 0);
        const cfpc_certificate said = certify(&map, 0.5);
        assert_int_equal(said.verdict, CFPC_MONOTONE);
        assert_near(said.rate_max, 2, 1e-12);
        assert_near(said.rate_max_monotone, 2, 1e-12);
        assert_near(said.radius, 1, 1e-12);
        assert_near(said.asymptote, sqrt(2), 1e-12); // e ends as [-3c, -3s; 3c, 3s]
        cfpc_learning_map_free(&map);
        hand_made(&map, 2, m, pushed, 0);
        assert_int_equal(certify(&map, 0.5).verdict, CFPC_DIVERGES);
        cfpc_learning_map_free(&map);
    }
}

// Powers that alternate, beside a slower block that grows later: 2.7, 2.4, ... and then 7.6.
static void growth_does_not_stop_at_the_first_dip(void **state)
{
    (void)state;
    const double phi[] = {0, 2.7, 0, 0, -0.3, 0, 0, 0, 0, 0, 0.95, 1, 0, 0, 0, 0.95};
    const double b[] = {1, 1, 1, 1};
    double m[16];
    cfpc_learning_map map;
    for (int k = 0; k < 16; k++)
        m[k] = (k % 5 == 0) - phi[k];
    hand_made(&map, 4, m, b, 0);
    const cfpc_certificate said = certify(&map, 1);
    assert_int_equal(said.verdict, CFPC_EVENTUAL);
    assert_in_range(said.growth_trial, 18, 21); // n 0.95ⁿ⁻¹ is largest at 19.5
    assert_near(said.growth, 7.6, 0.15);
    cfpc_learning_map_free(&map);
}

// ---- growth and end --------------------------------------------------------------------------

static void growth_is_the_largest_of_all_powers(void **state)
{
    (void)state;
    dice d = {811};
    int found = 0;
    for (int k = 0; k < 2 * DRAWS; k++) {
        simulation it;
        double x[ORDER_MAX];
        simulation_make(&it, &d, k);
        const double rate = 0.9 * certify(&it.map, 1).rate_max;
        if (rate > 0 && isfinite(rate)) {
            const cfpc_certificate said = certify(&it.map, rate);
            const plain_phi phi = phi_of(&it.map, rate);
            plain_phi power = phi;
            double most = 1;
            int at = 0;
            for (int trial = 1; trial <= 400; trial++) {
                if (size_of(&power) > most) {
                    const double grown = worst_start(&power, x);
                    at = grown > most ? trial : at;
                    most = fmax(grown, most);
                }
                power = product(&power, &phi);
            }
            assert_near(said.growth, most, 1e-6 * most);
            assert_int_equal(said.growth_trial, at);
            found += at > 0;
        }
        simulation_free(&it);
    }
    assert_true(found > DRAWS / 2);
}

static void the_asymptote_is_where_the_prediction_ends(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    static double rrmse[MANY];
    dice d = {812};
    for (int k = 0; k < 2 * DRAWS; k++) {
        simulation it;
        simulation_make(&it, &d, k);
        const cfpc_certificate first = certify(&it.map, 1);
        const double rate = 0.5 * first.rate_max;
        if (rate > 0) {
            const cfpc_certificate said = certify(&it.map, rate);
            assert_ok(cfpc_predict(&it.map, rate, MANY, rrmse, NULL));
            if (said.radius < 0.999)
                assert_near(said.asymptote, rrmse[MANY - 1], 1e-9 * said.asymptote);
        }
        simulation_free(&it);
    }
}

// ---- directions that do not matter -----------------------------------------------------------

// More bases than the small problem's own: basis `of[j]` again, or (-1) none at all, or (-2) one at
// the last step only, which shows after the trial's end.
static void pose(cfpc_problem *problem, const small_problem *it, const cfpc_system *path, int all,
                 const int *of)
{
    double *basis = must_calloc(SMALL_STEPS * (size_t)all, sizeof *basis);
    for (int n = 0; n < SMALL_STEPS; n++)
        for (int j = 0; j < all; j++)
            basis[n * all + j] = of[j] >= 0    ? it->basis[n * SMALL_BASES + of[j]]
                                 : of[j] == -2 ? n == SMALL_STEPS - 1
                                               : 0;
    assert_ok(cfpc_problem_pose(problem, path, SMALL_STEPS, all, basis, it->problem.e0));
    free(basis);
}

// A path with a dead time, so that the last step shows nothing.
static void late_path(cfpc_system *path, const small_problem *it)
{
    cfpc_system parts[2] = {{0}, it->transfer};
    assert_ok(cfpc_delay(&parts[0], it->transfer.step_s, 2));
    assert_ok(cfpc_series(path, 2, parts));
    cfpc_system_free(&parts[0]);
}

static void bases_that_add_nothing_leave_the_verdict(void **state)
{
    (void)state;
    const int with[][SMALL_BASES + 1] = {{0, 1, 2, 3, 4, 5, -1}, {0, 1, 2, 3, 4, 5, -2}};
    const int own[] = {0, 1, 2, 3, 4, 5};
    for (int k = 0; k < DRAWS; k++)
        for (int i = 0; i < 2; i++)
            for (int rule = 0; rule < 2; rule++) { // trace: the effect, the basis
                small_problem it = small_problem_make(8100u + (uint64_t)k);
                cfpc_system path;
                cfpc_problem plain, more;
                cfpc_learning_map a, b;
                late_path(&path, &it);
                pose(&plain, &it, &path, SMALL_BASES, own);
                pose(&more, &it, &path, SMALL_BASES + 1, with[i]);
                const cfpc_lesson one = {.steps = SMALL_STEPS,
                                         .bases = SMALL_BASES,
                                         .trace = rule ? plain.basis : plain.h};
                const cfpc_lesson two = {.steps = SMALL_STEPS,
                                         .bases = SMALL_BASES + 1,
                                         .trace = rule ? more.basis : more.h};
                assert_ok(cfpc_learning_map_make(&a, &one, &plain));
                assert_ok(cfpc_learning_map_make(&b, &two, &more));
                assert_int_equal(b.directions, SMALL_BASES);
                const double rate = cfpc_problem_rate(&plain, 0.5);
                const cfpc_certificate x = certify(&a, rate), y = certify(&b, rate);
                assert_int_equal(x.verdict, y.verdict);
                assert_near(x.radius, y.radius, 1e-9 * x.radius);
                assert_near(x.norm, y.norm, 1e-9 * x.norm);
                assert_near(x.rate_max, y.rate_max, 1e-7 * x.rate_max);
                assert_near(x.rate_max_monotone, y.rate_max_monotone, 1e-9 * x.rate_max_monotone);
                assert_int_equal(x.growth_trial, y.growth_trial);
                if (x.verdict != CFPC_DIVERGES) {
                    assert_near(x.growth, y.growth, 1e-8 * x.growth);
                    assert_near(x.asymptote, y.asymptote, 1e-8 * x.asymptote);
                }
                cfpc_learning_map_free(&a);
                cfpc_learning_map_free(&b);
                cfpc_problem_free(&plain);
                cfpc_problem_free(&more);
                cfpc_system_free(&path);
                small_problem_free(&it);
            }
}

// Every basis twice: M is twice as large where it is seen, all rates are half.
static void bases_that_come_twice_halve_the_rates(void **state)
{
    (void)state;
    const int twice[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5};
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(8200u + (uint64_t)k);
        cfpc_problem more;
        cfpc_learning_map a, b;
        pose(&more, &it, &it.transfer, 12, twice);
        const cfpc_lesson one = {.steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = it.basis};
        const cfpc_lesson two = {.steps = SMALL_STEPS, .bases = 12, .trace = more.basis};
        assert_ok(cfpc_learning_map_make(&a, &one, &it.problem));
        assert_ok(cfpc_learning_map_make(&b, &two, &more));
        assert_int_equal(b.directions, SMALL_BASES);
        const double rate = cfpc_problem_rate(&it.problem, 0.5);
        const cfpc_certificate x = certify(&a, rate), y = certify(&b, rate / 2);
        assert_int_equal(x.verdict, y.verdict);
        assert_near(x.rate_max, 2 * y.rate_max, 1e-7 * x.rate_max);
        assert_near(x.rate_max_monotone, 2 * y.rate_max_monotone, 1e-9 * x.rate_max_monotone);
        assert_near(x.norm, y.norm, 1e-9 * x.norm);
        cfpc_learning_map_free(&a);
        cfpc_learning_map_free(&b);
        cfpc_problem_free(&more);
        small_problem_free(&it);
    }
}

// Teaching that comes later than the last basis ends never moves its weight.
static void a_weight_that_is_never_moved_binds_no_rate(void **state)
{
    (void)state;
    small_problem it = small_problem_make(8300);
    double z[ENTRIES];
    cfpc_learning_map map;
    memcpy(z, it.problem.h, sizeof z);
    for (int n = 0; n < SMALL_STEPS; n++)
        z[n * SMALL_BASES + 5] = 0;
    cfpc_lesson lesson = {.steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = z};
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
    assert_int_equal(map.directions, SMALL_BASES - 1);
    const cfpc_certificate said = certify(&map, cfpc_problem_rate(&it.problem, 0.5));
    assert_int_equal(said.verdict, CFPC_MONOTONE);
    assert_true(said.radius < 1 && said.norm < 1 && said.asymptote >= it.problem.rrmse_optimum);
    cfpc_learning_map_free(&map);

    lesson.late_steps = SMALL_STEPS; // none is
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
    assert_int_equal(map.directions, 0);
    const cfpc_certificate none = certify(&map, 1);
    assert_int_equal(none.verdict, CFPC_MONOTONE);
    assert_true(isinf(none.rate_max) && isinf(none.rate_max_monotone));
    assert_near(none.asymptote, 1, 1e-12);
    assert_near(none.growth, 1, 0);
    cfpc_learning_map_free(&map);
    small_problem_free(&it);
}

// Sixty wide Gaussians: HᵀH is singular to rounding, yet gradient descent does no harm.
static void crowded_bases_are_as_good_as_their_best_directions(void **state)
{
    (void)state;
    enum { CROWD = 60 };
    for (int k = 0; k < 5; k++) {
        small_problem it = small_problem_make(8400u + (uint64_t)k);
        double *basis = must_calloc(SMALL_STEPS * CROWD, sizeof *basis);
        const cfpc_time_basis_def gaussians = {
            .count = CROWD, .first_s = 15, .spacing_s = 1.5, .width_s = 12};
        cfpc_problem problem;
        cfpc_learning_map map;
        assert_ok(cfpc_time_basis(&gaussians, 1, SMALL_STEPS, gaussians.count, 0, basis));
        assert_ok(cfpc_problem_make(&problem, &it.transfer, SMALL_STEPS, CROWD, basis, it.r));
        const cfpc_lesson lesson = {.steps = SMALL_STEPS, .bases = CROWD, .trace = problem.h};
        assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
        assert_in_range(map.directions, 5, CROWD - 20);
        const cfpc_certificate said = certify(&map, cfpc_problem_rate(&problem, 0.5));
        assert_int_equal(said.verdict, CFPC_MONOTONE);
        assert_near(said.rate_max * problem.lambda_max, 2, 1e-10);
        assert_near(said.rate_max_monotone * problem.lambda_max, 2, 1e-10);
        assert_true(said.norm <= 1 && said.asymptote >= problem.rrmse_optimum - 1e-12);
        assert_int_equal(certify(&map, 2.0001 / problem.lambda_max).verdict, CFPC_DIVERGES);
        cfpc_learning_map_free(&map);
        cfpc_problem_free(&problem);
        free(basis);
        small_problem_free(&it);
    }
}

// Two weights, two steps of effect; the second one's effect falls where no teaching signal comes
// back, while the first one's error goes on teaching it.
static void a_push_that_nothing_answers_is_a_drift(void **state)
{
    (void)state;
    const double basis[] = {1, 0, 0, 0, 0, 0, 0, 1}; // weight 0 at step 0, weight 1 at step 3
    const double z[] = {0, 0, 1, 0, 0, 1, 0, 0};     // late by 1: they meet t[0] and t[1]
    const double e0[] = {1, 0.5, 0, 0};              // t[1] is not mended by anyone
    double rrmse[100];
    cfpc_system path;
    cfpc_problem problem;
    cfpc_learning_map map;
    assert_ok(cfpc_gain(&path, 1));
    assert_ok(cfpc_problem_pose(&problem, &path, 4, 2, basis, e0));
    cfpc_lesson lesson = {.steps = 4, .bases = 2, .late_steps = 1, .trace = z};
    assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
    assert_int_equal(map.directions, 2);
    const cfpc_certificate drifting = certify(&map, 0.5);
    assert_int_equal(drifting.verdict, CFPC_DIVERGES);
    assert_near(drifting.rate_max, 0, 0);
    assert_near(drifting.rate_max_monotone, 0, 0);
    assert_ok(cfpc_predict(&map, 0.5, 100, rrmse, NULL));
    assert_true(rrmse[99] > 10);
    cfpc_learning_map_free(&map);

    const double mended[] = {1, 0, 0, 0}; // nothing pushes
    cfpc_problem_free(&problem);
    assert_ok(cfpc_problem_pose(&problem, &path, 4, 2, basis, mended));
    assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
    const cfpc_certificate still = certify(&map, 0.5);
    assert_int_equal(still.verdict, CFPC_MONOTONE);
    assert_near(still.asymptote, 0, 1e-15);
    assert_near(still.rate_max, 2, 1e-12);
    cfpc_learning_map_free(&map);

    lesson.leak = 0.1; // a leak answers every push
    lesson.teaching = e0;
    assert_ok(cfpc_learning_map_make(&map, &lesson, &problem));
    assert_int_equal(certify(&map, 0.5).verdict, CFPC_MONOTONE);
    cfpc_learning_map_free(&map);
    cfpc_problem_free(&problem);
    cfpc_system_free(&path);
}

// ---- the paper's loop ------------------------------------------------------------------------

static void the_papers_rules_are_certified(void **state)
{
    (void)state;
    pursuit *it = pursuit_make();
    cfpc_learning_map map;
    const double lambda = it->problem.lambda_max, rate = cfpc_problem_rate(&it->problem, 0.5);
    assert_near(lambda, 152.05, 0.005);

    cfpc_lesson lesson = {.steps = PURSUIT_STEPS, .bases = PURSUIT_BASES, .trace = it->problem.h};
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it->problem));
    const cfpc_certificate fm = certify(&map, rate);
    assert_int_equal(fm.verdict, CFPC_MONOTONE);
    assert_near(fm.rate_max * lambda, 2, 1e-10);
    assert_near(fm.rate_max_monotone * lambda, 2, 1e-10);
    assert_near(fm.asymptote, 0.04547, 5e-6);
    assert_near(fm.asymptote, it->problem.rrmse_optimum, 1e-10);
    cfpc_learning_map_free(&map);

    lesson.trace = it->basis;
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it->problem));
    const cfpc_certificate wh = certify(&map, rate);
    assert_int_equal(wh.verdict, CFPC_EVENTUAL);
    assert_near(wh.radius, 0.95311, 5e-6);
    assert_near(wh.growth, 9.88e4, 50);
    assert_int_equal(wh.growth_trial, 150);
    assert_true(wh.asymptote > 1e4);
    assert_near(wh.rate_max_monotone, 0, 0);
    cfpc_learning_map_free(&map);
    pursuit_free(it);
}

// Widrow-Hoff taught 50 ms late: nearly singular, and nothing is still. It settles, at 9·10¹⁰.
static void a_map_far_from_symmetric_ends_where_it_is_said_to(void **state)
{
    (void)state;
    enum { MANY = 4000 };
    static double rrmse[MANY];
    pursuit *it = pursuit_make();
    cfpc_learning_map map;
    const double rate = cfpc_problem_rate(&it->problem, 0.5);
    const cfpc_lesson lesson = {
        .steps = PURSUIT_STEPS, .bases = PURSUIT_BASES, .late_steps = 50, .trace = it->basis};
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it->problem));
    assert_ok(cfpc_predict(&map, rate, MANY, rrmse, NULL));
    const cfpc_certificate said = certify(&map, rate);
    assert_int_equal(said.verdict, CFPC_EVENTUAL);
    assert_true(said.growth > 1e12 && said.asymptote > 1e10);
    assert_near(said.asymptote, rrmse[MANY - 1], 1e-2 * said.asymptote);
    cfpc_learning_map_free(&map);
    pursuit_free(it);
}

// ---- on line ---------------------------------------------------------------------------------

// log of how much 200 trials change a start, all of them carried through by hand without a teaching
// signal of its own: 40 trials to find the direction that lasts, then the rest.
static double log_of_trials(const small_problem *it, const cfpc_lesson *lesson, double rate,
                            double normaliser)
{
    const double none[SMALL_STEPS] = {0};
    cfpc_lesson silent = *lesson;
    silent.teaching = none;
    plain_learner plain = {.lesson = &silent,
                           .teaching_path = &it->transfer,
                           .error_path = &it->transfer,
                           .e0 = none,
                           .rate = rate,
                           .normaliser = normaliser,
                           .online = true};
    double log_size = 0;
    for (int j = 0; j < SMALL_BASES; j++)
        plain.w[j] = 1 + 0.3 * (j % 3) - 0.2 * j;
    for (int trial = 0; trial < 240; trial++) {
        plain_trial(&plain);
        const double size = norm(SMALL_BASES, plain.w);
        for (int j = 0; j < SMALL_BASES; j++)
            plain.w[j] /= size;
        log_size += trial < 40 ? 0 : log(size);
    }
    return log_size;
}

static void below_the_online_rate_trials_shrink_and_above_they_grow(void **state)
{
    (void)state;
    int found = 0;
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(8500u + (uint64_t)k);
        const double normaliser = k % 2 ? 0.5 : 0;
        const cfpc_lesson lesson = {.steps = SMALL_STEPS,
                                    .bases = SMALL_BASES,
                                    .late_steps = k % 3,
                                    .trace = it.problem.h,
                                    .teaching = it.problem.e0,
                                    .basis = it.basis};
        double most;
        assert_ok(cfpc_online_rate_max(&most, &lesson, &it.transfer, normaliser, k % 4 ? 1 : 1e-3));
        assert_true(most > 0);
        if (isfinite(most)) {
            assert_true(log_of_trials(&it, &lesson, 0.995 * most, normaliser) < 0);
            assert_true(log_of_trials(&it, &lesson, 1.005 * most, normaliser) > 0);
            found++;
        }
        small_problem_free(&it);
    }
    assert_true(found > DRAWS / 2);
}

static void an_online_certificate_is_about_its_own_rate(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static double rrmse[MANY];
    for (int k = 0; k < DRAWS; k++) {
        small_problem it = small_problem_make(8600u + (uint64_t)k);
        const cfpc_lesson lesson = {
            .steps = SMALL_STEPS, .bases = SMALL_BASES, .trace = it.problem.h, .basis = it.basis};
        cfpc_learning_map map;
        cfpc_certificate refused;
        assert_ok(cfpc_learning_map_online(&map, &lesson, &it.transfer, NULL, it.problem.e0,
                                           cfpc_problem_rate(&it.problem, 0.5), 0));
        const cfpc_certificate said = certify(&map, 1);
        assert_true(isnan(said.rate_max) && isnan(said.rate_max_monotone));
        assert_int_not_equal(said.verdict, CFPC_DIVERGES);
        assert_ok(cfpc_predict(&map, 1, MANY, rrmse, NULL));
        if (said.radius < 0.99)
            assert_near(said.asymptote, rrmse[MANY - 1], 1e-9);
        assert_int_equal(cfpc_certify(&refused, &map, 0.5), CFPC_BAD_VALUE);
        cfpc_learning_map_free(&map);

        assert_ok(
            cfpc_learning_map_online(&map, &lesson, &it.transfer, NULL, it.problem.e0, 1e200, 0));
        assert_int_equal(certify(&map, 1).verdict, CFPC_DIVERGES);
        cfpc_learning_map_free(&map);
        small_problem_free(&it);
    }
}

static void a_trace_of_the_wrong_sign_has_no_rate(void **state)
{
    (void)state;
    small_problem it = small_problem_make(8700);
    double z[ENTRIES], most = 1;
    cfpc_learning_map map;
    for (int k = 0; k < ENTRIES; k++)
        z[k] = -it.problem.h[k];
    const cfpc_lesson lesson = {.steps = SMALL_STEPS,
                                .bases = SMALL_BASES,
                                .trace = z,
                                .teaching = it.problem.e0,
                                .basis = it.basis};
    assert_ok(cfpc_learning_map_make(&map, &lesson, &it.problem));
    const cfpc_certificate said = certify(&map, cfpc_problem_rate(&it.problem, 0.5));
    assert_int_equal(said.verdict, CFPC_DIVERGES);
    assert_near(said.rate_max, 0, 0);
    assert_near(said.rate_max_monotone, 0, 0);
    assert_ok(cfpc_online_rate_max(&most, &lesson, &it.transfer, 0, 1e-3));
    assert_near(most, 0, 0);
    cfpc_learning_map_free(&map);

    cfpc_lesson leaky = lesson; // a leak holds it up to ηλmax = leak
    leaky.leak = 0.05;
    assert_ok(cfpc_learning_map_make(&map, &leaky, &it.problem));
    const cfpc_certificate held = certify(&map, 1);
    assert_near(held.rate_max * it.problem.lambda_max, 0.05, 1e-10);
    assert_near(held.rate_max_monotone * it.problem.lambda_max, 0.05, 1e-10);
    cfpc_learning_map_free(&map);
    small_problem_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void bad_rates_are_refused(void **state)
{
    (void)state;
    dice d = {821};
    simulation it;
    cfpc_certificate said;
    cfpc_verdict verdict;
    double most;
    simulation_make(&it, &d, 0);
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        assert_int_equal(cfpc_certify(&said, &it.map, bad[k]), CFPC_BAD_VALUE);
        assert_int_equal(cfpc_learning_verdict(&verdict, &it.map, bad[k]), CFPC_BAD_VALUE);
        it.lesson.teaching = it.small.problem.e0;
        it.lesson.basis = it.small.basis;
        assert_int_equal(cfpc_online_rate_max(&most, &it.lesson, &it.small.transfer, 0, bad[k]),
                         CFPC_BAD_VALUE);
    }
    simulation_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(below_rate_max_powers_vanish_and_above_they_grow),
        cmocka_unit_test(the_radius_is_the_rate_at_which_powers_change),
        cmocka_unit_test(below_rate_max_monotone_every_trial_shrinks_and_above_one_grows),
        cmocka_unit_test(the_norm_is_the_growth_of_the_worst_start),
        cmocka_unit_test(gradient_descent_has_the_textbooks_bounds),
        cmocka_unit_test(momentum_is_monotone_between_two_rates),
        cmocka_unit_test(a_weight_that_others_mend_is_not_monotone),
        cmocka_unit_test(an_eigenvalue_of_rounding_is_still),
        cmocka_unit_test(growth_does_not_stop_at_the_first_dip),
        cmocka_unit_test(growth_is_the_largest_of_all_powers),
        cmocka_unit_test(the_asymptote_is_where_the_prediction_ends),
        cmocka_unit_test(bases_that_add_nothing_leave_the_verdict),
        cmocka_unit_test(bases_that_come_twice_halve_the_rates),
        cmocka_unit_test(a_weight_that_is_never_moved_binds_no_rate),
        cmocka_unit_test(crowded_bases_are_as_good_as_their_best_directions),
        cmocka_unit_test(a_push_that_nothing_answers_is_a_drift),
        cmocka_unit_test(the_papers_rules_are_certified),
        cmocka_unit_test(a_map_far_from_symmetric_ends_where_it_is_said_to),
        cmocka_unit_test(below_the_online_rate_trials_shrink_and_above_they_grow),
        cmocka_unit_test(an_online_certificate_is_about_its_own_rate),
        cmocka_unit_test(a_trace_of_the_wrong_sign_has_no_rate),
        cmocka_unit_test(bad_rates_are_refused),
    };
    return cmocka_run_group_tests_name("design.certificate", tests, NULL, NULL);
}
