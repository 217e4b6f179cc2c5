// SPDX-License-Identifier: Apache-2.0
// identification: what is found in a log is what the model file says, and what the files beside it
// hold; what no model can be found in is refused.
#include "lab/temporary.h"

#include "cfpc/response.h"
#include "draw/figures.h"
#include "identify/identification.h"
#include "plant/identified.h"
#include "write/identification.h"

enum { ROWS = 1200 };

static double random_of(uint32_t *seed) // -0.5 to 0.5, the same everywhere
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0 - 0.5;
}

// A lag of 12 steps behind 3 steps of dead time; y answers to a random binary input, or the input
// to y.
static void write_log(const char *path, int rows, double noise, double feedback)
{
    FILE *file = fopen(path, "w");
    uint32_t seed = 5;
    double x = 0, u = 0, r = 1, past[4] = {0};
    assert_non_null(file);
    fputs("time_s,u,y\n", file);
    for (int n = 0; n < rows; n++) {
        if (n % 9 == 0)
            r = random_of(&seed) > 0 ? 1 : -1;
        const double y = x + noise * random_of(&seed);
        u = r - feedback * y;
        fprintf(file, "%.3f,%.9g,%.9g\n", 0.004 * n, u, y);
        x = 0.92 * x + 0.08 * past[(n + 1) % 3];
        past[(n + 1) % 3] = u;
    }
    assert_ok(fclose(file));
}

static const lab_identify_options usual = {.log = {.input = "u", .output = "y", .step_ms = NAN},
                                           .dead_time_ms = NAN};

