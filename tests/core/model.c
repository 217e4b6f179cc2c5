// SPDX-License-Identifier: Apache-2.0
// model: made from a definition, carried as bytes, refused when anything about it is wrong.
#include "cell_fixture.h"
#include "core/data_image.h"
#include "core/image.h"

enum { SYNAPSES = 3, STEPS = 4 };

static const cfpc_real basis[STEPS * SYNAPSES] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static cfpc_model_def small_def(void)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.steps = STEPS;
    def.basis = basis;
    def.trace = def.response = small_trace();
    def.rule.rate = (cfpc_real)0.125;
    def.rule.mode = CFPC_BATCH;
    return def;
}

// A copy of these bytes on memory of exactly their number.
static void *copy_of(const void *bytes, size_t count)
{
    void *copy = malloc(count);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    return copy;
}

static cfpc_status check(const void *mem, size_t bytes)
{
    const cfpc_model *model = (const cfpc_model *)&basis;
    const cfpc_status status = cfpc_model_check(&model, mem, bytes);
    assert_ptr_equal(model, status == CFPC_OK ? mem : NULL);
    return status;
}

static void reseal(void *image, size_t bytes)
{
    ((cfpci_header *)image)->checksum = cfpci_image_checksum(image, bytes);
}

static void expect_refused(const cfpc_model_def *def, cfpc_status status)
{
    uint64_t mem[256], before[256];
    memset(mem, 0xA5, sizeof mem);
    memcpy(before, mem, sizeof mem);
    const cfpc_model *model = (const cfpc_model *)mem;
    assert_int_equal(cfpc_model_size(def), 0);
    assert_int_equal(cfpc_model_init(&model, mem, sizeof mem, def), status);
    assert_null(model);
    assert_memory_equal(mem, before, sizeof mem);
}

// ---- made ------------------------------------------------------------------------------------

static void expect_small_model(const cfpc_model *model)
{
    assert_int_equal(cfpc_model_synapses(model), SYNAPSES);
    assert_int_equal(cfpc_model_steps(model), STEPS);
    assert_true(cfpc_model_rule(model).rate == (cfpc_real)0.125);
    assert_int_equal(cfpc_model_rule(model).mode, CFPC_BATCH);
    for (int n = 0; n < STEPS; n++)
        assert_memory_equal(cfpc_model_basis(model, n), basis + n * SYNAPSES,
                            SYNAPSES * sizeof *basis);
    const cfpc_lti found = cfpc_model_trace(model), expected = small_trace();
    assert_int_equal(found.states, expected.states);
    assert_int_equal(found.inputs, 1);
    assert_int_equal(found.outputs, 1);
    assert_int_equal(found.lines, expected.lines);
    assert_int_equal(found.delay_steps[0], expected.delay_steps[0]);
    assert_memory_equal(found.matrix, expected.matrix, 16 * sizeof *expected.matrix);
    const cfpc_lti response = cfpc_model_response(model);
    assert_int_equal(response.states, expected.states);
    assert_int_equal(response.outputs, 1);
    assert_int_equal(response.delay_steps[0], expected.delay_steps[0]);
    assert_memory_equal(response.matrix, expected.matrix, 16 * sizeof *expected.matrix);
}

static void a_model_holds_what_it_was_made_of(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    expect_small_model(model);
    assert_int_equal(cfpc_model_bytes(model), cfpc_model_size(&def));
    free((void *)model);
}

static void outside_its_table_a_model_has_no_basis(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    assert_null(cfpc_model_basis(model, -1));
    assert_null(cfpc_model_basis(model, STEPS));
    assert_null(cfpc_model_basis(model, INT64_MAX));
    assert_null(cfpc_model_basis(model, INT64_MIN));
    free((void *)model);
}

