// SPDX-License-Identifier: Apache-2.0
// banks: every kind of basis through the spec, against its formula or a plain recurrence.
#include "lab/small_lab.h"
#include "lab/temporary.h"

#include "plant/banks.h"

enum { STEPS = 100, MOST = 128 };

#define STEP_S 0.01
#define BANK_TOLERANCE (CFPC_REAL_IS_FLOAT ? 1e-6 : 1e-12)

// A spec, its world and its banks.
typedef struct drawn_banks {
    lab_spec spec;
    lab_world world;
    lab_basis basis;
    double x[STEPS][MOST]; // of a trial
} drawn_banks;

static void banks_in(drawn_banks *it, const char *folder, const char *const *set)
{
    char file[512];
    lab_why why;
    snprintf(file, sizeof file, "%s/spec.yaml", folder);
    must(parse_from(&it->spec, file, SMALL_SPEC, set, &why), &why);
    must(lab_world_make(&it->world, &it->spec, STEPS, &why), &why);
    must(lab_basis_make(&it->basis, &it->spec, &it->world, STEPS, &why), &why);
    assert_in_range(it->basis.bases, 1, MOST);
}

static void make_banks(drawn_banks *it, const char *const *set)
{
    banks_in(it, ".", set);
}

static void free_banks(drawn_banks *it)
{
    lab_basis_free(&it->basis);
    lab_world_free(&it->world);
    lab_spec_free(&it->spec);
}

// Runs a trial, the loop being heard as these say (STEPS, or NULL).
static void run_banks(drawn_banks *it, int trial, const lab_heard *heard)
{
    cfpc_real x[MOST];
    const lab_heard nothing = {0};
    for (int n = 0; n < STEPS; n++) {
        lab_basis_step(&it->basis, heard ? &heard[n] : &nothing, trial, n, x);
        for (int j = 0; j < it->basis.bases; j++)
            it->x[n][j] = x[j];
    }
}

// ---- in time ---------------------------------------------------------------------------------

typedef struct shape {
    const char *kind;
    double first_s, spacing_s, width_s, last_s;
    int count;
} shape;

static shape draw_shape(dice *d, const char *kind)
{
    return (shape){.kind = kind,
                   .count = dice_integer(d, 1, 6),
                   .first_s = dice_between(d, 0.02, 0.2),
                   .spacing_s = dice_between(d, 0.03, 0.2),
                   .width_s = dice_between(d, 0.05, 0.2),
                   .last_s = dice_between(d, 0.3, 2)};
}

// Its value at a time since its origin.
static double shape_at(const shape *it, int j, double t)
{
    const double pi = acos(-1), centre = it->first_s + j * it->spacing_s;
    const double ratio = it->count > 1 ? (double)j / (it->count - 1) : 0;
    const double tau = it->first_s * pow(it->last_s / it->first_s, ratio);
    if (t < -1e-9)
        return 0;
    if (strcmp(it->kind, "gaussian") == 0)
        return exp(-pow((t - centre) / it->width_s, 2) / 2);
    if (strcmp(it->kind, "raised-cosine") == 0)
        return fabs(t - centre) < it->width_s ? (1 + cos(pi * (t - centre) / it->width_s)) / 2 : 0;
    if (strcmp(it->kind, "alpha") == 0)
        return t / tau * exp(1 - t / tau);
    return exp(-t / tau);
}

static void add_shape(draft *to, const shape *it, bool first, const char *more)
{
    add(to, "{kind: %s, count: %d%s", it->kind, it->count, more);
    if (first)
        add(to, ", first_ms: %.17g", it->first_s * 1e3);
    if (it->kind[0] == 'g' || it->kind[0] == 'r')
        add(to, ", width_ms: %.17g, spacing_ms: %.17g}", it->width_s * 1e3, it->spacing_s * 1e3);
    else
        add(to, ", last_ms: %.17g}", it->last_s * 1e3);
}

// Expects the shape from this column on, with its origin here.
static void expect_shape(const drawn_banks *it, int column, const shape *of, double origin_s)
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < of->count; j++)
            assert_near(it->x[n][column + j], shape_at(of, j, n * STEP_S - origin_s),
                        BANK_TOLERANCE);
}

static const char *const kinds[] = {"gaussian", "raised-cosine", "alpha", "exponential"};

