// SPDX-License-Identifier: Apache-2.0
// slots: what was learned survives a reset, and a power failure at any byte of a save.
#include "cell_fixture.h"
#include "core/data_image.h"
#include "nor_flash.h"

enum {
    SYNAPSES = 6,
    SAVES = 4,
    ROUND = 16,
    VERSION_AT = 4,
    SEQUENCE_AT = 24,
    REAL_BYTES_AT = 28,
    MARKS = 4, // at the end of a record
    NONE = -1
};

static const size_t units[] = {1, 2, 4, 8, 16, 32, 64};

// Weights of save k: all different, none of them 0.
static cfpc_real weight_of(int k, int j)
{
    return (cfpc_real)(0.1 + k + 0.37 * j);
}

static void put_save(const cell *it, int k)
{
    for (int j = 0; j < SYNAPSES; j++)
        cfpc_weights(it->data)[j] = weight_of(k, j);
}

// The number of the save whose weights these are, exactly; NONE: all weights are 0.
static int save_in(const cell *it)
{
    const cfpc_real *w = cfpc_weights(it->data);
    for (int k = NONE; k < SAVES; k++) {
        int same = 0;
        for (int j = 0; j < SYNAPSES; j++)
            same += w[j] == (k == NONE ? 0 : weight_of(k, j));
        if (same == SYNAPSES)
            return k;
    }
    fail(); // a mixture of saves
    return NONE;
}

static cfpc_model_def small_def(void)
{
    cfpc_model_def def = cfpc_default_model_def();
    def.synapses = SYNAPSES;
    def.rule.rate = (cfpc_real)0.0625;
    def.trace = small_trace();
    def.guard.window_steps = ROUND;
    def.guard.repeats = true;
    def.guard.spread = 0;
    return def;
}

static cell small_cell(void)
{
    const cfpc_model_def def = small_def();
    return cell_of(&def);
}

static void save(const cfpc_slots *slots, const cell *it, int k)
{
    put_save(it, k);
    assert_ok(cfpc_slots_save(slots, it->model, it->data));
}

// Restores over weights of no save; returns the number of the save that was restored.
static int restored(const cfpc_slots *slots, const cell *it, cfpc_status *status)
{
    cfpc_data_reset(it->model, it->data);
    *status = cfpc_slots_restore(slots, it->model, it->data);
    return save_in(it);
}

static void expect_restored(const cfpc_slots *slots, const cell *it, int k, cfpc_status status)
{
    cfpc_status said;
    assert_int_equal(restored(slots, it, &said), k);
    assert_int_equal(said, status);
}

// ---- saved and restored ----------------------------------------------------------------------

static void blank_slots_hold_nothing(void **state)
{
    (void)state;
    cell it = small_cell();
    for (int overwrites = 0; overwrites < 2; overwrites++) {
        nor_flash flash;
        nor_init(&flash, 8, overwrites, NOR_BYTEWISE); // 0xFF, or 0
        const cfpc_slots slots = nor_slots(&flash);
        put_save(&it, 0);
        cfpc_freeze(it.data);
        assert_int_equal(cfpc_slots_restore(&slots, it.model, it.data), CFPC_NO_SAVE);
        assert_int_equal(save_in(&it), 0); // unchanged
        assert_int_equal(cfpc_flags(it.data), CFPC_FLAG_FROZEN);
    }
    cell_free(&it);
}

static void the_newest_save_is_restored(void **state)
{
    (void)state;
    cell it = small_cell();
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        for (int overwrites = 0; overwrites < 2; overwrites++) {
            nor_flash flash;
            nor_init(&flash, units[u], overwrites, NOR_BYTEWISE);
            const cfpc_slots slots = nor_slots(&flash);
            for (int k = 0; k < 9; k++) {
                save(&slots, &it, k % SAVES);
                expect_restored(&slots, &it, k % SAVES, CFPC_OK);
            }
            assert_int_equal(flash.erases, overwrites ? 0 : 9);
        }
    cell_free(&it);
}

