// SPDX-License-Identifier: Apache-2.0
// report: a program's reports, references and exports: each is made, said and written completely or
// not at all; what cannot be is refused in one line.
#include "lab/program.h"
#include "lab/report/said.h"
#include "lab/strict_json.h"

// ---- what the tests share --------------------------------------------------------------------

// Why a call ended so, in one line that holds these words.
static void expect_end(cfpc_outcome outcome, cfpc_outcome expected, const cfpc_why *why,
                       const char *words)
{
    if (outcome != expected || !strstr(why->text, words) || strchr(why->text, '\n'))
        fail_msg("it ended with %d, not %d and '%s': %s", (int)outcome, (int)expected, words,
                 why->text);
}

static void expect_refused(cfpc_outcome outcome, const cfpc_why *why, const char *words)
{
    expect_end(outcome, CFPC_REFUSED, why, words);
}

static char *text_of(const cfpc_report *report)
{
    char *text;
    cfpc_why why;
    must_be_done(cfpc_report_text(report, &text, &why), &why);
    return text;
}

static char *json_of(const cfpc_report *report)
{
    char *json;
    cfpc_why why;
    must_be_done(cfpc_report_json(report, &json, &why), &why);
    return json;
}

static char *files_of(const cfpc_report *report, const char *folder, bool figures)
{
    const cfpc_write_options options = {.figures = figures};
    char *text;
    cfpc_why why;
    must_be_done(cfpc_report_files(report, folder, &options, &text, &why), &why);
    return text;
}

// Both are freed.
static void expect_text(char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is not in:\n%s", words, text);
    cfpc_text_free(text);
}

static bool is_there(const temporary *here, const char *name)
{
    return access(temporary_below(here, name).text, F_OK) == 0;
}

static bool say_stop(void *context, const char *what, int done, int total)
{
    (void)context;
    (void)what;
    (void)done;
    (void)total;
    return false;
}

static const cfpc_progress stops = {.tick = say_stop};

// A report is written with figures, refused where it is, replaced if asked to, and if it is stopped
// leaves nothing.
static void expect_writes(const temporary *here, const cfpc_report *report, const char *first,
                          const char *figure)
{
    const temporary_path folder = temporary_below(here, "out"), other = temporary_below(here, "no");
    const cfpc_write_options with_figures = {.figures = true},
                             replace = {.replace = true, .option = "--place"},
                             named = {.option = "--place"}, stopped = {.progress = &stops};
    char name[64];
    cfpc_why why;
    must_be_done(cfpc_report_write(report, folder.text, &with_figures, &why), &why);
    snprintf(name, sizeof name, "out/%s", first);
    assert_true(is_there(here, name));
    snprintf(name, sizeof name, "out/%s.gp", figure);
    assert_true(is_there(here, name));
    snprintf(name, sizeof name, "out/%s.svg", figure);
    assert_int_equal(is_there(here, name), cfpc_has_gnuplot());
    expect_refused(cfpc_report_write(report, folder.text, NULL, &why), &why,
                   "holds a result already");
    assert_null(strstr(why.text, "--"));
    expect_refused(cfpc_report_write(report, folder.text, &named, &why), &why, "--place");
    must_be_done(cfpc_report_write(report, folder.text, &replace, &why), &why);
    snprintf(name, sizeof name, "out/%s.gp", figure);
    assert_false(is_there(here, name)); // as it was not asked for
    const int entries = entries_of(here->path);
    expect_end(cfpc_report_write(report, other.text, &stopped, &why), CFPC_FAILED, &why, "stopped");
    assert_int_equal(entries_of(here->path), entries);
}

// ---- an analysis -----------------------------------------------------------------------------

static cfpc_report *must_analyse(const cfpc_experiment *experiment,
                                 const cfpc_analyse_options *options)
{
    cfpc_report *report;
    cfpc_why why;
    must_be_done(cfpc_experiment_analyse(&report, experiment, options, &why), &why);
    return report;
}

