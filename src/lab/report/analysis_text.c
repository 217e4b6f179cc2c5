// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "draw/gnuplot.h"
#include "spec/cautions.h"

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
static void print(FILE *to, const char *what, double value, const char *unit)
{
    fprintf(to, "    %-36s ", what);
    if (isnan(value))
        fputs("none\n", to);
    else if (isinf(value))
        fputs("no limit\n", to);
    else
        fprintf(to, "%s%s%s\n", digits(value).text, *unit ? " " : "", unit);
}

static void print_loop(FILE *to, const lab_loop_analysis *loop)
{
    const cfpc_margins *m = &loop->margins;
    fprintf(to, "  loop\n    %-36s %s (largest pole %s)\n", "stable", loop->stable ? "yes" : "NO",
            lab_beside_one(loop->radius).text);
    print(to, "gain margin", m->gain, "");
    if (m->gain_low > 0)
        print(to, "lower gain margin", m->gain_low, "");
    print(to, "phase margin", m->phase_deg, "degrees");
    print(to, "delay margin", m->delay_s * 1e3, "ms");
    print(to, "bandwidth", loop->bandwidth_hz, "Hz");
    print(to, "steady-state lag behind a ramp", loop->lag_ms, "ms");
    print(to, "dead time from o", loop->dead_time_steps, "steps");
    if (!isnan(loop->radius_with_cell))
        fprintf(to, "    %-36s %s (largest pole %s, %s)\n", "stable with the cell",
                loop->radius_with_cell < 1 ? "yes" : "NO",
                lab_beside_one(loop->radius_with_cell).text, loop->weights);
    fputc('\n', to);
}

static void print_bases(FILE *to, const char *what, const int *bases, int count)
{
    if (count == 0)
        return;
    fprintf(to, "    %-36s %d", what, count);
    for (int i = 0; bases && i < count && i < 10; i++)
        fprintf(to, "%s x_%d", i ? "" : ":", bases[i] + 1);
    fprintf(to, "%s\n", count > 10 ? " ..." : "");
}

// The asymptote, or its interval.
static void print_asymptote(FILE *to, const cfpc_certificate *c)
{
    fprintf(to, "    %-36s ", "asymptotic rRMSE");
    if (c->asymptote_decided)
        fprintf(to, "%s\n", isnan(c->asymptote) ? "none" : digits(c->asymptote).text);
    else if (isfinite(c->asymptote_high) && c->asymptote_low > 0)
        fprintf(to, "not decided: %s to %s\n", digits(c->asymptote_low).text,
                digits(c->asymptote_high).text);
    else if (isfinite(c->asymptote_high))
        fprintf(to, "not decided: at most %s\n", digits(c->asymptote_high).text);
    else if (c->asymptote_low > 0)
        fprintf(to, "not decided: at least %s\n", digits(c->asymptote_low).text);
    else
        fputs("not decided\n", to);
}

static void print_trial(FILE *to, const char *what, double value, int trial)
{
    fprintf(to, "    %-36s ", what);
    if (isfinite(value))
        fprintf(to, "%.4g at trial %d\n", value, trial);
    else
        fprintf(to, "overflows by trial %d\n", trial);
}