static void a_slot_of_exactly_the_size_is_enough(void **state)
{
    (void)state;
    cell it = small_cell();
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
        nor_flash flash;
        nor_init(&flash, units[u], false, NOR_BYTEWISE);
        cfpc_slots slots = nor_slots(&flash);
        slots.bytes = cfpc_slots_size(it.model, units[u]);
        assert_true(slots.bytes > SYNAPSES * sizeof(cfpc_real));
        save(&slots, &it, 1);
        for (size_t k = slots.bytes; k < NOR_BYTES; k++)
            assert_int_equal(flash.byte[0][k], 0xFF);
        slots.bytes--;
        assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_MEMORY_TOO_SMALL);
        assert_int_equal(cfpc_slots_restore(&slots, it.model, it.data), CFPC_MEMORY_TOO_SMALL);
    }
    cell_free(&it);
}

// A cell that was stopped, by its user or by its guard, is still stopped; it starts at rest.
static void what_else_survives(void **state)
{
    (void)state;
    cfpc_model_def def = small_def();
    def.guard.resume = (cfpc_real)0.5;
    cell it = cell_of(&def), other = {.model = it.model, .data = data_of(it.model)};
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    const cfpc_real x[SYNAPSES] = {1, 1, 1, 1, 1, 1};
    for (int n = 0; n < ROUND; n++) // of the loop alone
        cfpc_step(it.model, it.data, x, 2);
    cfpc_step(it.model, it.data, x, (cfpc_real)NAN);
    assert_int_equal(cfpc_guard_acts(it.data), 1);
    cfpc_freeze(it.data);
    cfpc_set_rate(it.data, (cfpc_real)0.125);
    save(&slots, &it, 2);
    cfpc_step(other.model, other.data, x, 1); // what was there before does not matter
    assert_ok(cfpc_slots_restore(&slots, other.model, other.data));
    assert_int_equal(save_in(&other), 2);
    assert_int_equal(cfpc_flags(other.data),
                     CFPC_FLAG_FROZEN | CFPC_FLAG_GUARDED | CFPC_FLAG_NOT_FINITE);
    assert_true(cfpc_data_rate(other.data) == (cfpc_real)0.125);
    assert_int_equal(cfpc_guard_acts(other.data), 1);
    assert_int_equal(other.data->guard.tries, 1);
    assert_int_equal(cfpc_guard_last(other.data).reason, CFPC_GUARD_NOT_FINITE);
    assert_true(cfpc_baseline(other.data) == 4);
    assert_true(other.data->guard.rate_share == it.data->guard.rate_share);
    assert_true(other.data->guard.rate_share == 0.5);
    assert_int_equal(cfpc_clock(other.data), 0);
    for (int j = 0; j < SYNAPSES; j++)
        assert_true(cfpc_traces(other.data)[j] == 0);
    assert_true(cfpc_fade(other.data) == 1);
    free(other.data);
    cell_free(&it);
}

// With a baseline the cell works at once, and is compared with it; without, it is silent first.
static void the_guard_goes_on_with_its_baseline(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    const cfpc_real x[SYNAPSES] = {1, 1, 1, 1, 1, 1};
    save(&slots, &it, 1);
    expect_restored(&slots, &it, 1, CFPC_OK);
    for (int n = 0; n < ROUND; n++)
        assert_true(cfpc_step(it.model, it.data, x, 1) == 0);
    save(&slots, &it, 1);
    expect_restored(&slots, &it, 1, CFPC_OK);
    assert_true(cfpc_baseline(it.data) == 1);
    for (int n = 0; n < 3 * ROUND; n++) {
        const cfpc_real o = cfpc_step(it.model, it.data, x, n < ROUND ? 4 : 1);
        assert_int_equal(o != 0, n < 3); // 3 · 4² > 1.5² · 16: one more is not put out
    }
    assert_int_equal(cfpc_guard_last(it.data).reason, CFPC_GUARD_WORSE);
    assert_int_equal(save_in(&it), NONE);
    cell_free(&it);
}

// Changes a word in the head of the save in slot 0, with the checksums that belong to it.
static void alter(nor_flash *flash, const cfpc_model *model, size_t at, uint32_t word)
{
    const size_t checksum_at = cfpc_slots_size(model, 8) - 8 * MARKS;
    memcpy(flash->byte[0] + at, &word, sizeof word);
    const uint64_t hash = cfpci_hash(CFPC_HASH_START, flash->byte[0], checksum_at);
    for (size_t copy = 0; copy < 2; copy++)
        memcpy(flash->byte[0] + checksum_at + 8 * copy, &hash, sizeof hash);
}

