// SPDX-License-Identifier: Apache-2.0
#include "cfpc/lti.h"

#include <string.h>

#include "bank.h"

cfpc_status cfpc_lti_check(const cfpc_lti *lti)
{
    if (lti->states < 0 || lti->inputs < 1 || lti->outputs < 1 || lti->lines < 0)
        return CFPC_BAD_SIZE;
    if (lti->states > CFPC_LTI_MOST || lti->inputs > CFPC_LTI_MOST ||
        lti->outputs > CFPC_LTI_MOST || lti->lines > CFPC_LTI_MOST)
        return CFPC_BAD_SIZE;
    for (int32_t i = 0; i < lti->lines; i++)
        if (lti->delay_steps[i] < 1)
            return CFPC_BAD_DELAY;
    const int64_t entries = (int64_t)cfpc_lti_rows(lti) * cfpc_lti_columns(lti);
    for (int64_t k = 0; k < entries; k++)
        if (!cfpc_is_finite(lti->matrix[k]))
            return CFPC_BAD_VALUE;
    return CFPC_OK;
}

// What a bank needs, in the order it lies in memory.
static cfpc_bank bank_layout(const cfpc_lti *lti, int32_t width, cfpc_arena *arena)
{
    cfpc_bank bank = {.width = width, .states = lti->states, .lines = lti->lines};
    bank.tile = width < CFPC_BANK_TILE ? width : CFPC_BANK_TILE;
    for (int32_t i = 0; i < lti->lines; i++)
        bank.slots += (uint64_t)lti->delay_steps[i];
    cfpc_arena_take(arena, 1, 1, sizeof(cfpc_bank));
    bank.head_at = cfpc_arena_take(arena, (uint64_t)lti->lines, 1, sizeof(int32_t));
    bank.state_at =
        cfpc_arena_take(arena, (uint64_t)lti->states, (uint64_t)width, sizeof(cfpc_real));
    bank.slot_at = cfpc_arena_take(arena, bank.slots, (uint64_t)width, sizeof(cfpc_real));
    bank.scratch_at = cfpc_arena_take(arena, (uint64_t)cfpc_lti_rows(lti), (uint64_t)bank.tile,
                                      sizeof(cfpc_real));
    bank.bytes = arena->used;
    return bank;
}

size_t cfpc_bank_size(const cfpc_lti *lti, int32_t width)
{
    if (width < 1 || cfpc_lti_check(lti) != CFPC_OK)
        return 0;
    cfpc_arena arena = {0};
    cfpc_bank bank = bank_layout(lti, width, &arena);
    return arena.too_large ? 0 : (size_t)bank.bytes;
}

cfpc_status cfpc_bank_init(void *mem, size_t bytes, const cfpc_lti *lti, int32_t width,
                           cfpc_bank **bank)
{
    *bank = NULL;
    cfpc_status status = cfpc_lti_check(lti);
    if (status != CFPC_OK)
        return status;
    size_t needed = cfpc_bank_size(lti, width);
    if (needed == 0)
        return CFPC_BAD_SIZE;
    status = cfpc_block_fits(mem, bytes, needed);
    if (status != CFPC_OK)
        return status;
    cfpc_arena arena = {0};
    *bank = mem;
    **bank = bank_layout(lti, width, &arena);
    cfpc_bank_reset(*bank);
    return CFPC_OK;
}

bool cfpc_bank_valid(const cfpc_bank *bank, const cfpc_lti *lti, int32_t width)
{
    cfpc_arena arena = {0};
    cfpc_bank expected = bank_layout(lti, width, &arena);
    if (memcmp(bank, &expected, sizeof expected) != 0)
        return false;
    const int32_t *heads = (const int32_t *)((const char *)bank + bank->head_at);
    for (int32_t i = 0; i < lti->lines; i++)
        if (heads[i] < 0 || heads[i] >= lti->delay_steps[i])
            return false;
    return true;
}

void cfpc_bank_reset(cfpc_bank *bank)
{
    memset((char *)bank + sizeof *bank, 0, (size_t)bank->bytes - sizeof *bank);
}

// out += a * in
static void add_scaled(cfpc_real *restrict out, cfpc_real a, const cfpc_real *restrict in,
                       int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        out[j] += a * in[j];
}

