// SPDX-License-Identifier: Apache-2.0
// robust: what once went wrong, and must not again. Each test says what is expected.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"
#include "lab/experiment.h"
#include "lab/temporary.h"

// ---- spec files ------------------------------------------------------------------------------

static void assert_refusal(char *text, const char *message)
{
    experiment it;
    const lab_outcome outcome = experiment_prepare(&it, text);
    assert_int_equal(outcome, LAB_REFUSED);
    assert_string_equal(it.why.text, message);
    experiment_free(&it);
    free(text);
}

static void assert_refused(const char *from, const char *to, const char *message)
{
    assert_refusal(substitute(pursuit_text(), from, to), message);
}

// Leaves what no pointer can be on the stack.
static void soil_stack(void)
{
    volatile char soil[1 << 15];
    for (size_t i = 0; i < sizeof soil; i++)
        soil[i] = 0x5a;
}

// A stage without a state-space form is refused, and nothing is freed that was never made: it runs
// in a child, on a stack on which no pointer is NULL by chance.
static void a_stage_that_cannot_be_made_is_refused(void **state)
{
    (void)state;
    experiment it = {0};
    char *text =
        substitute(pursuit_text(), "time_constant_ms: 3}", "time_constant_ms: 1e-10, gain: 1e308}");
    assert_int_equal(lab_plan_parse(&it.plan, &it.spec, "spec.yaml", text, NULL, &it.why),
                     LAB_DONE);
    const pid_t child = fork(); // it may crash
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGABRT, SIG_DFL);
        soil_stack();
        _exit(lab_setup_make(&it.setup, &it.plan, 0, 0, &it.why));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), LAB_REFUSED);
    experiment_free(&it);
    free(text);
}

// The place is the key's, not that of its value.
static void an_unknown_key_is_told_at_the_key(void **state)
{
    (void)state;
    assert_refused("width_ms: 50", "widht_ms: 50",
                   "spec.yaml:23:36: unknown key 'widht_ms' in the basis of kind gaussian; did you "
                   "mean 'width_ms'?");
}

// An empty list in a list has neither a key nor a child that could give it its place.
static void an_empty_row_has_a_place(void **state)
{
    (void)state;
    assert_refused("[0.5, 0],", "[],",
                   "spec.yaml:21:16: 'points': this row has 0 numbers, the first has 2");
}

static void an_alias_has_a_place(void **state)
{
    (void)state;
    assert_refused("title: Smooth", "title: *x # Smooth",
                   "spec.yaml:6:8: aliases (*name) are not supported in a spec file; write the "
                   "value again, or the text in quotes");
}

static void a_key_that_is_a_list_has_a_place(void **state)
{
    (void)state;
    assert_refused("title: Smooth", "[a, b]: Smooth", "spec.yaml:6:1: a key must be plain text");
}

static void an_empty_file_is_told_what_is_missing(void **state)
{
    (void)state;
    assert_refusal(strdup("# nothing yet\n"),
                   "spec.yaml:1:1: a spec or model file is a map of keys; this holds none");
}

// It is not ignored: what stands in it would be lost.
static void a_second_document_is_refused(void **state)
{
    (void)state;
    assert_refused("\ndelay_scan:", "\n---\ndelay_scan:",
                   "spec.yaml:33:1: a second document (---) begins here; a spec file holds one");
}

// It is not taken for an empty text.
static void text_that_is_no_utf8_is_told_so(void **state)
{
    (void)state;
    assert_refused("title: Smooth", "title: \xff\xfe Smooth",
                   "spec.yaml:6:1: this is not UTF-8 text");
}

