// SPDX-License-Identifier: Apache-2.0
// robust: what once went wrong, and must not again.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "draw/figures.h"
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

// setup.c, make_system: `continuous` is freed though nothing was ever put in it.
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

// validate.c, refuse_key: a scalar's place is its value's.
static void an_unknown_key_is_told_at_the_key(void **state)
{
    (void)state;
    assert_refused("width_ms: 50", "widht_ms: 50",
                   "spec.yaml:23:36: unknown key 'widht_ms' in the basis of kind gaussian; did you "
                   "mean 'width_ms'?");
}

// The line is told, and any column of it.
static void assert_refused_on_line(int line, const char *from, const char *to)
{
    experiment it;
    char place[32], *text = substitute(pursuit_text(), from, to);
    snprintf(place, sizeof place, "spec.yaml:%d:", line);
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    if (strncmp(it.why.text, place, strlen(place)) != 0)
        fail_msg("not on line %d: %s", line, it.why.text);
    assert_true(atoi(it.why.text + strlen(place)) > 0);
    experiment_free(&it);
    free(text);
}

// yaml.c, read_node: an empty list or map in a list has neither a key nor a child to stand at.
static void an_empty_row_has_a_place(void **state)
{
    (void)state;
    assert_refused_on_line(21, "[0.5, 0],", "[],");
}

// yaml.c, read_node and read_pair
static void an_alias_has_a_place(void **state)
{
    (void)state;
    assert_refused_on_line(6, "title: Smooth", "title: *x # Smooth");
}

static void a_key_that_is_a_list_has_a_place(void **state)
{
    (void)state;
    assert_refused_on_line(6, "title: Smooth", "[a, b]: Smooth");
}

// yaml.c, lab_yaml_parse: libfyaml calls an empty stream an error without a place.
static void an_empty_file_is_told_what_is_missing(void **state)
{
    (void)state;
    assert_refusal(strdup("# nothing yet\n"),
                   "spec.yaml:1:1: a spec file is a map of keys; this holds none");
}

// yaml.c, lab_yaml_parse: only the first document is looked at.
static void a_second_document_is_refused(void **state)
{
    (void)state;
    experiment it;
    char *text = substitute(pursuit_text(), "\ndelay_scan:", "\n---\ndelay_scan:");
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    experiment_free(&it);
    free(text);
}

// yaml.c, copy_scalar: text that is no UTF-8 reads as an empty one.
static void text_that_is_no_utf8_is_told_so(void **state)
{
    (void)state;
    experiment it;
    char *text = substitute(pursuit_text(), "title: Smooth", "title: \xff\xfe Smooth");
    assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
    assert_null(strstr(it.why.text, "empty"));
    experiment_free(&it);
    free(text);
}

// outcome.c: what a file holds gets into the line as it is.
static void a_message_is_one_line_without_control_characters(void **state)
{
    (void)state;
    static const char *const kinds[] = {"kind: \"a\\nb\"", "kind: \"a\\eb\"", "kind: \"a\\tb\""};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        experiment it;
        char *text = substitute(pursuit_text(), "kind: chain", kinds[i]);
        assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
        for (const char *c = it.why.text; *c; c++)
            assert_true((unsigned char)*c >= ' ');
        experiment_free(&it);
        free(text);
    }
}

// spec.c, check_rules: curves.csv and result.h5 have columns of these names already, and a figure
// has room for 95 characters.
static void a_rule_cannot_have_a_name_that_is_taken_or_too_long(void **state)
{
    (void)state;
    static const char *const names[] = {
        "{name: optimum,", "{name: trial,",
        "{name: "
        "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
        "wwwwwwwwwwwwwwwwwwww,"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        experiment it;
        char *text = substitute(pursuit_text(), "{name: wh+70ms,", names[i]);
        assert_int_equal(experiment_prepare(&it, text), LAB_REFUSED);
        experiment_free(&it);
        free(text);
    }
}

