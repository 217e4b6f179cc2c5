// SPDX-License-Identifier: Apache-2.0
#include "sweep/grid.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "spec/table_print.h"
#include "spec/validate.h"

enum { MAX_POINTS = 100000 };

static void axis_free(lab_axis *axis)
{
    for (int i = 0; axis->texts && i < axis->count; i++)
        free(axis->texts[i]);
    free(axis->texts);
    free(axis->numbers);
    free(axis->key);
    lab_settings_free(&axis->settings);
}

void lab_grid_free(lab_grid *grid)
{
    for (int i = 0; i < grid->count; i++)
        axis_free(&grid->axes[i]);
    free(grid->axes);
    *grid = (lab_grid){0};
}

int lab_grid_index(const lab_grid *grid, int axis, int point)
{
    for (int i = grid->count - 1; i > axis; i--)
        point /= grid->axes[i].count;
    return point % grid->axes[axis].count;
}

const char *lab_key_unit(const char *key)
{
    static const char *const endings[][2] = {
        {"_ms", "ms"}, {"_per_s", "1/s"}, {"_s", "s"}, {"_hz", "Hz"}};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t length = strlen(key), tail = strlen(endings[i][0]);
        if (length > tail && strcmp(key + length - tail, endings[i][0]) == 0)
            return endings[i][1];
    }
    return "1";
}

// ---- words -----------------------------------------------------------------------------------

// Length of what is before the first of `ends` that is not within brackets or quotes.
static size_t span(const char *text, const char *ends)
{
    int depth = 0;
    char quote = '\0';
    size_t i = 0;
    for (; text[i]; i++) {
        const char c = text[i];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (depth == 0 && strchr(ends, c))
            break;
        else
            depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    return i;
}

// The number before `end`, with blanks around it; *text goes on after the end.
static bool number_before(const char **text, char end, double *number)
{
    char *rest;
    *number = strtod(*text, &rest);
    if (rest == *text || !isfinite(*number))
        return false;
    rest += strspn(rest, " \t");
    *text = rest + 1;
    return *rest == end;
}

// ---- values ----------------------------------------------------------------------------------

static lab_outcome grid_allocate(lab_axis *axis, int count, lab_why *why)
{
    axis->count = count;
    axis->texts = calloc((size_t)count + 1, sizeof *axis->texts);
    axis->numbers = calloc((size_t)count + 1, sizeof *axis->numbers);
    return axis->texts && axis->numbers ? LAB_DONE : lab_no_memory(why, NULL);
}

static lab_outcome fill_range(lab_axis *axis, const char *text, lab_why *why)
{
    double from = 0, to = 0;
    const char *rest = text;
    const bool has_ends = number_before(&rest, ':', &from) && number_before(&rest, ':', &to);
    char *end = NULL;
    errno = 0;
    const long number = has_ends ? strtol(rest, &end, 10) : 0;
    if (!has_ends || end == rest || end[strspn(end, " \t")] != '\0' || errno != 0 || number < 1 ||
        number > MAX_POINTS || (number > 1 && from == to))
        return lab_refuse(
            why,
            "%s: a range is FROM:TO:COUNT, e.g. 20:100:9, with a COUNT of 1 to %d and "
            "FROM not equal to TO; this is '%.80s'",
            axis->key, MAX_POINTS, text);
    const int count = (int)number;
    lab_outcome outcome = grid_allocate(axis, count, why);
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        // As one would write it: rounded to 15 digits between the exact ends.
        lab_number_text value = lab_number(i == 0 ? from : to);
        if (i > 0 && i < count - 1)
            snprintf(value.text, sizeof value.text, "%.15g", from + (to - from) * i / (count - 1));
        axis->texts[i] = strdup(value.text);
        if (!axis->texts[i])
            outcome = lab_no_memory(why, NULL);
    }
    return outcome;
}

static lab_outcome fill_list(lab_axis *axis, const char *text, lab_why *why)
{
    int count = 1;
    for (const char *c = text + span(text, ","); *c; c += span(c, ","), count++)
        c++;
    lab_outcome outcome = grid_allocate(axis, count, why);
    for (int i = 0; outcome == LAB_DONE && i < count; i++) {
        // Without the blanks around it.
        const size_t length = span(text, ","), blank = strspn(text, " \t");
        size_t last = length;
        while (last > blank && strchr(" \t", text[last - 1]))
            last--;
        axis->texts[i] = blank < last ? strndup(text + blank, last - blank) : strdup("");
        if (!axis->texts[i])
            return lab_no_memory(why, NULL);
        if (!*axis->texts[i])
            outcome = lab_refuse(why, "%s: value %d of its list is empty", axis->key, i + 1);
        else if (axis->texts[i][span(axis->texts[i], ":")])
            outcome = lab_refuse(why, "%s: a range cannot be part of a list; this is '%.80s'",
                                 axis->key, axis->texts[i]);
        text += length + 1;
    }
    return outcome;
}