// Forms that look like UTF-8: too long for what they say, surrogates, beyond U+10FFFF, cut off.
static void what_only_looks_like_utf8_is_told_so(void **state)
{
    (void)state;
    static const char *const forms[] = {"%:0 \xe0\x99\x96\n", "\xf0\x8f\xbf\xbf", "\xc1\xbf",
                                        "\xed\xa0\x80",       "\xf4\x90\x80\x80", "\xe2\x82"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        assert_refusal(strdup(forms[i]), "spec.yaml:1:1: this is not UTF-8 text");
    // The first and last characters that the same leading bytes may begin.
    experiment it;
    char *text = substitute(pursuit_text(), "title: Smooth",
                            "title: \xed\x9f\xbf \xf4\x8f\xbf\xbd \xe0\xa0\x80 \xf0\x90\x80\x80");
    assert_int_equal(experiment_prepare(&it, text), LAB_DONE);
    experiment_free(&it);
    free(text);
}

// What a file holds and a message quotes: a line end, an escape and a tab become spaces.
static void a_message_is_one_line_without_control_characters(void **state)
{
    (void)state;
    static const char *const kinds[] = {"kind: \"a\\nb\"", "kind: \"a\\eb\"", "kind: \"a\\tb\""};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        experiment it;
        char *text = substitute(pursuit_text(), "kind: chain", kinds[i]);
        assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
        assert_non_null(strstr(it.why.text, "spec.yaml:11:12: 'kind' cannot be 'a b'; "));
        for (const char *c = it.why.text; *c; c++)
            assert_true((unsigned char)*c >= ' ');
        experiment_free(&it);
        free(text);
    }
}

// curves.csv and result.h5 have columns of the first two names; a figure's key has no room for the
// third.
static void a_rule_cannot_have_a_name_that_is_taken_or_too_long(void **state)
{
    (void)state;
    assert_refused("{name: wh+70ms,", "{name: optimum,",
                   "spec.yaml:31:6: a rule cannot be named 'optimum': curves.csv has a column of "
                   "that name");
    assert_refused("{name: wh+70ms,", "{name: trial,",
                   "spec.yaml:31:6: a rule cannot be named 'trial': curves.csv has a column of "
                   "that name");
    assert_refused("{name: wh+70ms,", "{name: a-name-of-41-characters-which-is-one-more,",
                   "spec.yaml:31:6: rule name 'a-name-of-41-characters-which-is-one-more…' is "
                   "longer than 40 characters");
}

// The claim tells the paper's loop, where the best delay is 35 ms above the loop's, from one whose
// delay is on the measurement (5 ms).
static void the_claim_best_delay_fails_on_a_wrong_loop(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, substitute(pursuit_text(), "delay_ms: 50 #", "measurement_delay_ms: 50 #"));
    int found = 0;
    for (int i = 0; i < it.measures.claims; i++) {
        const lab_claim *claim = &it.measures.claim[i];
        if (strcmp(claim->spec->name, "best-delay") != 0)
            continue;
        found++;
        assert_true(claim->applies && claim->measured == 5);
        assert_false(claim->pass);
    }
    assert_int_equal(found, 1);
    experiment_free(&it);
}

// ---- runs ------------------------------------------------------------------------------------

// A curve that overflows is no fault of the run: each rule has the trial at which it diverged, and
// no number after it.
static void a_run_that_diverges_beyond_all_numbers_is_recorded(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, substitute(pursuit_text(), "rate_fraction: 0.5", "rate: 1000"));
    for (int i = 0; i < it.record.rules; i++) {
        const lab_rule_record *rule = &it.record.rule[i];
        assert_in_range(rule->diverged_at, 2, it.record.trials);
        assert_true(isfinite(rule->rrmse[rule->diverged_at - 2]));
        assert_false(isfinite(rule->rrmse[it.record.trials - 1]));
    }
    experiment_free(&it);
}

// The least of the others is found, though the first has no number that it could be less than.
static void the_best_delay_is_never_one_without_a_number(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, substitute(pursuit_text(), "trials: 50", "trials: 2"));
    it.record.scan_rrmse[0] = NAN;
    lab_measures_free(&it.measures);
    assert_int_equal(lab_measures_make(&it.measures, &it.record, &it.spec, &it.why), LAB_DONE);
    int best = 1;
    for (int i = 2; i < it.record.scan_count; i++)
        best = it.record.scan_rrmse[i] < it.record.scan_rrmse[best] ? i : best;
    assert_true(measured(&it, "best_delay_ms") == it.record.scan_delay_ms[best]);
    experiment_free(&it);
}