static void time_banks_have_their_shapes(void **state)
{
    (void)state;
    dice d = {621};
    for (int draw = 0; draw < 40; draw++) {
        const shape of = draw_shape(&d, kinds[draw % 4]);
        draft set = {0};
        drawn_banks it;
        add(&set, "basis=");
        add_shape(&set, &of, true, "");
        make_banks(&it, SET(set.at));
        assert_int_equal(it.basis.bases, of.count);
        assert_false(it.basis.hears_loop);
        run_banks(&it, draw, NULL);
        expect_shape(&it, 0, &of, 0);
        free_banks(&it);
    }
}

// Without a first centre the def stands in the middle of the trial; a first time constant is a
// step.
static void time_banks_begin_where_the_reference_says_by_default(void **state)
{
    (void)state;
    dice d = {622};
    for (int draw = 0; draw < 20; draw++) {
        shape of = draw_shape(&d, kinds[draw % 4]);
        draft set = {0};
        drawn_banks it;
        add(&set, "basis=");
        add_shape(&set, &of, false, "");
        make_banks(&it, SET(set.at));
        run_banks(&it, 0, NULL);
        of.first_s = draw % 4 < 2 ? (1 - (of.count - 1) * of.spacing_s) / 2 : STEP_S;
        expect_shape(&it, 0, &of, 0);
        free_banks(&it);
    }
}

static void a_cue_starts_a_time_bank_and_one_that_stays_away_leaves_it_silent(void **state)
{
    (void)state;
    dice d = {623};
    for (int draw = 0; draw < 40; draw++) {
        const shape of = draw_shape(&d, kinds[draw % 4]);
        const double at_s = draw % 2 ? dice_integer(&d, 0, 60) / 100.0 : dice_between(&d, 0, 0.6);
        draft basis = {0}, cues = {0};
        drawn_banks it;
        add(&basis, "basis=");
        add_shape(&basis, &of, true, ", cue: go");
        add(&cues, "cues=[{name: other, at_s: 0.9}, {name: go, at_s: %.17g}]", at_s);
        make_banks(&it, SET(cues.at, basis.at));
        run_banks(&it, 0, NULL);
        expect_shape(&it, 0, &of, at_s);
        free_banks(&it);
        make_banks(&it, SET(cues.at, basis.at, "cues.go.on=no"));
        assert_int_equal(it.basis.bases, of.count);
        run_banks(&it, 0, NULL);
        for (int n = 0; n < STEPS; n++)
            for (int j = 0; j < of.count; j++)
                assert_true(it.x[n][j] == 0);
        free_banks(&it);
    }
}

static void identity_has_one_signal_a_step(void **state)
{
    (void)state;
    drawn_banks it;
    make_banks(&it, SET("basis={kind: identity}"));
    assert_int_equal(it.basis.bases, STEPS);
    run_banks(&it, 0, NULL);
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < STEPS; j++)
            assert_true(it.x[n][j] == (n == j));
    free_banks(&it);
}

static void a_file_has_one_signal_a_column_and_is_silent_after_its_end(void **state)
{
    (void)state;
    temporary here;
    temporary_make(&here);
    write_file(temporary_below(&here, "x.csv").text, "a,b,c\n1,2,3\n0.5,0.25,-4\n");
    static const double expected[][3] = {{1, 2, 3}, {0.5, 0.25, -4}, {0, 0, 0}};
    drawn_banks it;
    banks_in(&it, here.path, SET(set_below(&here, "basis={kind: csv, file: x.csv}", "x.csv").text));
    assert_int_equal(it.basis.bases, 3);
    run_banks(&it, 0, NULL);
    for (int n = 0; n < STEPS; n++)
        assert_memory_equal(it.x[n], expected[n < 2 ? n : 2], 3 * sizeof(double));
    free_banks(&it);
    temporary_remove(&here);
}

// As a reference from a file does, and every def that is driven by one.
static void where_time_goes_on_so_does_a_file(void **state)
{
    (void)state;
    enum { TRIALS = 3 };
    temporary here;
    static draft rows;
    temporary_make(&here);
    rows = (draft){0};
    for (int n = 0; n < TRIALS * STEPS; n++)
        add(&rows, "%d,%d\n", n, -2 * n);
    write_file(temporary_below(&here, "x.csv").text, rows.at);
    drawn_banks it;
    banks_in(
        &it, here.path,
        SET(set_below(&here, "basis=[{kind: identity}, {kind: csv, file: x.csv}]", "x.csv").text,
            "task.repeats=no", "learning.trials=3"));
    assert_int_equal(it.basis.bases, STEPS + 2);
    for (int trial = 0; trial <= TRIALS; trial++) {
        run_banks(&it, trial, NULL);
        for (int n = 0; n < STEPS; n++) {
            const double row = trial < TRIALS ? trial * STEPS + n : 0; // silent after its end
            assert_true(it.x[n][n] == 1);
            assert_true(it.x[n][STEPS] == row && it.x[n][STEPS + 1] == -2 * row);
        }
    }
    free_banks(&it);
    temporary_remove(&here);
}

