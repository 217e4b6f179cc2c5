// SPDX-License-Identifier: Apache-2.0
// log: what can be identified from is read, and all else is refused on one line that says where.
#include "harness.h"

#include "cfpc/identify.h"
#include "identify/log.h"
#include "identify/saturation.h"

enum { ROWS = 400 };

// A log in the making: t, r and y, one row per line, from line 2.
typedef struct table {
    char text[ROWS * 96];
    size_t length;
} table;

__attribute__((format(printf, 2, 3))) static void put(table *it, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more =
        vsnprintf(it->text + it->length, sizeof it->text - it->length, format, arguments);
    va_end(arguments);
    assert_true(more > 0 && it->length + (size_t)more < sizeof it->text);
    it->length += (size_t)more;
}

static double smooth(int row)
{
    return sin(0.11 * row) + 0.5 * sin(0.043 * row + 1);
}

// Rows of 2 ms; the time of one row is moved, and one value of y is written as this text.
static table *log_with(int moved_row, double moved_ms, int odd_row, const char *odd)
{
    table *it = must_calloc(1, sizeof *it);
    put(it, "time_s,r,y\n");
    for (int i = 0; i < ROWS; i++) {
        put(it, "%.6f,%.9g,", 0.002 * i + (i >= moved_row ? moved_ms / 1e3 : 0), smooth(i));
        if (i == odd_row)
            put(it, "%s\n", odd);
        else
            put(it, "%.9g\n", smooth(i - 5));
    }
    return it;
}

static const lab_log_choice usual = {.input = "r", .output = "y", .step_ms = NAN};

static void expect_refused(table *it, lab_log_choice choice, const char *message)
{
    lab_log log;
    lab_why why = {0};
    assert_int_equal(lab_log_parse(&log, "log.csv", it->text, &choice, &why), LAB_REFUSED);
    assert_string_equal(why.text, message);
    lab_log_free(&log);
    free(it);
}

static lab_log expect_read(table *it, lab_log_choice choice)
{
    lab_log log;
    lab_why why = {0};
    if (lab_log_parse(&log, "log.csv", it->text, &choice, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    assert_int_equal(log.rows, ROWS);
    free(it);
    return log;
}

// ---- columns and steps -----------------------------------------------------------------------

static void columns_are_found_by_name_and_by_number(void **state)
{
    (void)state;
    lab_log by_name = expect_read(log_with(ROWS, 0, -1, ""), usual);
    lab_log by_number = expect_read(log_with(ROWS, 0, -1, ""),
                                    (lab_log_choice){.input = "2", .output = "3", .step_ms = 2});
    assert_memory_equal(by_name.input, by_number.input, ROWS * sizeof(double));
    assert_memory_equal(by_name.output, by_number.output, ROWS * sizeof(double));
    assert_string_equal(by_number.input_name, "r");
    assert_string_equal(by_name.time_name, "time_s");
    assert_true(by_name.step_ms == 2);
    assert_int_equal(by_name.step_from, LAB_STEP_LOGGED);
    lab_log_free(&by_name);
    lab_log_free(&by_number);
}

static void wrong_columns_are_refused(void **state)
{
    (void)state;
    lab_log_choice choice = usual;
    choice.output = "z";
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: has no column 'z'; did you mean 'r'? Its columns are time_s, r, y");
    choice.output = "speed";
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: has no column 'speed'; it may be time_s, r, y");
    choice.output = NULL;
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: which column is the output? Say --output COLUMN, by name or number "
                   "from 1 to 3; it may be time_s, r, y");
    choice.output = "r";
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: 'r' cannot be both --input and --output");
    choice = usual;
    choice.time = "r";
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: 'r' cannot be both --time and a signal; --time none: there is no time "
                   "column");
}