// No value twice; those of a range are in order.
static lab_outcome grid_check_values(const lab_axis *axis, bool in_order, lab_why *why)
{
    for (int i = 1; i < axis->count; i++)
        for (int k = in_order ? i - 1 : 0; k < i; k++)
            if (axis->numbers ? axis->numbers[i] == axis->numbers[k]
                              : strcmp(axis->texts[i], axis->texts[k]) == 0)
                return lab_refuse(why, "%s: the value '%.80s' is given twice", axis->key,
                                  axis->texts[i]);
    return LAB_DONE;
}

// Every value is set as it is written.
static lab_outcome fill_settings(lab_axis *axis, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < axis->count; i++) {
        const size_t size = strlen(axis->key) + strlen(axis->texts[i]) + 2;
        char *assignment = malloc(size);
        if (!assignment)
            return lab_no_memory(why, NULL);
        snprintf(assignment, size, "%s=%s", axis->key, axis->texts[i]);
        outcome = lab_settings_add(&axis->settings, assignment, why);
        free(assignment);
    }
    return outcome;
}

// ---- the grid --------------------------------------------------------------------------------

// Gives the axis, whose values are written, to the grid if it is as it should be, or frees it.
static lab_outcome end_axis(lab_grid *grid, lab_axis *axis, bool in_order, lab_outcome outcome,
                            lab_why *why)
{
    // The numbers, or none if one of the texts is no number.
    for (int i = 0; outcome == LAB_DONE && i < axis->count && axis->numbers; i++) {
        const char *text = axis->texts[i];
        if (!number_before(&text, '\0', &axis->numbers[i])) {
            free(axis->numbers);
            axis->numbers = NULL;
        }
    }
    if (outcome == LAB_DONE)
        outcome = grid_check_values(axis, in_order, why);
    for (int i = 0; outcome == LAB_DONE && i < grid->count; i++)
        if (strcmp(grid->axes[i].key, axis->key) == 0)
            outcome = lab_refuse(why, "the key '%.80s' is swept twice", axis->key);
    if (outcome == LAB_DONE && (long long)grid->points * axis->count > MAX_POINTS)
        outcome = lab_refuse(why, "the grid has more than %d points", MAX_POINTS);
    if (outcome == LAB_DONE && axis->settings.count == 0)
        outcome = fill_settings(axis, why);
    lab_axis *axes =
        outcome == LAB_DONE ? realloc(grid->axes, ((size_t)grid->count + 1) * sizeof *axes) : NULL;
    if (!axes) {
        axis_free(axis);
        return outcome == LAB_DONE ? lab_no_memory(why, NULL) : outcome;
    }
    grid->axes = axes;
    grid->axes[grid->count++] = *axis;
    grid->points = (grid->count > 1 ? grid->points : 1) * axis->count;
    return LAB_DONE;
}

lab_outcome lab_grid_add(lab_grid *grid, const char *text, lab_why *why)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return lab_refuse(why,
                          "a sweep takes KEY=FROM:TO:COUNT or KEY=a,b,c, e.g. "
                          "loop.delay_ms=20:100:9; this is '%.80s'",
                          text);
    const char *values = equals + 1;
    const bool is_range = values[span(values, ",:")] == ':' && !values[span(values, ",")];
    lab_axis axis = {.key = strndup(text, (size_t)(equals - text))};
    const lab_outcome outcome = !axis.key  ? lab_no_memory(why, NULL)
                                : is_range ? fill_range(&axis, values, why)
                                           : fill_list(&axis, values, why);
    return end_axis(grid, &axis, is_range, outcome, why);
}

lab_outcome lab_grid_add_list(lab_grid *grid, const char *key, const lab_node *list, lab_why *why)
{
    int count = 0;
    for (const lab_node *entry = list->child; entry && count <= MAX_POINTS; entry = entry->next)
        count++;
    if (!*key)
        return lab_refuse(why, "an axis of a sweep needs a key, as loop.delay_ms");
    if (list->kind != LAB_LIST || count == 0)
        return lab_refuse(why, "%s: a sweep needs a list of values", key);
    if (count > MAX_POINTS)
        return lab_refuse(why, "%s: a sweep takes at most %d values", key, MAX_POINTS);
    lab_axis axis = {.key = strdup(key)};
    lab_node *copy = lab_node_copy(list), *entry = copy ? copy->child : NULL;
    lab_outcome outcome =
        axis.key && copy ? grid_allocate(&axis, count, why) : lab_no_memory(why, NULL);
    for (int i = 0; outcome == LAB_DONE && i < count; i++, entry = entry->next) {
        // How an entry is set, and how it is written.
        const lab_setting named = {.path = axis.key, .value = entry};
        char *assignment = lab_setting_text(&named);
        if (assignment) {
            outcome = lab_settings_add_given(&axis.settings, key, entry, assignment, why);
            axis.texts[i] = strdup(assignment + strlen(key) + 1);
        }
        free(assignment);
        if (outcome == LAB_DONE && !axis.texts[i])
            outcome = lab_no_memory(why, NULL);
    }
    lab_node_free(copy);
    return end_axis(grid, &axis, false, outcome, why);
}
