// SPDX-License-Identifier: Apache-2.0
// model_file: what is printed reads back bit for bit, and what is no model is refused with its
// place.
#include "lab/temporary.h"

#include "spec/model_file.h"

static char *printed(const lab_model_file *model)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    lab_model_file_print(file, model);
    assert_ok(fclose(file));
    return text;
}

static lab_model_file parsed(const char *text)
{
    lab_model_file model;
    lab_why why = {0};
    if (lab_model_file_parse(&model, "m.yaml", text, &why) != LAB_DONE)
        fail_msg("%s in\n%s", why.text, text);
    return model;
}

static void expect_numbers(const lab_numbers *a, const lab_numbers *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    if (a->rows > 0)
        assert_memory_equal(a->values, b->values,
                            (size_t)a->rows * (size_t)a->columns * sizeof(double));
}

static void expect_same(const lab_model_file *a, const lab_model_file *b)
{
    assert_string_equal(a->made_by, b->made_by);
    assert_string_equal(a->log, b->log);
    assert_string_equal(a->input, b->input);
    assert_string_equal(a->output, b->output);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->method, b->method);
    assert_int_equal(a->feedback_allowed, b->feedback_allowed);
    expect_numbers(&a->a, &b->a);
    expect_numbers(&a->b, &b->b);
    expect_numbers(&a->c, &b->c);
    expect_numbers(&a->band, &b->band);
    const double x[] = {a->step_ms,        a->dead_time_ms, a->d,        a->fit,
                        a->fit_estimation, a->noise,        a->low_hz,   a->high_hz,
                        a->confidence,     a->whiteness,    a->feedback, a->unexplained};
    const double y[] = {b->step_ms,        b->dead_time_ms, b->d,        b->fit,
                        b->fit_estimation, b->noise,        b->low_hz,   b->high_hz,
                        b->confidence,     b->whiteness,    b->feedback, b->unexplained};
    assert_memory_equal(x, y, sizeof x);
}

// Numbers that need all their digits, small ones and negative zero.
static double awkward(int i)
{
    const double values[] = {1.0 / 3, -0.0, 5e-324, 1e22 / 7, -1e-17, 0.1 + 0.2, 2, 1e300};
    return values[i % 8];
}

static void a_model_reads_back_bit_for_bit(void **state)
{
    (void)state;
    double a[9], b[3], c[3], band[60];
    for (int i = 0; i < 9; i++)
        a[i] = awkward(i);
    for (int i = 0; i < 3; i++) {
        b[i] = awkward(i + 3);
        c[i] = awkward(i + 5);
    }
    for (int i = 0; i < 30; i++) {
        band[2 * i] = i * 300 / 29.0;
        band[2 * i + 1] = fabs(awkward(i));
    }
    char made_by[] = "cfpc: \"quoted\" # 1", log[] = "a log.csv", input[] = "r",
         output[] = "y (mm)";
    lab_model_file model = {.version = LAB_MODEL_VERSION,
                            .made_by = made_by,
                            .log = log,
                            .input = input,
                            .output = output,
                            .rows = 12345,
                            .step_ms = 1e3 / 600,
                            .method = CFPC_IDENTIFY_OPEN_PATH,
                            .dead_time_ms = 7 * (1e3 / 600),
                            .a = {3, 3, a},
                            .b = {1, 3, b},
                            .c = {1, 3, c},
                            .d = -1.0 / 7,
                            .fit = 88.123456789012345,
                            .fit_estimation = -3,
                            .noise = 1e-9 / 3,
                            .low_hz = 0.1,
                            .high_hz = 1.0 / 0.03,
                            .confidence = 0.95,
                            .band = {30, 2, band},
                            .whiteness = 0,
                            .unexplained = 1e-300,
                            .feedback = 1,
                            .feedback_allowed = 1};
    char *text = printed(&model);
    lab_model_file again = parsed(text), copy;
    expect_same(&model, &again);
    assert_true(lab_model_file_copy(&copy, &again));
    expect_same(&model, &copy);
    assert_ptr_not_equal(copy.a.values, again.a.values);
    assert_memory_equal(text, lab_model_file_title, strlen(lab_model_file_title));
    lab_model_file_free(&copy);
    lab_model_file_free(&again);
    free(text);
}

