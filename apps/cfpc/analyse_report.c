// SPDX-License-Identifier: Apache-2.0
#include "analyse_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "draw/gnuplot.h"
#include "spec/idle_bank.h"

typedef struct figure_text {
    char text[32];
} figure_text;

// Four digits; no exponent for numbers that are readable without one.
static figure_text digits(double value)
{
    figure_text to;
    snprintf(to.text, sizeof to.text, fabs(value) >= 1e4 && fabs(value) < 1e7 ? "%.0f" : "%.4g",
             value);
    return to;
}

// A figure with its unit; "none" where there is none.
static void print(const char *what, double value, const char *unit)
{
    printf("    %-36s ", what);
    if (isnan(value))
        puts("none");
    else if (isinf(value))
        puts("no limit");
    else
        printf("%s%s%s\n", digits(value).text, *unit ? " " : "", unit);
}

static void print_loop(const lab_loop_analysis *loop)
{
    const cfpc_margins *m = &loop->margins;
    printf("  loop\n    %-36s %s (largest pole %s)\n", "stable", loop->stable ? "yes" : "NO",
           lab_beside_one(loop->radius).text);
    print("gain margin", m->gain, "");
    if (m->gain_low > 0)
        print("lower gain margin", m->gain_low, "");
    print("phase margin", m->phase_deg, "degrees");
    print("delay margin", m->delay_s * 1e3, "ms");
    print("bandwidth", loop->bandwidth_hz, "Hz");
    print("steady-state lag behind a ramp", loop->lag_ms, "ms");
    print("dead time from o", loop->dead_time_steps, "steps");
    if (!isnan(loop->radius_with_cell))
        printf("    %-36s %s (largest pole %s, %s)\n", "stable with the cell",
               loop->radius_with_cell < 1 ? "yes" : "NO",
               lab_beside_one(loop->radius_with_cell).text, loop->weights);
    puts("");
}

static void print_bases(const char *what, const int *bases, int count)
{
    if (count == 0)
        return;
    printf("    %-36s %d", what, count);
    for (int i = 0; bases && i < count && i < 10; i++)
        printf("%s x_%d", i ? "" : ":", bases[i] + 1);
    puts(count > 10 ? " ..." : "");
}

// The asymptote, or its interval.
static void print_asymptote(const cfpc_certificate *c)
{
    char low[32], high[32];
    snprintf(low, sizeof low, "%s", digits(c->asymptote_low).text);
    snprintf(high, sizeof high, "%s", digits(c->asymptote_high).text);
    printf("    %-36s ", "asymptotic rRMSE");
    if (c->asymptote_decided)
        puts(isnan(c->asymptote) ? "none" : digits(c->asymptote).text);
    else if (isfinite(c->asymptote_high) && c->asymptote_low > 0)
        printf("not decided: %s to %s\n", low, high);
    else if (isfinite(c->asymptote_high))
        printf("not decided: at most %s\n", high);
    else if (c->asymptote_low > 0)
        printf("not decided: at least %s\n", low);
    else
        puts("not decided");
}

static void print_trial(const char *what, double value, int trial)
{
    printf("    %-36s ", what);
    if (isfinite(value))
        printf("%.4g at trial %d\n", value, trial);
    else
        printf("overflows by trial %d\n", trial);
}

static void print_certificate(const lab_learning_analysis *l)
{
    const cfpc_certificate *c = &l->certificate;
    printf("    %-36s %.4g", "rate", l->rate);
    if (c->rate_max == 0)
        puts("; converges at no rate");
    else if (isfinite(c->rate_max) && c->rate_max_monotone == 0)
        printf("; converges below %.4g, monotone at no rate\n", c->rate_max);
    else if (isfinite(c->rate_max) && isfinite(c->rate_max_monotone))
        printf("; converges below %.4g, monotone up to %.4g\n", c->rate_max, c->rate_max_monotone);
    else
        puts("");
    if (c->verdict == CFPC_EVENTUAL)
        printf("    %-36s %.4g times at trial %lld\n", "transient growth of the weights", c->growth,
               (long long)c->growth_trial);
    print_trial("peak rRMSE", l->peak, l->peak_trial);
    if (l->horizon > l->trials && l->horizon_peak > l->peak)
        print_trial("peak rRMSE if continued", l->horizon_peak, l->horizon_peak_trial);
    print_asymptote(c);
    if (l->optimum_known || isnan(l->optimum))
        print("optimum", l->optimum, "");
    else
        printf("    %-36s not decided: at most %s\n", "optimum", digits(l->optimum).text);
    if (l->trials_to_5pc > 0)
        printf("    %-36s %d\n", "trials to within 5 % of the optimum", l->trials_to_5pc);
    else
        printf("    %-36s not within %d\n", "trials to within 5 % of the optimum", l->horizon);
}