static void an_analysis_is_the_certificate(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_report *report = must_analyse(experiment, NULL);
    char *certificate, *json = json_of(report);
    cfpc_why why;
    must_be_done(cfpc_experiment_certificate(experiment, &certificate, NULL, &why), &why);
    assert_string_equal(json, certificate);
    expect_json(json, "name", "\"small\"");
    expect_text(text_of(report), "  rule fm, learning in batch, taught by the error r - y\n");
    expect_text(files_of(report, "some/where", false), "some/where/certificate.json\n");
    expect_writes(*state, report, "certificate.json", "fig-prediction");
    assert_file_holds(temporary_below(*state, "out/certificate.json").text, json);
    assert_true(is_there(*state, "out/spec.yaml"));
    cfpc_text_free(certificate);
    cfpc_text_free(json);
    cfpc_report_free(report);
    cfpc_experiment_free(experiment);
}

static void an_analysis_may_fill_the_region(void **state)
{
    const cfpc_analyse_options options = {.region = true};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_report *report = must_analyse(experiment, &options);
    expect_text(files_of(report, "x", true),
                cfpc_has_gnuplot() ? "fig-prediction.png, fig-tolerance.png" : "data:");
    expect_writes(*state, report, "certificate.json", "fig-tolerance");
    cfpc_report_free(report);
    cfpc_experiment_free(experiment);
}

// A bank that hears the loop closes it through the weights, which a run leaves.
#define HEARING                                                                                    \
    SMALL_HEAD SMALL_LOOP SMALL_TASK                                                               \
        "basis: {kind: laguerre, count: 3, time_constant_ms: 100, input: measurement}\n"           \
        "learning: {trials: 2}\n" SMALL_RULES

static void an_analysis_takes_weights(void **state)
{
    static const char *const tables[] = {"fm,wh\n0.1,9\n0.2,9\n0.3,9\n", "w\n0.1\n0.2\n0.3\n"};
    cfpc_experiment *experiment = must_load(*state, HEARING, NULL);
    const temporary_path file = temporary_below(*state, "w.csv");
    const cfpc_analyse_options options = {.weights = file.text};
    char *said[2];
    cfpc_report *report;
    cfpc_why why;
    for (int i = 0; i < 2; i++) { // the column of the rule, or the only one
        write_file(file.text, tables[i]);
        report = must_analyse(experiment, &options);
        said[i] = text_of(report);
        expect_said(said[i], "stable with the cell  ");
        cfpc_report_free(report);
    }
    assert_string_equal(said[0], said[1]);
    cfpc_text_free(said[0]);
    cfpc_text_free(said[1]);
    write_file(file.text, "a,b\n1,2\n");
    expect_refused(cfpc_experiment_analyse(&report, experiment, &options, &why), &why, "'fm'");
    assert_null(report);
    write_file(file.text, "w\n1\n2\n");
    expect_refused(cfpc_experiment_analyse(&report, experiment, &options, &why), &why, "w.csv");
    const cfpc_analyse_options missing = {.weights = "no-such-file.csv"};
    expect_refused(cfpc_experiment_analyse(&report, experiment, &missing, &why), &why,
                   "no-such-file.csv");
    cfpc_experiment_free(experiment);
}

static void an_analysis_can_be_stopped(void **state)
{
    const cfpc_analyse_options options = {.progress = &stops};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_report *report;
    cfpc_why why;
    expect_end(cfpc_experiment_analyse(&report, experiment, &options, &why), CFPC_FAILED, &why,
               "stopped");
    assert_null(report);
    cfpc_experiment_free(experiment);
}

// ---- a probe ---------------------------------------------------------------------------------

static void a_probe_is_said_and_written(void **state)
{
    const cfpc_excite_options options = {.seconds = 5, .noise = 0.01, .rms = NAN, .seed = 3};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_report *report;
    cfpc_why why;
    must_be_done(cfpc_experiment_excite(&report, experiment, &options, &why), &why);
    char *json = json_of(report);
    expect_json(json, "name", "\"small\"");
    expect_text(text_of(report), "small: a small loop\n  a probe of the path from o to the ");
    expect_text(files_of(report, "p", false), "  data:    p/probe.csv, probe.h (C table), ");
    expect_writes(*state, report, "probe.csv", "fig-probe");
    assert_file_holds(temporary_below(*state, "out/probe.json").text, json);
    cfpc_text_free(json);
    cfpc_report_free(report);
    must_be_done(cfpc_experiment_excite(&report, experiment, NULL, &why), &why);
    expect_text(text_of(report), "unknown: set loop.noise");
    cfpc_report_free(report);
    cfpc_experiment_free(experiment);
}

