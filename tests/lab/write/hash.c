// SPDX-License-Identifier: Apache-2.0
// hash: whatever changes in a result changes its hash, except what the clock says; and its folder
// tells of what it is made.
#include "write/hash.h"

#include <math.h>

#include "lab/rich_spec.h"
#include "lab/temporary.h"
#include "write/hashed.h"

// ---- datasets that are made up ---------------------------------------------------------------

enum { EXAMPLES = 3 };
static const double curve[] = {1, -0.0, NAN, INFINITY};
static const double basis[] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
static const double lag[] = {91.72};
static const lab_dataset examples[EXAMPLES] = {
    {.name = "curves/a", .unit = "1", .rank = 1, .shape = {4}, .values = curve},
    {.name = "traces/basis", .unit = "1", .rank = 2, .shape = {2, 3}, .values = basis},
    {.name = "claims/lag", .unit = "ms", .values = lag}};

static uint64_t hash_of(int count, const lab_dataset *set)
{
    lab_dataset copies[EXAMPLES + 1];
    memcpy(copies, set, (size_t)count * sizeof *set);
    return lab_hash_datasets(&(lab_datasets){.count = count, .set = copies});
}

// The hash of this name that an independent script has made.
static lab_hash_text golden(const char *name)
{
    char line[128];
    lab_hash_text found = {""};
    FILE *file = fopen(TEST_SOURCE_DIR "/golden/hash.csv", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *comma = strchr(line, ',');
        assert_non_null(comma);
        *comma = '\0';
        if (strcmp(line, name) == 0)
            snprintf(found.text, sizeof found.text, "%.16s", comma + 1);
    }
    fclose(file);
    return found;
}

static void hashes_are_those_of_an_independent_script(void **state)
{
    (void)state;
    for (int i = 0; i < EXAMPLES; i++)
        assert_string_equal(lab_hash_in_hex(lab_hash_dataset(&examples[i])).text,
                            golden(examples[i].name).text);
    assert_string_equal(lab_hash_in_hex(hash_of(EXAMPLES, examples)).text, golden("all").text);
}

static void expect_other(lab_dataset changed)
{
    assert_true(lab_hash_dataset(&changed) != lab_hash_dataset(&examples[1]));
}

static void names_and_shapes_count(void **state)
{
    (void)state;
    lab_dataset set = examples[1];
    set.name = "traces/basic";
    expect_other(set);
    set.name = "traces/basi";
    expect_other(set);
    set = examples[1];
    set.shape[0] = 3, set.shape[1] = 2;
    expect_other(set);
    set.rank = 1, set.shape[0] = 6;
    expect_other(set);
    set.shape[0] = 5;
    expect_other(set);
    set = examples[1];
    set.unit = "other";
    assert_true(lab_hash_dataset(&set) == lab_hash_dataset(&examples[1]));
}

static void every_dataset_counts_and_their_order(void **state)
{
    (void)state;
    const uint64_t all = hash_of(EXAMPLES, examples);
    const lab_dataset swapped[] = {examples[1], examples[0], examples[2]};
    const lab_dataset twice[] = {examples[0], examples[1], examples[2], examples[2]};
    assert_true(hash_of(EXAMPLES - 1, examples) != all);
    assert_true(hash_of(EXAMPLES, swapped) != all);
    assert_true(hash_of(EXAMPLES + 1, twice) != all);
}

static uint64_t hash_of_values(double a, double b)
{
    const double values[] = {a, b};
    return lab_hash_dataset(&(lab_dataset){.name = "x", .rank = 1, .shape = {2}, .values = values});
}

static double with_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Also where both change alike, as all signs do.
static void every_bit_of_a_value_counts(void **state)
{
    (void)state;
    const double a = 0.7, b = -3e-5;
    const uint64_t before = hash_of_values(a, b);
    uint64_t bits_a, bits_b;
    memcpy(&bits_a, &a, sizeof a);
    memcpy(&bits_b, &b, sizeof b);
    for (int i = 0; i < 64; i++) {
        const double x = with_bits(bits_a ^ UINT64_C(1) << i);
        const double y = with_bits(bits_b ^ UINT64_C(1) << i);
        assert_true(hash_of_values(x, b) != before);
        assert_true(hash_of_values(a, y) != before);
        assert_true(hash_of_values(x, y) != before);
    }
    assert_true(hash_of_values(b, a) != before);
    assert_true(hash_of_values(0, b) != hash_of_values(-0.0, b));
}