// pursuit.yaml: best-delay has a range from 5 to 50 ms. A plant of half the gain gives 50, a delay
// on the measurement 5; 10 to 45 would tell both from the paper's 35.
static void the_claim_best_delay_fails_on_a_wrong_loop(void **state)
{
    (void)state;
    static const char *const loops[][2] = {
        {"time_constant_ms: 100}", "time_constant_ms: 100, gain: 0.5}"},
        {"delay_ms: 50 #", "measurement_delay_ms: 50 #"}};
    for (int i = 0; i < 2; i++) {
        experiment it;
        experiment_do(&it, substitute(pursuit_text(), loops[i][0], loops[i][1]));
        const lab_claim *claim = &it.measures.claim[9];
        assert_string_equal(claim->spec->name, "best-delay");
        assert_false(claim->pass);
        experiment_free(&it);
    }
}

// ---- runs ------------------------------------------------------------------------------------

// run.c, check_agreement: a curve that overflows when it is simulated is no fault of cfpc.
static void a_run_that_diverges_beyond_all_numbers_is_recorded(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, substitute(pursuit_text(), "rate_fraction: 0.5", "rate: 1000"));
    experiment_free(&it);
}

// measures.c, best_delay_ms: a first delay without a number is never beaten.
static void the_best_delay_is_never_one_without_a_number(void **state)
{
    (void)state;
    experiment it;
    experiment_do(&it, substitute(pursuit_text(), "trials: 50", "trials: 2"));
    it.record.scan_rrmse[0] = NAN;
    lab_measures_free(&it.measures);
    assert_int_equal(lab_measures_make(&it.measures, &it.record, &it.spec, &it.why), LAB_DONE);
    assert_true(measured(&it, "best_delay_ms") > 0);
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

// hdf5.c, put_about: an attribute holds 64 KB; a spec file may have 4 MB.
static void a_long_spec_is_refused_or_gets_into_hdf5(void **state)
{
    (void)state;
    experiment it;
    const lab_outcome outcome = load_long(&it, 6000);
    if (outcome == LAB_DONE) {
        assert_int_equal(experiment_run(&it), LAB_DONE);
        if (write_with(&it, lab_write_hdf5) != LAB_DONE)
            fail_msg("%s", it.why.text);
    }
    experiment_free(&it);
}

static lab_outcome draw_all(lab_folder *folder, const lab_result *result, lab_why *why)
{
    lab_outcome outcome = lab_write_curves(folder, result, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_signals(folder, result, why);
    return outcome == LAB_DONE ? lab_draw_figures(folder, result, why) : outcome;
}

// figures.c, delays_script: neither "nan" nor an empty range can be plotted.
static void a_run_that_diverges_has_figures(void **state)
{
    (void)state;
    static const char *const learning[] = {"rate: 1e100", "rate: 1000, mode: online, trials: 8"};
    for (size_t i = 0; i < sizeof learning / sizeof learning[0]; i++) {
        experiment it;
        char *text =
            substitute(pursuit_text(), "mode: batch, trials: 50, rate_fraction: 0.5", learning[i]);
        experiment_do(&it, text);
        if (write_with(&it, draw_all) != LAB_DONE)
            fail_msg("%s", it.why.text);
        experiment_free(&it);
    }
}

// folder.c, lab_folder_close: after a write of one large block the reason is forgotten.
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

// folder.c, take_place: what is at the place is only looked at before the run.
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

// The same of two runs into one folder at one time: the second replaces the first unasked.
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
    temporary_remove(&here);
    assert_int_equal(outcome, LAB_FAILED);
}

// folder.c, unmake_folders: it begins with the deepest, which was never made, and gives up.
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
        cmocka_unit_test(a_message_is_one_line_without_control_characters),
        cmocka_unit_test(a_rule_cannot_have_a_name_that_is_taken_or_too_long),
        cmocka_unit_test(the_claim_best_delay_fails_on_a_wrong_loop),
        cmocka_unit_test(a_run_that_diverges_beyond_all_numbers_is_recorded),
        cmocka_unit_test(the_best_delay_is_never_one_without_a_number),
        cmocka_unit_test(a_long_spec_is_refused_or_gets_into_hdf5),
        cmocka_unit_test(a_run_that_diverges_has_figures),
        cmocka_unit_test(a_full_disk_is_told_after_a_large_block),
        cmocka_unit_test(a_file_that_comes_during_the_run_is_not_lost),
        cmocka_unit_test(a_result_that_comes_during_the_run_is_kept_without_force),
        cmocka_unit_test(folders_made_on_the_way_to_a_refusal_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