static void the_step_is_that_of_the_time_stamps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double unit_ms;
    } names[] = {{"t", 1e3},         {"Time", 1e3},     {"t_s", 1e3},     {"time_ms", 1},
                 {"time (ms)", 1},   {"Time [s]", 1e3}, {"seconds", 1e3}, {"ms", 1},
                 {"timestamp", 1e3}, {"time_us", 1e-3}, {"t.ns", 1e-6}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        double unit = 0;
        if (!lab_time_unit(names[i].name, &unit) || unit != names[i].unit_ms)
            fail_msg("%s: %g", names[i].name, unit);
    }
    static const char *const others[] = {"torque",     "y", "s", "", "time_of_flight_ms",
                                         "temperature"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (lab_time_unit(others[i], NULL))
            fail_msg("'%s' is no time", others[i]);
}

static void without_time_stamps_the_step_is_given_or_one_ms(void **state)
{
    (void)state;
    lab_log_choice choice = usual;
    choice.time = "none";
    lab_log log = expect_read(log_with(ROWS, 0, -1, ""), choice);
    assert_true(log.step_ms == 1);
    assert_int_equal(log.step_from, LAB_STEP_ASSUMED);
    lab_log_free(&log);
    choice.step_ms = 5;
    log = expect_read(log_with(ROWS, 0, -1, ""), choice);
    assert_true(log.step_ms == 5);
    assert_int_equal(log.step_from, LAB_STEP_GIVEN);
    lab_log_free(&log);
    choice.time = NULL;
    expect_refused(log_with(ROWS, 0, -1, ""), choice,
                   "log.csv: the steps of 'time_s' are 2 ms, --step-ms says 5; leave --step-ms "
                   "out, or choose another column (--time COLUMN, --time none)");
}

static void stamps_that_are_rounded_are_regular(void **state)
{
    (void)state;
    table *it = must_calloc(1, sizeof *it);
    put(it, "t,r,y\n");
    for (int i = 0; i < ROWS; i++)
        put(it, "%.4f,%.9g,%.9g\n", i / 600.0, smooth(i), smooth(i - 5));
    lab_log log = expect_read(it, usual);
    assert_true(fabs(log.step_ms - 1e3 / 600) < 1e-3);
    lab_log_free(&log);
}

static void irregular_times_are_refused_with_their_line(void **state)
{
    (void)state;
    expect_refused(
        log_with(100, 6, -1, ""), usual,
        "log.csv:102: 3 rows are missing before this line (a step of 8 ms instead of 2); "
        "take a stretch without gaps");
    expect_refused(log_with(100, 2, -1, ""), usual,
                   "log.csv:102: 1 row is missing before this line (a step of 4 ms instead of 2); "
                   "take a stretch without gaps");
    expect_refused(log_with(100, 0.7, -1, ""), usual,
                   "log.csv:102: the time stamps are irregular: this step is 2.7 ms, the usual one "
                   "2 ms; log at a fixed step, or resample");
    expect_refused(log_with(100, -50, -1, ""), usual,
                   "log.csv:102: time runs backwards, from 0.198 to 0.15 in 'time_s': cut the log "
                   "there");
    expect_refused(
        log_with(100, -2, -1, ""), usual,
        "log.csv:102: 'time_s' is 0.198 as in the row before: remove rows that are there "
        "twice, or write time with more digits");
}

// ---- values ----------------------------------------------------------------------------------

static void what_is_no_number_is_refused_with_its_line(void **state)
{
    (void)state;
    static const char *const odd[] = {"nan", "", "inf", "-", "n/a", "1e999"};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        expect_refused(log_with(ROWS, 0, 37, odd[i]), usual,
                       "log.csv:39: 'y' is empty or not a finite number; take a stretch of the log "
                       "without such rows");
    lab_log_choice choice = {.input = "r", .output = "time_s", .time = "none", .step_ms = 2};
    lab_log log = expect_read(log_with(ROWS, 0, 37, "nan"), choice); // a column that is not used
    lab_log_free(&log);
}

static void constant_columns_are_refused(void **state)
{
    (void)state;
    table *it = must_calloc(1, sizeof *it);
    put(it, "r,y\n");
    for (int i = 0; i < ROWS; i++)
        put(it, "0.5,%.9g\n", smooth(i));
    table *other = must_calloc(1, sizeof *other);
    put(other, "y,r\n");
    for (int i = 0; i < ROWS; i++)
        put(other, "0,%.9g\n", smooth(i));
    expect_refused(it, usual,
                   "log.csv: 'r' is constant (0.5 in all 400 rows); a model needs an input that "
                   "moves: `cfpc excite` designs one");
    expect_refused(other, usual,
                   "log.csv: 'y' is constant (0 in all 400 rows); the input does not reach it, or "
                   "it is the wrong column");
}