static void print_certificate(FILE *to, const lab_learning_analysis *l)
{
    const cfpc_certificate *c = &l->certificate;
    fprintf(to, "    %-36s %.4g", "rate", l->rate);
    if (c->rate_max == 0)
        fputs("; converges at no rate\n", to);
    else if (isfinite(c->rate_max) && c->rate_max_monotone == 0)
        fprintf(to, "; converges below %.4g, monotone at no rate\n", c->rate_max);
    else if (isfinite(c->rate_max) && isfinite(c->rate_max_monotone))
        fprintf(to, "; converges below %.4g, monotone up to %.4g\n", c->rate_max,
                c->rate_max_monotone);
    else
        fputc('\n', to);
    if (c->verdict == CFPC_EVENTUAL)
        fprintf(to, "    %-36s %.4g times at trial %lld\n", "transient growth of the weights",
                c->growth, (long long)c->growth_trial);
    print_trial(to, "peak rRMSE", l->peak, l->peak_trial);
    if (l->horizon > l->trials && l->horizon_peak > l->peak)
        print_trial(to, "peak rRMSE if continued", l->horizon_peak, l->horizon_peak_trial);
    print_asymptote(to, c);
    if (l->optimum_known || isnan(l->optimum))
        print(to, "optimum", l->optimum, "");
    else
        fprintf(to, "    %-36s not decided: at most %s\n", "optimum", digits(l->optimum).text);
    if (l->trials_to_5pc > 0)
        fprintf(to, "    %-36s %d\n", "trials to within 5 % of the optimum", l->trials_to_5pc);
    else
        fprintf(to, "    %-36s not within %d\n", "trials to within 5 % of the optimum", l->horizon);
}

static void print_learning(FILE *to, const lab_analysis *analysis)
{
    const lab_learning_analysis *l = &analysis->learning;
    const bool rises =
        !l->reason && l->certificate.verdict == CFPC_MONOTONE && l->peak > LAB_ERROR_RISES;
    fprintf(to, "  learning: %s%s\n", lab_verdict(l),
            rises ? " in the weights, not in the error" : "");
    if (l->reason)
        fprintf(to, "    because %s\n", l->reason);
    else
        print_certificate(to, l);
    if (l->bases > 0)
        fprintf(to, "    %-36s %d of %d, condition of H %.3g (singular values above %.2g)\n",
                "rank", l->rank, l->bases, l->condition, l->rank_cut);
    print_bases(to, "idle bases", l->idle, l->idle_count);
    print_bases(to, "redundant bases", l->redundant, l->redundant_count);
    if (l->online_rate_max > 0 && isfinite(l->online_rate_max)) {
        fprintf(to, "    %-36s %.4g", "maximum rate on line", l->online_rate_max);
        if (l->batch_rate_max > 0 && isfinite(l->batch_rate_max))
            fprintf(to, " (%.3g of the batch bound)", l->online_rate_max / l->batch_rate_max);
        fprintf(to, "%s\n",
                l->rate_by_running ? " (found by simulation: accurate to about 20 %)" : "");
    }
    fputc('\n', to);
}

// A limit, or the range searched without finding one; "?" if rounding leaves it open.
static void print_end(FILE *to, double value, const char *sign, double searched, bool decided)
{
    char text[32];
    if (!decided)
        snprintf(text, sizeof text, "?");
    else if (isnan(value)) // no "<" before 0
        snprintf(text, sizeof text, "%s%s", searched == 0 ? "" : sign, digits(searched).text);
    else
        snprintf(text, sizeof text, "%s", digits(value).text);
    fprintf(to, " %8s", text);
}

static void print_tolerance(FILE *to, const lab_analysis *analysis)
{
    const lab_tolerance *t = &analysis->tolerance;
    if (analysis->learning.reason)
        return;
    fputs("  tolerance\n", to);
    if (t->is_skipped)
        fputs("    skipped: too many bases or steps\n", to);
    if (t->count > 0)
        fprintf(to, "    %-36s %8s %8s  %17s %17s\n    %-36s %8s %8s  %8s %8s %8s %8s\n", "", "",
                "", lab_fate_name(t->fate), "phase below 90°", "", "believed", "actual", "from",
                "to", "from", "to");
    for (int i = 0; i < t->count; i++) {
        const lab_tolerated *item = &t->items[i];
        fprintf(to, "    %-36s %8s %8s ", item->name,
                isnan(item->believed) ? "?" : digits(item->believed).text,
                digits(item->actual).text);
        print_end(to, item->low, "<", item->searched_low, item->low_decided);
        print_end(to, item->high, ">", item->searched_high, item->high_decided);
        if (t->phase_error_deg < 90) {
            print_end(to, item->phase_low, "<", item->searched_low, true);
            print_end(to, item->phase_high, ">", item->searched_high, true);
        } else
            fprintf(to, " %17s", "exceeded");
        fprintf(to, "%s\n", strcmp(item->unit, "ms") == 0 ? " ms" : "");
    }
    if (t->phase_error_deg < 0.01)
        fprintf(to, "    %-36s 0°\n\n", "maximum phase error of the trace");
    else
        fprintf(to, "    %-36s %.3g° at %.3g Hz\n\n", "maximum phase error of the trace",
                t->phase_error_deg, t->phase_error_hz);
}