static void bad_options_of_a_probe_are_refused(void **state)
{
    static const struct {
        cfpc_excite_options options;
        const char *words;
    } cases[] = {{{.seconds = -1}, "the length must be a number above 0; this is -1"},
                 {{.rms = INFINITY}, "the rms must be a number above 0; this is inf"},
                 {{.noise = -2}, "the noise must be a number above 0; this is -2"},
                 {{.low_hz = -3}, "the lowest frequency must be a number above 0; this is -3"},
                 {{.high_hz = -4}, "the highest frequency must be a number above 0; this is -4"},
                 {{.seed = -5}, "the seed must be at least 0; this is -5"}};
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cfpc_report *report;
        cfpc_why why;
        expect_refused(cfpc_experiment_excite(&report, experiment, &cases[i].options, &why), &why,
                       cases[i].words);
        assert_null(report);
    }
    cfpc_experiment_free(experiment);
}

// ---- an identification -----------------------------------------------------------------------

// A lag of 12 steps behind 3 steps of dead time.
static temporary_path log_below(const temporary *here)
{
    enum { ROWS = 1200 };
    const temporary_path path = temporary_below(here, "log.csv");
    FILE *file = fopen(path.text, "w");
    dice d = {5};
    double x = 0, r = 1, past[3] = {0};
    assert_non_null(file);
    fputs("time_s,u,y\n", file);
    for (int n = 0; n < ROWS; n++) {
        if (n % 9 == 0)
            r = dice_between(&d, -1, 1) > 0 ? 1 : -1;
        fprintf(file, "%.3f,%.9g,%.9g\n", 0.004 * n, r, x + dice_between(&d, -0.05, 0.05));
        x = 0.92 * x + 0.08 * past[n % 3];
        past[n % 3] = r;
    }
    assert_ok(fclose(file));
    return path;
}

static void an_identification_writes_its_model_last_and_alone(void **state)
{
    const temporary *here = *state;
    const temporary_path log = log_below(here), model = temporary_below(here, "arm.yaml"),
                         folder = temporary_below(here, "out"),
                         again = temporary_below(here, "again");
    const cfpc_write_options stopped = {.progress = &stops};
    const double delay_ms = 12;
    cfpc_identify_options options = {
        .input = "u", .output = "y", .model = model.text, .dead_time_ms = &delay_ms, .order = 1};
    cfpc_report *report;
    cfpc_why why;
    must_be_done(cfpc_identify_log(&report, log.text, &options, &why), &why);
    assert_false(is_there(here, "arm.yaml")); // not before it is written
    char *json = json_of(report);
    json_at(json, "fit");
    cfpc_text_free(json);
    expect_text(text_of(report), "  model\n    dead time                            12 ms (3 ");
    char *files = files_of(report, NULL, true);
    assert_int_equal(strncmp(files, "  model:   ", 11), 0);
    assert_null(strstr(files, "data:"));
    cfpc_text_free(files);
    // Without its folder there is no model either.
    expect_end(cfpc_report_write(report, folder.text, &stopped, &why), CFPC_FAILED, &why,
               "stopped");
    assert_int_equal(entries_of(here->path), 1);
    must_be_done(cfpc_report_write(report, NULL, NULL, &why), &why);
    assert_int_equal(entries_of(here->path), 2);
    char *alone = file_text(model.text);
    assert_non_null(alone);
    // It is not replaced unless that was said when the report was made.
    expect_refused(cfpc_report_write(report, folder.text, NULL, &why), &why, "arm.yaml");
    assert_int_equal(entries_of(here->path), 2);
    cfpc_report_free(report);
    expect_refused(cfpc_identify_log(&report, log.text, &options, &why), &why, "arm.yaml");
    options.replace_model = true;
    must_be_done(cfpc_identify_log(&report, log.text, &options, &why), &why);
    must_be_done(cfpc_report_write(report, again.text, NULL, &why), &why);
    assert_file_holds(model.text, alone);
    assert_true(is_there(here, "again/identification.json"));
    free(alone);
    cfpc_report_free(report);
}

static void an_identification_needs_no_model_file(void **state)
{
    const temporary_path log = log_below(*state);
    const cfpc_identify_options options = {.input = "2", .output = "3", .step_ms = NAN};
    cfpc_report *report;
    cfpc_why why;
    char *text;
    must_be_done(cfpc_identify_log(&report, log.text, &options, &why), &why);
    expect_refused(cfpc_report_write(report, NULL, NULL, &why), &why, "no folder was given");
    expect_refused(cfpc_report_files(report, NULL, NULL, &text, &why), &why, "no folder was given");
    assert_null(text);
    expect_writes(*state, report, "identification.json", "fig-identify");
    cfpc_report_free(report);
}

