// SPDX-License-Identifier: Apache-2.0
// data: saved, restored, copied and reset, it goes on as if nothing had happened.
#include "cell_fixture.h"
#include "core/data_image.h"

enum { SYNAPSES = 5, STEPS = 60 };

static cfpc_real basis[STEPS][SYNAPSES];

static cfpc_model_def small_def(cfpc_mode mode)
{
    dice d = {51};
    draw_reals(&d, STEPS * SYNAPSES, basis[0]);
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.steps = STEPS;
    def.basis = basis[0];
    def.trace = def.response = small_trace();
    def.rule.rate = (cfpc_real)0.0625;
    def.rule.mode = mode;
    return def;
}

static cfpc_real error_at(int n)
{
    dice d = {1000u + (uint64_t)n};
    return (cfpc_real)dice_between(&d, -1, 1);
}

// Steps from..to-1 of a run of several trials of STEPS; returns the last output.
static cfpc_real run(const cfpc_model *model, cfpc_data *data, int from, int to)
{
    cfpc_real o = 0;
    for (int n = from; n < to; n++) {
        if (n > 0 && n % STEPS == 0)
            cfpc_next_trial(model, data);
        o = cfpc_step(model, data, NULL, error_at(n));
    }
    return o;
}

static void expect_same_bytes(const cfpc_data *a, const cfpc_data *b)
{
    assert_int_equal(cfpc_data_bytes(a), cfpc_data_bytes(b));
    assert_memory_equal(a, b, cfpc_data_bytes(a));
}

// The sealed bytes, on memory of their own.
static void *save_of(cfpc_data *data)
{
    cfpc_data_seal(data);
    void *save = malloc(cfpc_data_bytes(data));
    assert_non_null(save);
    memcpy(save, data, cfpc_data_bytes(data));
    return save;
}

// ---- made ------------------------------------------------------------------------------------

static void new_data_is_at_rest(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_weights(it.data)[j] == 0 && cfpc_traces(it.data)[j] == 0);
    assert_int_equal(cfpc_clock(it.data), 0);
    assert_int_equal(cfpc_flags(it.data), 0);
    assert_int_equal(cfpc_data_bytes(it.data), cfpc_data_size(it.model));
    cell_free(&it);
}

static void memory_that_is_too_small_is_refused_and_untouched(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_BATCH);
    const cfpc_model *model = model_of(&def);
    const size_t bytes = cfpc_data_size(model);
    unsigned char *mem = malloc(bytes);
    assert_non_null(mem);
    memset(mem, 0xA5, bytes);
    cfpc_data *data = (cfpc_data *)mem;
    for (size_t less = 0; less < bytes; less++) {
        assert_int_equal(cfpc_data_init(&data, mem, less, model), CFPC_MEMORY_TOO_SMALL);
        assert_null(data);
    }
    for (size_t k = 0; k < bytes; k++)
        assert_int_equal(mem[k], 0xA5);
    assert_int_equal(cfpc_data_init(&data, mem + 4, bytes - 4, model), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_data_init(&data, NULL, bytes, model), CFPC_MEMORY_UNALIGNED);
    assert_ok(cfpc_data_init(&data, mem, bytes, model));
    free(mem);
    free((void *)model);
}

static void data_of_a_trace_too_long_for_the_machine_has_size_0(void **state)
{
    (void)state;
    const int32_t delay = INT32_MAX;
    cfpc_model_def def = cfpc_default_model_def();
    def.trace = cfpc_trace_delay(&delay);
    def.guard.on = false;
    const int32_t counts[] = {INT32_MAX, INT32_MAX - 100}; // not to be counted; not to be addressed
    for (int k = 0; k < 2; k++) {
        def.synapses = counts[k];
        const cfpc_model *model = model_of(&def);
        uint64_t mem[64];
        cfpc_data *data = NULL;
        assert_int_equal(cfpc_data_size(model), 0);
        assert_int_equal(cfpc_data_init(&data, mem, sizeof mem, model), CFPC_BAD_SIZE);
        free((void *)model);
    }
}

// ---- saved and restored ----------------------------------------------------------------------

