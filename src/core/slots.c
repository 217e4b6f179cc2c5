// SPDX-License-Identifier: Apache-2.0
#include "cfpc/slots.h"

#include <string.h>

#include "data_image.h"
#include "numbers.h"

enum { SLOTS = 2, VERSION = 1, BUFFER = 64, BLANK = 0xFF };

// The head of a record; the weights follow, then the checksum twice, each at the start of a unit.
// In later versions it may only grow at its end, so that a damaged record can be told from one of
// another version.
typedef struct head {
    uint32_t magic;         // CFPC_MAGIC_SLOT
    uint32_t version;       // VERSION
    uint64_t bytes;         // of head and weights
    uint64_t model;         // checksum of the model
    uint32_t sequence;      // one more with every save; wraps around
    uint32_t real_bytes;    // sizeof(cfpc_real)
    uint32_t flags;         // CFPC_FLAG_... or'ed
    uint32_t unused;        // 0
    cfpc_real rate;         // η
    cfpc_real spare;        // 0
    cfpci_guard_kept guard; //
} head;

_Static_assert(sizeof(head) == 56 + 4 * sizeof(cfpc_real), "no padding: every byte is written");

static uint64_t rounded_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

// Bytes of head and weights: what the checksum is of.
static uint64_t body_bytes(const cfpc_model *model)
{
    return sizeof(head) + (uint64_t)cfpc_model_synapses(model) * sizeof(cfpc_real);
}

// Place of the first or second checksum (0 or 1), or the end of the record (2).
static uint64_t checksum_at(uint64_t body, size_t unit, int which)
{
    return rounded_up(body, unit) + (uint64_t)which * rounded_up(sizeof(uint64_t), unit);
}