static void a_sequence_that_wraps_around_goes_on(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    const uint32_t sequence = 0xFFFFFFFEu;
    alter(&flash, it.model, SEQUENCE_AT, sequence);
    expect_restored(&slots, &it, 0, CFPC_OK);
    for (uint32_t k = 1; k < 6; k++) {
        save(&slots, &it, (int)k % SAVES);
        uint32_t written;
        memcpy(&written, flash.byte[k % 2] + SEQUENCE_AT, sizeof written);
        assert_true(written == sequence + k);
        expect_restored(&slots, &it, (int)k % SAVES, CFPC_OK);
    }
    cell_free(&it);
}

// ---- power failures --------------------------------------------------------------------------

// Saves k, and the power fails after so many bytes; returns whether the save ended before.
static bool save_until(nor_flash *flash, const cell *it, int k, int bytes)
{
    const cfpc_slots slots = nor_slots(flash);
    put_save(it, k);
    flash->left = bytes;
    if (setjmp(flash->no_power))
        return false;
    assert_ok(cfpc_slots_save(&slots, it->model, it->data));
    flash->left = NOR_NEVER;
    return true;
}

// With `before` saves made: save number `before` is interrupted after every byte.
static void expect_survives(nor_torn torn, size_t unit, bool overwrites, int before)
{
    cell it = small_cell();
    int seen[2] = {0};
    bool finished = false;
    const int erase_by =
        overwrites || torn == NOR_BYTEWISE ? 1 : 9; // what is left of it is drawn anyway
    for (int bytes = 0; !finished; bytes += bytes < NOR_BYTES - 9 ? erase_by : 1) {
        nor_flash flash;
        nor_init(&flash, unit, overwrites, torn);
        flash.chance = (dice){1000u + (uint64_t)bytes};
        const cfpc_slots slots = nor_slots(&flash);
        for (int k = 0; k < before; k++)
            save(&slots, &it, k);
        finished = save_until(&flash, &it, before, bytes);
        cfpc_status status;
        const int found = restored(&slots, &it, &status);
        assert_true(found == before || found == before - 1); // the new one, or the one before
        assert_true(!finished || found == before);
        assert_true(found == NONE || status == CFPC_OK || status == CFPC_OLDER_RESTORED);
        seen[found == before]++;
        save(&slots, &it, before + 1); // and it goes on
        assert_int_equal(restored(&slots, &it, &status), before + 1);
        assert_true(status == CFPC_OK || (before == 0 && status == CFPC_OLDER_RESTORED));
    }
    assert_true(seen[0] > (int)(SYNAPSES * sizeof(cfpc_real)) && seen[1] > 0);
    cell_free(&it);
}

static void a_power_failure_at_any_byte_leaves_one_save(void **state)
{
    (void)state;
    for (int before = 0; before < 3; before++)
        for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
            expect_survives(NOR_BYTEWISE, units[u], false, before);
}

static void what_is_half_changed_or_unstable_does_no_harm(void **state)
{
    (void)state;
    const size_t usual[] = {4, 8, 32};
    for (int before = 0; before < 3; before++)
        for (int u = 0; u < 3; u++) {
            expect_survives(NOR_HALF, usual[u], false, before);
            expect_survives(NOR_UNSTABLE, usual[u], false, before);
        }
}

static void so_it_is_in_memory_that_can_be_overwritten(void **state)
{
    (void)state;
    for (int before = 0; before < 3; before++) {
        expect_survives(NOR_BYTEWISE, 1, true, before);
        expect_survives(NOR_UNSTABLE, 8, true, before);
    }
}

