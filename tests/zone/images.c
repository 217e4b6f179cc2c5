// SPDX-License-Identifier: Apache-2.0
// The images of a zone: a model or a save that is damaged, truncated, foreign or forged is refused,
// and one that is sound continues bit for bit.
#include "core/image.h"
#include "zone/data_layout.h"
#include "zone_fixture.h"

static const trial_case small = {.synapses = 40,
                                 .cells = 3,
                                 .block_steps = 6,
                                 .lead = 2,
                                 .horizon = 9,
                                 .paths_per_cell = 2,
                                 .steps = 40};

static zone small_zone(uint64_t seed)
{
    dice d = {.state = seed};
    defined def = make_def(&small, &d);
    zone z = make_zone(&def.def);
    free_def(&def);
    return z;
}

// Some blocks of random inputs and errors; the last block's outputs.
static void run_some(zone *z, int blocks, dice *d, cfpc_real out[18])
{
    cfpc_real x[6 * 40], e[6 * 3];
    for (int block = 0; block < blocks; block++) {
        for (int i = 0; i < 6 * 40; i++)
            x[i] = (cfpc_real)dice_between(d, -1, 1);
        for (int i = 0; i < 6 * 3; i++)
            e[i] = (cfpc_real)dice_between(d, -1, 1);
        assert_ok(cfpc_zone_step_block(z->model, z->data, x, e, 4 + block % 3, out));
    }
}

static void reseal(void *image)
{
    cfpci_header *header = image;
    header->checksum = cfpci_image_checksum(image, header->bytes);
}

// ---- memory ----------------------------------------------------------------------------------

static void memory_that_does_not_do(void **state)
{
    (void)state;
    dice d = {.state = 3};
    defined def = make_def(&small, &d);
    const size_t bytes = cfpc_zone_model_size(&def.def);
    char *memory = must_calloc(1, bytes + 8);
    const cfpc_zone_model *model;
    assert_int_equal(cfpc_zone_model_init(memory, bytes - 1, &def.def, &model),
                     CFPC_MEMORY_TOO_SMALL);
    assert_null(model);
    assert_int_equal(cfpc_zone_model_init(memory + 4, bytes, &def.def, &model),
                     CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_zone_model_init(NULL, bytes, &def.def, &model), CFPC_MEMORY_UNALIGNED);
    assert_ok(cfpc_zone_model_init(memory, bytes, &def.def, &model));

    const size_t needed = cfpc_zone_data_size(model);
    char *space = must_calloc(1, needed + 8);
    cfpc_zone_data *data;
    assert_int_equal(cfpc_zone_data_init(space, needed - 1, model, &data), CFPC_MEMORY_TOO_SMALL);
    assert_null(data);
    assert_int_equal(cfpc_zone_data_init(space + 4, needed, model, &data), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_zone_data_init(space, needed, NULL, &data), CFPC_MISSING);
    assert_ok(cfpc_zone_data_init(space + 8, needed, model, &data)); // 8 bytes are enough
    free(space);
    free(memory);
    free_def(&def);
}

// ---- the model -------------------------------------------------------------------------------

static void a_copy_of_a_model_is_a_model(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_model_bytes(z.model);
    void *copy = must_calloc(1, bytes);
    const cfpc_zone_model *model;
    memcpy(copy, z.model, bytes);
    assert_ok(cfpc_zone_model_check(copy, bytes, &model));
    assert_ptr_equal(model, copy);
    free(copy);
    free_zone(&z);
}

static void a_damaged_model_is_refused(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_model_bytes(z.model);
    unsigned char *image = z.model_mem;
    const cfpc_zone_model *model;
    for (size_t i = 0; i < bytes; i++) {
        image[i] ^= 0x10;
        assert_int_not_equal(cfpc_zone_model_check(image, bytes, &model), CFPC_OK);
        assert_null(model);
        image[i] ^= 0x10;
    }
    for (size_t less = 0; less < bytes; less++)
        assert_int_equal(cfpc_zone_model_check(image, less, &model), CFPC_TRUNCATED);
    assert_int_equal(cfpc_zone_model_check(NULL, bytes, &model), CFPC_MEMORY_UNALIGNED);
    assert_int_equal(cfpc_zone_model_check(z.data_mem, cfpc_zone_data_bytes(z.data), &model),
                     CFPC_NOT_OURS);
    free_zone(&z);
}