static void what_is_not_a_number_has_one_pattern(void **state)
{
    (void)state;
    const uint64_t one = hash_of_values(NAN, 1);
    assert_true(hash_of_values(-NAN, 1) == one);
    assert_true(hash_of_values(with_bits(UINT64_C(0x7ff80000deadbeef)), 1) == one);
    assert_true(hash_of_values(with_bits(UINT64_C(0xfff0000000000001)), 1) == one);
    assert_true(hash_of_values(INFINITY, 1) != one);
    assert_true(hash_of_values(INFINITY, 1) != hash_of_values(-INFINITY, 1));
}

// ---- a run -----------------------------------------------------------------------------------

typedef struct whole {
    ran ran;
    lab_measures measures;
    lab_origin origin;
    lab_result result;
    lab_datasets sets;
} whole;

static void must_table(whole *it)
{
    lab_why why;
    must(lab_datasets_make(&it->sets, &it->result, &why), &why);
}

static void must_finish(whole *it, const char *yaml)
{
    lab_why why;
    must_run(&it->ran, yaml, SET_NOTHING, 1);
    must(lab_measures_make(&it->measures, &it->ran.record, &it->ran.spec, &why), &why);
    must(lab_origin_make(&it->origin, &it->ran.spec, &why), &why);
    it->result = (lab_result){.spec = &it->ran.spec,
                              .origin = &it->origin,
                              .record = &it->ran.record,
                              .measures = &it->measures};
    must_table(it);
}

static void whole_free(whole *it)
{
    lab_datasets_free(&it->sets);
    lab_origin_free(&it->origin);
    lab_measures_free(&it->measures);
    ran_free(&it->ran);
}

// By one unit of its last place; what has none becomes 1.
static double beside(double value)
{
    return isfinite(value) ? nextafter(value, INFINITY) : 1;
}

static size_t values_of(const lab_dataset *set)
{
    size_t count = 1;
    for (int i = 0; i < set->rank; i++)
        count *= set->shape[i];
    return count;
}

// The first, the last and one between of every dataset. One step of the hash is enough to see for
// all values: whatever follows keeps the difference.
static void one_unit_of_the_last_place_of_any_dataset_counts(void **state)
{
    (void)state;
    whole it;
    must_finish(&it, RICH_STORY);
    const uint64_t before = lab_hash_datasets(&it.sets);
    assert_true(it.sets.count > 50);
    for (int i = 0; i < it.sets.count; i++) {
        const lab_dataset set = it.sets.set[i];
        const size_t count = values_of(&set), places[] = {0, count / 2, count - 1};
        double *values = must_calloc(count, sizeof *values);
        memcpy(values, set.values, count * sizeof *values);
        it.sets.set[i].values = values;
        assert_true(lab_hash_datasets(&it.sets) == before);
        for (int k = 0; k < 3; k++) {
            const double kept = values[places[k]];
            values[places[k]] = beside(kept);
            assert_true(lab_hash_datasets(&it.sets) != before);
            values[places[k]] = kept;
        }
        it.sets.set[i] = set;
        free(values);
    }
    whole_free(&it);
}

static void set_measure(whole *it, const char *from, const char *to, double value)
{
    for (int i = 0; i < it->measures.count; i++)
        if (strcmp(it->measures.measure[i].name, from) == 0) {
            snprintf(it->measures.measure[i].name, LAB_MEASURE_NAME, "%s", to);
            it->measures.measure[i].value = value;
        }
    lab_datasets_free(&it->sets);
    must_table(it);
}

// A measure that a run could have, and a claim on it.
static void the_clock_does_not_count(void **state)
{
    (void)state;
    whole it;
    must_finish(&it, RICH_STORY);
    lab_claim_spec claim = *it.measures.claim[0].spec;
    char measure[] = "run_seconds";
    claim.measure = measure;
    it.measures.claim[0].spec = &claim;
    set_measure(&it, "lambda_max", measure, 1);
    const uint64_t before = lab_hash_datasets(&it.sets);
    it.measures.claim[0].measured = 2;
    set_measure(&it, measure, measure, 2);
    assert_true(lab_hash_datasets(&it.sets) == before);
    set_measure(&it, "learning_rate", "learning_rate", 2);
    assert_true(lab_hash_datasets(&it.sets) != before);
    whole_free(&it);
}

// ---- in a folder -----------------------------------------------------------------------------