static void where_time_goes_on_a_file_of_one_trial_is_refused(void **state)
{
    (void)state;
    temporary here;
    lab_spec spec;
    lab_world world;
    lab_basis basis;
    lab_why why;
    char file[512];
    temporary_make(&here);
    snprintf(file, sizeof file, "%s/spec.yaml", here.path);
    write_file(temporary_below(&here, "x.csv").text, "1,2\n3,4\n");
    must(parse_from(&spec, file, SMALL_SPEC,
                    SET(set_below(&here, "basis={kind: csv, file: x.csv}", "x.csv").text,
                        "task.repeats=no", "learning.trials=4"),
                    &why),
         &why);
    must(lab_world_make(&world, &spec, STEPS, &why), &why);
    assert_int_equal(lab_basis_make(&basis, &spec, &world, STEPS, &why), LAB_REFUSED);
    assert_non_null(
        strstr(why.text, "x.csv' has 2 rows, but with `repeats: no` time runs on for 400 steps (4 "
                         "trials of 100): give it one row per step, or set `repeats: yes`"));
    lab_basis_free(&basis);
    lab_world_free(&world);
    lab_spec_free(&spec);
    temporary_remove(&here);
}

// ---- driven, read plainly --------------------------------------------------------------------

typedef struct network {
    int kind; // 0 tapped delay, 1 leaky cascade, 2 Laguerre, 3 derivatives
    int count, spacing;
    double tau_s;
} network;

static network draw_network(dice *d, int kind)
{
    return (network){.kind = kind,
                     .count = dice_integer(d, 1, 6),
                     .spacing = dice_integer(d, 1, 12),
                     .tau_s = dice_between(d, 0.02, 0.2)};
}

static void add_network(draft *to, const network *it, const char *input)
{
    static const char *const names[] = {"tapped-delay", "leaky-cascade", "laguerre", "derivatives"};
    add(to, "{kind: %s, count: %d, input: %s", names[it->kind], it->count, input);
    if (it->kind == 0)
        add(to, ", spacing_ms: %d}", 10 * it->spacing);
    else if (it->kind == 3)
        add(to, "}");
    else
        add(to, ", time_constant_ms: %.17g}", it->tau_s * 1e3);
}

static void plain_taps(const network *it, const double *drive, double (*x)[MOST])
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < it->count; j++)
            x[n][j] = n < j * it->spacing ? 0 : drive[n - j * it->spacing];
}

// Over a step of length T under a held u: s_j = u + Σ (s_i - u) (T/τ)^(j-i)/(j-i)! e^(-T/τ).
static void plain_cascade(const network *it, const double *drive, double (*x)[MOST])
{
    double s[MOST] = {0};
    for (int n = 0; n < STEPS; n++) {
        double next[MOST];
        for (int j = 0; j < it->count; j++) {
            x[n][j] = s[j];
            next[j] = drive[n];
            for (int i = 0; i <= j; i++)
                next[j] += (s[i] - drive[n]) * pow(STEP_S / it->tau_s, j - i) / tgamma(j - i + 1) *
                           exp(-STEP_S / it->tau_s);
        }
        memcpy(s, next, sizeof(double) * (size_t)it->count);
    }
}

// l_0[n] = a l_0[n-1] + √(1 - a²) u[n],   l_j[n] = a l_j[n-1] + l_{j-1}[n-1] - a l_{j-1}[n].
static void plain_laguerre(const network *it, const double *drive, double (*x)[MOST])
{
    const double a = exp(-STEP_S / it->tau_s);
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < it->count; j++) {
            const double before = n > 0 ? x[n - 1][j] : 0;
            const double fed = n > 0 && j > 0 ? x[n - 1][j - 1] : 0;
            x[n][j] = j == 0 ? a * before + sqrt(1 - a * a) * drive[n]
                             : a * before + fed - a * x[n][j - 1];
        }
}

// The differences of the differences. Each doubles the rounding errors and divides them by the
// step.
static void plain_derivatives(const network *it, const double *drive, double (*x)[MOST])
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < it->count; j++)
            x[n][j] = j == 0 ? drive[n] : (x[n][j - 1] - (n > 0 ? x[n - 1][j - 1] : 0)) / STEP_S;
}