// The default has a guard, and does not say what it can know the loop alone from.
static void the_default_definition_is_valid_with_a_guard_that_sees_or_none(void **state)
{
    (void)state;
    cfpc_model_def def = cfpc_default_model_def();
    assert_true(def.guard.on);
    expect_refused(&def, CFPC_BLIND_GUARD);
    def.guard.on = false;
    const cfpc_model *model = model_of(&def);
    assert_int_equal(cfpc_model_synapses(model), 1);
    assert_int_equal(cfpc_model_steps(model), 0);
    assert_true(cfpc_model_rule(model).rate == 0);
    assert_int_equal(cfpc_model_rule(model).mode, CFPC_ONLINE);
    assert_null(cfpc_model_basis(model, 0));
    free((void *)model);
}

static void a_moved_model_is_the_same_model(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    void *copy = copy_of(model, bytes);
    const uint64_t identity = cfpci_model_identity(model);
    memset((void *)model, 0xA5, bytes); // no pointer may lead back here
    free((void *)model);
    const cfpc_model *moved = NULL;
    assert_ok(cfpc_model_check(&moved, copy, bytes));
    expect_small_model(moved);
    assert_true(cfpci_model_identity(moved) == identity);
    free(copy);
}

static void models_that_differ_anywhere_have_different_identities(void **state)
{
    (void)state;
    cfpc_real other_basis[STEPS * SYNAPSES];
    memcpy(other_basis, basis, sizeof basis);
    other_basis[STEPS * SYNAPSES - 1] += 1;
    const int32_t other_delay[] = {6};
    enum { DEFS = 7 };
    cfpc_model_def defs[DEFS];
    for (int k = 0; k < DEFS; k++)
        defs[k] = small_def();
    defs[1].basis = other_basis;
    defs[2].rule.rate = (cfpc_real)0.25;
    defs[3].rule.mode = CFPC_ONLINE;
    defs[4].trace.delay_steps = other_delay;
    defs[5].response.delay_steps = other_delay;
    defs[6].response = (cfpc_lti){0};
    uint64_t identities[DEFS];
    for (int k = 0; k < DEFS; k++) {
        const cfpc_model *model = model_of(&defs[k]);
        identities[k] = cfpci_model_identity(model);
        free((void *)model);
        for (int i = 0; i < k; i++)
            assert_true(identities[i] != identities[k]);
    }
}

// ---- definitions that are refused ------------------------------------------------------------

static void bad_counts_are_refused(void **state)
{
    (void)state;
    cfpc_model_def def = small_def();
    for (def.synapses = -1; def.synapses < 1; def.synapses++)
        expect_refused(&def, CFPC_BAD_SIZE);
    def = small_def();
    def.steps = -1;
    expect_refused(&def, CFPC_BAD_SIZE);
    def.steps = 0; // but a table is there
    expect_refused(&def, CFPC_BAD_SIZE);
    def = small_def();
    def.basis = NULL;
    expect_refused(&def, CFPC_BAD_SIZE);
}

static void bad_numbers_are_refused(void **state)
{
    (void)state;
    cfpc_model_def def = small_def();
    def.rule.rate = (cfpc_real)NAN;
    expect_refused(&def, CFPC_BAD_VALUE);
    def.rule.rate = (cfpc_real)-INFINITY;
    expect_refused(&def, CFPC_BAD_VALUE);
    def = small_def();
    def.rule.mode = (cfpc_mode)2;
    expect_refused(&def, CFPC_BAD_VALUE);
    cfpc_real bad_basis[STEPS * SYNAPSES];
    for (int k = 0; k < STEPS * SYNAPSES; k++) {
        memcpy(bad_basis, basis, sizeof basis);
        bad_basis[k] = (cfpc_real)(k % 2 ? NAN : INFINITY);
        def = small_def();
        def.basis = bad_basis;
        expect_refused(&def, CFPC_BAD_VALUE);
    }
}