static void a_model_without_states_is_a_gain_and_a_delay(void **state)
{
    (void)state;
    lab_model_file model = parsed("{version: 1, step_ms: 2, method: direct, dead_time_ms: 4, d: "
                                  "0.5, band: [[0, 0.1], [250, 0.1]]}");
    assert_int_equal(model.a.rows, 0);
    assert_true(model.d == 0.5 && isnan(model.fit) && isnan(model.whiteness));
    char *text = printed(&model);
    lab_model_file again = parsed(text);
    assert_true(again.d == 0.5 && again.a.rows == 0 && again.band.rows == 2);
    lab_model_file_free(&model);
    lab_model_file_free(&again);
    free(text);
}

#define BAND "band: [[0, 0.1], [250, 0.1]]\n"
#define HEAD "version: 1\nstep_ms: 2\nmethod: direct\ndead_time_ms: 4\n"

static void what_is_no_model_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "m.yaml:1:1: a spec or model file is a map of keys; this holds none"},
        {"name: servo\n",
         "m.yaml:1:1: unknown key 'name' in the model; it may be version, made_by, "
         "log, input, output, rows, step_ms, method, dead_time_ms, a, b, c, d, fit, "
         "fit_estimation, noise, low_hz, high_hz, whiteness, unexplained, feedback, "
         "feedback_allowed, confidence, band"},
        {"version: 2\nstep_ms: 2\nmethod: direct\ndead_time_ms: 4\n" BAND,
         "m.yaml:1:10: this model has version 2 of the format, which this cfpc does not read (1): "
         "identify it again"},
        {"step_ms: 2\n", "m.yaml:1:1: missing key 'version' in the model: version of this file's "
                         "format"},
        {HEAD "dead_time: 4\n",
         "m.yaml:5:1: unknown key 'dead_time' in the model; did you mean 'dead_time_ms'?"},
        {"version: 1\nstep_ms: 2\nmethod: direct\ndead_time_ms: 3\n" BAND,
         "m.yaml:4:15: 'dead_time_ms' of 3 is not a whole number of steps of 2 ms, or too long"},
        {"version: 1\nstep_ms: 0\nmethod: direct\ndead_time_ms: 0\n",
         "m.yaml:2:10: 'step_ms' must be above 0; this is 0"},
        {"version: 1\nstep_ms: 2\nmethod: magic\ndead_time_ms: 0\n",
         "m.yaml:3:9: 'method' cannot be 'magic'; it may be direct, open-path, least-squares, "
         "least-squares-open-path"},
        {HEAD "a: [[1, 2]]\nb: [1]\nc: [1]\n" BAND,
         "m.yaml:5:1: 'a' is 1 x 2, 'b' has 1 and 'c' 1 numbers; 'a' must be square, and 'b' and "
         "'c' need one number per state"},
        {HEAD "a: [[nan]]\nb: [1]\nc: [1]\n", "m.yaml:5:6: 'a' must be finite; this is 'nan'"},
        {HEAD,
         "m.yaml:1:1: missing key 'band' in the model: uncertainty: frequency in Hz, and radius "
         "of the disc around the model's frequency response that holds the true one"},
        {HEAD "band: []\n", "m.yaml:5:1: 'band' is empty"},
        {HEAD "band: [[0, 1]]\n",
         "m.yaml:5:1: 'band' must be at least two rows of two numbers, as [1.5, 0.02]"},
        {HEAD "band: [[0, 1], [1, -1]]\n",
         "m.yaml:5:1: 'band' has [1, -1]; no number may be below 0"},
        {HEAD "band: [[0, 1], [0, 1]]\n",
         "m.yaml:5:1: the frequencies of 'band' must increase; 0 Hz does not"},
        {HEAD "band:\n  - [0, 1]\n  - [100, 1]\n",
         "m.yaml:5:1: 'band' ends at 100 Hz, before half the sampling rate (250 Hz): the file is "
         "cut off; identify it again"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lab_model_file model;
        lab_why why = {0};
        assert_int_equal(lab_model_file_parse(&model, "m.yaml", wrong[i].text, &why), LAB_REFUSED);
        assert_string_equal(why.text, wrong[i].message);
        lab_model_file_free(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_reads_back_bit_for_bit),
        cmocka_unit_test(a_model_without_states_is_a_gain_and_a_delay),
        cmocka_unit_test(what_is_no_model_is_refused_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