// The save after an interrupted one is interrupted, too. The unit in which the first failure fell
// may read as right when the second save begins and as wrong after it: were the other slot
// overwritten then, nothing would be left.
static void two_power_failures_in_a_row_leave_one_save(void **state)
{
    (void)state;
    cell it = small_cell();
    const int end = (int)cfpc_slots_size(it.model, 8) + NOR_BYTES;
    int all_there = 0;
    for (int first = NOR_BYTES - 8; first <= end; first += 4)
        for (int second = 0; second <= end; second += second < NOR_BYTES ? 64 : 4)
            for (unsigned chance = 1; chance <= 4; chance++) {
                nor_flash flash;
                nor_init(&flash, 8, false, NOR_UNSTABLE);
                flash.chance = (dice){chance * 7919u + (unsigned)first * 31u + (unsigned)second};
                const cfpc_slots slots = nor_slots(&flash);
                save(&slots, &it, 0);
                save_until(&flash, &it, 1, first);
                save_until(&flash, &it, 2, second);
                cfpc_status status;
                const int found = restored(&slots, &it, &status);
                all_there += found == 2;
                assert_int_not_equal(found, NONE);
            }
    assert_int_not_equal(all_there, 0);
    cell_free(&it);
}

// Bytes after which the power fails in a save: as often in each of its parts, however short.
static int somewhere(dice *chance, const cell *it, size_t unit)
{
    const int record = (int)cfpc_slots_size(it->model, unit), tail = MARKS * (int)unit;
    switch (dice_integer(chance, 0, 3)) {
    case 0: // the checksum of the slot that is kept
        return dice_integer(chance, 0, (int)unit);
    case 1: // erasing
        return (int)unit + dice_integer(chance, 0, NOR_BYTES);
    case 2: // the record
        return (int)unit + NOR_BYTES + dice_integer(chance, 0, record - tail);
    default: // its checksums
        return NOR_BYTES + record - tail + dice_integer(chance, 0, 3 * (int)unit);
    }
}

// After `before` saves, up to four saves in a row are cut off, each leaves a bit that reads
// differently every time, and each boot restores some save.
static void expect_none_is_lost(const cell *it, nor_torn torn, size_t unit, bool overwrites,
                                int before, uint64_t seed)
{
    nor_flash flash;
    nor_init(&flash, unit, overwrites, torn);
    flash.chance = (dice){seed};
    const cfpc_slots slots = nor_slots(&flash);
    cfpc_status status;
    for (int k = 0; k < before; k++)
        save(&slots, it, k % SAVES);
    for (int failure = 0; failure < 4; failure++) {
        const int erase = overwrites ? NOR_BYTES : 0;
        const int bytes = somewhere(&flash.chance, it, unit);
        save_until(&flash, it, (before + failure) % SAVES, bytes < erase ? bytes : bytes - erase);
        flash.left = NOR_NEVER;
        for (int boots = 0; boots < 3; boots++) {
            nor_boot(&flash);
            assert_int_not_equal(restored(&slots, it, &status), NONE);
        }
    }
    save(&slots, it, 0);
    assert_int_equal(restored(&slots, it, &status), 0);
}

static void four_power_failures_in_a_row_lose_nothing(void **state)
{
    (void)state;
    cell it = small_cell();
    const size_t usual[] = {4, 8, 32};
    for (int u = 0; u < 3; u++)
        for (int overwrites = 0; overwrites < 2; overwrites++)
            for (int before = 1; before < 4; before++)
                for (uint64_t seed = 1; seed <= 250; seed++)
                    expect_none_is_lost(&it, seed % 2 ? NOR_UNSTABLE : NOR_FICKLE, usual[u],
                                        overwrites, before, seed * 7919);
    cell_free(&it);
}

// Save 1 was cut off in the unit that confirms it, and save 2 after the mark that save 1 is void:
// save 0 is restored. Without it the void one is better than none.
static void a_void_save_is_restored_only_if_there_is_no_other(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    const size_t end = cfpc_slots_size(it.model, 8);
    save(&slots, &it, 0);
    save(&slots, &it, 1);
    flash.byte[1][end - 8 * (MARKS - 1)] ^= 1;
    expect_restored(&slots, &it, 1, CFPC_OK);
    assert_false(save_until(&flash, &it, 2, 8));
    flash.left = NOR_NEVER;
    expect_restored(&slots, &it, 0, CFPC_OLDER_RESTORED);
    flash.byte[0][end - 8 * MARKS - 4] ^= 1;
    expect_restored(&slots, &it, 1, CFPC_OLDER_RESTORED);
    flash.byte[0][end - 8 * MARKS - 4] ^= 1;
    memset(flash.byte[0] + end - 8 * 2, 0x55, 8); // now both are void
    expect_restored(&slots, &it, 1, CFPC_OLDER_RESTORED);
    cell_free(&it);
}