// Interrupts a run at a step, goes on from the save, and compares with a run left alone.
static void expect_continued(cfpc_mode mode, int interrupted)
{
    const cfpc_model_def def = small_def(mode);
    cell alone = cell_of(&def), first = cell_of(&def);
    cfpc_data *second = data_of(first.model);
    run(first.model, second, 0, 7); // what stood there before must not matter
    const cfpc_real o = run(alone.model, alone.data, 0, 3 * STEPS);
    run(first.model, first.data, 0, interrupted);
    void *save = save_of(first.data);
    run(first.model, first.data, interrupted, interrupted + 3); // the save is apart
    assert_ok(cfpc_data_restore(first.model, second, save, cfpc_data_bytes(second)));
    const cfpc_real continued = run(first.model, second, interrupted, 3 * STEPS);
    assert_memory_equal(&o, &continued, sizeof o);
    cfpc_data_seal(alone.data);
    cfpc_data_seal(second);
    expect_same_bytes(alone.data, second);
    free(save);
    free(second);
    cell_free(&alone);
    cell_free(&first);
}

static void restored_data_goes_on_bit_for_bit(void **state)
{
    (void)state;
    const int places[] = {0, 1, 4, 5, 6, STEPS - 1, STEPS, STEPS + 13, 2 * STEPS + 31};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        expect_continued(CFPC_ONLINE, places[k]);
        expect_continued(CFPC_BATCH, places[k]);
    }
}

static void flags_are_restored_too(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    cfpc_freeze(it.data);
    void *save = save_of(it.data);
    cfpc_data_reset(it.model, it.data);
    assert_int_equal(cfpc_flags(it.data), 0);
    assert_ok(cfpc_data_restore(it.model, it.data, save, cfpc_data_bytes(it.data)));
    assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_FROZEN);
    free(save);
    cell_free(&it);
}

// ---- copied and reset ------------------------------------------------------------------------

static void a_copy_goes_on_alike_and_apart(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_BATCH);
    cell it = cell_of(&def);
    cfpc_data *copy = data_of(it.model);
    run(it.model, it.data, 0, STEPS + 17);
    assert_ok(cfpc_data_copy(it.data, copy));
    expect_same_bytes(it.data, copy);
    run(it.model, it.data, STEPS + 17, 2 * STEPS + 3);
    run(it.model, copy, STEPS + 17, 2 * STEPS + 3);
    expect_same_bytes(it.data, copy);
    assert_ok(cfpc_data_copy(copy, copy));
    expect_same_bytes(it.data, copy);
    free(copy);
    cell_free(&it);
}

static void a_copy_to_the_data_of_another_model_is_refused(void **state)
{
    (void)state;
    cfpc_model_def def = small_def(CFPC_ONLINE);
    cell it = cell_of(&def);
    def.rule.rate *= 2;
    cell other = cell_of(&def), twin = cell_of(&def);
    run(it.model, it.data, 0, 20);
    assert_int_equal(cfpc_data_copy(it.data, other.data), CFPC_OTHER_MODEL);
    expect_same_bytes(other.data, twin.data);
    cell_free(&it);
    cell_free(&other);
    cell_free(&twin);
}

static void reset_data_equals_new_data(void **state)
{
    (void)state;
    const cfpc_model_def def = small_def(CFPC_BATCH);
    cell used = cell_of(&def), fresh = cell_of(&def);
    run(used.model, used.data, 0, STEPS + 17);
    cfpc_step(used.model, used.data, NULL, (cfpc_real)NAN);
    cfpc_freeze(used.data);
    cfpc_data_seal(used.data);
    cfpc_data_reset(used.model, used.data);
    expect_same_bytes(used.data, fresh.data);
    cell_free(&used);
    cell_free(&fresh);
}

// ---- saves that are refused ------------------------------------------------------------------

typedef struct sealed {
    cell it;     // the data in use, which a refused save must not touch
    void *save;  // of the same model, from elsewhere in a run
    void *watch; // the bytes of the data in use
    size_t bytes;
} sealed;

static sealed sealed_make(void)
{
    const cfpc_model_def def = small_def(CFPC_BATCH);
    sealed s = {.it = cell_of(&def)};
    s.bytes = cfpc_data_bytes(s.it.data);
    run(s.it.model, s.it.data, 0, 33);
    s.save = save_of(s.it.data);
    run(s.it.model, s.it.data, 33, 40);
    s.watch = malloc(s.bytes);
    assert_non_null(s.watch);
    memcpy(s.watch, s.it.data, s.bytes);
    return s;
}