static void print_learning(const lab_analysis *analysis)
{
    const lab_learning_analysis *l = &analysis->learning;
    const bool rises =
        !l->reason && l->certificate.verdict == CFPC_MONOTONE && l->peak > LAB_ERROR_RISES;
    printf("  learning: %s%s\n", lab_verdict(l), rises ? " in the weights, not in the error" : "");
    if (l->reason)
        printf("    because %s\n", l->reason);
    else
        print_certificate(l);
    if (l->bases > 0)
        printf("    %-36s %d of %d, condition of H %.3g (singular values above %.2g)\n", "rank",
               l->rank, l->bases, l->condition, l->rank_cut);
    print_bases("idle bases", l->idle, l->idle_count);
    print_bases("redundant bases", l->redundant, l->redundant_count);
    if (l->online_rate_max > 0 && isfinite(l->online_rate_max))
        printf("    %-36s %.4g", "maximum rate on line", l->online_rate_max);
    if (l->online_rate_max > 0 && isfinite(l->online_rate_max) && l->batch_rate_max > 0 &&
        isfinite(l->batch_rate_max))
        printf(" (%.3g of the batch bound)", l->online_rate_max / l->batch_rate_max);
    if (l->online_rate_max > 0 && isfinite(l->online_rate_max))
        puts(l->rate_by_running ? " (found by simulation: accurate to about 20 %)" : "");
    puts("");
}

// A limit, or the range searched without finding one; "?" if rounding leaves it open.
static void print_end(double value, const char *sign, double searched, bool decided)
{
    char text[32];
    if (!decided)
        snprintf(text, sizeof text, "?");
    else if (isnan(value)) // no "<" before 0
        snprintf(text, sizeof text, "%s%s", searched == 0 ? "" : sign, digits(searched).text);
    else
        snprintf(text, sizeof text, "%s", digits(value).text);
    printf(" %8s", text);
}

static void print_item(const lab_tolerated *item, bool phase_holds)
{
    printf("    %-36s %8s %8s ", item->name,
           isnan(item->believed) ? "?" : digits(item->believed).text, digits(item->actual).text);
    print_end(item->low, "<", item->searched_low, item->low_decided);
    print_end(item->high, ">", item->searched_high, item->high_decided);
    if (phase_holds) {
        print_end(item->phase_low, "<", item->searched_low, true);
        print_end(item->phase_high, ">", item->searched_high, true);
    } else
        printf(" %17s", "exceeded");
    puts(strcmp(item->unit, "ms") == 0 ? " ms" : "");
}

static void print_tolerance(const lab_analysis *analysis)
{
    const lab_tolerance *t = &analysis->tolerance;
    if (analysis->learning.reason)
        return;
    puts("  tolerance");
    if (t->is_skipped)
        puts("    skipped: too many bases or steps");
    if (t->count > 0)
        printf("    %-36s %8s %8s  %17s %17s\n    %-36s %8s %8s  %8s %8s %8s %8s\n", "", "", "",
               lab_fate_name(t->fate), "phase below 90°", "", "believed", "actual", "from", "to",
               "from", "to");
    for (int i = 0; i < t->count; i++)
        print_item(&t->items[i], t->phase_error_deg < 90);
    if (t->phase_error_deg < 0.01)
        printf("    %-36s 0°\n\n", "maximum phase error of the trace");
    else
        printf("    %-36s %.3g° at %.3g Hz\n\n", "maximum phase error of the trace",
               t->phase_error_deg, t->phase_error_hz);
}

static void print_filter(const lab_form_analysis *form, double step_ms)
{
    if (form->horizon + form->lead == 0)
        printf(" %7s %8s %7s %8s", "-", "-", "-", "-");
    else
        printf(" %7d %8s %7d %8s", form->horizon, digits(form->horizon * step_ms).text, form->lead,
               digits(form->lead * step_ms).text);
}

static void print_form(const lab_form_analysis *form, const char *name, double step_ms)
{
    const lab_learning_analysis *l = &form->learning;
    printf("  %c %-13s", form->is_used ? '*' : ' ', name);
    if (form->reason) {
        printf(" not possible: %s\n", form->reason);
        return;
    }
    print_filter(form, step_ms);
    printf(" %9s", digits(form->synapse_bytes).text);
    printf(" %-14s", lab_verdict(l));
    const double below = l->reason ? l->online_rate_max : l->certificate.rate_max;
    printf(" %10s", isfinite(below) ? digits(below).text : "-");
    printf(" %10s",
           l->reason || !l->certificate.asymptote_decided || isnan(l->certificate.asymptote)
               ? "-"
               : digits(l->certificate.asymptote).text);
    if (!l->reason && l->trials_to_5pc > 0)
        printf(" %7d\n", l->trials_to_5pc);
    else
        printf(" %7s\n", "-");
}

static void analyse_report_print_forms(const lab_analysis *analysis)
{
    if (!analysis->forms)
        return;
    printf("  forms (* of this rule)\n    %-13s %16s %16s %9s %-14s %10s %10s %7s\n"
           "    %-13s %7s %8s %7s %8s %9s %-14s %10s %10s %7s\n",
           "", "horizon M", "lead L", "bytes per", "", "converges", "asymptotic", "trials", "",
           "steps", "ms", "steps", "ms", "synapse", "verdict", "below", "rRMSE", "to 5 %");
    for (lab_form form = 0; form < LAB_FORMS_COMPARED; form++)
        print_form(&analysis->forms[form], lab_form_name(analysis->spec, form),
                   analysis->spec->step_ms);
    puts("");
}