// The trace, and the response that the guard needs.
static void bad_traces_and_responses_are_refused(void **state)
{
    (void)state;
    const int32_t no_delay = 0;
    const cfpc_real no_number = (cfpc_real)NAN;
    for (int which = 0; which < 2; which++) {
        cfpc_model_def def = small_def();
        cfpc_lti *const it = which ? &def.response : &def.trace, good = *it;
        it->inputs = 2;
        expect_refused(&def, CFPC_BAD_SHAPE);
        *it = good;
        it->outputs = which ? 2 : 0; // a response without outputs is none
        expect_refused(&def, CFPC_BAD_SHAPE);
        *it = good;
        it->states = -1;
        expect_refused(&def, CFPC_BAD_SIZE);
        *it = cfpc_trace_delay(&no_delay);
        expect_refused(&def, CFPC_BAD_DELAY);
        *it = cfpc_trace_none();
        it->matrix = &no_number;
        expect_refused(&def, CFPC_BAD_VALUE);
        def.guard.on = false;
        assert_int_equal(cfpc_model_size(&def) > 0, which); // then nobody reads it
    }
}

static void memory_that_is_too_small_is_refused_and_untouched(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const size_t bytes = cfpc_model_size(&def);
    unsigned char *mem = malloc(bytes);
    assert_non_null(mem);
    memset(mem, 0xA5, bytes);
    const cfpc_model *model = (const cfpc_model *)mem;
    for (size_t less = 0; less < bytes; less++) {
        assert_int_equal(cfpc_model_init(&model, mem, less, &def), CFPC_MEMORY_TOO_SMALL);
        assert_null(model);
    }
    for (size_t k = 0; k < bytes; k++)
        assert_int_equal(mem[k], 0xA5);
    assert_int_equal(cfpc_model_init(&model, mem + 4, bytes - 4, &def), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_model_init(&model, NULL, bytes, &def), CFPC_MEMORY_UNALIGNED);
    assert_ok(cfpc_model_init(&model, mem, bytes, &def));
    free(mem);
}

// ---- bytes that are refused ------------------------------------------------------------------

static void every_truncation_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    for (size_t less = 1; less < bytes; less++) {
        void *cut = copy_of(model, less);
        assert_int_equal(check(cut, less), CFPC_TRUNCATED);
        free(cut);
    }
    assert_int_equal(check(model, 0), CFPC_TRUNCATED);
    free((void *)model);
}

static void bytes_too_many_are_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    char *longer = must_calloc(1, bytes + 8);
    memcpy(longer, model, bytes);
    assert_int_equal(check(longer, bytes + 1), CFPC_ALTERED);
    assert_int_equal(check(longer, bytes + 8), CFPC_ALTERED);
    free(longer);
    free((void *)model);
}

// Of a byte each bit: every step of the checksum is a bijection, so that all changes of one byte
// show if one does.
static void every_alteration_of_a_byte_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    unsigned char *copy = copy_of(model, bytes);
    for (size_t k = 0; k < bytes; k++) {
        const unsigned char good = copy[k];
        for (int bit = 0; bit < 8; bit++) {
            copy[k] = (unsigned char)(good ^ (1 << bit));
            assert_int_not_equal(check(copy, bytes), CFPC_OK);
        }
        copy[k] = good;
    }
    assert_ok(check(copy, bytes));
    free(copy);
    free((void *)model);
}

// A model that passes the check can be run, whatever else its bytes say.
static void run_if_small(const cfpc_model *model)
{
    const size_t bytes = cfpc_data_size(model);
    if (bytes == 0 || bytes > 1 << 20)
        return;
    cfpc_data *data = data_of(model);
    cfpc_real *x = must_calloc((size_t)cfpc_model_synapses(model), sizeof *x);
    for (int n = 0; n < 3; n++)
        cfpc_step(model, data, n == 2 ? x : NULL, 1);
    cfpc_next_trial(model, data);
    free(x);
    free(data);
}

static void an_alteration_with_a_right_checksum_is_refused_or_harmless(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    unsigned char *copy = copy_of(model, bytes);
    const cfpc_model *found = NULL;
    for (size_t k = 0; k < bytes; k++) {
        const unsigned char good = copy[k];
        for (int change = 1; change < 256; change += 2) {
            copy[k] = (unsigned char)(good ^ change);
            reseal(copy, bytes);
            if (cfpc_model_check(&found, copy, bytes) == CFPC_OK)
                run_if_small(found);
        }
        copy[k] = good;
    }
    free(copy);
    free((void *)model);
}

