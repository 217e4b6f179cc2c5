// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gnuplot.h"

// A figure in a column of 12; "none" where there is none.
static void print_figure(double value)
{
    if (isnan(value))
        printf(" %12s", "none");
    else
        printf(" %12.4g", value);
}

static bool was_guarded(const lab_record *record, int rule)
{
    for (int p = 0; p < record->phases; p++)
        if (record->rule[rule].guard[p].acts > 0)
            return true;
    return false;
}

static void print_rules(const lab_result *result)
{
    const lab_record *record = result->record;
    const int last = record->trials;
    printf("  %-12s %12s", "rRMSE", "trial 2");
    if (last >= 7)
        printf(" %12s", "trial 7");
    char heading[32];
    snprintf(heading, sizeof heading, "trial %d", last);
    printf(" %12s\n", heading);
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        printf("  %-12s", rule->name);
        print_figure(last >= 2 ? rule->rrmse[1] : NAN);
        if (last >= 7)
            print_figure(rule->rrmse[6]);
        print_figure(rule->rrmse[last - 1]);
        puts(rule->frozen && !was_guarded(record, i)
                 ? "  (learning stopped: the output was not finite)"
                 : "");
    }
    printf("  %-12s %12s", "optimum", "");
    if (last >= 7)
        printf(" %12s", "");
    if (record->nonlinear)
        printf("   none: %s\n\n", record->nonlinear);
    else
        printf(" %12.4g\n\n", record->optimum[last - 1]);
}

static void print_guard(const lab_result *result)
{
    const lab_record *record = result->record;
    const bool goes_on = result->spec->guard.resume > 0;
    bool any = false;
    for (int i = 0; i < record->rules; i++)
        for (int p = 0; p < record->phases; p++) {
            const lab_guarded *guarded = &record->rule[i].guard[p];
            if (guarded->acts == 0)
                continue;
            printf("  guard: %s, trial %d: %s; %s, learning %s", record->rule[i].name,
                   guarded->trial, lab_guard_sentence(guarded->reason),
                   guarded->to_zero ? "weights back to 0" : "best weights back",
                   goes_on ? "goes on slower" : "stopped");
            printf(guarded->acts > 1 ? " (%d times)\n" : "\n", guarded->acts);
            any = true;
        }
    if (any)
        puts("");
}

static void print_claims(const lab_result *result)
{
    const lab_measures *measures = result->measures;
    if (measures->claims == 0)
        return;
    printf("  %-62s %12s   %-17s %s\n", "claim", "measured", "range", "verdict");
    for (int i = 0; i < measures->claims; i++) {
        const lab_claim *claim = &measures->claim[i];
        char measured[48], range[64];
        const bool is_ms = strcmp(lab_unit(claim->spec->measure), "ms") == 0;
        if (isnan(claim->measured))
            snprintf(measured, sizeof measured, "none");
        else
            snprintf(measured, sizeof measured, "%.4g%s", claim->measured, is_ms ? " ms" : "");
        snprintf(range, sizeof range, "%g to %g", claim->spec->low, claim->spec->high);
        printf("  %-62s %12s   %-17s %s\n", claim->spec->says, measured, range,
               claim->pass ? "holds" : "FAILS");
    }
    printf("\n  %d of %d claims hold%s\n\n", measures->claims - measures->failed, measures->claims,
           result->spec->modified ? " (on a modified spec: shown, not required)" : "");
}

void app_report(const lab_result *result, const char *folder, bool figures)
{
    const lab_spec *spec = result->spec;
    printf("%s: %s\n", spec->name, spec->title);
    const lab_record *record = result->record;
    printf("  %d trials of %g s, %d bases, learning %s at rate %.4g", record->trials,
           spec->task.trial_s, record->bases,
           spec->learning.mode == LAB_ONLINE ? "on line" : "in batch",
           record->rule[record->main_rule].rate);
    if (record->repeats > 1)
        printf(", mean of %d runs", record->repeats);
    puts("\n");
    print_rules(result);
    print_guard(result);
    print_claims(result);
    printf("  data:    %s/curves.csv, signals.csv, traces.csv, weights.csv, %s%ssummary.json%s\n",
           folder, spec->phases.count > 0 ? "phase-NAME.csv, " : "",
           lab_asks_responses(spec) ? "responses.csv, " : "", lab_has_hdf5() ? ", result.h5" : "");
    if (!lab_has_hdf5())
        puts("           no result.h5: this cfpc was built without HDF5 (Debian: libhdf5-dev)");
    if (figures && lab_has_gnuplot())
        printf("  figures: %s/fig-behaviour.png, fig-learning.png, fig-traces.png%s%s (and .svg)\n",
               folder, record->scan_count > 0 ? ", fig-delays.png" : "",
               lab_asks_responses(spec) ? ", fig-responses.png" : "");
    else if (figures)
        puts("  figures: not drawn, as gnuplot is not installed (Debian: gnuplot-nox); the scripts "
             "are there: gnuplot fig-*.gp");
}