// The newer one may have been cut off in its checksum; the older one was intact before it.
static void of_two_unconfirmed_saves_the_older_one_stays(void **state)
{
    (void)state;
    cell it = small_cell();
    for (int first = 0; first < 2; first++) {
        nor_flash flash;
        nor_init(&flash, 8, false, NOR_BYTEWISE);
        const cfpc_slots slots = nor_slots(&flash);
        for (int k = 0; k < 2 + first; k++)
            save(&slots, &it, k);
        for (int slot = 0; slot < 2; slot++)
            flash.byte[slot][cfpc_slots_size(it.model, 8) - 8 * (MARKS - 1)] ^= 1;
        expect_restored(&slots, &it, 1 + first, CFPC_OK);
        assert_false(save_until(&flash, &it, 3, 8));
        expect_restored(&slots, &it, first, CFPC_OLDER_RESTORED);
    }
    cell_free(&it);
}

static bool write_inverted(void *context, int slot, size_t at, const void *from, size_t bytes)
{
    unsigned char inverted[NOR_BYTES];
    for (size_t k = 0; k < bytes; k++)
        inverted[k] = (unsigned char)~((const unsigned char *)from)[k];
    return nor_write(context, slot, at, inverted, bytes);
}

static bool read_inverted(void *context, int slot, size_t at, void *to, size_t bytes)
{
    const bool was_read = nor_read(context, slot, at, to, bytes);
    for (size_t k = 0; k < bytes; k++)
        ((unsigned char *)to)[k] = (unsigned char)~((unsigned char *)to)[k];
    return was_read;
}

static void flash_that_is_erased_to_0_will_do(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    cfpc_slots slots = nor_slots(&flash);
    slots.write = write_inverted;
    slots.read = read_inverted;
    assert_int_equal(cfpc_slots_restore(&slots, it.model, it.data), CFPC_NO_SAVE);
    for (int k = 0; k < 5; k++) {
        save(&slots, &it, k % SAVES);
        expect_restored(&slots, &it, k % SAVES, CFPC_OK);
    }
    cell_free(&it);
}

// ---- damage ----------------------------------------------------------------------------------

static void a_changed_bit_in_either_slot_is_found(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    save(&slots, &it, 1);
    const size_t checked = cfpc_slots_size(it.model, 8) - 8 * (MARKS - 1); // the first is
    for (size_t at = 0; at < checked; at++)
        for (int bit = 0; bit < 8; bit++) {
            for (int slot = 0; slot < 2; slot++) {
                flash.byte[slot][at] ^= (unsigned char)(1 << bit);
                expect_restored(&slots, &it, !slot, CFPC_OLDER_RESTORED);
                flash.byte[slot][at] ^= (unsigned char)(1 << bit);
            }
        }
    expect_restored(&slots, &it, 1, CFPC_OK);
    cell_free(&it);
}

static void two_damaged_slots_change_nothing(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    save(&slots, &it, 1);
    for (int slot = 0; slot < 2; slot++)
        flash.byte[slot][cfpc_slots_size(it.model, 8) - 8 * MARKS - 4] ^= 1; // a weight
    put_save(&it, 2);
    assert_int_equal(cfpc_slots_restore(&slots, it.model, it.data), CFPC_ALTERED);
    assert_int_equal(save_in(&it), 2);
    save(&slots, &it, 3);
    expect_restored(&slots, &it, 3, CFPC_OLDER_RESTORED); // the other one is still damaged
    cell_free(&it);
}