static void bad_options_of_an_identification_are_refused(void **state)
{
    static const double before = -1;
    static const struct {
        cfpc_identify_options options;
        const char *words;
    } cases[] = {{{.input = "u", .output = "y", .step_ms = -4},
                  "the step must be a number of ms above 0; this is -4"},
                 {{.input = "u", .output = "y", .dead_time_ms = &before},
                  "the delay must be a number of ms, at least 0; this is -1"},
                 {{.input = "u", .output = "y", .order = 41},
                  "the order must be a whole number from 1 to 40; this is 41"},
                 {{.input = "u", .output = "y", .order = -1}, "from 1 to 40; this is -1"},
                 {{.input = "u", .output = "y", .model = "arm.txt"},
                  "a model file must end in .yaml; this is 'arm.txt'"},
                 {{.input = "v", .output = "y"}, "'v'"},
                 {{.output = "y"}, "input"},
                 {{.input = "u"}, "output"}};
    const temporary_path log = log_below(*state);
    cfpc_report *report;
    cfpc_why why;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refused(cfpc_identify_log(&report, log.text, &cases[i].options, &why), &why,
                       cases[i].words);
        assert_null(report);
    }
    expect_refused(cfpc_identify_log(&report, log.text, NULL, &why), &why, "input");
    expect_refused(cfpc_identify_log(&report, "no-such-log.csv", &cases[6].options, &why), &why,
                   "no-such-log.csv");
}

// ---- a comparison ----------------------------------------------------------------------------

static void finished_runs_are_compared(void **state)
{
    const temporary_path one = temporary_below(*state, "one"), two = temporary_below(*state, "two");
    const char *const folders[] = {one.text, two.text, NULL};
    const cfpc_compare_options of_all = {.all = true}, of_wh = {.rule = "wh"},
                               of_both = {.rule = "wh", .all = true}, of_none = {.rule = "nosuch"};
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    cfpc_report *report;
    cfpc_why why;
    char *json;
    must_be_done(cfpc_result_write(result, one.text, NULL, &why), &why);
    must_be_done(cfpc_result_write(result, two.text, NULL, &why), &why);
    cfpc_result_free(result);
    must_be_done(cfpc_compare(&report, folders, 2, NULL, &why), &why);
    expect_text(text_of(report), "  two fm  ");
    expect_text(files_of(report, "c", false), "  data:    c/compare.csv\n");
    expect_refused(cfpc_report_json(report, &json, &why), &why, "a comparison has no JSON");
    assert_null(json);
    expect_writes(*state, report, "compare.csv", "fig-compare");
    cfpc_report_free(report);
    must_be_done(cfpc_compare(&report, folders, 2, &of_all, &why), &why);
    char *text = text_of(report);
    assert_int_equal(times_said(text, " fm "), 2);
    assert_int_equal(times_said(text, " wh "), 2);
    cfpc_text_free(text);
    cfpc_report_free(report);
    must_be_done(cfpc_compare(&report, folders, 2, &of_wh, &why), &why);
    expect_text(text_of(report), "  one wh  ");
    cfpc_report_free(report);
    expect_refused(cfpc_compare(&report, folders, 2, &of_both, &why), &why, "give only one");
    assert_null(report);
    expect_refused(cfpc_compare(&report, folders, 2, &of_none, &why), &why, "has no rule 'nosuch'");
    expect_refused(cfpc_compare(&report, folders, 1, NULL, &why), &why, "2 to 12");
    expect_refused(cfpc_compare(&report, folders, SIZE_MAX, NULL, &why), &why, "2 to 12");
    expect_refused(cfpc_compare(&report, folders, 3, NULL, &why), &why, "no folder was given");
    assert_null(report);
}

// ---- what is left out ------------------------------------------------------------------------

