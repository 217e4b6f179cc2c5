// SPDX-License-Identifier: Apache-2.0
#include "cfpc/slots.h"

#include <string.h>

#include "data_image.h"
#include "numbers.h"

enum { SLOTS = 2, VERSION = 1, BUFFER = 64, BLANK = 0xFF };

// Behind a record, each at the start of a unit: its checksum, the same after it was read back, and
// marks that the record is void, as its slot is about to be erased.
enum { WRITTEN, READ_BACK, VOID, VOID_AGAIN, MARKS };

// The head of a record; the weights follow, then the marks.
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

// Place of a mark, or the end of the record (MARKS).
static uint64_t mark_at(uint64_t body, size_t unit, int mark)
{
    return rounded_up(body, unit) + (uint64_t)mark * rounded_up(sizeof(uint64_t), unit);
}

size_t cfpc_slots_size(const cfpc_model *model, size_t unit)
{
    if (!model || unit == 0 || unit > CFPC_SLOTS_MAX_UNIT || (unit & (unit - 1)) != 0)
        return 0;
    const uint64_t bytes = mark_at(body_bytes(model), unit, MARKS);
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
    uint64_t hash;      // of it
    bool is_confirmed;  // the second checksum is right, too: the first was written completely
    bool is_void;       // a save into the other slot was confirmed, and this one is to be erased
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

static bool holds(const cfpc_slots *slots, int which, uint64_t body, int mark, uint64_t value)
{
    uint64_t stored = ~value;
    return slots->read(slots->context, which, (size_t)mark_at(body, slots->unit, mark), &stored,
                       sizeof stored) &&
           stored == value;
}

// Whether a mark that says void was written. In memory that is erased any bit of it tells: it may
// have been cut off, and so may the erasing.
static bool is_marked(const cfpc_slots *slots, int which, uint64_t body, int mark, uint64_t hash)
{
    unsigned char bytes[CFPC_SLOTS_MAX_UNIT];
    const uint64_t at = mark_at(body, slots->unit, mark);
    const size_t count = (size_t)(mark_at(body, slots->unit, mark + 1) - at);
    if (!slots->erase)
        return holds(slots, which, body, mark, ~hash);
    if (!slots->read(slots->context, which, (size_t)at, bytes, count))
        return true;
    for (size_t k = 1; k < count; k++)
        if (bytes[k] != bytes[0])
            return true;
    return bytes[0] != BLANK && bytes[0] != 0;
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
        mark_at(h.bytes, slots->unit, MARKS) > slots->bytes)
        return (slot_state){.status = CFPC_ALTERED};
    if (!hash_slot(slots, which, &h, &hash))
        return (slot_state){.status = CFPC_SLOT_FAILED};
    if (!holds(slots, which, h.bytes, WRITTEN, hash))
        return (slot_state){.status = CFPC_ALTERED};
    return (slot_state){.status = belongs(&h, model),
                        .sequence = h.sequence,
                        .hash = hash,
                        .is_confirmed = holds(slots, which, h.bytes, READ_BACK, hash),
                        .is_void = is_marked(slots, which, h.bytes, VOID, hash) ||
                                   is_marked(slots, which, h.bytes, VOID_AGAIN, hash)};
}

// ---- choosing --------------------------------------------------------------------------------

// Whether a comes after b, also if the numbers have wrapped around in between.
static bool is_newer(uint32_t a, uint32_t b)
{
    return a != b && a - b < 0x80000000u;
}

enum { NOTHING, OTHERS, VOIDED, UNCONFIRMED, CONFIRMED };

// How much a slot is worth keeping.
static int worth(const slot_state *slot)
{
    if (slot->status == CFPC_OK)
        return slot->is_void ? VOIDED : slot->is_confirmed ? CONFIRMED : UNCONFIRMED;
    return slot->status == CFPC_OTHER_MODEL || slot->status == CFPC_OTHER_REAL ||
                   slot->status == CFPC_OTHER_VERSION
               ? OTHERS
               : NOTHING;
}

// The slot to restore first: the newest intact one that is not void, or else the newest void one.
static int newest_of(const slot_state *both)
{
    const int a = worth(&both[0]), b = worth(&both[1]);
    const bool equally_good = a == b || (a > VOIDED && b > VOIDED);
    return equally_good ? is_newer(both[1].sequence, both[0].sequence) : b > a;
}

// The slot to overwrite: the one that is worth less, or the older one. Of two unconfirmed saves it
// is the newer one: the older one was intact already when that was begun.
static int target_of(const slot_state *both)
{
    const int a = worth(&both[0]), b = worth(&both[1]);
    const bool first_is_newer = is_newer(both[0].sequence, both[1].sequence);
    return a != b ? b < a : a == UNCONFIRMED ? !first_is_newer : first_is_newer;
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

static void slots_put_mark(writer *w, uint64_t value)
{
    flush(w);
    slots_put(w, &value, sizeof value);
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
           holds(slots, which, body, WRITTEN, hash);
}

// While a slot is erased, its record may read as intact today and not tomorrow. So it is marked
// before, by a mark that this call saw completed: one that is there already may have been cut off.
static bool make_void(const cfpc_slots *slots, int which, uint64_t body, uint64_t hash)
{
    int next = MARKS; // the first behind all that are there
    while (next > VOID && !is_marked(slots, which, body, next - 1, hash))
        next--;
    if (next == MARKS)
        return true;
    writer w = {.slots = slots, .slot = which, .at = (size_t)mark_at(body, slots->unit, next)};
    slots_put_mark(&w, ~hash);
    return !w.failed;
}

// Where nothing is erased, the marks of an earlier record are still there: it may have been the
// same.
static bool take_void_back(const cfpc_slots *slots, int which, uint64_t body, uint64_t hash)
{
    writer w = {.slots = slots, .slot = which, .at = (size_t)mark_at(body, slots->unit, VOID)};
    for (int mark = VOID; !slots->erase && mark < MARKS; mark++)
        slots_put_mark(&w, hash);
    return !w.failed;
}

// Writes the record and confirms it after reading it back.
static bool write_slot(const cfpc_slots *slots, int which, const head *h, const cfpc_real *weights)
{
    writer w = {.slots = slots, .slot = which, .hash = CFPC_HASH_START};
    if (slots->erase && !slots->erase(slots->context, which))
        return false;
    slots_put(&w, h, sizeof *h);
    slots_put(&w, weights, (size_t)h->bytes - sizeof *h);
    flush(&w);
    const uint64_t hash = w.hash;
    w.failed |= !take_void_back(slots, which, h->bytes, hash);
    slots_put_mark(&w, hash);
    if (w.failed || !reads_back(slots, which, h->bytes, hash))
        return false;
    slots_put_mark(&w, hash);
    return !w.failed && holds(slots, which, h->bytes, READ_BACK, hash);
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
    const int target = target_of(both);
    const bool may_erase = both[target].status != CFPC_OK ||
                           make_void(slots, target, body_bytes(model), both[target].hash);
    return may_erase && write_slot(slots, target, &h, weights) ? CFPC_OK : CFPC_SLOT_FAILED;
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
        !holds(slots, which, h.bytes, WRITTEN, hash)) {
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
    return slot->status == CFPC_ALTERED || slot->status == CFPC_SLOT_FAILED || slot->is_void;
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