// ---- results ---------------------------------------------------------------------------------

static lab_result result_of(const experiment *it)
{
    return (lab_result){.spec = &it->spec, .record = &it->record, .measures = &it->measures};
}

static lab_outcome write_with(experiment *it,
                              lab_outcome (*writer)(lab_folder *, const lab_result *, lab_why *))
{
    temporary here;
    lab_folder folder;
    lab_origin origin;
    assert_int_equal(lab_origin_make(&origin, &it->spec, &it->why), LAB_DONE);
    lab_result result = result_of(it);
    result.origin = &origin;
    temporary_make(&here);
    const temporary_path path = temporary_below(&here, "result");
    assert_int_equal(lab_folder_begin(&folder, path.text, false, &it->why), LAB_DONE);
    const lab_outcome outcome = writer(&folder, &result, &it->why);
    lab_folder_abandon(&folder);
    lab_origin_free(&origin);
    temporary_remove(&here);
    return outcome;
}

// What cannot be in a list of files is replaced in their names: they differ then, too.
static void copies_of_files_have_names_of_their_own(void **state)
{
    (void)state;
    experiment it;
    lab_origin origin;
    lab_settings files = {0};
    char first[] = "a/x\ty.csv", second[] = "b/x\ty.csv";
    const lab_node one = {.kind = LAB_SCALAR, .text = first};
    const lab_node other = {.kind = LAB_SCALAR, .text = second};
    experiment_do(&it, substitute(pursuit_text(), "trials: 50", "trials: 2"));
    assert_int_equal(lab_settings_add_node(&files, "task.file", &one, &it.why), LAB_DONE);
    assert_int_equal(lab_settings_add_node(&files, "task.file", &other, &it.why), LAB_DONE);
    assert_int_equal(lab_origin_make(&origin, &it.spec, &it.why), LAB_DONE);
    assert_int_equal(lab_origin_add(&origin, &files, &it.why), LAB_DONE);
    assert_int_equal(origin.count, 2);
    assert_string_equal(origin.input[0].copy, "input-x_y.csv");
    assert_string_equal(origin.input[1].copy, "input-x_y-2.csv");
    lab_origin_free(&origin);
    lab_settings_free(&files);
    experiment_free(&it);
}

// pursuit.yaml with so many corners more in its reference, from a file.
static lab_outcome load_long(experiment *it, int corners)
{
    temporary here;
    temporary_make(&here);
    const temporary_path path = temporary_below(&here, "long.yaml");
    char *points = must_calloc((size_t)corners + 1, 16), *at = points;
    at += sprintf(at, "[[0, 0]");
    for (int i = 1; i <= corners; i++)
        at += sprintf(at, ", [%.6f, 0]", i * 1e-6);
    char *text = substitute(pursuit_text(), "[[0, 0]", points);
    write_file(path.text, text);
    *it = (experiment){0};
    lab_outcome outcome = lab_plan_load(&it->plan, &it->spec, path.text, NULL, &it->why);
    if (outcome == LAB_DONE)
        outcome = lab_setup_make(&it->setup, &it->plan, 0, 0, &it->why);
    free(text);
    free(points);
    temporary_remove(&here);
    return outcome;
}

// Writes result.h5, and looks in it for the spec as it was run.
static lab_outcome write_hdf5_whole(lab_folder *folder, const lab_result *result, lab_why *why)
{
    const lab_outcome outcome = lab_write_hdf5(folder, result, why);
    char *path = lab_folder_path(folder, "result.h5");
    FILE *file = fopen(path, "rb");
    free(path);
    assert_int_equal(file != NULL, lab_has_hdf5());
    if (!file)
        return outcome;
    assert_true(strlen(result->origin->text) > 1 << 16);
    const size_t length = strlen(result->origin->text), room = (size_t)1 << 24;
    char *bytes = must_calloc(room, 1);
    const size_t count = fread(bytes, 1, room, file);
    fclose(file);
    bool found = false;
    for (size_t i = 0; !found && i + length <= count; i++)
        found = bytes[i] == result->origin->text[0] &&
                memcmp(bytes + i, result->origin->text, length) == 0;
    free(bytes);
    assert_true(found);
    return outcome;
}