static void sealed_free(sealed *s)
{
    cell_free(&s->it);
    free(s->save);
    free(s->watch);
}

static cfpc_status restore(sealed *s, const void *save, size_t bytes)
{
    const cfpc_status status = cfpc_data_restore(s->it.model, s->it.data, save, bytes);
    if (status != CFPC_OK && memcmp(s->it.data, s->watch, s->bytes) != 0) // the faster of the two
        assert_memory_equal(s->it.data, s->watch, s->bytes);
    return status;
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    for (size_t less = 0; less < s.bytes; less++) {
        void *cut = malloc(less + 1); // malloc(0) may be no memory at all
        assert_non_null(cut);
        memcpy(cut, s.save, less);
        assert_int_equal(restore(&s, cut, less), CFPC_TRUNCATED);
        free(cut);
    }
    assert_ok(restore(&s, s.save, s.bytes));
    sealed_free(&s);
}

static void bytes_too_many_are_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    char *longer = must_calloc(1, s.bytes + 1);
    memcpy(longer, s.save, s.bytes);
    assert_int_equal(restore(&s, longer, s.bytes + 1), CFPC_ALTERED);
    free(longer);
    sealed_free(&s);
}

// Of a byte each bit: every step of the checksum is a bijection, so that all changes of one byte
// show if one does.
static void every_alteration_of_a_byte_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    unsigned char *bytes = s.save;
    for (size_t k = 0; k < s.bytes; k++) {
        const unsigned char good = bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            bytes[k] = (unsigned char)(good ^ (1 << bit));
            assert_int_not_equal(restore(&s, s.save, s.bytes), CFPC_OK);
        }
        bytes[k] = good;
    }
    assert_ok(restore(&s, s.save, s.bytes));
    sealed_free(&s);
}

static void an_alteration_with_a_right_checksum_is_refused_or_harmless(void **state)
{
    (void)state;
    sealed s = sealed_make();
    cfpc_data *save = s.save;
    unsigned char *bytes = s.save;
    for (size_t k = 0; k < s.bytes; k++) {
        const unsigned char good = bytes[k];
        for (int bit = 0; bit < 8; bit++) {
            bytes[k] = (unsigned char)(good ^ (1 << bit));
            save->header.checksum = cfpci_image_checksum(s.save, s.bytes);
            if (cfpc_data_restore(s.it.model, s.it.data, s.save, s.bytes) == CFPC_OK)
                run(s.it.model, s.it.data, 1, 7); // past the end of the line
        }
        bytes[k] = good;
    }
    sealed_free(&s);
}

// A fade is a share of o, from 0 to 1.
static void a_save_with_an_impossible_fade_is_refused(void **state)
{
    (void)state;
    const cfpc_real wrong[] = {-1, 2, (cfpc_real)1e30, (cfpc_real)NAN};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        for (int which = 0; which < 3; which++) {
            sealed s = sealed_make();
            cfpc_data *save = s.save;
            cfpc_real *const at[] = {&save->fade, &save->share, &save->guard.rate_share};
            *at[which] = wrong[k];
            save->header.checksum = cfpci_image_checksum(s.save, s.bytes);
            assert_int_equal(restore(&s, s.save, s.bytes), CFPC_ALTERED);
            sealed_free(&s);
        }
}

// What does not fit in the memory of a machine is too large, wherever the arena stands.
static void an_arena_at_its_end_takes_no_more(void **state)
{
    (void)state;
    const uint64_t most = (uint64_t)SIZE_MAX / 2;
    for (uint64_t used = most - 2 * CFPC_IMAGE_ALIGN; used < most + 2; used++) {
        cfpci_arena arena = {.used = used};
        cfpci_arena_take(&arena, 4 * CFPC_IMAGE_ALIGN, 1, 1);
        assert_true(arena.too_large);
    }
}

static void expect_header_status(size_t at, uint32_t value, cfpc_status status)
{
    sealed s = sealed_make();
    cfpc_data *save = s.save;
    memcpy((char *)s.save + at, &value, sizeof value);
    save->header.checksum = cfpci_image_checksum(s.save, s.bytes);
    assert_int_equal(restore(&s, s.save, s.bytes), status);
    sealed_free(&s);
}