static void what_is_left_out_is_refused(void **state)
{
    cfpc_experiment *experiment = must_load(*state, SMALL_SPEC, NULL);
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    cfpc_report *made = must_analyse(experiment, NULL), *report = made;
    const char *const none[] = {NULL, NULL};
    char mark = 'x', *text = &mark;
    cfpc_why why;
    expect_refused(cfpc_experiment_analyse(NULL, experiment, NULL, &why), &why,
                   "no place for the report was given");
    expect_refused(cfpc_experiment_analyse(&report, NULL, NULL, &why), &why,
                   "no experiment was given");
    assert_null(report);
    expect_refused(cfpc_experiment_excite(&report, NULL, NULL, &why), &why, "no experiment");
    expect_refused(cfpc_experiment_excite(NULL, experiment, NULL, &why), &why, "no place");
    expect_refused(cfpc_identify_log(&report, NULL, NULL, &why), &why, "no log, a CSV file,");
    expect_refused(cfpc_identify_log(NULL, "x", NULL, &why), &why, "no place");
    expect_refused(cfpc_compare(&report, NULL, 2, NULL, &why), &why, "no list of folders");
    expect_refused(cfpc_compare(&report, none, 2, NULL, &why), &why, "no folder was given");
    expect_refused(cfpc_compare(NULL, none, 2, NULL, &why), &why, "no place");
    expect_refused(cfpc_report_text(NULL, &text, &why), &why, "no report was given");
    assert_null(text);
    expect_refused(cfpc_report_text(made, NULL, &why), &why, "no place for the text");
    expect_refused(cfpc_report_json(NULL, &text, &why), &why, "no report");
    expect_refused(cfpc_report_json(made, NULL, &why), &why, "no place");
    expect_refused(cfpc_report_files(NULL, "x", NULL, &text, &why), &why, "no report");
    expect_refused(cfpc_report_files(made, "x", NULL, NULL, &why), &why, "no place");
    expect_refused(cfpc_report_files(made, NULL, NULL, &text, &why), &why, "no folder");
    expect_refused(cfpc_report_write(NULL, "x", NULL, &why), &why, "no report");
    expect_refused(cfpc_report_write(made, NULL, NULL, &why), &why, "no folder");
    expect_refused(cfpc_result_text(NULL, &text, &why), &why, "no result");
    expect_refused(cfpc_result_text(result, NULL, &why), &why, "no place");
    expect_refused(cfpc_result_files(NULL, "x", NULL, &text, &why), &why, "no result");
    expect_refused(cfpc_result_files(result, NULL, NULL, &text, &why), &why, "no folder");
    expect_refused(cfpc_result_write(result, NULL, NULL, &why), &why, "no folder");
    expect_refused(cfpc_folder_check(NULL, NULL, &why), &why, "no folder");
    expect_refused(cfpc_inspect(NULL, &text, &why), &why, "no file");
    expect_refused(cfpc_inspect("x", NULL, &why), &why, "no place");
    expect_refused(cfpc_spec_reference(NULL, &why), &why, "no place");
    expect_refused(cfpc_measure_reference(NULL, &why), &why, "no place");
    expect_refused(cfpc_experiment_export(NULL, "x", NULL, &text, &why), &why, "no experiment");
    assert_int_equal(cfpc_report_text(NULL, NULL, NULL), CFPC_REFUSED); // why may be left out
    cfpc_report_free(NULL);
    cfpc_report_free(made);
    cfpc_result_free(result);
    cfpc_experiment_free(experiment);
}

// ---- results and folders ---------------------------------------------------------------------

static void a_result_is_said_and_its_files_named(void **state)
{
    const cfpc_write_options figures = {.figures = true};
    cfpc_result *result = must_have(*state, SMALL_SPEC, NULL);
    char *text;
    cfpc_why why;
    must_be_done(cfpc_result_text(result, &text, &why), &why);
    expect_text(text, "small: a small loop\n  4 trials of 1 s, 5 bases, ");
    must_be_done(cfpc_result_files(result, "out/x", &figures, &text, &why), &why);
    expect_said(text, "  spec:    out/x/spec.yaml repeats this run\n", "hashes.csv", "figures: ");
    assert_int_equal(times_said(text, ", result.h5"), cfpc_has_hdf5());
    assert_int_equal(times_said(text, "fig-learning.png"), cfpc_has_gnuplot());
    cfpc_text_free(text);
    cfpc_result_free(result);
}