// ---- the band --------------------------------------------------------------------------------

static void print_bound(const lab_band_analysis *band)
{
    const cfpc_robust *bound = &band->bound;
    printf("    %-36s ", "every model in the band");
    if (band->no_bound)
        printf("no bound: %s\n", band->no_bound);
    else if (bound->rate_max > 0)
        printf("weights monotone below %.4g (sufficient)\n", bound->rate_max);
    else if (bound->widest > 0)
        printf(
            "no rate is certified: the band is too wide from %.3g to %.3g Hz,\n    %-36s %.2g of "
            "its width would do\n",
            bound->low_hz, bound->high_hz, "", bound->widest);
    else
        puts("no rate is certified, not even without a band");
    if (!isnan(band->excited_share))
        printf("    the log excites %.3g to %.3g Hz, where the bases have %.3g %% of their power; "
               "elsewhere the band rests on the response being smooth and short\n",
               band->excited_low_hz, band->excited_high_hz, 100 * band->excited_share);
}

static void print_worst(const lab_worst *worst, int trials)
{
    const int compared = trials < LAB_COMPARED_TRIAL ? trials : LAB_COMPARED_TRIAL;
    printf("rRMSE %.4g at trial %d, %.4g at the last; falls in every trial: %s\n", worst->compared,
           compared, worst->last, worst->falls ? "yes" : "NO");
}

static void print_choice(const lab_choice *choice, int trials)
{
    if (choice->tried == 0)
        return;
    if (!choice->found) {
        printf("    %-36s none of %d makes the error fall in every trial\n",
               "settings for the worst model", choice->tried);
        return;
    }
    printf("    %-36s ", "settings for the worst model");
    for (int i = 0; i < choice->count; i++) {
        const char *quote = strchr(choice->line[i], ' ') ? "'" : "";
        printf("%s--set %s%s%s", i ? " " : "", quote, choice->line[i], quote);
    }
    printf("\n    %-36s ", "");
    print_worst(&choice->worst, trials);
    printf("    %-36s ", "");
    if (choice->rate < choice->rate_max)
        printf("covered by the sufficient bound (monotone below %.4g)\n", choice->rate_max);
    else
        printf("sampled only: the sufficient bound covers %s%s\n",
               choice->rate_max > 0 ? "rates below " : "no rate",
               choice->rate_max > 0 ? digits(choice->rate_max).text : "");
}

static void print_band(const lab_analysis *analysis)
{
    const lab_band_analysis *band = &analysis->band;
    const int trials = analysis->spec->learning.trials;
    if (!band->is_given)
        return;
    printf("  band of the believed model%s\n",
           *analysis->doubt.text ? ", which failed a test" : "");
    if (band->reason) {
        printf("    nothing is said of it, because %s\n\n", band->reason);
        return;
    }
    print_bound(band);
    printf(
        "    sampled: %d models (believed, %d variant%s, %d on the edge); worst is %s\n    %-36s ",
        1 + band->variants + band->members, band->variants, lab_plural(band->variants),
        band->members, band->worst_model, "");
    print_worst(&band->worst, trials);
    print_choice(&band->choice, trials);
    puts("");
}

void app_report_analysis(const lab_analysis *analysis, const char *folder, bool figures)
{
    const lab_spec *spec = analysis->spec;
    lab_why idle;
    printf("%s: %s\n", spec->name, spec->title);
    printf("  rule %s, learning %s, taught by %s\n\n", lab_rules(spec)[spec->main_rule].name,
           spec->learning.mode == LAB_ONLINE ? "on line" : "in batch",
           lab_teacher_phrase(analysis->teacher));
    if (*analysis->untuned.text)
        printf("  CAUTION: %s\n\n", analysis->untuned.text);
    if (*analysis->doubt.text)
        printf("  CAUTION: %s\n\n", analysis->doubt.text);
    if (lab_has_idle_bank(spec, &idle))
        printf("  CAUTION: %s\n\n", idle.text);
    if (spec->population.place.line > 0)
        puts("  of the loop below; the random loops of `population` are not analysed\n");
    if (spec->zone.place.line > 0)
        puts("  of the loop below; the other loops of `zone` are not analysed\n");
    print_loop(&analysis->loop);
    print_learning(analysis);
    print_tolerance(analysis);
    analyse_report_print_forms(analysis);
    print_band(analysis);
    printf("  %s\n\n", analysis->advice.text);
    printf("  data:    %s/certificate.json\n", folder);
    if (figures && lab_has_gnuplot() && !analysis->learning.reason)
        printf("  figures: %s/fig-prediction.png%s%s (and .svg)\n", folder,
               analysis->tolerance.delays > 0 ? ", fig-tolerance.png" : "",
               analysis->band.frequencies > 0 ? ", fig-band.png" : "");
}