// A spec file may have 4 MB, an attribute of HDF5 64 KB: this one of 93 KB is run, and result.h5
// has all of it.
static void a_long_spec_gets_into_hdf5(void **state)
{
    (void)state;
    experiment it;
    assert_int_equal(load_long(&it, 6000), LAB_DONE);
    assert_int_equal(experiment_run(&it), LAB_DONE);
    if (write_with(&it, write_hdf5_whole) != LAB_DONE)
        fail_msg("%s", it.why.text);
    experiment_free(&it);
}

static lab_outcome draw_all(lab_folder *folder, const lab_result *result, lab_why *why)
{
    static const char *const figures[] = {"behaviour", "learning", "traces", "delays"};
    lab_outcome outcome = lab_write_curves(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_signals(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_draw_figures(folder, result, why);
    for (int i = 0; outcome == LAB_DONE && i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "fig-%s.%s", figures[i], lab_has_gnuplot() ? "svg" : "gp");
        char *path = lab_folder_path(folder, name);
        assert_ok(access(path, R_OK));
        free(path);
    }
    return outcome;
}

// gnuplot can plot neither "nan" nor an empty range: every figure is drawn all the same.
static void a_run_that_diverges_has_figures(void **state)
{
    (void)state;
    static const char *const learning[] = {"rate: 1e100", "rate: 1000, mode: online, trials: 8"};
    for (size_t i = 0; i < sizeof learning / sizeof learning[0]; i++) {
        experiment it;
        char *text =
            substitute(pursuit_text(), "mode: batch, trials: 50, rate_fraction: 0.5", learning[i]);
        text = substitute(text, "step_ms: 1\n", "step_ms: 5\n");
        experiment_do(&it, text);
        if (write_with(&it, draw_all) != LAB_DONE)
            fail_msg("%s", it.why.text);
        experiment_free(&it);
    }
}

// The reason is told, though the write that failed was not the last.
// A plant that answers within the step, and no more: its response has no length.
static void a_loop_whose_response_is_over_at_once_has_figures(void **state)
{
    (void)state;
    static const char text[] = "name: at-once\n"
                               "title: a plant that answers at once\n"
                               "loop: {plant: {kind: p, kp: 1}, controller: {kind: p, kp: 0}}\n"
                               "enters: plant-input\n"
                               "task: {kind: step, at_s: 0.02, trial_s: 0.05}\n"
                               "basis: {kind: tapped-delay, count: 1, spacing_ms: 1, input: "
                               "reference}\n"
                               "learning: {trials: 3}\n"
                               "delay_scan: {to_ms: 10, trial: 2}\n"
                               "rules: [{name: a, trace: none}]\n";
    experiment it;
    assert_int_equal(experiment_prepare(&it, text), LAB_DONE);
    assert_int_equal(experiment_run(&it), LAB_DONE);
    if (write_with(&it, draw_all) != LAB_DONE)
        fail_msg("%s", it.why.text);
    experiment_free(&it);
}

static void a_full_disk_is_told_after_a_large_block(void **state)
{
    (void)state;
    static const char block[100000];
    temporary here;
    lab_folder folder;
    lab_why why;
    FILE *file;
    temporary_make(&here);
    assert_int_equal(lab_folder_begin(&folder, temporary_below(&here, "result").text, false, &why),
                     LAB_DONE);
    char *full = lab_folder_path(&folder, "big");
    assert_ok(symlink("/dev/full", full));
    free(full);
    assert_int_equal(lab_folder_create(&folder, "big", &file, &why), LAB_DONE);
    fwrite(block, 1, sizeof block, file);
    assert_int_equal(lab_folder_close(&folder, file, &why), LAB_FAILED);
    lab_folder_abandon(&folder);
    temporary_remove(&here);
    assert_non_null(strstr(why.text, "No space left on device"));
}

// What is at the result's place is looked at after the run as well: the run fails, the file stays.
static void a_file_that_comes_during_the_run_is_not_lost(void **state)
{
    (void)state;
    temporary here;
    lab_folder folder;
    lab_why why;
    temporary_make(&here);
    const temporary_path path = temporary_below(&here, "result");
    assert_int_equal(lab_folder_begin(&folder, path.text, false, &why), LAB_DONE);
    assert_ok(mkdir(path.text, 0777));
    write_file(temporary_below(&here, "result/notes.txt").text, "mine");
    const lab_outcome outcome = lab_folder_commit(&folder, &why);
    char *kept = file_text(temporary_below(&here, "result/notes.txt").text);
    const bool lost = !kept || strcmp(kept, "mine") != 0;
    free(kept);
    temporary_remove(&here);
    assert_int_equal(outcome, LAB_FAILED);
    assert_false(lost);
}

// Of two runs into one folder at one time the second fails: it does not replace the first unasked.
static void a_result_that_comes_during_the_run_is_kept_without_force(void **state)
{
    (void)state;
    temporary here;
    lab_folder first, second;
    lab_why why;
    temporary_make(&here);
    const temporary_path path = temporary_below(&here, "result");
    assert_int_equal(lab_folder_begin(&first, path.text, false, &why), LAB_DONE);
    assert_int_equal(lab_folder_begin(&second, path.text, false, &why), LAB_DONE);
    assert_int_equal(lab_folder_commit(&first, &why), LAB_DONE);
    const lab_outcome outcome = lab_folder_commit(&second, &why);
    const int entries = entries_of(here.path); // the second's work is gone
    temporary_remove(&here);
    assert_int_equal(outcome, LAB_FAILED);
    assert_int_equal(entries, 1);
}

// All of them, though the deepest was never made.
static void folders_made_on_the_way_to_a_refusal_are_removed(void **state)
{
    (void)state;
    temporary here;
    lab_folder folder;
    lab_why why;
    temporary_make(&here);
    write_file(temporary_below(&here, "file").text, "mine");
    assert_int_equal(
        lab_folder_begin(&folder, temporary_below(&here, "new/../file/x/result").text, false, &why),
        LAB_REFUSED);
    const int entries = entries_of(here.path);
    temporary_remove(&here);
    assert_int_equal(entries, 1);
}

// ----------------------------------------------------------------------------------------------

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_that_cannot_be_made_is_refused),
        cmocka_unit_test(an_unknown_key_is_told_at_the_key),
        cmocka_unit_test(an_empty_row_has_a_place),
        cmocka_unit_test(an_alias_has_a_place),
        cmocka_unit_test(a_key_that_is_a_list_has_a_place),
        cmocka_unit_test(an_empty_file_is_told_what_is_missing),
        cmocka_unit_test(a_second_document_is_refused),
        cmocka_unit_test(text_that_is_no_utf8_is_told_so),
        cmocka_unit_test(what_only_looks_like_utf8_is_told_so),
        cmocka_unit_test(a_message_is_one_line_without_control_characters),
        cmocka_unit_test(a_rule_cannot_have_a_name_that_is_taken_or_too_long),
        cmocka_unit_test(the_claim_best_delay_fails_on_a_wrong_loop),
        cmocka_unit_test(a_run_that_diverges_beyond_all_numbers_is_recorded),
        cmocka_unit_test(the_best_delay_is_never_one_without_a_number),
        cmocka_unit_test(a_long_spec_gets_into_hdf5),
        cmocka_unit_test(a_run_that_diverges_has_figures),
        cmocka_unit_test(a_loop_whose_response_is_over_at_once_has_figures),
        cmocka_unit_test(copies_of_files_have_names_of_their_own),
        cmocka_unit_test(a_full_disk_is_told_after_a_large_block),
        cmocka_unit_test(a_file_that_comes_during_the_run_is_not_lost),
        cmocka_unit_test(a_result_that_comes_during_the_run_is_kept_without_force),
        cmocka_unit_test(folders_made_on_the_way_to_a_refusal_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