static void expect_header_status(size_t at, uint32_t value, cfpc_status status)
{
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    memcpy((char *)model + at, &value, sizeof value);
    reseal((void *)model, bytes);
    assert_int_equal(check(model, bytes), status);
    free((void *)model);
}

static void other_kinds_versions_and_precisions_have_their_own_status(void **state)
{
    (void)state;
    const size_t magic = offsetof(cfpci_header, magic), version = offsetof(cfpci_header, version);
    expect_header_status(magic, CFPC_MAGIC_DATA, CFPC_NOT_OURS);
    expect_header_status(magic, 0x6366704du, CFPC_OTHER_BYTE_ORDER);
    expect_header_status(version, CFPC_IMAGE_VERSION + 1, CFPC_OTHER_VERSION);
    expect_header_status(version, 0, CFPC_OTHER_VERSION);
    const uint32_t other = sizeof(cfpc_real) == sizeof(float) ? sizeof(double) : sizeof(float);
    expect_header_status(offsetof(cfpci_header, real_bytes), other, CFPC_OTHER_REAL);
}

// Of an image that is part of the program only header and checksum are looked at.
static void a_built_in_image_is_refused_if_it_is_damaged(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def), *found = NULL;
    const size_t bytes = cfpc_model_bytes(model);
    assert_ok(cfpc_model_built_in(&found, model, bytes));
    assert_ptr_equal(found, model);
    assert_int_equal(cfpc_model_built_in(&found, model, bytes - 8), CFPC_TRUNCATED);
    assert_null(found);
    ((unsigned char *)model)[bytes - 1] ^= 1;
    assert_int_equal(cfpc_model_built_in(&found, model, bytes), CFPC_ALTERED);
    ((cfpci_header *)model)->version--;
    assert_int_equal(cfpc_model_built_in(&found, model, bytes), CFPC_OTHER_VERSION);
    assert_null(found);
    free((void *)model);
}

// With its checksum right, an image that is too short for the head of a model.
static void less_than_a_head_is_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    cfpci_header *header = (cfpci_header *)model;
    header->bytes = sizeof *header + 8;
    reseal(header, (size_t)header->bytes);
    assert_int_equal(check(model, (size_t)header->bytes), CFPC_TRUNCATED);
    free((void *)model);
}

static void unaligned_bytes_are_refused(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def();
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_model_bytes(model);
    char *mem = must_calloc(1, bytes + 8);
    for (int off = 1; off < 8; off++) {
        memcpy(mem + off, model, bytes);
        assert_int_equal(check(mem + off, bytes), CFPC_MEMORY_UNALIGNED);
    }
    assert_int_equal(check(NULL, bytes), CFPC_MEMORY_UNALIGNED);
    free(mem);
    free((void *)model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_holds_what_it_was_made_of),
        cmocka_unit_test(outside_its_table_a_model_has_no_basis),
        cmocka_unit_test(the_default_definition_is_valid_with_a_guard_that_sees_or_none),
        cmocka_unit_test(a_moved_model_is_the_same_model),
        cmocka_unit_test(models_that_differ_anywhere_have_different_identities),
        cmocka_unit_test(bad_counts_are_refused),
        cmocka_unit_test(bad_numbers_are_refused),
        cmocka_unit_test(bad_traces_and_responses_are_refused),
        cmocka_unit_test(memory_that_is_too_small_is_refused_and_untouched),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(bytes_too_many_are_refused),
        cmocka_unit_test(every_alteration_of_a_byte_is_refused),
        cmocka_unit_test(an_alteration_with_a_right_checksum_is_refused_or_harmless),
        cmocka_unit_test(other_kinds_versions_and_precisions_have_their_own_status),
        cmocka_unit_test(a_built_in_image_is_refused_if_it_is_damaged),
        cmocka_unit_test(less_than_a_head_is_refused),
        cmocka_unit_test(unaligned_bytes_are_refused),
    };
    return cmocka_run_group_tests_name("core.model", tests, NULL, NULL);
}
