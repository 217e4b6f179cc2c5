// SPDX-License-Identifier: Apache-2.0
#include "cfpc/lti.h"

#include <string.h>

#include "bank.h"
#include "numbers.h"

cfpc_lti cfpc_trace_none(void)
{
    static const cfpc_real matrix[] = {1}; // y = x
    return (cfpc_lti){.inputs = 1, .outputs = 1, .matrix = matrix};
}

cfpc_lti cfpc_trace_delay(const int32_t *delay_steps)
{
    static const cfpc_real matrix[] = {0, 1,  // y = v
                                       1, 0}; // z = x
    return (cfpc_lti){
        .inputs = 1, .outputs = 1, .lines = 1, .delay_steps = delay_steps, .matrix = matrix};
}

CFPC_SELDOM cfpc_status cfpc_lti_check(const cfpc_lti *lti)
{
    if (!lti)
        return CFPC_MISSING;
    if (lti->states < 0 || lti->inputs < 1 || lti->outputs < 1 || lti->lines < 0)
        return CFPC_BAD_SIZE;
    if (lti->states > CFPC_LTI_MAX || lti->inputs > CFPC_LTI_MAX || lti->outputs > CFPC_LTI_MAX ||
        lti->lines > CFPC_LTI_MAX)
        return CFPC_BAD_SIZE;
    if (!lti->matrix || (lti->lines > 0 && !lti->delay_steps))
        return CFPC_MISSING;
    for (int32_t i = 0; i < lti->lines; i++)
        if (lti->delay_steps[i] < 1)
            return CFPC_BAD_DELAY;
    const int64_t entries = (int64_t)cfpc_lti_rows(lti) * cfpc_lti_columns(lti);
    return cfpci_all_finite(lti->matrix, entries) ? CFPC_OK : CFPC_BAD_VALUE;
}

// The layout of a bank.
static CFPC_SELDOM cfpc_bank bank_layout(const cfpc_lti *lti, int32_t width, bool tiled,
                                         cfpci_arena *arena)
{
    cfpc_bank bank = {.width = width, .states = lti->states, .lines = lti->lines};
    bank.tile = tiled && width > CFPC_PIECE ? CFPC_TILE : width;
    const int32_t piece = bank.tile < CFPC_PIECE ? bank.tile : CFPC_PIECE;
    for (int32_t i = 0; i < lti->lines; i++)
        bank.slots += (uint64_t)lti->delay_steps[i];
    cfpci_arena_take(arena, 1, 1, sizeof(cfpc_bank));
    bank.head_at = cfpci_arena_take(arena, (uint64_t)lti->lines, 1, sizeof(int32_t));
    bank.state_at =
        cfpci_arena_take_wide(arena, (uint64_t)lti->states, (uint64_t)width, sizeof(cfpc_real));
    bank.slot_at = cfpci_arena_take_wide(arena, bank.slots, (uint64_t)width, sizeof(cfpc_real));
    bank.scratch_at =
        cfpci_arena_take(arena, (uint64_t)cfpc_lti_rows(lti), (uint64_t)piece, sizeof(cfpc_real));
    bank.bytes = arena->used;
    return bank;
}

CFPC_SELDOM bool cfpci_bank_layout(const cfpc_lti *lti, int32_t width, bool tiled, cfpc_bank *bank)
{
    cfpci_arena arena = {0};
    if (width < 1 || width > CFPC_BANK_MAX)
        return false;
    *bank = bank_layout(lti, width, tiled, &arena);
    return !arena.too_large;
}

size_t cfpc_bank_size(const cfpc_lti *lti, int32_t width)
{
    cfpc_bank bank;
    return cfpc_lti_check(lti) == CFPC_OK && cfpci_bank_layout(lti, width, false, &bank)
               ? (size_t)bank.bytes
               : 0;
}

CFPC_SELDOM cfpc_status cfpc_bank_init(cfpc_bank **bank, void *mem, size_t bytes,
                                       const cfpc_lti *lti, int32_t width)
{
    cfpc_bank head;
    *bank = NULL;
    cfpc_status status = cfpc_lti_check(lti);
    if (status != CFPC_OK)
        return status;
    if (!cfpci_bank_layout(lti, width, false, &head))
        return CFPC_BAD_SIZE;
    status = cfpci_image_fits(mem, bytes, head.bytes);
    if (status != CFPC_OK)
        return status;
    *bank = mem;
    **bank = head;
    cfpc_bank_reset(*bank);
    return CFPC_OK;
}

CFPC_SELDOM bool cfpci_bank_valid(const cfpc_bank *bank, const cfpc_bank *expected,
                                  const cfpc_lti *lti)
{
    if (memcmp(bank, expected, sizeof *expected) != 0)
        return false;
    const int32_t *heads = (const int32_t *)((const char *)bank + bank->head_at);
    for (int32_t i = 0; i < lti->lines; i++)
        if (heads[i] < 0 || heads[i] >= lti->delay_steps[i])
            return false;
    return true;
}

CFPC_SELDOM void cfpc_bank_reset(cfpc_bank *bank)
{
    memset((char *)bank + sizeof *bank, 0, (size_t)bank->bytes - sizeof *bank);
}

// ---- one tile --------------------------------------------------------------------------------