static void a_folder_is_checked_before_the_work(void **state)
{
    const temporary *here = *state;
    const temporary_path folder = temporary_below(here, "out"), file = temporary_below(here, "f");
    const cfpc_write_options replace = {.replace = true}, named = {.option = "--place"};
    cfpc_why why;
    must_be_done(cfpc_folder_check(folder.text, NULL, &why), &why);
    assert_int_equal(entries_of(here->path), 0);
    write_file(file.text, "mine\n");
    expect_refused(cfpc_folder_check(file.text, &replace, &why), &why, file.text);
    cfpc_result *result = must_have(here, SMALL_SPEC, NULL);
    must_be_done(cfpc_result_write(result, folder.text, NULL, &why), &why);
    expect_refused(cfpc_folder_check(folder.text, NULL, &why), &why, "holds a result already");
    expect_refused(cfpc_folder_check(folder.text, &named, &why), &why, "--place");
    must_be_done(cfpc_folder_check(folder.text, &replace, &why), &why);
    assert_true(is_there(here, "out/summary.json"));
    cfpc_result_free(result);
}

// ---- the lab ---------------------------------------------------------------------------------

static void references_name_every_key_and_measure(void **state)
{
    (void)state;
    char *text;
    cfpc_why why;
    must_be_done(cfpc_spec_reference(&text, &why), &why);
    expect_text(text, "delay_ms");
    must_be_done(cfpc_measure_reference(&text, &why), &why);
    expect_text(text, "rrmse_last");
}

static void a_hint_names_the_nearest(void **state)
{
    (void)state;
    const char *const names[] = {"forward-model", "delay", "none"};
    assert_string_equal(cfpc_hint_among("dleay", names, 3).text, "did you mean 'delay'?");
    assert_string_equal(cfpc_hint_among("xyz", names, 3).text,
                        "it may be forward-model, delay, none");
    assert_null(strstr(cfpc_hint_among("delay", NULL, 3).text, "mean"));
    assert_string_equal(cfpc_hint_among(NULL, names, 3).text,
                        "it may be forward-model, delay, none");
}

// ---- export ----------------------------------------------------------------------------------

// Stand-ins for the core's source: apps.export and apps.fmu compile the real one.
static temporary_path firmware_below(const temporary *here)
{
    static const char *const files[] = {"firmware/cfpc.h", "firmware/cfpc.c", "firmware/fmi/fmi3.h",
                                        "firmware/fmi/fmu.c"};
    const temporary_path folder = temporary_below(here, "firmware");
    assert_ok(mkdir(folder.text, 0700));
    assert_ok(mkdir(temporary_below(here, "firmware/fmi").text, 0700));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        write_file(temporary_below(here, files[i]).text, "// core\n");
    return folder;
}

static void a_cell_is_exported_in_three_kinds(void **state)
{
    const temporary *here = *state;
    const temporary_path firmware = firmware_below(here), c = temporary_below(here, "c"),
                         bin = temporary_below(here, "bin"), fmu = temporary_below(here, "x.fmu"),
                         model = temporary_below(here, "bin/fm.model"),
                         run = temporary_below(here, "run");
    cfpc_result *result = must_have(here, SMALL_SPEC, NULL);
    cfpc_experiment *experiment = must_load(here, SMALL_SPEC, NULL);
    cfpc_export_options options = {.firmware = firmware.text};
    char *text, *path = strdup(getenv("PATH") ? getenv("PATH") : "");
    cfpc_why why;
    assert_non_null(path);
    must_be_done(cfpc_experiment_export(experiment, c.text, &options, &text, &why), &why);
    expect_said(text, "rule 'fm' of small, float, 5 synapses, in ",
                "fm_model.c, _model.h, _loop.c, _loop.h and _example.c\n");
    cfpc_text_free(text);
    assert_true(is_there(here, "c/fm_model.c") && is_there(here, "c/fm_loop.h"));
    expect_refused(cfpc_experiment_export(experiment, c.text, &options, &text, &why), &why,
                   "holds a result already");
    assert_null(text);
    options.write.replace = true;
    must_be_done(cfpc_experiment_export(experiment, c.text, &options, NULL, &why), &why);
    options = (cfpc_export_options){.kind = CFPC_EXPORT_BIN, .real_bytes = 8};
    must_be_done(cfpc_experiment_export(experiment, bin.text, &options, &text, &why), &why);
    expect_said(text, ", double, 5 synapses, in ", ": fm.model and .data\n");
    cfpc_text_free(text);
    must_be_done(cfpc_inspect(model.text, &text, &why), &why);
    expect_text(text, "  synapses         5\n");
    options = (cfpc_export_options){.kind = CFPC_EXPORT_FMU,
                                    .firmware = firmware.text,
                                    .name = "cell",
                                    .frozen = true,
                                    .weights = run.text};
    must_be_done(cfpc_result_write(result, run.text, NULL, &why), &why);
    cfpc_result_free(result);
    assert_ok(setenv("PATH", bin.text, 1)); // where there is no compiler
    must_be_done(cfpc_experiment_export(experiment, fmu.text, &options, &text, &why), &why);
    assert_ok(setenv("PATH", path, 1));
    expect_said(text, ", double, 5 synapses, in ", "/x.fmu\n",
                "  its sources only, no library: there is no compiler (cc)\n");
    cfpc_text_free(text);
    free(path);
    cfpc_experiment_free(experiment);
}