static void print_form(FILE *to, const lab_form_analysis *form, const char *name, double step_ms)
{
    const lab_learning_analysis *l = &form->learning;
    fprintf(to, "  %c %-13s", form->is_used ? '*' : ' ', name);
    if (form->reason) {
        fprintf(to, " not possible: %s\n", form->reason);
        return;
    }
    if (form->horizon + form->lead == 0)
        fprintf(to, " %7s %8s %7s %8s", "-", "-", "-", "-");
    else
        fprintf(to, " %7d %8s %7d %8s", form->horizon, digits(form->horizon * step_ms).text,
                form->lead, digits(form->lead * step_ms).text);
    const double below = l->reason ? l->online_rate_max : l->certificate.rate_max;
    const bool ends = !l->reason && l->certificate.asymptote_decided;
    const double end = ends ? l->certificate.asymptote : NAN;
    fprintf(to, " %9s %-14s %10s %10s", digits(form->synapse_bytes).text, lab_verdict(l),
            isfinite(below) ? digits(below).text : "-", isnan(end) ? "-" : digits(end).text);
    if (!l->reason && l->trials_to_5pc > 0)
        fprintf(to, " %7d\n", l->trials_to_5pc);
    else
        fprintf(to, " %7s\n", "-");
}

static void analysis_print_forms(FILE *to, const lab_analysis *analysis)
{
    if (!analysis->forms)
        return;
    fprintf(to,
            "  forms (* of this rule)\n    %-13s %16s %16s %9s %-14s %10s %10s %7s\n"
            "    %-13s %7s %8s %7s %8s %9s %-14s %10s %10s %7s\n",
            "", "horizon M", "lead L", "bytes per", "", "converges", "asymptotic", "trials", "",
            "steps", "ms", "steps", "ms", "synapse", "verdict", "below", "rRMSE", "to 5 %");
    for (lab_form form = 0; form < LAB_FORMS_COMPARED; form++)
        print_form(to, &analysis->forms[form], lab_form_name(analysis->spec, form),
                   analysis->spec->step_ms);
    fputc('\n', to);
}

// ---- the band --------------------------------------------------------------------------------

static void print_bound(FILE *to, const lab_band_analysis *band)
{
    const cfpc_robust *bound = &band->bound;
    fprintf(to, "    %-36s ", "every model in the band");
    if (band->no_bound)
        fprintf(to, "no bound: %s\n", band->no_bound);
    else if (bound->rate_max > 0)
        fprintf(to, "weights monotone below %.4g (sufficient)\n", bound->rate_max);
    else if (bound->widest > 0)
        fprintf(
            to,
            "no rate is certified: the band is too wide from %.3g to %.3g Hz,\n    %-36s %.2g of "
            "its width would do\n",
            bound->low_hz, bound->high_hz, "", bound->widest);
    else
        fputs("no rate is certified, not even without a band\n", to);
    if (!isnan(band->excited_share))
        fprintf(to,
                "    the log excites %.3g to %.3g Hz, where the bases have %.3g %% of their power; "
                "elsewhere the band rests on the response being smooth and short\n",
                band->excited_low_hz, band->excited_high_hz, 100 * band->excited_share);
}

static void print_worst(FILE *to, const lab_worst *worst, int trials)
{
    const int compared = trials < LAB_COMPARED_TRIAL ? trials : LAB_COMPARED_TRIAL;
    fprintf(to, "rRMSE %.4g at trial %d, %.4g at the last; falls in every trial: %s\n",
            worst->compared, compared, worst->last, worst->falls ? "yes" : "NO");
}

