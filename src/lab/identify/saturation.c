// SPDX-License-Identifier: Apache-2.0
#include "identify/saturation.h"

#include <math.h>

#include "math/order.h"

enum {
    MIN_RUN = 4,      // rows at the limit that count as a stretch
    MIN_ROWS = 10,    // of all stretches together, and at least one row in
    ONE_ROW_IN = 200, // rows
    WINDOW = 8,       // rows over which a speed is taken
    LEVELS = 3,       // before the limit, of which the speed is taken
    FEW_LEVELS = 8,   // a signal of no more levels is switched, not cut off
    RAMP = 40,        // rows on one straight line before the limit are a ramp that ends there
    REST = 10         // rows at one value are a rest, from which a shorter ramp may begin
};

// A line may be off by so much of its rise: numbers may be written with few digits in all, and then
// with fewer decimals where they are large. A sine of 15000 rows that is cut off at half its height
// is bent more than this in RAMP rows.
static const double straight = 1e-3;

// What the whole signal is like.
typedef struct manner {
    double low, high;
    double resolution; // smallest change between neighbours
    double speed;      // root mean square change per row, where it moves
    int levels;        // different values; FEW_LEVELS + 1: more than a few
} manner;

static manner manner_of(int count, const double *x)
{
    double levels[FEW_LEVELS], power = 0;
    int moving = 0;
    manner found = {.low = x[0], .high = x[0], .resolution = INFINITY};
    for (int i = 0; i < count; i++) {
        int known = 0;
        while (known < found.levels && known < FEW_LEVELS && levels[known] != x[i])
            known++;
        if (known == found.levels && known < FEW_LEVELS)
            levels[known] = x[i];
        found.levels += known == found.levels;
        found.low = cfpci_min(found.low, x[i]);
        found.high = cfpci_max(found.high, x[i]);
        const double change = i > 0 ? fabs(x[i] - x[i - 1]) : 0;
        if (change > 0)
            found.resolution = cfpci_min(found.resolution, change);
    }
    // The speed is that of windows in which the signal moves: rests are left out.
    for (int i = 0; i + WINDOW < count; i += WINDOW) {
        double change = 0;
        for (int k = 0; k < WINDOW; k++)
            change += fabs(x[i + k + 1] - x[i + k]) / WINDOW;
        power += change * change;
        moving += change > 0;
    }
    found.speed = moving > 0 ? sqrt(power / moving) : 0;
    return found;
}

// How many rows before this one have its value, itself included.
static int dwell(const double *x, int last)
{
    int rows = 1;
    while (last - rows >= 0 && x[last - rows] == x[last])
        rows++;
    return rows;
}

// Whether rows lie on one line that is not level, as exactly as they are written: to the last
// decimal of any of them.
static bool is_line(const double *from, int rows)
{
    const double rise = from[rows - 1] - from[0], slope = rise / (rows - 1);
    double decimal = 1;
    for (int i = 0; i < rows && decimal > 1e-12; i++)
        while (decimal > 1e-12 && fabs(from[i] / decimal - round(from[i] / decimal)) > 1e-4)
            decimal /= 10;
    const double most = cfpci_max(decimal, straight * fabs(rise));
    for (int i = 1; i < rows - 1; i++)
        if (fabs(from[i] - from[0] - slope * i) > most)
            return false;
    return rise != 0;
}

// Whether a ramp ends at the limit: many rows on one line, or all rows since the last rest.
static bool is_ramp(const double *x, int first)
{
    for (int rows = 2; rows < RAMP && rows <= first; rows++)
        if (dwell(x, first - rows) >= REST)
            return is_line(x + first - rows, rows + 1);
    return first >= RAMP && is_line(x + first - RAMP, RAMP);
}

// The levels before a row: how fast they pass, and the longest that one of them lasts.
typedef struct approach {
    int rows;     // of all of them
    int longest;  // of one
    double speed; // change per row
} approach;

static approach approach_of(const double *x, int end)
{
    approach found = {0};
    for (int level = 0; level < LEVELS && found.rows < end; level++) {
        const int here = dwell(x, end - 1 - found.rows);
        found.longest = here > found.longest ? here : found.longest;
        found.rows += here;
    }
    if (found.rows < end)
        found.speed = fabs(x[end] - x[end - found.rows]) / found.rows;
    return found;
}

// The speed with which a limit is reached is that of the last levels, less what it loses on the
// way. A smooth top that is rounded to the resolution for L rows was reached with at most 6/L of it
// per row: what is much faster was cut off. What is much slower than usual comes to rest.
static bool is_cut_off(const manner *manner, const double *x, int first, int length)
{
    if (length < MIN_RUN)
        return false;
    const approach last = approach_of(x, first);
    const approach before = last.speed > 0 ? approach_of(x, first - last.rows) : last;
    const double lost = (before.speed - last.speed) * last.rows / (last.rows + before.rows);
    const double speed = before.speed > 0 ? last.speed - cfpci_max(0, lost) : 0;
    return speed > 0 && speed >= 0.2 * manner->speed && speed * length > 12 * manner->resolution &&
           length >= 4 * last.longest && !is_ramp(x, first);
}

bool lab_find_saturation(lab_saturated *found, int count, const double *values)
{
    const manner manner = manner_of(count, values);
    *found = (lab_saturated){0};
    if (manner.levels <= FEW_LEVELS)
        return false;
    for (int i = 0, length; i < count; i += length) {
        length = 1;
        while (i + length < count && values[i + length] == values[i])
            length++;
        const bool at_limit = values[i] == manner.high || values[i] == manner.low;
        if (!at_limit || !is_cut_off(&manner, values, i, length))
            continue;
        if (found->stretches++ == 0) {
            found->first = i;
            found->length = length;
            found->at_high = values[i] == manner.high;
        }
        found->rows += length;
    }
    return found->rows >= MIN_ROWS && found->rows >= count / ONE_ROW_IN;
}