cfpci_tile cfpci_tile_at(cfpc_bank *bank, int32_t first, int32_t most)
{
    char *base = (char *)bank;
    const int32_t lane = first % bank->tile, begin = first - lane, left = bank->width - begin;
    const int32_t row = left < bank->tile ? left : bank->tile;
    return (cfpci_tile){
        .count = row - lane < most ? row - lane : most,
        .row = (size_t)row,
        .state = (cfpc_real *)(base + bank->state_at) + (size_t)begin * (size_t)bank->states + lane,
        .slots = (cfpc_real *)(base + bank->slot_at) + (size_t)begin * (size_t)bank->slots + lane,
        .width = (size_t)bank->width,
        .heads = (int32_t *)(base + bank->head_at),
        .scratch = (cfpc_real *)(base + bank->scratch_at)};
}

// One row of the product. Zeros of the matrix are skipped.
CFPC_INLINE void multiply_row(const cfpc_lti *lti, const cfpci_tile *tile, const cfpc_real *a,
                              cfpc_real *out, int32_t count)
{
    bool is_first = true;
    for (int32_t i = 0; i < lti->states; i++, a++)
        if (*a != 0) {
            cfpci_add_term(out, is_first, *a, tile->state + (size_t)i * tile->row, count);
            is_first = false;
        }
    for (int32_t i = 0; i < lti->inputs; i++, a++)
        if (*a != 0) {
            cfpci_add_term(out, is_first, *a, tile->x + (size_t)i * tile->width, count);
            is_first = false;
        }
    const cfpc_real *line = tile->slots;
    for (int32_t i = 0; i < lti->lines; i++, a++) {
        if (*a != 0) {
            cfpci_add_term(out, is_first, *a, line + (size_t)tile->heads[i] * tile->row, count);
            is_first = false;
        }
        line += (size_t)lti->delay_steps[i] * tile->row;
    }
    if (is_first)
        memset(out, 0, (size_t)count * sizeof *out);
}

void cfpci_tile_multiply(const cfpc_lti *lti, const cfpci_tile *tile, int32_t first_row,
                         int32_t rows)
{
    const size_t columns = (size_t)cfpc_lti_columns(lti), count = (size_t)tile->count;
    for (int32_t row = first_row; row < first_row + rows; row++) {
        const cfpc_real *a = lti->matrix + (size_t)row * columns;
        cfpc_real *out = tile->scratch + (size_t)row * count;
        if (!CFPC_ARM_FLOAT && tile->count == CFPC_TILE) // a constant, for vectors
            multiply_row(lti, tile, a, out, CFPC_TILE);
        else if (!CFPC_ARM_FLOAT && tile->count == 1) { // a plant, a forward model: in a register
            cfpc_real sum;
            multiply_row(lti, tile, a, &sum, 1);
            *out = sum;
        } else
            multiply_row(lti, tile, a, out, tile->count);
    }
}

void cfpci_tile_store(const cfpc_lti *lti, const cfpci_tile *tile)
{
    const size_t count = (size_t)tile->count;
    const cfpc_real *from = tile->scratch;
    for (int32_t i = 0; i < lti->states; i++, from += count)
        cfpci_copy(tile->state + (size_t)i * tile->row, from, tile->count);
    from += (size_t)lti->outputs * count;
    cfpc_real *line = tile->slots;
    for (int32_t i = 0; i < lti->lines; i++, from += count) {
        cfpci_copy_settled(line + (size_t)tile->heads[i] * tile->row, from, tile->count);
        line += (size_t)lti->delay_steps[i] * tile->row;
    }
}

// ---- all of them -----------------------------------------------------------------------------

// [s⁺; y; z], or y only, of every tile; y is copied if it is not NULL.
static void lti_run_tiles(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y,
                          bool moves_on)
{
    static const cfpc_real silence[CFPC_PIECE]; // for all inputs
    for (int32_t first = 0; first < bank->width;) {
        cfpci_tile tile = cfpci_tile_at(bank, first, CFPC_PIECE);
        const size_t count = (size_t)tile.count;
        tile.x = x ? x + first : silence;
        tile.width = x ? tile.width : 0;
        cfpci_tile_multiply(lti, &tile, moves_on ? 0 : lti->states,
                            moves_on ? cfpc_lti_rows(lti) : lti->outputs);
        for (int32_t i = 0; y && i < lti->outputs; i++)
            cfpci_copy(y + (size_t)i * (size_t)bank->width + first,
                       tile.scratch + (size_t)(lti->states + i) * count, tile.count);
        if (moves_on)
            cfpci_tile_store(lti, &tile);
        first += tile.count;
    }
}

void cfpci_bank_settle(cfpc_bank *bank)
{
    cfpci_settle((cfpc_real *)((char *)bank + bank->state_at),
                 (size_t)bank->states * (size_t)bank->width);
}

void cfpci_bank_advance(const cfpc_lti *lti, cfpc_bank *bank, int32_t steps)
{
    int32_t *heads = (int32_t *)((char *)bank + bank->head_at);
    for (int32_t i = 0; i < lti->lines; i++)
        heads[i] =
            (int32_t)(((uint32_t)heads[i] + (uint32_t)steps) % (uint32_t)lti->delay_steps[i]);
}

void cfpc_bank_step(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y)
{
    if (cfpc_lti_rows(lti) == 1 && cfpc_lti_columns(lti) == 1 && lti->matrix[0] != 0 && x && y) {
        cfpci_multiply(y, lti->matrix[0], x, bank->width); // no memory, as the trace `none`
        return;
    }
    lti_run_tiles(lti, bank, x, y, true);
    cfpci_bank_advance(lti, bank, 1);
}

void cfpc_bank_output(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y)
{
    lti_run_tiles(lti, bank, x, y, false);
}