// Below the current folder.
static void an_export_has_a_usual_place(void **state)
{
    const temporary *here = *state;
    const cfpc_export_options options = {.kind = CFPC_EXPORT_BIN};
    cfpc_experiment *experiment = must_load(here, SMALL_SPEC, NULL);
    char before[1024];
    cfpc_why why;
    assert_non_null(getcwd(before, sizeof before));
    assert_ok(chdir(here->path));
    must_be_done(cfpc_experiment_export(experiment, NULL, &options, NULL, &why), &why);
    assert_ok(chdir(before));
    assert_true(is_there(here, "out/small-fm/fm.data"));
    cfpc_experiment_free(experiment);
}

static void bad_exports_are_refused(void **state)
{
    static const struct {
        cfpc_export_options options;
        const char *words;
    } cases[] = {
        {{.real_bytes = 4}, "no folder of the core's source was given"},
        {{.kind = CFPC_EXPORT_FMU}, "no folder of the core's source was given"},
        {{.real_bytes = 3, .firmware = "f"}, "a number must have 4 or 8 bytes; this is 3"},
        {{.kind = (cfpc_export_kind)7}, "an export is C source, model files or an FMU"},
        {{.kind = CFPC_EXPORT_BIN, .flash = 1e6}, "flash and RAM are counted for C source only"},
        {{.kind = CFPC_EXPORT_FMU, .firmware = "f", .ram = 1e6}, "flash and RAM are counted"},
        {{.firmware = "f", .flash = -1},
         "the flash must be a positive number of bytes; this is -1"},
        {{.firmware = "f", .ram = 0.5}, "the RAM must be a positive number of bytes; this is 0.5"},
        {{.firmware = "f", .ram = 1e15}, "the RAM must be a positive number of bytes"},
        {{.firmware = "f", .flash = NAN}, "the flash must be a positive number of bytes"},
        {{.firmware = "f", .ram = 10}, "RAM"},
        {{.firmware = "no-such-folder"}, "no-such-folder"},
        {{.kind = CFPC_EXPORT_BIN, .weights = "no-such-result"}, "no-such-result"}};
    const temporary *here = *state;
    const temporary_path place = temporary_below(here, "out");
    cfpc_experiment *experiment = must_load(here, SMALL_SPEC, NULL);
    const int entries = entries_of(here->path);
    cfpc_why why;
    char *text;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refused(
            cfpc_experiment_export(experiment, place.text, &cases[i].options, &text, &why), &why,
            cases[i].words);
        assert_null(text);
    }
    expect_refused(cfpc_experiment_export(experiment, place.text, NULL, NULL, &why), &why,
                   "no folder of the core's source");
    assert_int_equal(entries_of(here->path), entries);
    cfpc_experiment_free(experiment);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_analysis_is_the_certificate),
        TEST(an_analysis_may_fill_the_region),
        TEST(an_analysis_takes_weights),
        TEST(an_analysis_can_be_stopped),
        TEST(a_probe_is_said_and_written),
        TEST(bad_options_of_a_probe_are_refused),
        TEST(an_identification_writes_its_model_last_and_alone),
        TEST(an_identification_needs_no_model_file),
        TEST(bad_options_of_an_identification_are_refused),
        TEST(finished_runs_are_compared),
        TEST(what_is_left_out_is_refused),
        TEST(a_result_is_said_and_its_files_named),
        TEST(a_folder_is_checked_before_the_work),
        TEST(references_name_every_key_and_measure),
        TEST(a_hint_names_the_nearest),
        TEST(a_cell_is_exported_in_three_kinds),
        TEST(an_export_has_a_usual_place),
        TEST(bad_exports_are_refused),
    };
    return cmocka_run_group_tests_name("lab.report", tests, NULL, NULL);
}