static void a_defective_slot_leaves_the_other(void **state)
{
    (void)state;
    cell it = small_cell();
    for (int defective = 0; defective < 2; defective++) {
        nor_flash flash;
        nor_init(&flash, 8, false, NOR_BYTEWISE);
        const cfpc_slots slots = nor_slots(&flash);
        save(&slots, &it, 0);
        save(&slots, &it, 1);
        flash.fails[defective] = true;
        put_save(&it, 2);
        assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_SLOT_FAILED);
        expect_restored(&slots, &it, !defective, CFPC_OLDER_RESTORED);
        flash.fails[!defective] = true;
        expect_restored(&slots, &it, NONE, CFPC_SLOT_FAILED);
    }
    cell_free(&it);
}

// A write that reports success but left its memory as it was.
static bool write_nothing(void *context, int slot, size_t at, const void *from, size_t bytes)
{
    (void)context, (void)slot, (void)at, (void)from, (void)bytes;
    return true;
}

// A bit of the head's last byte comes out wrong.
static bool write_a_wrong_bit(void *context, int slot, size_t at, const void *from, size_t bytes)
{
    nor_flash *it = context;
    const bool written = nor_write(context, slot, at, from, bytes);
    if (at == 0)
        it->byte[slot][bytes - 1] ^= 1;
    return written;
}

static bool refuse_write(void *context, int slot, size_t at, const void *from, size_t bytes)
{
    return !write_nothing(context, slot, at, from, bytes);
}

static void what_was_not_written_is_found_by_reading_back(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, true, NOR_BYTEWISE);
    cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    save(&slots, &it, 1);
    slots.write = write_nothing; // the old, intact record is read back: it is not the one written
    put_save(&it, 2);
    assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_SLOT_FAILED);
    slots.write = write_a_wrong_bit;
    assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_SLOT_FAILED);
    slots.write = refuse_write;
    assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_SLOT_FAILED);
    expect_restored(&slots, &it, 1, CFPC_OLDER_RESTORED);
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    slots = nor_slots(&flash);
    save(&slots, &it, 0);
    save(&slots, &it, 1);
    slots.write = refuse_write;
    assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_SLOT_FAILED);
    assert_int_equal(flash.erases, 2); // what cannot be marked is not erased
    cell_free(&it);
}

// Whichever read fails, no mixture of weights is left: one save, or none.
static void a_read_that_fails_leaves_no_mixture(void **state)
{
    (void)state;
    cell it = small_cell();
    int seen[3] = {0};
    for (int reads = 0; reads < 40; reads++) {
        nor_flash flash;
        nor_init(&flash, 8, false, NOR_BYTEWISE);
        const cfpc_slots slots = nor_slots(&flash);
        save(&slots, &it, 0);
        save(&slots, &it, 1);
        flash.reads_left = reads;
        cfpc_status status;
        seen[restored(&slots, &it, &status) + 1]++;
        assert_true(save_in(&it) != NONE || status == CFPC_SLOT_FAILED || status == CFPC_ALTERED);
    }
    assert_true(seen[0] > 0 && seen[2] > 0);
    cell_free(&it);
}

// ---- refused ---------------------------------------------------------------------------------

static void a_save_of_another_model_is_left_alone(void **state)
{
    (void)state;
    cfpc_model_def def = small_def();
    cell it = small_cell();
    def.rule.rate *= 2;
    cell other = cell_of(&def);
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &other, 0);
    expect_restored(&slots, &it, NONE, CFPC_OTHER_MODEL);
    put_save(&it, 3);
    assert_int_equal(cfpc_slots_restore(&slots, it.model, other.data), CFPC_OTHER_MODEL);
    assert_int_equal(cfpc_slots_save(&slots, it.model, other.data), CFPC_OTHER_MODEL);
    save(&slots, &it, 1); // into the blank one
    expect_restored(&slots, &it, 1, CFPC_OK);
    expect_restored(&slots, &other, 0, CFPC_OK);
    save(&slots, &it, 2); // over the other model's: an own save is not given up for it
    expect_restored(&slots, &other, NONE, CFPC_OTHER_MODEL);
    expect_restored(&slots, &it, 2, CFPC_OK);
    cell_free(&it);
    cell_free(&other);
}

static void another_precision_and_version_are_named(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    alter(&flash, it.model, REAL_BYTES_AT, 12);
    expect_restored(&slots, &it, NONE, CFPC_OTHER_REAL);
    alter(&flash, it.model, VERSION_AT, 99);
    expect_restored(&slots, &it, NONE, CFPC_OTHER_VERSION);
    flash.byte[0][0] ^= 1;
    expect_restored(&slots, &it, NONE, CFPC_ALTERED);
    cell_free(&it);
}