static void must_write(const whole *it, const char *path)
{
    lab_folder folder;
    lab_why why;
    must(lab_folder_begin(&folder, path, true, &why), &why);
    must(lab_write_summary(&folder, &it->result, &why), &why);
    must(lab_write_hashes(&folder, &it->result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
}

static void a_folder_tells_what_was_hashed(void **state)
{
    const temporary_path folder = temporary_below(*state, "out");
    whole it;
    lab_hashed read;
    lab_why why;
    must_finish(&it, RICH_STORY);
    set_measure(&it, "lambda_max", "run_seconds", 1);
    must_write(&it, folder.text);
    must(lab_hashed_read(&read, folder.text, &why), &why);
    assert_string_equal(read.name, it.ran.spec.name);
    assert_string_equal(read.real, CFPC_REAL_IS_FLOAT ? "float" : "double");
    assert_string_equal(read.hash.text, lab_hash_in_hex(lab_hash_datasets(&it.sets)).text);
    assert_int_equal(read.count, it.sets.count);
    int left_out = 0;
    for (int i = 0; i < read.count; i++) {
        assert_string_equal(read.row[i].name, it.sets.set[i].name);
        if (*read.row[i].hash.text)
            assert_string_equal(read.row[i].hash.text,
                                lab_hash_in_hex(lab_hash_dataset(&it.sets.set[i])).text);
        else
            left_out++;
    }
    assert_int_equal(left_out, 1);
    assert_string_equal(read.row[0].name, "curves/fm");
    assert_string_equal(read.row[0].shape, "3");
    lab_hashed_free(&read);
    whole_free(&it);
}

// Replaces the text of a file, and expects this of reading the folder.
static void expect_refused(const temporary *here, const char *name, const char *text,
                           const char *says)
{
    const temporary_path folder = temporary_below(here, "out");
    char below[64];
    snprintf(below, sizeof below, "out/%s", name);
    const temporary_path file = temporary_below(here, below);
    char *before = file_text(file.text);
    lab_hashed read;
    lab_why why = {0};
    assert_non_null(before);
    write_file(file.text, text);
    assert_int_equal(lab_hashed_read(&read, folder.text, &why), LAB_REFUSED);
    if (!strstr(why.text, says))
        fail_msg("it does not say '%s': %s", says, why.text);
    lab_hashed_free(&read);
    write_file(file.text, before);
    free(before);
}

static void a_folder_that_was_altered_is_refused(void **state)
{
    const temporary *here = *state;
    whole it;
    must_finish(&it, RICH_STORY);
    must_write(&it, temporary_below(here, "out").text);
    whole_free(&it);
#define SUMMARY(more) "{\"name\": \"a\", \"version\": \"1\", \"real\": \"double\"" more "}\n"
#define HEADER LAB_HASHES_HEADER "\n"
    expect_refused(here, "summary.json", "[]", "this is not the summary of a run");
    expect_refused(here, "summary.json", "{\"name\": \"a\"}", "this is not the summary of a run");
    expect_refused(here, "summary.json", SUMMARY(""), "has no hash; an older version wrote it");
    expect_refused(here, "summary.json", SUMMARY(", \"hash\": \"12\""),
                   "16 hexadecimal digits: '12'");
    expect_refused(here, "summary.json", SUMMARY(", \"hash\": \"0123456789abcdef\""),
                   "its hash is not that of its datasets");
    expect_refused(here, "hashes.csv", "", "holds no hashes");
    expect_refused(here, "hashes.csv", HEADER, "holds no hashes");
    expect_refused(here, "hashes.csv", "a,b\n", "hashes.csv:1: this is not a row of hashes");
    expect_refused(here, "hashes.csv", HEADER "0123456789abcdef,4\n", ":2: this is not a row");
    expect_refused(here, "hashes.csv", HEADER "0123456789abcdef,4,\n", ":2: this is not a row");
    expect_refused(here, "hashes.csv", HEADER "0123456789ABCDEF,4,a\n", ":2: this is not a row");
    expect_refused(here, "hashes.csv", HEADER "0123,4,a\n", ":2: this is not a row");
    expect_refused(here, "hashes.csv", HEADER ",4,a\033[1m\n", ":2: this is not a row");
    expect_refused(here, "hashes.csv", HEADER "0123456789abcdef,4,a\n",
                   "its hash is not that of its datasets");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hashes_are_those_of_an_independent_script),
        cmocka_unit_test(names_and_shapes_count),
        cmocka_unit_test(every_dataset_counts_and_their_order),
        cmocka_unit_test(every_bit_of_a_value_counts),
        cmocka_unit_test(what_is_not_a_number_has_one_pattern),
        cmocka_unit_test(one_unit_of_the_last_place_of_any_dataset_counts),
        cmocka_unit_test(the_clock_does_not_count),
        TEST(a_folder_tells_what_was_hashed),
        TEST(a_folder_that_was_altered_is_refused)};
    return cmocka_run_group_tests_name("lab.hash", tests, NULL, NULL);
}