static void other_kinds_versions_and_precisions_have_their_own_status(void **state)
{
    (void)state;
    expect_header_status(offsetof(cfpci_header, magic), CFPC_MAGIC_MODEL, CFPC_NOT_OURS);
    expect_header_status(offsetof(cfpci_header, version), CFPC_IMAGE_VERSION + 1,
                         CFPC_OTHER_VERSION);
    const uint32_t other = sizeof(cfpc_real) == sizeof(float) ? sizeof(double) : sizeof(float);
    expect_header_status(offsetof(cfpci_header, real_bytes), other, CFPC_OTHER_REAL);
}

static void data_that_is_not_sealed_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    memcpy(s.save, s.it.data, s.bytes); // seven steps after the seal
    assert_int_equal(restore(&s, s.save, s.bytes), CFPC_ALTERED);
    sealed_free(&s);
}

static void data_of_another_model_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    cfpc_model_def def = small_def(CFPC_BATCH);
    def.rule.rate *= 2; // the same sizes throughout
    cell same_size = cell_of(&def);
    def.synapses = 1;
    cell smaller = cell_of(&def);
    cell *others[] = {&same_size, &smaller};
    for (int k = 0; k < 2; k++) {
        void *save = save_of(others[k]->data);
        assert_int_equal(restore(&s, save, cfpc_data_bytes(others[k]->data)), CFPC_OTHER_MODEL);
        free(save);
        cell_free(others[k]);
    }
    sealed_free(&s);
}

// With the checksum made right again: a save of this model that is longer than its data.
static void a_save_of_another_size_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    cfpc_data *longer = must_calloc(1, s.bytes + 8);
    memcpy(longer, s.save, s.bytes);
    longer->header.bytes += 8;
    longer->header.checksum = cfpci_image_checksum(longer, longer->header.bytes);
    assert_int_equal(restore(&s, longer, s.bytes + 8), CFPC_OTHER_MODEL);
    free(longer);
    sealed_free(&s);
}

// The place that is restored belongs to another model, of the same size: it is not touched.
static void a_save_is_not_restored_into_the_data_of_another_model(void **state)
{
    (void)state;
    sealed s = sealed_make();
    cfpc_model_def def = small_def(CFPC_BATCH);
    def.rule.rate *= 2;
    cell other = cell_of(&def), untouched = cell_of(&def);
    assert_int_equal(cfpc_data_restore(s.it.model, other.data, s.save, s.bytes), CFPC_OTHER_MODEL);
    assert_memory_equal(other.data, untouched.data, cfpc_data_bytes(other.data));
    cell_free(&other);
    cell_free(&untouched);
    sealed_free(&s);
}

static void an_unaligned_save_is_refused(void **state)
{
    (void)state;
    sealed s = sealed_make();
    char *mem = must_calloc(1, s.bytes + 8);
    memcpy(mem + 4, s.save, s.bytes);
    assert_int_equal(restore(&s, mem + 4, s.bytes), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(restore(&s, NULL, s.bytes), CFPC_MEMORY_UNALIGNED);
    free(mem);
    sealed_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_data_is_at_rest),
        cmocka_unit_test(memory_that_is_too_small_is_refused_and_untouched),
        cmocka_unit_test(data_of_a_trace_too_long_for_the_machine_has_size_0),
        cmocka_unit_test(restored_data_goes_on_bit_for_bit),
        cmocka_unit_test(flags_are_restored_too),
        cmocka_unit_test(a_copy_goes_on_alike_and_apart),
        cmocka_unit_test(a_copy_to_the_data_of_another_model_is_refused),
        cmocka_unit_test(reset_data_equals_new_data),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(bytes_too_many_are_refused),
        cmocka_unit_test(every_alteration_of_a_byte_is_refused),
        cmocka_unit_test(an_alteration_with_a_right_checksum_is_refused_or_harmless),
        cmocka_unit_test(a_save_with_an_impossible_fade_is_refused),
        cmocka_unit_test(an_arena_at_its_end_takes_no_more),
        cmocka_unit_test(other_kinds_versions_and_precisions_have_their_own_status),
        cmocka_unit_test(data_that_is_not_sealed_is_refused),
        cmocka_unit_test(data_of_another_model_is_refused),
        cmocka_unit_test(a_save_of_another_size_is_refused),
        cmocka_unit_test(a_save_is_not_restored_into_the_data_of_another_model),
        cmocka_unit_test(an_unaligned_save_is_refused),
    };
    return cmocka_run_group_tests_name("core.data", tests, NULL, NULL);
}