// ---- saturation ------------------------------------------------------------------------------

enum { LONG = 4000 };

static void expect_cut_off(const double *x, bool expected, const char *what)
{
    lab_saturated found;
    const bool cut = lab_find_saturation(&found, LONG, x);
    if (cut != expected)
        fail_msg("%s: %d stretches, %d rows, the first at %d of %d", what, found.stretches,
                 found.rows, found.first, found.length);
}

static double noise(int row) // repeats bit for bit
{
    const double x = sin(12.9898 * row) * 43758.5453;
    return x - floor(x) - 0.5;
}

static double clip(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

// From 0 to 1 in `rows`, without a jerk.
static double minimum_jerk(double at)
{
    const double s = fmax(0, fmin(1, at));
    return s * s * s * (10 - 15 * s + 6 * s * s);
}

static void what_is_cut_off_is_found(void **state)
{
    (void)state;
    static const double periods[] = {21.7, 97, 431, 1500};
    static const double limits[] = {0.5, 0.8, 0.95};
    double x[LONG];
    for (size_t p = 0; p < 4; p++)
        for (size_t l = 0; l < 3; l++) {
            if (periods[p] < 50 && limits[l] > 0.9)
                continue; // a row or two per top
            for (int i = 0; i < LONG; i++)
                x[i] = clip(sin(6.283185307179586 * i / periods[p]), limits[l]);
            expect_cut_off(x, true, "a sine");
            for (int i = 0; i < LONG; i++)
                x[i] = round(x[i] * 1e4) / 1e4;
            expect_cut_off(x, true, "a sine in four decimals");
        }
    for (int i = 0; i < LONG; i++)
        x[i] = clip(smooth(i) + 0.05 * noise(i), 1);
    expect_cut_off(x, true, "a noisy output");
    for (int i = 0; i < LONG; i++)
        x[i] = fmin(smooth(i), 1);
    expect_cut_off(x, true, "one side");
    for (int i = 0; i < LONG; i++) // of a 10 bit converter
        x[i] = round(clip(sin(0.02 * i) + 0.3 * sin(0.07 * i), 1) * 512) / 512;
    expect_cut_off(x, true, "an output in 10 bits");
}

static void what_rests_or_switches_is_not_cut_off(void **state)
{
    (void)state;
    static const double steps[] = {0, 1e-2, 1e-3, 1e-5};
    double x[LONG];
    for (size_t q = 0; q < 4; q++) {
        const double step = steps[q];
#define EXPECT(formula, what)                                                                      \
    for (int i = 0; i < LONG; i++) {                                                               \
        x[i] = (formula);                                                                          \
        if (step > 0)                                                                              \
            x[i] = round(x[i] / step) * step;                                                      \
    }                                                                                              \
    expect_cut_off(x, false, what)
        EXPECT(sin(0.01 * i), "a slow sine");
        EXPECT(sin(0.3 * i) + 0.4 * sin(0.071 * i), "fast sines");
        EXPECT(smooth(i) + 0.1 * noise(i), "a noisy signal");
        EXPECT(minimum_jerk((i - 500) / 300.0) - minimum_jerk((i - 2000) / 300.0),
               "a reference that moves and rests");
        EXPECT(minimum_jerk((i - 500) / 60.0), "a reference that rests at 1");
        EXPECT(i < 1000 ? 0 : 1 - exp(-(i - 1000) / 120.0), "an output that settles");
        EXPECT(i < 1000 ? 0 : 1 - exp(-(i - 1000) / 120.0) * cos((i - 1000) / 50.0),
               "an output that overshoots");
        EXPECT(i < 1000 ? 0 : 1, "a step");
        EXPECT(noise(i / 30) > 0 ? 1 : -1, "a random binary signal");
        EXPECT(noise(i) > 0 ? 1 : -1, "a fast one");
        EXPECT(floor(20 * noise(i / 40)) / 20, "random stairs");
        EXPECT(fmax(0, fmin(1, (i - 500) / 500.0)) - fmax(0, fmin(1, (i - 2000) / 500.0)),
               "a ramp that ends");
        EXPECT(fmax(0, fmin(1, (i - 500) / 100.0)), "a steep ramp that ends");
        EXPECT(fmax(0, fmin(1, (i - 500) / 17.0)) - fmax(0, fmin(1, (i - 2000) / 23.0)),
               "short ramps between rests");
#undef EXPECT
    }
    for (int digits = 4; digits < 12; digits++) { // in all, not behind the point
        for (int i = 0; i < LONG; i++) {
            char text[32];
            snprintf(text, sizeof text, "%.*g", digits, 10 * fmax(0, fmin(1, (1500 - i) / 300.0)));
            x[i] = strtod(text, NULL);
        }
        expect_cut_off(x, false, "a ramp in few digits");
    }
}

// ---- excitation ------------------------------------------------------------------------------

static void expect_persistent(const double *x, bool expected, const char *what)
{
    const cfpc_log log = {.steps = LONG, .step_s = 1, .input = x, .output = x};
    cfpc_log_flaw flaw;
    assert_ok(cfpc_log_check(&log, 0, &flaw));
    if (flaw.kind != (expected ? CFPC_LOG_SOUND : CFPC_LOG_FREQUENCIES))
        fail_msg("%s", what);
}

static void one_or_two_frequencies_do_not_excite(void **state)
{
    (void)state;
    double x[LONG];
#define EXPECT(formula, expected, what)                                                            \
    for (int i = 0; i < LONG; i++)                                                                 \
        x[i] = (formula);                                                                          \
    expect_persistent(x, expected, what)
    EXPECT(3 + sin(0.05 * i), false, "a sine");
    EXPECT(sin(0.004 * i), false, "a slow sine");
    EXPECT(sin(0.05 * i) + 0.5 * sin(0.13 * i + 1), false, "two sines");
    EXPECT(round(1e4 * sin(0.05 * i)) / 1e4, false, "a sine in four decimals");
    EXPECT(sin(0.05 * i) + 0.5 * sin(0.13 * i + 1) + 0.3 * sin(0.31 * i), true, "three sines");
    EXPECT(noise(i), true, "white noise");
    EXPECT(noise(i / 30) > 0 ? 1 : -1, true, "a random binary signal");
    EXPECT(i < 1000 ? 0 : 1, true, "a step");
    EXPECT(minimum_jerk((i - 500) / 300.0) - minimum_jerk((i - 2000) / 300.0), true,
           "a reference that moves and rests");
    EXPECT(sin(0.05 * i + 20 * sin(0.001 * i)), true, "a sweep");
#undef EXPECT
}

static void a_saturated_log_is_refused_with_line_and_length(void **state)
{
    (void)state;
    table *it = must_calloc(1, sizeof *it);
    put(it, "# of the test bench\nr,y\n");
    for (int i = 0; i < ROWS; i++)
        put(it, "%.9g,%.9g\n", smooth(i), fmin(smooth(i - 3), 1.25));
    expect_refused(it, usual,
                   "log.csv:14: 'y' is saturated: it stays at its maximum of 1.25 for 13 rows (2 "
                   "such stretches, 25 rows together); log with a smaller input, or take a stretch "
                   "without them");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name_and_by_number),
        cmocka_unit_test(wrong_columns_are_refused),
        cmocka_unit_test(the_step_is_that_of_the_time_stamps),
        cmocka_unit_test(without_time_stamps_the_step_is_given_or_one_ms),
        cmocka_unit_test(stamps_that_are_rounded_are_regular),
        cmocka_unit_test(irregular_times_are_refused_with_their_line),
        cmocka_unit_test(what_is_no_number_is_refused_with_its_line),
        cmocka_unit_test(constant_columns_are_refused),
        cmocka_unit_test(what_is_cut_off_is_found),
        cmocka_unit_test(what_rests_or_switches_is_not_cut_off),
        cmocka_unit_test(one_or_two_frequencies_do_not_excite),
        cmocka_unit_test(a_saturated_log_is_refused_with_line_and_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