static void expect_network(const drawn_banks *it, int column, const network *of,
                           const double *drive)
{
    static double expected[STEPS][MOST];
    static void (*const plain[])(const network *, const double *, double(*)[MOST]) = {
        plain_taps, plain_cascade, plain_laguerre, plain_derivatives};
    plain[of->kind](of, drive, expected);
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < of->count; j++)
            assert_near(it->x[n][column + j], expected[n][j],
                        20 * BANK_TOLERANCE * (of->kind == 3 ? pow(2 / STEP_S, j) : 1));
}

// ---- driven ----------------------------------------------------------------------------------

#define DRIVERS                                                                                    \
    "task={kind: sinusoids, trial_s: 1, components: [[1.3, 0.7, 20], [4, 0.3, 0]]}",               \
        "cues=[{name: flash, at_s: 0.1, duration_ms: 50}, {name: tone, at_s: 0.4, duration_ms: "   \
        "200}]",                                                                                   \
        "disturbances=[{name: wind, kind: step, at_s: 0.2}, {name: tide, kind: sinusoids, "        \
        "components: [[2, 1, 0]], at: plant-output}]",                                             \
        "prediction={lead_ms: 0, basis: {kind: identity}}"

enum { INPUTS = 10 };

// The signal that drives a def by each of the inputs below.
static void drive_of(const drawn_banks *it, int input, const lab_heard *heard, double *drive)
{
    for (int n = 0; n < STEPS; n++) {
        const double values[INPUTS] = {lab_world_reference(&it->world, 0, n),
                                       n >= 10 && n < 15,
                                       n >= 10 && n < 15,
                                       n >= 40 && n < 60,
                                       n >= 20,
                                       sin(2 * acos(-1) * 2 * n * STEP_S),
                                       heard[n].measurement,
                                       heard[n].command,
                                       heard[n].total_command,
                                       heard[n].prediction};
        drive[n] = values[input];
    }
}

static void driven_banks_follow_whatever_drives_them(void **state)
{
    (void)state;
    static const char *const inputs[INPUTS] = {"reference",          "cue",
                                               "cue, source: flash", "cue, source: tone",
                                               "disturbance",        "disturbance, source: tide",
                                               "measurement",        "command",
                                               "total-command",      "prediction"};
    dice d = {624};
    for (int input = 0; input < INPUTS; input++)
        for (int kind = 0; kind < 4; kind++) {
            const network of = draw_network(&d, kind);
            draft basis = {0};
            drawn_banks it;
            lab_heard heard[STEPS];
            double drive[STEPS];
            for (int n = 0; n < STEPS; n++)
                heard[n] = (lab_heard){dice_between(&d, -1, 1), dice_between(&d, -1, 1),
                                       dice_between(&d, -1, 1), dice_between(&d, -1, 1), 0};
            add(&basis, "basis=");
            add_network(&basis, &of, inputs[input]);
            make_banks(&it, SET(DRIVERS, basis.at));
            assert_int_equal(it.basis.bases, of.count);
            assert_int_equal(it.basis.hears_loop, input >= 6 && input < 9);
            drive_of(&it, input, heard, drive);
            for (int trial = 0; trial < 2; trial++) { // at rest again, the same again
                lab_basis_reset(&it.basis);
                run_banks(&it, 0, heard);
                expect_network(&it, 0, &of, drive);
            }
            free_banks(&it);
        }
}

static void a_cue_that_stays_away_leaves_a_driven_bank_silent(void **state)
{
    (void)state;
    drawn_banks it;
    make_banks(&it, SET(DRIVERS,
                        "basis={kind: leaky-cascade, count: 3, time_constant_ms: 50, input: cue}",
                        "cues.flash.on=no"));
    run_banks(&it, 0, NULL);
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < 3; j++)
            assert_true(it.x[n][j] == 0);
    free_banks(&it);
}

