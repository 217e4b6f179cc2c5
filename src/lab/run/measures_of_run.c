// SPDX-License-Identifier: Apache-2.0
// The measures of the run as a whole.
#include "run/measure_rows.h"

#include <math.h>

#include "math/order.h"

// ---- what the reference does -----------------------------------------------------------------

// The first movement of r: it begins to move after step `onset`, rests from step `stop`
// on, and moves again after step `again` (or never: the trial's last).
typedef struct movement {
    bool found;
    int onset, stop, again;
    double from, by; // value before, and how far it moves
} movement;

// The first step from here on after which r changes, or after which it does not; else the last.
static int next_step(const double *r, int steps, int from, bool changes)
{
    int n = from;
    while (n + 1 < steps && (r[n + 1] != r[n]) != changes)
        n++;
    return n;
}

static movement first_movement(const double *r, int steps)
{
    movement m = {.onset = next_step(r, steps, 0, true)};
    m.stop = next_step(r, steps, m.onset, false);
    m.again = next_step(r, steps, m.stop, true);
    m.found = m.onset < m.stop && m.stop < steps - 1;
    m.from = r[m.onset];
    m.by = r[m.stop] - m.from;
    return m;
}

// Time in steps, interpolated, at which the signal first crosses a level after `from`.
static double crossing(const double *signal, int steps, int from, double level, bool rising)
{
    for (int n = from; n + 1 < steps; n++) {
        const double a = signal[n], b = signal[n + 1];
        if (rising ? a <= level && b > level : a >= level && b < level)
            return n + (level - a) / (b - a);
    }
    return NAN;
}

// ---- of the run ------------------------------------------------------------------------------

static double learning_rate(const lab_measured_at *at)
{
    return at->record->rule[at->record->main_rule].rate;
}

static double impulse_peak_ms(const lab_measured_at *at)
{
    const double *response = at->record->signals.response;
    int peak = 0;
    for (int n = 1; n < at->record->steps; n++)
        if (fabs(response[n]) > fabs(response[peak]))
            peak = n;
    return peak * at->record->step_s * 1e3;
}

static double lag_of(const lab_record *record, const double *r, const double *y)
{
    const movement m = first_movement(r, record->steps);
    if (!m.found)
        return NAN;
    const double level = m.from + 0.8 * m.by;
    return (crossing(y, record->steps, m.onset, level, m.by > 0) -
            crossing(r, record->steps, m.onset, level, m.by > 0)) *
           record->step_s * 1e3;
}

static double lag_ms(const lab_measured_at *at)
{
    return lag_of(at->record, at->record->signals.r_first, at->record->signals.y_first);
}

static double lag_last_ms(const lab_measured_at *at)
{
    return lag_of(at->record, at->record->signals.r_last, at->record->signals.y_last);
}

static double settling_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const movement m = first_movement(record->signals.r_first, record->steps);
    if (!m.found)
        return NAN;
    int last = m.stop;
    for (int n = m.stop; n <= m.again; n++)
        if (fabs(record->signals.e_first[n]) > 0.04 * fabs(m.by))
            last = n;
    return (last - m.stop) * record->step_s * 1e3;
}

static double lead_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const movement m = first_movement(record->signals.r_last, record->steps);
    double largest = 0;
    for (int n = 0; n < record->steps; n++)
        largest = cfpci_max(largest, fabs(record->signals.o_last[n]));
    if (!m.found || !(largest > 0) || !isfinite(largest))
        return NAN;
    int n = 0;
    while (fabs(record->signals.o_last[n]) <= 0.1 * largest)
        n++;
    return (m.onset - n) * record->step_s * 1e3;
}

// From its largest magnitude while r first moves, at step `peak`, to where it has lost 10 % of it.
static double lead_offset_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    const double *o = record->signals.o_last;
    const movement m = first_movement(record->signals.r_last, record->steps);
    if (!m.found)
        return NAN;
    int peak = m.onset;
    for (int n = m.onset; n <= m.stop; n++)
        if (fabs(o[n]) > fabs(o[peak]))
            peak = n;
    if (!(fabs(o[peak]) > 0) || !isfinite(o[peak]))
        return NAN;
    for (int n = peak; n < record->steps; n++)
        if (o[n] / o[peak] < 0.9)
            return (m.stop - n) * record->step_s * 1e3;
    return NAN;
}

static double best_delay_ms(const lab_measured_at *at)
{
    const lab_record *record = at->record;
    if (record->scan_count == 0)
        return NAN;
    int best = 0;
    for (int i = 1; i < record->scan_count; i++)
        if (record->scan_rrmse[i] < record->scan_rrmse[best] || isnan(record->scan_rrmse[best]))
            best = i;
    return isnan(record->scan_rrmse[best]) ? NAN : record->scan_delay_ms[best];
}

static double best_delay_excess_ms(const lab_measured_at *at)
{
    const lab_loop_spec *loop = &at->spec->loop;
    return best_delay_ms(at) -
           (loop->delay_ms + loop->command_delay_ms + loop->measurement_delay_ms);
}

// ---- the rows --------------------------------------------------------------------------------

const lab_measure_row lab_run_measures[] = {
    {LAB_OF_RUN, "lambda_max", LAB_FIELD(lab_record, lambda_max), lab_always,
     "λmax(HᵀH) of the first phase, H as the cell believes"},
    {LAB_OF_RUN, "learning_rate", LAB_VALUE(learning_rate), lab_always, "η of the main rule"},
    {LAB_OF_RUN, "rrmse_optimum", LAB_FIELD(lab_record, rrmse_optimum), lab_always,
     "rRMSE of the least-squares optimum of the first phase"},
    {LAB_OF_RUN, "impulse_peak_ms", LAB_VALUE(impulse_peak_ms), lab_always,
     "when the response of y to a pulse in o peaks"},
    {LAB_OF_RUN, "lag_ms", LAB_VALUE(lag_ms), lab_always,
     "how much later than r the output y crosses 80 % of the first movement, without the cell"},
    {LAB_OF_RUN, "lag_last_ms", LAB_VALUE(lag_last_ms), lab_always,
     "the same with the cell, in the last trial"},
    {LAB_OF_RUN, "settling_ms", LAB_VALUE(settling_ms), lab_always,
     "from the first stop of r to the last error above 4 % of the movement, without the cell"},
    {LAB_OF_RUN, "lead_ms", LAB_VALUE(lead_ms), lab_always,
     "how long before r first moves o exceeds 10 % of its maximum, in the last trial"},
    {LAB_OF_RUN, "lead_offset_ms", LAB_VALUE(lead_offset_ms), lab_always,
     "how long before r first stops o has lost 10 % of its maximum of that movement, in the last "
     "trial"},
    {LAB_OF_RUN, "best_delay_ms", LAB_VALUE(best_delay_ms), lab_always,
     "the delay of `delay_scan` with the lowest rRMSE"},
    {LAB_OF_RUN, "best_delay_excess_ms", LAB_VALUE(best_delay_excess_ms), lab_always,
     "the same, minus the delays of the loop"},
    {0}};