static void print_choice(FILE *to, const lab_choice *choice, int trials)
{
    if (choice->tried == 0)
        return;
    if (!choice->found) {
        fprintf(to, "    %-36s none of %d makes the error fall in every trial\n",
                "settings for the worst model", choice->tried);
        return;
    }
    fprintf(to, "    %-36s ", "settings for the worst model");
    for (int i = 0; i < choice->count; i++) {
        const char *quote = strchr(choice->line[i], ' ') ? "'" : "";
        fprintf(to, "%s--set %s%s%s", i ? " " : "", quote, choice->line[i], quote);
    }
    fprintf(to, "\n    %-36s ", "");
    print_worst(to, &choice->worst, trials);
    fprintf(to, "    %-36s ", "");
    if (choice->rate < choice->rate_max)
        fprintf(to, "covered by the sufficient bound (monotone below %.4g)\n", choice->rate_max);
    else
        fprintf(to, "sampled only: the sufficient bound covers %s%s\n",
                choice->rate_max > 0 ? "rates below " : "no rate",
                choice->rate_max > 0 ? digits(choice->rate_max).text : "");
}

static void print_band(FILE *to, const lab_analysis *analysis)
{
    const lab_band_analysis *band = &analysis->band;
    const int trials = analysis->spec->learning.trials;
    if (!band->is_given)
        return;
    fprintf(to, "  band of the believed model%s\n",
            *analysis->doubt.text ? ", which failed a test" : "");
    if (band->reason) {
        fprintf(to, "    nothing is said of it, because %s\n\n", band->reason);
        return;
    }
    print_bound(to, band);
    fprintf(
        to,
        "    sampled: %d models (believed, %d variant%s, %d on the edge); worst is %s\n    %-36s ",
        1 + band->variants + band->members, band->variants, lab_plural(band->variants),
        band->members, band->worst_model, "");
    print_worst(to, &band->worst, trials);
    print_choice(to, &band->choice, trials);
    fputc('\n', to);
}

void lab_put_analysis(FILE *to, const lab_analysis *analysis)
{
    const lab_spec *spec = analysis->spec;
    lab_why idle;
    fprintf(to, "%s: %s\n", spec->name, spec->title);
    fprintf(to, "  rule %s, learning %s, taught by %s\n\n", lab_rules(spec)[spec->main_rule].name,
            spec->learning.mode == LAB_ONLINE ? "on line" : "in batch",
            lab_teacher_phrase(analysis->teacher));
    if (*analysis->untuned.text)
        fprintf(to, "  CAUTION: %s\n\n", analysis->untuned.text);
    if (*analysis->doubt.text)
        fprintf(to, "  CAUTION: %s\n\n", analysis->doubt.text);
    if (lab_has_idle_bank(spec, &idle))
        fprintf(to, "  CAUTION: %s\n\n", idle.text);
    if (spec->population.place.line > 0)
        fputs("  of the loop below; the random loops of `population` are not analysed\n\n", to);
    if (spec->zone.place.line > 0)
        fputs("  of the loop below; the other loops of `zone` are not analysed\n\n", to);
    print_loop(to, &analysis->loop);
    print_learning(to, analysis);
    print_tolerance(to, analysis);
    analysis_print_forms(to, analysis);
    print_band(to, analysis);
    fprintf(to, "  %s\n\n", analysis->advice.text);
}

void lab_put_analysis_files(FILE *to, const lab_analysis *analysis, const char *folder,
                            bool figures)
{
    fprintf(to, "  data:    %s/certificate.json\n", folder);
    if (figures && lab_has_gnuplot() && !analysis->learning.reason)
        fprintf(to, "  figures: %s/fig-prediction.png%s%s (and .svg)\n", folder,
                analysis->tolerance.delays > 0 ? ", fig-tolerance.png" : "",
                analysis->band.frequencies > 0 ? ", fig-band.png" : "");
}