static void identify(lab_identification *it, const temporary *here,
                     const lab_identify_options *options, temporary_path *path)
{
    lab_why why = {0};
    *path = temporary_below(here, "log.csv");
    if (lab_identify(it, path->text, options, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void the_model_file_is_what_was_found(void **state)
{
    const temporary *here = *state;
    temporary_path path;
    lab_identification it;
    lab_model_file model;
    lab_why why;
    write_log(temporary_below(here, "log.csv").text, ROWS, 0.1, 0);
    identify(&it, here, &usual, &path);
    assert_true(it.found.fit > 80 && it.log.step_ms == 4 && !it.feedback);
    assert_int_equal(lab_model_of(&model, &it, &why), LAB_DONE);
    assert_string_equal(model.log, "log.csv");
    assert_true(model.step_ms == 4 && model.fit == it.found.fit && model.rows == ROWS);
    assert_int_equal(model.band.rows, it.found.band.count);
    // The response of the file is that of the model, but for the order of additions.
    double *own = must_calloc((size_t)it.found.taps, sizeof *own);
    cfpc_system sys = {0};
    assert_ok(lab_identified_system(&sys, &model));
    assert_ok(cfpc_impulse_response(&sys, it.found.taps, own));
    for (int k = 0; k < it.found.taps; k++)
        assert_near(own[k], it.response[k], 1e-9);
    assert_true(it.found.radius > 0 && it.found.radius_hz >= it.found.low_hz &&
                it.found.radius_hz <= it.found.high_hz);
    free(own);
    cfpc_system_free(&sys);
    lab_model_file_free(&model);
    lab_identification_free(&it);
}

// The line of the dead time may be at the part's output as well as at its input.
static void a_dead_time_is_found_wherever_its_line_is(void **state)
{
    (void)state;
    for (int at_output = 0; at_output < 2; at_output++) {
        double found[40], expected[40], frequencies[2] = {0, 100}, radii[2] = {1, 1};
        cfpc_system parts[2] = {0}, back = {0};
        lab_model_file model;
        lab_why why;
        assert_ok(cfpc_delay(&parts[at_output], 0.004, 7));
        assert_ok(cfpc_state_space(&parts[!at_output], 0.004, 2, (double[]){0.8, 0.1, -0.1, 0.7},
                                   (double[]){1, 0.5}, (double[]){0.25, -1}, 0.125));
        lab_identification it = {.log = {.file = "log.csv", .step_ms = 4},
                                 .found = {.band = {2, frequencies, radii}}};
        assert_ok(cfpc_series(&it.found.part, 2, parts));
        assert_int_equal(lab_model_of(&model, &it, &why), LAB_DONE);
        assert_true(model.dead_time_ms == 28 && model.d == 0.125);
        assert_ok(lab_identified_system(&back, &model));
        assert_ok(cfpc_impulse_response(&back, 40, found));
        assert_ok(cfpc_impulse_response(&it.found.part, 40, expected));
        assert_same(40, found, expected, 1e-15);
        for (int i = 0; i < 2; i++)
            cfpc_system_free(&parts[i]);
        cfpc_system_free(&it.found.part);
        cfpc_system_free(&back);
        lab_model_file_free(&model);
    }
}

static void its_files_hold_what_was_found(void **state)
{
    const temporary *here = *state;
    temporary_path path;
    lab_identification it;
    lab_folder folder;
    lab_why why = {0};
    const temporary_path out = temporary_below(here, "out");
    write_log(temporary_below(here, "log.csv").text, ROWS, 0.1, 0);
    identify(&it, here, &usual, &path);
    assert_int_equal(lab_folder_begin(&folder, out.text, false, &why), LAB_DONE);
    assert_int_equal(lab_write_identification(&folder, &it, &why), LAB_DONE);
    assert_int_equal(lab_draw_identification(&folder, &it, false, &why), LAB_DONE);
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    static const struct {
        const char *name, *first;
    } files[] = {{"simulation.csv", "time_s,input,measured,simulated,held_back\n"},
                 {"response.csv", "time_s,fir,deviation,model\n"},
                 {"frequency.csv", "hz,magnitude,radius,fir,excited\n"},
                 {"residuals.csv", "lag,autocorrelation,cross_correlation\n"},
                 {"fig-identify.gp", "# Draws fig-identify.svg"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        temporary_path below;
        snprintf(below.text, sizeof below.text, "%.900s/%s", out.text, files[i].name);
        char *text = file_text(below.text);
        assert_non_null(text);
        assert_memory_equal(text, files[i].first, strlen(files[i].first));
        free(text);
    }
    lab_identification_free(&it);
}

// ---- refusals and advice ---------------------------------------------------------------------

static void expect_refused(const temporary *here, lab_identify_options options, const char *words)
{
    lab_identification it;
    lab_why why = {0};
    const temporary_path path = temporary_below(here, "log.csv");
    assert_int_equal(lab_identify(&it, path.text, &options, &why), LAB_REFUSED);
    if (!strstr(why.text, words))
        fail_msg("'%s' does not say '%s'", why.text, words);
    lab_identification_free(&it);
}

static void what_holds_no_model_is_refused(void **state)
{
    const temporary *here = *state;
    const temporary_path path = temporary_below(here, "log.csv");
    lab_identify_options options = usual;
    write_log(path.text, 63, 0.1, 0);
    expect_refused(here, options, "63 rows are too few; identification needs at least 64");
    write_log(path.text, 400, 0.1, 0);
    options.dead_time_ms = 5;
    expect_refused(here, options, "--delay-ms of 5 is not a whole number of steps of 4 ms");
    options.dead_time_ms = 400;
    expect_refused(here, options, "--delay-ms of 400 is more than a quarter of the log");
    FILE *file = fopen(path.text, "w");
    assert_non_null(file);
    fputs("u,y\n", file);
    for (int n = 0; n < 300; n++) // nothing but a trend
        fprintf(file, "%d,%d\n", n, n * n % 17);
    assert_ok(fclose(file));
    expect_refused(here, usual, "'u' holds only one or two frequencies");
}

// Each bad log has its own reason.
static void why_a_log_is_no_good_is_said(void **state)
{
    static const struct {
        double u, y; // factors
        int moves;   // from this row on
        bool both;   // the input as well
        const char *words;
    } cases[] = {{1, 1, 201, true, "'u' is constant (0) in the first half of the log"},
                 {1, 1, 201, false, "'y' is constant (0) in the first half of the log"},
                 {1e200, 1, 0, true, "'u' goes up to 1e+200, too large to be computed with"},
                 {1, 1e-200, 0, true, "too small to be computed with; use another unit"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        FILE *file = fopen(temporary_below(*state, "log.csv").text, "w");
        uint32_t seed = 5;
        double x = 0, r = 1;
        assert_non_null(file);
        fputs("u,y\n", file);
        for (int n = 0; n < 400; n++) {
            if (n % 9 == 0)
                r = random_of(&seed) > 0 ? 1 : -1;
            const bool moves = n >= cases[i].moves;
            x = 0.9 * x + (moves ? 0.1 * r : 0);
            fprintf(file, "%.9g,%.9g\n", moves || !cases[i].both ? cases[i].u * r : 0,
                    cases[i].y * x);
        }
        assert_ok(fclose(file));
        expect_refused(*state, usual, cases[i].words);
    }
}

static void a_closed_loops_command_is_refused_unless_allowed(void **state)
{
    const temporary *here = *state;
    temporary_path path;
    lab_identification it;
    lab_why advice = {0};
    lab_identify_options options = usual;
    write_log(temporary_below(here, "log.csv").text, 4000, 1.5, 1);
    expect_refused(here, options, "'u' reacts to 'y'");
    options.allow_feedback = true;
    identify(&it, here, &options, &path);
    assert_true(it.feedback);
    lab_identify_advice(&it, "m.yaml", &advice);
    assert_non_null(strstr(advice.text, "Log the reference"));
    lab_identification_free(&it);
}

static void the_advice_follows_from_what_was_found(void **state)
{
    (void)state;
    static const struct {
        double fit, fit_fir, unexplained, radius, fit_estimation;
        const char *words;
    } cases[] = {{80, 90, 0.5, 0.1, 90, "FIR (90.0 %)"},
                 {90, 90, 1e-5, 0.1, 90, "still depend on the input (p = 1e-05)"},
                 {90, 90, 2e-3, 0.1, 90, "believed: {model: identified, file: m.yaml}"},
                 {90, 90, 0.5, 0.7, 90, "may be wrong by 70 %"},
                 {90, 90, 0.5, NAN, 90, "How far the model may be wrong is not known"},
                 {45, 45, 0.5, 0.1, 64, "The fit of held-back data is only 45 %: the rest"},
                 {45, 45, 0.5, 0.1, 66, "only 45 %, and 66 % of the data it was estimated from"},
                 {90, 90, 0.5, 0.1, 90, "believed: {model: identified, file: m.yaml}"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lab_why advice = {0};
        const lab_identification it = {.log = {.step_ms = 2, .input_name = "u", .output_name = "y"},
                                       .found = {.fit = cases[i].fit,
                                                 .fit_estimation = cases[i].fit_estimation,
                                                 .fit_fir = cases[i].fit_fir,
                                                 .unexplained = cases[i].unexplained,
                                                 .feedback = 1,
                                                 .radius = cases[i].radius,
                                                 .radius_hz = 3}};
        lab_identify_advice(&it, "m.yaml", &advice);
        if (!strstr(advice.text, cases[i].words))
            fail_msg("'%s' does not say '%s'", advice.text, cases[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_model_file_is_what_was_found, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test(a_dead_time_is_found_wherever_its_line_is),
        cmocka_unit_test_setup_teardown(its_files_hold_what_was_found, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(what_holds_no_model_is_refused, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(why_a_log_is_no_good_is_said, temporary_set_up,
                                        temporary_tear_down),
        cmocka_unit_test_setup_teardown(a_closed_loops_command_is_refused_unless_allowed,
                                        temporary_set_up, temporary_tear_down),
        cmocka_unit_test(the_advice_follows_from_what_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
