// SPDX-License-Identifier: Apache-2.0
#include "panels.h"

#include <string.h>

#include "core/fast/source.h"

// ---- checks ----------------------------------------------------------------------------------

static bool is_there(const cfpc_source *source)
{
    return source->kind != CFPC_HANDED || source->x;
}

// Whether the source, or the one it names, gives the inputs of M steps earlier.
static bool panels_gives_past(const cfpc_source *source)
{
    if (!source->past)
        return source->kind == CFPC_TAPPED || source->kind == CFPC_MADE;
    return is_there(source->past) &&
           !(source->past->kind == CFPC_LEAKY && source->past->last == source->last);
}

cfpc_status cfpci_zone_source_check(const cfpc_zone_model *model, const cfpc_source *source,
                                    int32_t steps, bool past_only)
{
    const bool given = model->past == CFPC_PAST_GIVEN;
    if (!source || (!past_only && !is_there(source)) || (given && !panels_gives_past(source)))
        return CFPC_MISSING;
    const cfpc_status status =
        past_only ? CFPC_OK : cfpci_source_check(source, model->synapses, steps);
    if (status != CFPC_OK || !given)
        return status;
    return cfpci_source_check(source->past ? source->past : source, model->synapses, steps);
}

// ---- reading a source ------------------------------------------------------------------------

// The steps of one pass, tile by tile; returns whether any input may differ from 0.
static bool read_pass(const cfpci_window *window, const cfpci_numbers *numbers, int32_t begin,
                      int32_t steps, char *to)
{
    const cfpc_source *source = window->source;
    const size_t row = (size_t)(window->done + begin) * (size_t)window->width;
    const cfpci_feed feed = {.source = source,
                             .done = window->done + begin,
                             .x = source->kind == CFPC_HANDED ? source->x + row : NULL};
    const int32_t reach = cfpci_feed_reach(&feed);
    cfpc_real made[CFPC_MADE_REALS];
    cfpci_reader reader;
    bool any = false;
    cfpci_reader_begin(&reader, &feed, steps, window->width, window->first, made);
    for (int32_t j = 0; j < window->count; j += reach) {
        const int32_t left = window->count - j, count = left < reach ? left : reach;
        const cfpci_input in = cfpci_reader_tile(&reader, window->first + j, count);
        const cfpci_rows rows = {
            .steps = steps, .count = count, .stride = in.stride, .to_stride = window->panel};
        numbers->rows_in(&rows, to + (size_t)j * numbers->bytes, in.x);
        any |= !in.is_silent;
    }
    return any;
}

cfpci_piece cfpci_panel_read(const cfpci_window *window, const cfpci_numbers *numbers,
                             void *scratch)
{
    const cfpc_source *source = window->source;
    const bool in_place = source->kind == CFPC_MADE && numbers->is_cfpc_real;
    bool any = false;
    if (source->kind == CFPC_HANDED && numbers->is_cfpc_real)
        return (cfpci_piece){.x = source->x + (size_t)window->done * (size_t)window->width +
                                  window->first,
                             .stride = window->width};
    for (int32_t n = 0; n < window->steps; n += CFPC_PASS_STEPS) {
        const int32_t left = window->steps - n;
        const int32_t steps = left < CFPC_PASS_STEPS ? left : CFPC_PASS_STEPS;
        char *to = (char *)scratch + (size_t)n * (size_t)window->panel * numbers->bytes;
        // A source's function writes where the inputs are needed.
        const bool some =
            in_place ? source->make(source->context, window->done + n, steps, window->first,
                                    window->count, window->panel, (cfpc_real *)(void *)to)
                     : read_pass(window, numbers, n, steps, to);
        if (in_place && !some)
            memset(to, 0, (size_t)steps * (size_t)window->panel * numbers->bytes);
        any |= some;
    }
    return (cfpci_piece){.x = any ? scratch : NULL, .stride = window->panel};
}

cfpci_piece cfpci_panel_finite(const cfpci_window *window, const cfpci_numbers *numbers,
                               const cfpci_piece *piece, void *scratch)
{
    const cfpci_rows rows = {.steps = window->steps,
                             .count = window->count,
                             .stride = piece->stride,
                             .to_stride = window->panel};
    bool any = false;
    if (!piece->x)
        return *piece;
    if (numbers->rows_look(&rows, piece->x, &any))
        return any ? *piece : (cfpci_piece){0};
    any = numbers->rows_kept(&rows, scratch, piece->x);
    return (cfpci_piece){.x = any ? scratch : NULL, .stride = window->panel};
}

// ---- inputs that are kept --------------------------------------------------------------------

// Row n mod rows of a panel.
static char *kept_row(const cfpc_zone_model *model, cfpc_zone_data *data,
                      const cfpci_window *window, int64_t n)
{
    const size_t row = (size_t)(n % data->rows), rows = (size_t)data->rows;
    return (char *)data + data->past_at +
           ((size_t)window->first * rows + row * (size_t)window->count) *
               cfpci_numbers_of(model->is_double)->bytes;
}

// Steps from step n on until the rows begin again, at most `most`.
static int32_t until_end(const cfpc_zone_data *data, int64_t n, int32_t most)
{
    const int64_t left = data->rows - n % data->rows;
    return left < most ? (int32_t)left : most;
}

void cfpci_panel_keep(const cfpc_zone_model *model, cfpc_zone_data *data,
                      const cfpci_window *window, const cfpci_piece *piece)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    for (int32_t n = 0, some = 0; n < window->steps; n += some) {
        char *to = kept_row(model, data, window, data->clock + n);
        some = until_end(data, data->clock + n, window->steps - n);
        const cfpci_rows rows = {.steps = some,
                                 .count = window->count,
                                 .stride = piece->stride,
                                 .to_stride = window->count};
        if (piece->x)
            numbers->rows_kept(&rows, to,
                               (const char *)piece->x +
                                   (ptrdiff_t)n * piece->stride * (ptrdiff_t)numbers->bytes);
        else
            memset(to, 0, (size_t)some * (size_t)window->count * numbers->bytes);
    }
}

cfpci_piece cfpci_panel_kept(const cfpc_zone_model *model, cfpc_zone_data *data,
                             const cfpci_window *window, int64_t from, void *scratch)
{
    const cfpci_numbers *numbers = cfpci_numbers_of(model->is_double);
    bool any = false;
    for (int32_t n = 0, some = 0; n < window->steps; n += some) {
        some = until_end(data, from + n, window->steps - n);
        const cfpci_rows rows = {.steps = some,
                                 .count = window->count,
                                 .stride = window->count,
                                 .to_stride = window->panel};
        any |= numbers->rows_kept(
            &rows, (char *)scratch + (size_t)n * (size_t)window->panel * numbers->bytes,
            kept_row(model, data, window, from + n));
    }
    return (cfpci_piece){.x = any ? scratch : NULL, .stride = window->panel};
}