// The arrays of a bank in the middle of a step.
typedef struct cfpc_bank_view {
    int32_t *heads;     // slot of each line that is read, then written   (lines)
    cfpc_real *state;   // s                                               (states x width)
    cfpc_real *slots;   // all lines, one after the other                  (sum of delays x width)
    cfpc_real *scratch; // [s⁺; y; z] of a tile                            (rows x tile)
} cfpc_bank_view;

// Rows first_row … of scratch = matrix · [s; x; v], for the copies first … first + count - 1.
static void tile_multiply(const cfpc_lti *lti, const cfpc_bank *bank, const cfpc_bank_view *view,
                          const cfpc_real *x, int32_t first_row, int32_t rows, int32_t first,
                          int32_t count)
{
    const size_t width = (size_t)bank->width;
    const cfpc_real *a = lti->matrix + (size_t)first_row * (size_t)cfpc_lti_columns(lti);
    for (int32_t row = first_row; row < first_row + rows; row++) {
        cfpc_real *out = view->scratch + (size_t)row * (size_t)bank->tile;
        memset(out, 0, (size_t)count * sizeof *out);
        for (int32_t i = 0; i < lti->states; i++, a++)
            if (*a != 0)
                add_scaled(out, *a, view->state + (size_t)i * width + first, count);
        for (int32_t i = 0; i < lti->inputs; i++, a++)
            if (*a != 0 && x)
                add_scaled(out, *a, x + (size_t)i * width + first, count);
        const cfpc_real *line = view->slots + first;
        for (int32_t i = 0; i < lti->lines; i++, a++) {
            if (*a != 0)
                add_scaled(out, *a, line + (size_t)view->heads[i] * width, count);
            line += (size_t)lti->delay_steps[i] * width;
        }
    }
}

// Takes [s⁺; y; z] from scratch to where each belongs.
static void tile_store(const cfpc_lti *lti, const cfpc_bank *bank, const cfpc_bank_view *view,
                       cfpc_real *y, int32_t first, int32_t count)
{
    const size_t width = (size_t)bank->width;
    const size_t bytes = (size_t)count * sizeof(cfpc_real);
    const cfpc_real *from = view->scratch;
    for (int32_t i = 0; i < lti->states; i++, from += bank->tile)
        memcpy(view->state + (size_t)i * width + first, from, bytes);
    for (int32_t i = 0; i < lti->outputs; i++, from += bank->tile)
        memcpy(y + (size_t)i * width + first, from, bytes);
    cfpc_real *line = view->slots + first;
    for (int32_t i = 0; i < lti->lines; i++, from += bank->tile) {
        memcpy(line + (size_t)view->heads[i] * width, from, bytes);
        line += (size_t)lti->delay_steps[i] * width;
    }
}

static cfpc_bank_view view_of(cfpc_bank *bank)
{
    char *base = (char *)bank;
    return (cfpc_bank_view){.heads = (int32_t *)(base + bank->head_at),
                            .state = (cfpc_real *)(base + bank->state_at),
                            .slots = (cfpc_real *)(base + bank->slot_at),
                            .scratch = (cfpc_real *)(base + bank->scratch_at)};
}

static int32_t tile_count(const cfpc_bank *bank, int32_t first)
{
    const int32_t left = bank->width - first;
    return left < bank->tile ? left : bank->tile;
}

void cfpc_bank_step(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y)
{
    const cfpc_bank_view view = view_of(bank);
    for (int32_t first = 0; first < bank->width; first += bank->tile) {
        const int32_t count = tile_count(bank, first);
        tile_multiply(lti, bank, &view, x, 0, cfpc_lti_rows(lti), first, count);
        tile_store(lti, bank, &view, y, first, count);
    }
    for (int32_t i = 0; i < lti->lines; i++)
        view.heads[i] = view.heads[i] + 1 < lti->delay_steps[i] ? view.heads[i] + 1 : 0;
}

void cfpc_bank_output(const cfpc_lti *lti, cfpc_bank *bank, const cfpc_real *x, cfpc_real *y)
{
    const cfpc_bank_view view = view_of(bank);
    for (int32_t first = 0; first < bank->width; first += bank->tile) {
        const int32_t count = tile_count(bank, first);
        tile_multiply(lti, bank, &view, x, lti->states, lti->outputs, first, count);
        for (int32_t i = 0; i < lti->outputs; i++)
            memcpy(y + (size_t)i * (size_t)bank->width + first,
                   view.scratch + (size_t)(lti->states + i) * (size_t)bank->tile,
                   (size_t)count * sizeof *y);
    }
}