size_t cfpc_slots_size(const cfpc_model *model, size_t unit)
{
    if (!model || unit == 0 || unit > CFPC_SLOTS_MAX_UNIT || (unit & (unit - 1)) != 0)
        return 0;
    const uint64_t bytes = checksum_at(body_bytes(model), unit, 2);
    return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

static cfpc_status slots_check(const cfpc_slots *slots, const cfpc_model *model,
                               const cfpc_data *data)
{
    if (!slots || !slots->write || !slots->read || !model || !data)
        return CFPC_MISSING;
    if (data->model_identity != cfpci_model_identity(model))
        return CFPC_OTHER_MODEL;
    const size_t needed = cfpc_slots_size(model, slots->unit);
    if (needed == 0)
        return CFPC_BAD_SIZE;
    return slots->bytes < needed ? CFPC_MEMORY_TOO_SMALL : CFPC_OK;
}

// ---- reading ---------------------------------------------------------------------------------

typedef struct slot_state {
    cfpc_status status; // CFPC_OK: an intact save of this model
    uint32_t sequence;  // of an intact save
    bool is_confirmed;  // the second checksum is right, too: the save was finished
} slot_state;

static bool slots_is_blank(const head *h)
{
    const unsigned char *bytes = (const unsigned char *)h, first = bytes[0];
    for (size_t k = 1; k < sizeof *h; k++)
        if (bytes[k] != first)
            return false;
    return first == BLANK || first == 0;
}

// The hash of a record: of this head, which was read before, and of what follows it.
static bool hash_slot(const cfpc_slots *slots, int which, const head *h, uint64_t *hash)
{
    char buffer[BUFFER];
    *hash = cfpci_hash(CFPC_HASH_START, h, sizeof *h);
    for (uint64_t at = sizeof *h, part; at < h->bytes; at += part) {
        part = h->bytes - at < BUFFER ? h->bytes - at : BUFFER;
        if (!slots->read(slots->context, which, (size_t)at, buffer, (size_t)part))
            return false;
        *hash = cfpci_hash(*hash, buffer, part);
    }
    return true;
}

static bool holds_checksum(const cfpc_slots *slots, int which, uint64_t body, int copy,
                           uint64_t hash)
{
    uint64_t stored = ~hash;
    return slots->read(slots->context, which, (size_t)checksum_at(body, slots->unit, copy), &stored,
                       sizeof stored) &&
           stored == hash;
}

// Whether an intact record is one of this model.
static cfpc_status belongs(const head *h, const cfpc_model *model)
{
    if (h->version != VERSION)
        return CFPC_OTHER_VERSION;
    if (h->real_bytes != sizeof(cfpc_real))
        return CFPC_OTHER_REAL;
    const bool same = h->model == cfpci_model_identity(model) && h->bytes == body_bytes(model);
    return same ? CFPC_OK : CFPC_OTHER_MODEL;
}

static slot_state slots_look_at(const cfpc_slots *slots, int which, const cfpc_model *model)
{
    head h;
    uint64_t hash;
    if (!slots->read(slots->context, which, 0, &h, sizeof h))
        return (slot_state){.status = CFPC_SLOT_FAILED};
    if (slots_is_blank(&h))
        return (slot_state){.status = CFPC_NO_SAVE};
    if (h.magic != CFPC_MAGIC_SLOT || h.bytes < sizeof h || h.bytes > slots->bytes ||
        checksum_at(h.bytes, slots->unit, 2) > slots->bytes)
        return (slot_state){.status = CFPC_ALTERED};
    if (!hash_slot(slots, which, &h, &hash))
        return (slot_state){.status = CFPC_SLOT_FAILED};
    if (!holds_checksum(slots, which, h.bytes, 0, hash))
        return (slot_state){.status = CFPC_ALTERED};
    return (slot_state){.status = belongs(&h, model),
                        .sequence = h.sequence,
                        .is_confirmed = holds_checksum(slots, which, h.bytes, 1, hash)};
}

// ---- choosing --------------------------------------------------------------------------------

// Whether a comes after b, also if the numbers have wrapped around in between.
static bool is_newer(uint32_t a, uint32_t b)
{
    return a != b && a - b < 0x80000000u;
}

// The slot to restore first: the newest intact one.
static int newest_of(const slot_state *both)
{
    if (both[0].status != CFPC_OK || both[1].status != CFPC_OK)
        return both[1].status == CFPC_OK;
    return is_newer(both[1].sequence, both[0].sequence);
}

// How much a slot is worth keeping: nothing, another model's, an unconfirmed save, a finished one.
static int worth(const slot_state *slot)
{
    const bool is_other = slot->status == CFPC_OTHER_MODEL || slot->status == CFPC_OTHER_REAL ||
                          slot->status == CFPC_OTHER_VERSION;
    return slot->status == CFPC_OK ? 2 + slot->is_confirmed : is_other;
}

// The slot to overwrite: the one that is worth less, or the older one.
static int target_of(const slot_state *both)
{
    const int a = worth(&both[0]), b = worth(&both[1]);
    return a != b ? b < a : is_newer(both[0].sequence, both[1].sequence);
}

// ---- writing ---------------------------------------------------------------------------------

// Collects bytes and writes them in order, in whole units.
typedef struct writer {
    const cfpc_slots *slots;
    int slot;
    size_t at;     // written so far
    size_t filled; // bytes in the buffer
    uint64_t hash; // of all bytes put
    bool failed;
    char buffer[BUFFER];
} writer;

// Writes what is in the buffer, filled up to a whole unit.
static void flush(writer *w)
{
    const size_t bytes = (size_t)rounded_up(w->filled, w->slots->unit);
    memset(w->buffer + w->filled, BLANK, bytes - w->filled);
    if (bytes > 0 && !w->failed)
        w->failed = !w->slots->write(w->slots->context, w->slot, w->at, w->buffer, bytes);
    w->at += bytes;
    w->filled = 0;
}

static void slots_put(writer *w, const void *from, size_t bytes)
{
    for (size_t done = 0, part; done < bytes; done += part) {
        part = BUFFER - w->filled < bytes - done ? BUFFER - w->filled : bytes - done;
        memcpy(w->buffer + w->filled, (const char *)from + done, part);
        w->hash = cfpci_hash(w->hash, w->buffer + w->filled, part);
        w->filled += part;
        if (w->filled == BUFFER)
            flush(w);
    }
}

static void put_checksum(writer *w, uint64_t hash)
{
    flush(w);
    slots_put(w, &hash, sizeof hash);
    flush(w);
}

static head slots_head_of(const cfpc_model *model, const cfpc_data *data, uint32_t sequence)
{
    return (head){.magic = CFPC_MAGIC_SLOT,
                  .version = VERSION,
                  .bytes = body_bytes(model),
                  .model = cfpci_model_identity(model),
                  .sequence = sequence,
                  .real_bytes = sizeof(cfpc_real),
                  .flags = data->flags,
                  .rate = cfpc_data_rate(data),
                  .guard = cfpci_guard_keep(data)};
}

static bool reads_back(const cfpc_slots *slots, int which, uint64_t body, uint64_t hash)
{
    head h;
    uint64_t back;
    return slots->read(slots->context, which, 0, &h, sizeof h) && h.bytes == body &&
           hash_slot(slots, which, &h, &back) && back == hash &&
           holds_checksum(slots, which, body, 0, hash);
}

// Writes the record and confirms it after reading it back.
static bool write_slot(const cfpc_slots *slots, int which, const head *h, const cfpc_real *weights)
{
    writer w = {.slots = slots, .slot = which, .hash = CFPC_HASH_START};
    if (slots->erase && !slots->erase(slots->context, which))
        return false;
    slots_put(&w, h, sizeof *h);
    slots_put(&w, weights, (size_t)h->bytes - sizeof *h);
    const uint64_t hash = w.hash;
    put_checksum(&w, hash);
    if (w.failed || !reads_back(slots, which, h->bytes, hash))
        return false;
    put_checksum(&w, hash);
    return !w.failed && holds_checksum(slots, which, h->bytes, 1, hash);
}

cfpc_status cfpc_slots_save(const cfpc_slots *slots, const cfpc_model *model, cfpc_data *data)
{
    const cfpc_status status = slots_check(slots, model, data);
    if (status != CFPC_OK)
        return status;
    const cfpc_real *weights = cfpc_weights(data);
    if (!cfpci_all_finite(weights, data->synapses))
        return CFPC_BAD_VALUE;
    const slot_state both[SLOTS] = {slots_look_at(slots, 0, model), slots_look_at(slots, 1, model)};
    const slot_state *newest = &both[newest_of(both)];
    const head h = slots_head_of(model, data, newest->status == CFPC_OK ? newest->sequence + 1 : 0);
    return write_slot(slots, target_of(both), &h, weights) ? CFPC_OK : CFPC_SLOT_FAILED;
}

// ---- restoring -------------------------------------------------------------------------------

// Copies a record that was found intact. It is checked again: memory in which the power failed may
// read differently every time.
static bool restore_from(const cfpc_slots *slots, int which, const cfpc_model *model,
                         cfpc_data *data)
{
    head h = {0};
    cfpc_data_reset(model, data);
    cfpc_real *weights = cfpc_weights(data);
    const size_t bytes = (size_t)data->synapses * sizeof *weights;
    const bool was_read = slots->read(slots->context, which, 0, &h, sizeof h) &&
                          slots->read(slots->context, which, sizeof h, weights, bytes);
    const uint64_t hash =
        cfpci_hash(cfpci_hash(CFPC_HASH_START, &h, sizeof h), weights, (uint64_t)bytes);
    if (!was_read || belongs(&h, model) != CFPC_OK ||
        !holds_checksum(slots, which, h.bytes, 0, hash)) {
        cfpc_data_reset(model, data);
        return false;
    }
    data->flags = h.flags;
    cfpc_set_rate(data, h.rate);
    cfpci_guard_continue(model, data, &h.guard);
    return true;
}

static bool is_damaged(const slot_state *slot)
{
    return slot->status == CFPC_ALTERED || slot->status == CFPC_SLOT_FAILED;
}

// Why nothing was restored: another model's save says more than damage, damage more than nothing.
static cfpc_status reason_of(const slot_state *both)
{
    const int telling = worth(&both[1]) > worth(&both[0]) || both[0].status == CFPC_NO_SAVE;
    return both[telling].status;
}

cfpc_status cfpc_slots_restore(const cfpc_slots *slots, const cfpc_model *model, cfpc_data *data)
{
    const cfpc_status status = slots_check(slots, model, data);
    if (status != CFPC_OK)
        return status;
    slot_state both[SLOTS] = {slots_look_at(slots, 0, model), slots_look_at(slots, 1, model)};
    for (int tries = 0; tries < SLOTS; tries++) {
        const int which = newest_of(both);
        if (both[which].status != CFPC_OK)
            break;
        if (restore_from(slots, which, model, data))
            return is_damaged(&both[!which]) ? CFPC_OLDER_RESTORED : CFPC_OK;
        both[which].status = CFPC_ALTERED;
    }
    return reason_of(both);
}
