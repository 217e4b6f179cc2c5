// SPDX-License-Identifier: Apache-2.0
// What a run writes reads back to what it computed, to the last bit.
#include "write/results.h"

#include "lab/experiment.h"
#include "lab/temporary.h"
#include "lab/written.h"

enum { STEPS = 2500, BASES = 20, TRIALS = 7 };

// One run for all tests, and the folder its files are in.
static struct {
    experiment it;
    lab_origin origin;
    temporary here;
} shared;

static lab_result shared_result(void)
{
    return (lab_result){.spec = &shared.it.spec,
                        .origin = &shared.origin,
                        .record = &shared.it.record,
                        .measures = &shared.it.measures};
}

typedef lab_outcome (*writer)(lab_folder *, const lab_result *, lab_why *);

static void write_results(const char *path)
{
    static const writer writers[] = {lab_write_curves, lab_write_signals, lab_write_traces,
                                     lab_write_summary, lab_write_hdf5};
    const lab_result result = shared_result();
    lab_folder folder;
    lab_why why;
    assert_int_equal(lab_folder_begin(&folder, path, false, &why), LAB_DONE);
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (writers[i](&folder, &result, &why) != LAB_DONE)
            fail_msg("%s", why.text);
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
}

static int set_up(void **state)
{
    (void)state;
    experiment_do(&shared.it, substitute(pursuit_text(), "trials: 50", "trials: 7"));
    assert_int_equal(lab_origin_make(&shared.origin, &shared.it.spec, &shared.it.why), LAB_DONE);
    temporary_make(&shared.here);
    write_results(temporary_below(&shared.here, "result").text);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    lab_origin_free(&shared.origin);
    experiment_free(&shared.it);
    temporary_remove(&shared.here);
    return 0;
}

static char *result_text(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "result/%s", name);
    char *text = file_text(temporary_below(&shared.here, path).text);
    if (!text) {
        fail_msg("there is no %s", name);
        abort(); // never reached, which the static analyser does not know
    }
    return text;
}

// ---- tables ----------------------------------------------------------------------------------

// A table read back: its header line, and its numbers.
typedef struct table {
    char *text, *header;
    int rows, columns;
    double *values; // (rows x columns)
} table;

// Reads one row of exactly `columns` numbers; returns what follows it.
static char *read_row(char *at, int columns, double *values)
{
    for (int i = 0; i < columns; i++) {
        char *end;
        values[i] = strtod(at, &end);
        assert_true(end > at);
        assert_int_equal(*end, i + 1 < columns ? ',' : '\n');
        at = end + 1;
    }
    return at;
}

static table read_table(const char *name, int columns)
{
    table it = {.text = result_text(name), .columns = columns};
    it.header = it.text;
    char *at = it.text + strcspn(it.text, "\n");
    assert_int_equal(*at, '\n');
    *at++ = '\0';
    it.values = must_calloc((size_t)(STEPS + 1) * (size_t)columns, sizeof *it.values);
    for (; *at; it.rows++) {
        assert_true(it.rows < STEPS);
        at = read_row(at, columns, it.values + (size_t)it.rows * (size_t)columns);
    }
    return it;
}

static void table_free(table *it)
{
    free(it->text);
    free(it->values);
}

static void assert_column(const table *it, int column, const double *values, int stride)
{
    for (int n = 0; n < it->rows; n++)
        assert_near(it->values[(size_t)n * (size_t)it->columns + (size_t)column],
                    values[(size_t)n * (size_t)stride], 0);
}

static void curves_hold_every_rule_and_the_optimum(void **state)
{
    (void)state;
    table it = read_table("curves.csv", 6);
    assert_string_equal(it.header, "trial,fm-et,wh,wh+50ms,wh+70ms,optimum");
    assert_int_equal(it.rows, TRIALS);
    for (int k = 0; k < TRIALS; k++)
        assert_near(it.values[k * 6], k + 1, 0);
    for (int rule = 0; rule < 4; rule++)
        assert_column(&it, 1 + rule, shared.it.record.rule[rule].rrmse, 1);
    assert_column(&it, 5, &shared.it.setup.problem.rrmse_optimum, 0);
    table_free(&it);
}

static void signals_hold_each_signal_in_its_column(void **state)
{
    (void)state;
    const lab_record *record = &shared.it.record;
    table it = read_table("signals.csv", 9);
    assert_string_equal(it.header, "time_s,r,y_first,y_last,e_first,e_last,o_last,m_first,m_last");
    assert_int_equal(it.rows, STEPS);
    for (int n = 0; n < STEPS; n++)
        assert_near(it.values[n * 9], n * 1e-3, 1e-15 * n);
    assert_column(&it, 1, shared.it.setup.r, 1);
    assert_column(&it, 2, record->signals.y_first, 1);
    assert_column(&it, 3, record->signals.y_last, 1);
    assert_column(&it, 4, record->signals.e_first, 1);
    assert_column(&it, 5, record->signals.e_last, 1);
    assert_column(&it, 6, record->signals.o_last, 1);
    assert_column(&it, 7, record->signals.m_first, 1);
    assert_column(&it, 8, record->signals.m_last, 1);
    table_free(&it);
}

