// SPDX-License-Identifier: Apache-2.0
// store: models and data in files, and what happens when the files are not what they should be.
#include "harness.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cfpc/cell.h"
#include "cfpc/compile.h"

enum { STEPS = 40, SYNAPSES = 3, PATH_MAX = 128 };

static char folder[] = "cfpc-store-XXXXXX"; // under the folder the test runs in
static double basis[STEPS * SYNAPSES];

static void path_of(const char *name, char path[PATH_MAX])
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static int set_up(void **state)
{
    (void)state;
    dice d = {151};
    for (int k = 0; k < STEPS * SYNAPSES; k++)
        basis[k] = dice_between(&d, -1, 1);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    const char *const names[] = {"model", "data", "bytes"};
    for (int k = 0; k < 3; k++) {
        char path[PATH_MAX];
        path_of(names[k], path);
        remove(path);
    }
    return rmdir(folder); // fails if a test left anything else behind
}

static const cfpc_model *model_make(double rate)
{
    cfpc_system trace;
    const cfpc_model *model = NULL;
    assert_ok(cfpc_delay(&trace, 1e-3, 7));
    const cfpc_cell_def def = {.synapses = SYNAPSES,
                               .steps = STEPS,
                               .basis = basis,
                               .trace = &trace,
                               .rule.rate = rate,
                               .rule.mode = CFPC_BATCH};
    assert_ok(cfpc_compile(&model, &def));
    cfpc_system_free(&trace);
    return model;
}

// Steps from..to-1 of trials of STEPS.
static void run(const cfpc_model *model, cfpc_data *data, int from, int to)
{
    for (int n = from; n < to; n++) {
        if (n > 0 && n % STEPS == 0)
            cfpc_next_trial(model, data);
        cfpc_step(model, data, NULL, (cfpc_real)(n % 5 - 2));
    }
}