// Someone who computes the checksum anew cannot make an array lie outside.
static void a_forged_model_is_refused(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_model_bytes(z.model);
    cfpc_zone_model *head = z.model_mem;
    const cfpc_zone_model before = *head, *model;
#define FORGED(field, value)                                                                       \
    head->field = (value);                                                                         \
    reseal(head);                                                                                  \
    assert_int_equal(cfpc_zone_model_check(head, bytes, &model), CFPC_ALTERED);                    \
    *head = before
    FORGED(synapses, 0);
    FORGED(cells, 4);
    FORGED(cells, INT32_MAX);
    FORGED(errors, 0);
    FORGED(errors, 1); // paths name more
    FORGED(block_steps, -6);
    FORGED(lead, -1);
    FORGED(horizon, 10);
    FORGED(taps, 13);
    FORGED(layers, 1);
    FORGED(layers, -2);
    FORGED(is_double, 2);
    FORGED(is_double, 1);
    FORGED(past, CFPC_PAST_TABLE);
    FORGED(threads, 0);
    FORGED(unused, 1);
    FORGED(leak, 1);
    FORGED(leak, (double)NAN);
    FORGED(weight_low, (double)INFINITY);
    FORGED(error_at, before.error_at + 4);
    FORGED(taps_at, before.taps_at + 64);
    FORGED(rate_at, bytes);
#undef FORGED
    reseal(head);
    assert_ok(cfpc_zone_model_check(head, bytes, &model));
    ((float *)((char *)head + head->taps_at))[5] = NAN;
    reseal(head);
    assert_int_equal(cfpc_zone_model_check(head, bytes, &model), CFPC_ALTERED);
    free_zone(&z);
}

static void other_versions_and_machines(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_model_bytes(z.model);
    cfpci_header *header = z.model_mem;
    const cfpc_zone_model *model;
    header->version++;
    assert_int_equal(cfpc_zone_model_check(header, bytes, &model), CFPC_OTHER_VERSION);
    header->version--;
    header->real_bytes ^= 12;
    assert_int_equal(cfpc_zone_model_check(header, bytes, &model), CFPC_OTHER_REAL);
    header->real_bytes ^= 12;
    header->magic = __builtin_bswap32(header->magic);
    assert_int_equal(cfpc_zone_model_check(header, bytes, &model), CFPC_OTHER_BYTE_ORDER);
    free_zone(&z);
}

// ---- a save ----------------------------------------------------------------------------------

static void a_save_continues_bit_for_bit(void **state)
{
    (void)state;
    zone z = small_zone(4), twin = small_zone(4);
    dice d = {.state = 9};
    cfpc_real out[18] = {0}, again[18] = {0};
    run_some(&z, 5, &d, out);
    cfpc_zone_freeze(z.model, z.data, 1);
    cfpc_zone_data_seal(z.data);
    assert_ok(cfpc_zone_data_restore(twin.model, twin.data, z.data, cfpc_zone_data_bytes(z.data)));
    dice same = d;
    run_some(&z, 6, &d, out);
    run_some(&twin, 6, &same, again);
    assert_memory_equal(out, again, sizeof out);
    assert_memory_equal(cfpc_zone_weights(z.model, z.data),
                        cfpc_zone_weights(twin.model, twin.data), 40 * 3 * sizeof(float));
    assert_int_equal(cfpc_zone_clock(z.data), cfpc_zone_clock(twin.data));
    assert_int_equal(cfpc_zone_flags(twin.model, twin.data, 1), CFPC_FLAG_FROZEN);
    free_zone(&z);
    free_zone(&twin);
}