static void traces_hold_every_basis_signal_and_its_trace(void **state)
{
    (void)state;
    table it = read_table("traces.csv", 1 + 2 * BASES);
    char header[512] = "time_s";
    for (int j = 0; j < 2 * BASES; j++)
        snprintf(header + strlen(header), sizeof header - strlen(header), ",%c_%d",
                 j < BASES ? 'x' : 'h', j % BASES + 1);
    assert_string_equal(it.header, header);
    assert_int_equal(it.rows, STEPS);
    for (int j = 0; j < BASES; j++) {
        assert_column(&it, 1 + j, shared.it.setup.x + j, BASES);
        assert_column(&it, 1 + BASES + j, shared.it.record.traces + j, BASES);
    }
    table_free(&it);
}

// ---- summary ---------------------------------------------------------------------------------

// Finds `words` after `from`; what follows them.
static const char *after(const char *from, const char *words)
{
    const char *at = strstr(from, words);
    if (!at)
        fail_msg("summary.json has no %s", words);
    return at ? at + strlen(words) : from;
}

static void assert_json_number(const char *at, double value)
{
    if (!isfinite(value))
        assert_memory_equal(at, "null", 4);
    else
        assert_near(strtod(at, NULL), value, 0);
}

static void the_summary_holds_every_figure(void **state)
{
    (void)state;
    char *text = result_text("summary.json");
    for (int i = 0; i < shared.it.measures.count; i++) {
        const lab_measure *figure = &shared.it.measures.measure[i];
        const char *at = text, *part = figure->name;
        char key[256];
        for (const char *dot; (dot = strchr(part, '.')); part = dot + 1) { // down the objects
            snprintf(key, sizeof key, "\"%.*s\": {", (int)(dot - part), part);
            at = after(at, key);
        }
        snprintf(key, sizeof key, "\"%s\": ", part);
        assert_json_number(after(at, key), figure->value);
    }
    after(after(text, "\"taught_by\": {"), "\"fm-et\": \"error\", ");
    free(text);
}

static void the_summary_holds_every_claim(void **state)
{
    (void)state;
    char *text = result_text("summary.json");
    const char *at = after(text, "\"claims\": [");
    for (int i = 0; i < shared.it.measures.claims; i++) {
        const lab_claim *claim = &shared.it.measures.claim[i];
        char expected[512];
        snprintf(expected, sizeof expected,
                 "{\"name\": \"%s\", \"says\": \"%s\", \"measure\": \"%s\", \"measured\": ",
                 claim->spec->name, claim->spec->says, claim->spec->measure);
        at = after(at, expected);
        assert_json_number(at, claim->measured);
        assert_json_number(after(at, "\"low\": "), claim->spec->low);
        assert_json_number(after(at, "\"high\": "), claim->spec->high);
        assert_int_equal(*after(at, "\"pass\": "), claim->pass ? 't' : 'f');
    }
    free(text);
}

static void texts_in_the_summary_are_escaped(void **state)
{
    (void)state;
    char title[] = "a \"b\" \\ c\td\n\x01 τ", *kept = shared.it.spec.title;
    const lab_result result = shared_result();
    lab_folder folder;
    lab_why why;
    const temporary_path path = temporary_below(&shared.here, "escaped");
    assert_int_equal(lab_folder_begin(&folder, path.text, false, &why), LAB_DONE);
    shared.it.spec.title = title;
    assert_int_equal(lab_write_summary(&folder, &result, &why), LAB_DONE);
    shared.it.spec.title = kept;
    assert_int_equal(lab_folder_commit(&folder, &why), LAB_DONE);
    char *text = file_text(temporary_below(&shared.here, "escaped/summary.json").text);
    assert_non_null(text);
    after(text, "\"title\": \"a \\\"b\\\" \\\\ c\\u0009d\\u000a\\u0001 τ\",\n");
    free(text);
}

// ---- HDF5 ------------------------------------------------------------------------------------

#ifdef TEST_HAS_HDF5

#include <hdf5.h>

static void assert_set(hid_t file, const char *path, int count, const double *values)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        fail_msg("result.h5 has no %s", path);
    const hid_t space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    double *found = must_calloc((size_t)count, sizeof *found);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
    for (int i = 0; i < count; i++)
        if (!(isnan(found[i]) && isnan(values[i])))
            assert_near(found[i], values[i], 0);
    assert_true(H5Aexists(set, "unit") > 0);
    free(found);
    H5Sclose(space);
    H5Dclose(set);
}

static void assert_attribute(hid_t file, const char *name, const char *expected)
{
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    if (attribute < 0)
        fail_msg("result.h5 has no attribute %s", name);
    const hid_t type = H5Aget_type(attribute);
    char *text = must_calloc(H5Tget_size(type) + 1, 1);
    assert_true(H5Aread(attribute, type, text) >= 0);
    assert_string_equal(text, expected);
    free(text);
    H5Tclose(type);
    H5Aclose(attribute);
}