static void weights_that_are_not_finite_are_not_saved(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    save(&slots, &it, 0);
    const cfpc_real bad[] = {(cfpc_real)NAN, (cfpc_real)INFINITY, (cfpc_real)-INFINITY};
    for (int k = 0; k < 3; k++) {
        put_save(&it, 1);
        cfpc_weights(it.data)[SYNAPSES - 1] = bad[k];
        assert_int_equal(cfpc_slots_save(&slots, it.model, it.data), CFPC_BAD_VALUE);
    }
    assert_int_equal(flash.erases, 1);
    expect_restored(&slots, &it, 0, CFPC_OK);
    cell_free(&it);
}

static void what_is_missing_or_invalid_is_refused(void **state)
{
    (void)state;
    cell it = small_cell();
    nor_flash flash;
    nor_init(&flash, 8, false, NOR_BYTEWISE);
    const cfpc_slots slots = nor_slots(&flash);
    cfpc_slots without_read = slots, without_write = slots, bad_unit = slots;
    without_read.read = NULL;
    without_write.write = NULL;
    const cfpc_slots *none[] = {NULL, &without_read, &without_write};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(cfpc_slots_save(none[k], it.model, it.data), CFPC_MISSING);
        assert_int_equal(cfpc_slots_restore(none[k], it.model, it.data), CFPC_MISSING);
    }
    assert_int_equal(cfpc_slots_save(&slots, NULL, it.data), CFPC_MISSING);
    assert_int_equal(cfpc_slots_restore(&slots, it.model, NULL), CFPC_MISSING);
    const size_t bad[] = {0, 3, 12, 128};
    for (int k = 0; k < 4; k++) {
        bad_unit.unit = bad[k];
        assert_int_equal(cfpc_slots_size(it.model, bad[k]), 0);
        assert_int_equal(cfpc_slots_save(&bad_unit, it.model, it.data), CFPC_BAD_SIZE);
        assert_int_equal(cfpc_slots_restore(&bad_unit, it.model, it.data), CFPC_BAD_SIZE);
    }
    assert_int_equal(cfpc_slots_size(NULL, 8), 0);
    assert_int_equal(flash.erases, 0);
    cell_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blank_slots_hold_nothing),
        cmocka_unit_test(the_newest_save_is_restored),
        cmocka_unit_test(a_slot_of_exactly_the_size_is_enough),
        cmocka_unit_test(what_else_survives),
        cmocka_unit_test(the_guard_goes_on_with_its_baseline),
        cmocka_unit_test(a_sequence_that_wraps_around_goes_on),
        cmocka_unit_test(a_power_failure_at_any_byte_leaves_one_save),
        cmocka_unit_test(what_is_half_changed_or_unstable_does_no_harm),
        cmocka_unit_test(so_it_is_in_memory_that_can_be_overwritten),
        cmocka_unit_test(two_power_failures_in_a_row_leave_one_save),
        cmocka_unit_test(four_power_failures_in_a_row_lose_nothing),
        cmocka_unit_test(a_void_save_is_restored_only_if_there_is_no_other),
        cmocka_unit_test(of_two_unconfirmed_saves_the_older_one_stays),
        cmocka_unit_test(flash_that_is_erased_to_0_will_do),
        cmocka_unit_test(a_changed_bit_in_either_slot_is_found),
        cmocka_unit_test(two_damaged_slots_change_nothing),
        cmocka_unit_test(a_defective_slot_leaves_the_other),
        cmocka_unit_test(what_was_not_written_is_found_by_reading_back),
        cmocka_unit_test(a_read_that_fails_leaves_no_mixture),
        cmocka_unit_test(a_save_of_another_model_is_left_alone),
        cmocka_unit_test(another_precision_and_version_are_named),
        cmocka_unit_test(weights_that_are_not_finite_are_not_saved),
        cmocka_unit_test(what_is_missing_or_invalid_is_refused),
    };
    return cmocka_run_group_tests_name("core.slots", tests, NULL, NULL);
}