static void a_damaged_save_is_refused(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_data_bytes(z.data);
    dice d = {.state = 9};
    cfpc_real out[18];
    run_some(&z, 5, &d, out);
    cfpc_zone_data_seal(z.data);
    unsigned char *save = must_calloc(1, bytes), *before = must_calloc(1, bytes);
    memcpy(save, z.data, bytes);
    memcpy(before, z.data, bytes);
    for (size_t i = 0; i < bytes; i += i < 300 ? 1 : 97) {
        save[i] ^= 0x10;
        assert_int_not_equal(cfpc_zone_data_restore(z.model, z.data, save, bytes), CFPC_OK);
        save[i] ^= 0x10;
    }
    assert_int_equal(cfpc_zone_data_restore(z.model, z.data, save, bytes - 1), CFPC_TRUNCATED);
    assert_int_equal(cfpc_zone_data_restore(z.model, z.data, save, 20), CFPC_TRUNCATED);
    assert_int_equal(
        cfpc_zone_data_restore(z.model, z.data, z.model, cfpc_zone_model_bytes(z.model)),
        CFPC_NOT_OURS);
    assert_int_equal(cfpc_zone_data_restore(NULL, z.data, save, bytes), CFPC_MISSING);
    assert_int_equal(cfpc_zone_data_restore(z.model, NULL, save, bytes), CFPC_MISSING);
    assert_memory_equal(z.data, before, bytes); // nothing was done
    free(save);
    free(before);
    free_zone(&z);
}

static void a_forged_save_is_refused(void **state)
{
    (void)state;
    zone z = small_zone(4);
    const size_t bytes = cfpc_zone_data_bytes(z.data);
    cfpc_zone_data *save = must_calloc(1, bytes);
#define FORGED(field, value)                                                                       \
    memcpy(save, z.data, bytes);                                                                   \
    save->field = (value);                                                                         \
    reseal(save);                                                                                  \
    assert_int_equal(cfpc_zone_data_restore(z.model, z.data, save, bytes), CFPC_ALTERED)
    FORGED(clock, -1);
    FORGED(clock, INT64_MAX);
    FORGED(live, -1);
    FORGED(live, 12);
    FORGED(rows, 1);
    FORGED(flags_at, 0);
    FORGED(weight_at, bytes);
    FORGED(history_at, save->history_at + 64);
    FORGED(delta_at, 0);
    FORGED(part_at, 0);
    FORGED(scratch_at, bytes);
    FORGED(past_at, 0);
#undef FORGED
    free(save);
    free_zone(&z);
}

static void data_of_another_model_is_refused(void **state)
{
    (void)state;
    zone a = small_zone(4), b = small_zone(6);
    const size_t bytes = cfpc_zone_data_bytes(a.data);
    cfpc_zone_data_seal(a.data);
    assert_int_equal(cfpc_zone_data_restore(b.model, b.data, a.data, bytes), CFPC_OTHER_MODEL);
    assert_int_equal(cfpc_zone_data_restore(a.model, b.data, a.data, bytes), CFPC_OTHER_MODEL);
    free_zone(&a);
    free_zone(&b);
}

static void reset_is_as_new(void **state)
{
    (void)state;
    zone z = small_zone(4), fresh = small_zone(4);
    dice d = {.state = 9};
    cfpc_real out[18];
    run_some(&z, 5, &d, out);
    cfpc_zone_freeze(z.model, z.data, -1);
    cfpc_zone_data_reset(z.model, z.data);
    assert_memory_equal(z.data, fresh.data, cfpc_zone_data_bytes(fresh.data));
    free_zone(&z);
    free_zone(&fresh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_does_not_do),
        cmocka_unit_test(a_copy_of_a_model_is_a_model),
        cmocka_unit_test(a_damaged_model_is_refused),
        cmocka_unit_test(a_forged_model_is_refused),
        cmocka_unit_test(other_versions_and_machines),
        cmocka_unit_test(a_save_continues_bit_for_bit),
        cmocka_unit_test(a_damaged_save_is_refused),
        cmocka_unit_test(a_forged_save_is_refused),
        cmocka_unit_test(data_of_another_model_is_refused),
        cmocka_unit_test(reset_is_as_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