static hid_t open_result(void)
{
    const hid_t file = H5Fopen(temporary_below(&shared.here, "result/result.h5").text,
                               H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

static void hdf5_holds_curves_weights_and_signals(void **state)
{
    (void)state;
    const lab_record *record = &shared.it.record;
    const lab_setup *setup = &shared.it.setup;
    const hid_t file = open_result();
    for (int i = 0; i < record->rules; i++) {
        char path[64];
        snprintf(path, sizeof path, "/curves/%s", record->rule[i].name);
        assert_set(file, path, TRIALS, record->rule[i].rrmse);
        snprintf(path, sizeof path, "/weights/%s", record->rule[i].name);
        assert_set(file, path, BASES, record->rule[i].weights);
    }
    assert_set(file, "/curves/optimum", TRIALS, record->optimum);
    assert_set(file, "/weights/optimum", BASES, setup->problem.optimum);
    assert_set(file, "/signals/r", STEPS, setup->r);
    assert_set(file, "/signals/y_first", STEPS, record->signals.y_first);
    assert_set(file, "/signals/y_last", STEPS, record->signals.y_last);
    assert_set(file, "/signals/e_first", STEPS, record->signals.e_first);
    assert_set(file, "/signals/e_last", STEPS, record->signals.e_last);
    assert_set(file, "/signals/o_last", STEPS, record->signals.o_last);
    assert_set(file, "/signals/m_first", STEPS, record->signals.m_first);
    assert_set(file, "/signals/m_last", STEPS, record->signals.m_last);
    assert_set(file, "/signals/response", STEPS, record->signals.response);
    assert_set(file, "/traces/basis", STEPS * BASES, setup->x);
    assert_set(file, "/traces/trace", STEPS * BASES, record->traces);
    assert_set(file, "/delays/delay_ms", record->scan_count, record->scan_delay_ms);
    assert_set(file, "/delays/rrmse", record->scan_count, record->scan_rrmse);
    H5Fclose(file);
}

static void hdf5_holds_the_figures_the_claims_and_the_spec(void **state)
{
    (void)state;
    const lab_measures *measures = &shared.it.measures;
    const hid_t file = open_result();
    for (int i = 0; i < measures->count; i++) {
        char path[256];
        snprintf(path, sizeof path, "/summary/%s", measures->measure[i].name);
        for (char *c = path; *c; c++)
            *c = *c == '.' ? '/' : *c;
        assert_set(file, path, 1, &measures->measure[i].value);
    }
    for (int i = 0; i < measures->claims; i++) {
        char path[256];
        snprintf(path, sizeof path, "/claims/%s", measures->claim[i].spec->name);
        assert_set(file, path, 1, &measures->claim[i].measured);
    }
    assert_attribute(file, "spec", shared.origin.text);
    assert_attribute(file, "name", "pursuit");
    assert_attribute(file, "version", CFPC_VERSION);
    assert_attribute(file, "mode", "batch");
    assert_attribute(file, "taught_by", "error");
    assert_attribute(file, "rule", "fm-et");
    H5Fclose(file);
}

#endif

// ---- models and windows ----------------------------------------------------------------------

// A rule with a learned model beside one without, and windows of both.
static void models_and_windows_are_written_by_trial(void **state)
{
    (void)state;
    double peak[] = {NAN, 125}, right[] = {125, 126.5}, off[] = {NAN, 1.5};
    double first[] = {1, 0.5}, second[] = {1.25, 2};
    lab_rule_record rules[] = {{.name = "told", .worst_window = first},
                               {.name = "learned",
                                .worst_window = second,
                                .model = {.peak_ms = peak, .right_ms = right, .off_ms = off}}};
    const lab_record record = {.trials = 2, .rules = 2, .rule = rules};
    const lab_result result = {.record = &record};
    written it;
    lab_why why;
    written_make(&it);
    assert_int_equal(lab_write_windows(&it.folder, &result, &why), LAB_DONE);
    assert_int_equal(lab_write_models(&it.folder, &result, &why), LAB_DONE);
    expect_sheet(&it.folder, "windows.csv", "trial,told,learned", 1, 1, 1.25, 2, 0.5, 2);
    expect_sheet(&it.folder, "models.csv", "trial,learned.peak_ms,learned.right_ms,learned.off_ms",
                 1, NAN, 125, NAN, 2, 125, 126.5, 1.5);
    assert_true(lab_any_model(&record));
    written_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_hold_every_rule_and_the_optimum),
        cmocka_unit_test(signals_hold_each_signal_in_its_column),
        cmocka_unit_test(traces_hold_every_basis_signal_and_its_trace),
        cmocka_unit_test(the_summary_holds_every_figure),
        cmocka_unit_test(the_summary_holds_every_claim),
        cmocka_unit_test(texts_in_the_summary_are_escaped),
        cmocka_unit_test(models_and_windows_are_written_by_trial),
#ifdef TEST_HAS_HDF5
        cmocka_unit_test(hdf5_holds_curves_weights_and_signals),
        cmocka_unit_test(hdf5_holds_the_figures_the_claims_and_the_spec),
#endif
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