static cfpc_data *data_make(const cfpc_model *model, int steps)
{
    cfpc_data *data = NULL;
    assert_ok(cfpc_data_make(&data, model));
    run(model, data, 0, steps);
    return data;
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

// ---- round trips -----------------------------------------------------------------------------

static void a_model_comes_back_bit_for_bit(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("model", path);
    const cfpc_model *model = model_make(0.1), *loaded = NULL;
    assert_ok(cfpc_model_save(model, path));
    assert_ok(cfpc_model_load(&loaded, path));
    assert_int_equal(cfpc_model_bytes(loaded), cfpc_model_bytes(model));
    assert_memory_equal(loaded, model, cfpc_model_bytes(model));
    cfpc_model_free(loaded);
    cfpc_model_free(model);
}

static void data_comes_back_and_goes_on_bit_for_bit(void **state)
{
    (void)state;
    char model_path[PATH_MAX], data_path[PATH_MAX];
    path_of("model", model_path);
    path_of("data", data_path);
    const cfpc_model *model = model_make(0.1), *loaded = NULL;
    cfpc_data *alone = data_make(model, 3 * STEPS), *first = data_make(model, STEPS + 11);
    assert_ok(cfpc_model_save(model, model_path));
    assert_ok(cfpc_data_save(first, data_path));

    assert_ok(cfpc_model_load(&loaded, model_path)); // another day
    cfpc_data *second = data_make(loaded, 5);
    assert_ok(cfpc_data_load(loaded, second, data_path));
    assert_memory_equal(second, first, cfpc_data_bytes(first));
    run(loaded, second, STEPS + 11, 3 * STEPS);
    cfpc_data_seal(alone);
    cfpc_data_seal(second);
    assert_memory_equal(second, alone, cfpc_data_bytes(alone));
    cfpc_data_free(alone);
    cfpc_data_free(first);
    cfpc_data_free(second);
    cfpc_model_free(model);
    cfpc_model_free(loaded);
}

static void a_save_takes_the_place_of_an_older_one(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("model", path);
    const cfpc_model *older = model_make(0.1), *newer = model_make(0.2), *loaded = NULL;
    assert_ok(cfpc_model_save(older, path));
    assert_ok(cfpc_model_save(newer, path));
    assert_ok(cfpc_model_load(&loaded, path));
    assert_memory_equal(loaded, newer, cfpc_model_bytes(newer));
    cfpc_model_free(older);
    cfpc_model_free(newer);
    cfpc_model_free(loaded);
}

// ---- files that cannot be written or read ----------------------------------------------------

static void a_missing_file_cannot_be_opened(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("no such file", path);
    const cfpc_model *model = model_make(0.1), *loaded = model;
    cfpc_data *data = data_make(model, 5), *watch = data_make(model, 5);
    assert_int_equal(cfpc_model_load(&loaded, path), CFPC_NO_FILE);
    assert_null(loaded);
    assert_int_equal(cfpc_data_load(model, data, path), CFPC_NO_FILE);
    assert_memory_equal(data, watch, cfpc_data_bytes(data));
    cfpc_data_free(data);
    cfpc_data_free(watch);
    cfpc_model_free(model);
}

static void a_folder_is_no_file_to_read(void **state)
{
    (void)state;
    const cfpc_model *loaded = NULL;
    assert_int_equal(cfpc_model_load(&loaded, folder), CFPC_NO_READ);
    assert_null(loaded);
}

// Neither kind can be saved here, and no file of either name is left.
static void expect_not_saved(const char *path)
{
    char beside[PATH_MAX + 8];
    const cfpc_model *model = model_make(0.1);
    cfpc_data *data = data_make(model, 5);
    snprintf(beside, sizeof beside, "%s.new", path);
    assert_int_equal(cfpc_model_save(model, path), CFPC_NO_WRITE);
    assert_int_equal(cfpc_data_save(data, path), CFPC_NO_WRITE);
    assert_false(exists(beside));
    cfpc_data_free(data);
    cfpc_model_free(model);
}

static void a_folder_that_does_not_exist_cannot_be_written_to(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("no such folder/model", path);
    expect_not_saved(path);
    assert_false(exists(path));
}

static void a_save_onto_a_folder_fails_and_leaves_no_file(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("folder", path);
    assert_int_equal(mkdir(path, 0700), 0);
    expect_not_saved(path);
    assert_int_equal(rmdir(path), 0); // still empty
}

// With room for a few bytes only, as on a full disk.
static void a_save_that_is_cut_short_leaves_no_file_and_keeps_the_older_one(void **state)
{
    (void)state;
    char path[PATH_MAX];
    path_of("model", path);
    const cfpc_model *older = model_make(0.1), *loaded = NULL;
    assert_ok(cfpc_model_save(older, path));
    struct rlimit usual, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    little = usual;
    little.rlim_cur = 16;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    const cfpc_model *newer = model_make(0.2);
    const cfpc_status status = cfpc_model_save(newer, path);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(status, CFPC_NO_WRITE);
    char beside[PATH_MAX + 8];
    snprintf(beside, sizeof beside, "%s.new", path);
    assert_false(exists(beside));
    assert_ok(cfpc_model_load(&loaded, path));
    assert_memory_equal(loaded, older, cfpc_model_bytes(older));
    cfpc_model_free(older);
    cfpc_model_free(newer);
    cfpc_model_free(loaded);
}

// ---- files that are not what they should be --------------------------------------------------

static void expect_model_status(const void *bytes, size_t count, cfpc_status status)
{
    char path[PATH_MAX];
    path_of("bytes", path);
    const cfpc_model *loaded = (const cfpc_model *)bytes;
    write_bytes(path, bytes, count);
    assert_int_equal(cfpc_model_load(&loaded, path), status);
    assert_null(loaded);
}

static void cut_altered_and_foreign_models_are_refused(void **state)
{
    (void)state;
    const cfpc_model *model = model_make(0.1);
    const size_t bytes = cfpc_model_bytes(model);
    cfpc_data *data = data_make(model, 5);
    unsigned char *copy = must_calloc(1, bytes + 1);
    memcpy(copy, model, bytes);
    expect_model_status(copy, 0, CFPC_TRUNCATED);
    expect_model_status(copy, 20, CFPC_TRUNCATED);
    expect_model_status(copy, bytes / 2, CFPC_TRUNCATED);
    expect_model_status(copy, bytes - 1, CFPC_TRUNCATED);
    expect_model_status(copy, bytes + 1, CFPC_ALTERED);
    copy[bytes - 3] ^= 1;
    expect_model_status(copy, bytes, CFPC_ALTERED);
    cfpc_data_seal(data);
    expect_model_status(data, cfpc_data_bytes(data), CFPC_NOT_OURS);
    expect_model_status("A text of more than forty characters, not a model.", 50, CFPC_NOT_OURS);
    free(copy);
    cfpc_data_free(data);
    cfpc_model_free(model);
}

// The data in use is as it was.
static void expect_data_status(const cfpc_model *model, const void *bytes, size_t count,
                               cfpc_status status)
{
    char path[PATH_MAX];
    path_of("bytes", path);
    cfpc_data *data = data_make(model, 5), *watch = data_make(model, 5);
    write_bytes(path, bytes, count);
    assert_int_equal(cfpc_data_load(model, data, path), status);
    assert_memory_equal(data, watch, cfpc_data_bytes(data));
    cfpc_data_free(data);
    cfpc_data_free(watch);
}

static void cut_altered_and_foreign_data_is_refused(void **state)
{
    (void)state;
    const cfpc_model *model = model_make(0.1), *other = model_make(0.2);
    cfpc_data *data = data_make(model, STEPS + 3);
    const size_t bytes = cfpc_data_bytes(data);
    cfpc_data_seal(data);
    expect_data_status(model, data, 0, CFPC_TRUNCATED);
    expect_data_status(model, data, bytes / 2, CFPC_TRUNCATED);
    expect_data_status(model, data, bytes - 1, CFPC_TRUNCATED);
    expect_data_status(other, data, bytes, CFPC_OTHER_MODEL);
    expect_data_status(model, model, cfpc_model_bytes(model), CFPC_NOT_OURS);
    ((unsigned char *)data)[bytes / 2] ^= 64;
    expect_data_status(model, data, bytes, CFPC_ALTERED);
    cfpc_data_free(data);
    cfpc_model_free(model);
    cfpc_model_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_comes_back_bit_for_bit),
        cmocka_unit_test(data_comes_back_and_goes_on_bit_for_bit),
        cmocka_unit_test(a_save_takes_the_place_of_an_older_one),
        cmocka_unit_test(a_missing_file_cannot_be_opened),
        cmocka_unit_test(a_folder_is_no_file_to_read),
        cmocka_unit_test(a_folder_that_does_not_exist_cannot_be_written_to),
        cmocka_unit_test(a_save_onto_a_folder_fails_and_leaves_no_file),
        cmocka_unit_test(a_save_that_is_cut_short_leaves_no_file_and_keeps_the_older_one),
        cmocka_unit_test(cut_altered_and_foreign_models_are_refused),
        cmocka_unit_test(cut_altered_and_foreign_data_is_refused),
    };
    return cmocka_run_group_tests_name("design.store", tests, set_up, tear_down);
}