// In a running loop the measurement and the command are those of the step before; what is measured
// is what the plant did `late` steps before that.
static void expect_heard(int late)
{
    built it;
    draft delay = {0};
    add(&delay, "loop.measurement_delay_ms=%d", 10 * late);
    must_build(&it, SMALL_SPEC,
               SET("learning.mode=online", delay.at,
                   "basis=[{kind: tapped-delay, count: 2, spacing_ms: 30, input: command}, {kind: "
                   "tapped-delay, count: 2, spacing_ms: 20, input: measurement}]"));
    lab_simulation simulation;
    lab_why why;
    double y[STEPS], u[STEPS], x[STEPS][4], size = 0;
    lab_trial kept = {.y = y, .u = u, .x = x[0]};
    must(lab_simulation_make(&simulation, &it.setup.rig, &why), &why);
    lab_simulate_trial(&it.setup.rig, &simulation, NULL, 0, &kept);
    for (int n = 0; n < STEPS; n++) {
        const double expected[] = {n < 1 ? 0 : u[n - 1], n < 4 ? 0 : u[n - 4],
                                   n < 1 + late ? 0 : y[n - 1 - late],
                                   n < 3 + late ? 0 : y[n - 3 - late]};
        assert_memory_equal(x[n], expected, sizeof expected);
        size += fabs(u[n]) * fabs(y[n]);
    }
    assert_true(size > 1);
    assert_string_equal(it.setup.nonlinear, "a basis is driven by the loop");
    lab_simulation_free(&simulation);
    built_free(&it);
}

static void in_a_loop_a_bank_hears_the_step_before(void **state)
{
    (void)state;
    expect_heard(0);
    expect_heard(3);
}

// ---- several ---------------------------------------------------------------------------------

static void several_banks_stand_side_by_side_in_their_order(void **state)
{
    (void)state;
    dice d = {625};
    for (int draw = 0; draw < 10; draw++) {
        const shape bump = draw_shape(&d, "raised-cosine"), fall = draw_shape(&d, "exponential");
        const network taps = draw_network(&d, 0), cascade = draw_network(&d, 1);
        draft basis = {0};
        drawn_banks it;
        double reference[STEPS], cue[STEPS];
        const lab_heard heard[STEPS] = {{0}};
        add(&basis, "basis=[");
        add_shape(&basis, &bump, true, "");
        add(&basis, ", ");
        add_network(&basis, &taps, "reference");
        add(&basis, ", ");
        add_shape(&basis, &fall, true, ", cue: tone");
        add(&basis, ", ");
        add_network(&basis, &cascade, "cue");
        add(&basis, "]");
        make_banks(&it, SET(DRIVERS, basis.at));
        assert_int_equal(it.basis.bases, bump.count + taps.count + fall.count + cascade.count);
        run_banks(&it, 0, NULL);
        drive_of(&it, 0, heard, reference);
        drive_of(&it, 1, heard, cue);
        expect_shape(&it, 0, &bump, 0);
        expect_network(&it, bump.count, &taps, reference);
        expect_shape(&it, bump.count + taps.count, &fall, 0.4);
        expect_network(&it, bump.count + taps.count + fall.count, &cascade, cue);
        free_banks(&it);
    }
}

// ---- kinds -----------------------------------------------------------------------------------

static void a_kind_that_is_not_in_the_list_is_refused(void **state)
{
    (void)state;
    lab_why why;
    drawn_banks it;
    cfpc_system system = {0};
    must_parse(&it.spec, SMALL_SPEC, SET_NOTHING);
    must(lab_world_make(&it.world, &it.spec, STEPS, &why), &why);
    lab_banks(&it.spec)[0].kind = (lab_basis_kind)1000;
    assert_int_equal(lab_basis_make(&it.basis, &it.spec, &it.world, STEPS, &why), LAB_REFUSED);
    assert_int_equal(lab_bank_network(&system, &lab_banks(&it.spec)[0], STEP_S), CFPC_BAD_VALUE);
    free_banks(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_banks_have_their_shapes),
        cmocka_unit_test(time_banks_begin_where_the_reference_says_by_default),
        cmocka_unit_test(a_cue_starts_a_time_bank_and_one_that_stays_away_leaves_it_silent),
        cmocka_unit_test(identity_has_one_signal_a_step),
        cmocka_unit_test(a_file_has_one_signal_a_column_and_is_silent_after_its_end),
        cmocka_unit_test(where_time_goes_on_so_does_a_file),
        cmocka_unit_test(where_time_goes_on_a_file_of_one_trial_is_refused),
        cmocka_unit_test(driven_banks_follow_whatever_drives_them),
        cmocka_unit_test(a_cue_that_stays_away_leaves_a_driven_bank_silent),
        cmocka_unit_test(in_a_loop_a_bank_hears_the_step_before),
        cmocka_unit_test(several_banks_stand_side_by_side_in_their_order),
        cmocka_unit_test(a_kind_that_is_not_in_the_list_is_refused),
    };
    return cmocka_run_group_tests_name("lab.banks", tests, NULL, NULL);
}
