// SPDX-License-Identifier: Apache-2.0
#include "write/certificate_json.h"

#include <math.h>

#include "cfpc/config.h"
#include "math/elementary.h"
#include "write/entries.h"

// What stands before an entry of the object itself, of an object in it, and of one in a line.
static const char outer[] = ",\n  ", inner[] = ",\n    ", beside[] = ", ";

// null, false or true.
static void put_decided(FILE *file, const char *key, bool known, bool is)
{
    if (known)
        lab_entry_truth(file, inner, key, is);
    else
        lab_entry_text(file, inner, key, NULL);
}

// ---- the loop --------------------------------------------------------------------------------

static void put_loop(FILE *file, const lab_loop_analysis *loop)
{
    const cfpc_margins *margins = &loop->margins;
    lab_entry_truth(file, "  \"loop\": {\n    ", "stable", loop->stable);
    lab_entry_number(file, inner, "spectral_radius", loop->radius);
    lab_entry_number(file, inner, "gain_margin", margins->gain);
    lab_entry_number(file, inner, "gain_margin_db", 20 * cfpci_log10(margins->gain));
    lab_entry_number(file, inner, "gain_margin_hz", margins->gain_hz);
    lab_entry_number(file, inner, "gain_margin_low", margins->gain_low);
    lab_entry_number(file, inner, "phase_margin_deg", margins->phase_deg);
    lab_entry_number(file, inner, "phase_margin_hz", margins->phase_hz);
    lab_entry_number(file, inner, "delay_margin_ms", margins->delay_s * 1e3);
    lab_entry_number(file, inner, "bandwidth_hz", loop->bandwidth_hz);
    lab_entry_number(file, inner, "lag_ms", loop->lag_ms);
    lab_entry_number(file, inner, "dead_time_steps", loop->dead_time_steps);
    lab_entry_truth(file, inner, "hears_cell", loop->hears_loop);
    put_decided(file, "stable_with_weights", !isnan(loop->radius_with_cell),
                loop->radius_with_cell < 1);
    lab_entry_number(file, inner, "spectral_radius_with_weights", loop->radius_with_cell);
    lab_entry_number(file, inner, "pole_count", (double)loop->pole_count);
    fputs(",\n    \"poles\": [", file);
    for (int i = 0; i < loop->poles; i++) {
        fputs(i ? ", [" : "[", file);
        lab_json_number(file, loop->pole_re[i]);
        fputs(", ", file);
        lab_json_number(file, loop->pole_im[i]);
        fputc(']', file);
    }
    fputs("]\n  },\n", file);
}

// ---- learning --------------------------------------------------------------------------------

// A number that counts from 1.
static void put_count(FILE *file, const char *key, double value)
{
    lab_entry_number(file, inner, key, value > 0 ? value : NAN);
}

static void put_bases(FILE *file, const char *key, const int *bases, int count)
{
    fprintf(file, ",\n    \"%s\": [", key);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\"x_%d\"", i ? ", " : "", bases[i] + 1);
    fputc(']', file);
}

// Where nothing can be said the figures are null.
static void put_learning(FILE *file, const lab_learning_analysis *l)
{
    const bool known = !l->reason;
    const cfpc_certificate *c = &l->certificate;
    lab_entry_text(file, "  \"learning\": {\n    ", "verdict", lab_verdict(l));
    lab_entry_text(file, inner, "reason", l->reason);
    lab_entry_number(file, inner, "rate", l->rate);
    lab_entry_number(file, inner, "rate_max", known ? c->rate_max : NAN);
    lab_entry_number(file, inner, "rate_max_monotone", known ? c->rate_max_monotone : NAN);
    lab_entry_number(file, inner, "spectral_radius", known ? c->radius : NAN);
    lab_entry_number(file, inner, "norm", known ? c->norm : NAN);
    lab_entry_number(file, inner, "transient_growth", known ? c->growth : NAN);
    lab_entry_number(file, inner, "transient_peak_trial",
                     known && c->growth_trial >= 0 ? (double)c->growth_trial : NAN);
    lab_entry_number(file, inner, "asymptote_rrmse",
                     known && c->asymptote_decided ? c->asymptote : NAN);
    put_decided(file, "asymptote_decided", known, c->asymptote_decided);
    lab_entry_number(file, inner, "asymptote_low", known ? c->asymptote_low : NAN);
    lab_entry_number(file, inner, "asymptote_high", known ? c->asymptote_high : NAN);
    lab_entry_number(file, inner, "optimum_rrmse", l->optimum);
    put_decided(file, "optimum_decided", !isnan(l->optimum) && l->bases != 0, l->optimum_known);
    lab_entry_number(file, inner, "curve_peak", known ? l->peak : NAN);
    put_count(file, "curve_peak_trial", known ? l->peak_trial : 0);
    put_count(file, "horizon_trials", known ? l->horizon : 0);
    lab_entry_number(file, inner, "horizon_peak", known ? l->horizon_peak : NAN);
    put_count(file, "horizon_peak_trial", known ? l->horizon_peak_trial : 0);
    put_count(file, "trials_to_5pc", known ? l->trials_to_5pc : 0);
    put_count(file, "bases", l->bases);
    put_count(file, "rank", l->rank);
    lab_entry_number(file, inner, "rank_cut", l->rank_cut);
    lab_entry_number(file, inner, "condition", l->condition);
    put_bases(file, "idle_bases", l->idle, l->idle_count);
    lab_entry_number(file, inner, "redundant_count", l->redundant_count);
    put_bases(file, "redundant_bases", l->redundant, l->redundant ? l->redundant_count : 0);
    lab_entry_numbers(file, inner, "curve", known ? l->trials : 0, l->curve);
    fputs("\n  },\n", file);
}

// ---- what it tolerates -----------------------------------------------------------------------

static void put_tolerance(FILE *file, const lab_analysis *analysis)
{
    const lab_tolerance *t = &analysis->tolerance;
    const bool known = !analysis->learning.reason;
    lab_entry_text(file, "  \"tolerance\": {\n    ", "keeps",
                   known && t->fate < LAB_DIVERGES ? lab_fate_name(t->fate) : NULL);
    lab_entry_truth(file, inner, "skipped", t->is_skipped);
    lab_entry_number(file, inner, "phase_error_deg", known ? t->phase_error_deg : NAN);
    lab_entry_number(file, inner, "phase_error_hz", known ? t->phase_error_hz : NAN);
    fputs(",\n    \"parameters\": [", file);
    for (int i = 0; i < t->count; i++) {
        const lab_tolerated *item = &t->items[i];
        lab_entry_text(file, i ? ",\n      {" : "\n      {", "name", item->name);
        lab_entry_text(file, beside, "unit", item->unit);
        lab_entry_number(file, beside, "believed", item->believed);
        lab_entry_number(file, beside, "actual", item->actual);
        lab_entry_number(file, beside, "low", item->low);
        lab_entry_number(file, beside, "high", item->high);
        lab_entry_number(file, beside, "phase_low", item->phase_low);
        lab_entry_number(file, beside, "phase_high", item->phase_high);
        lab_entry_number(file, beside, "searched_low", item->searched_low);
        lab_entry_number(file, beside, "searched_high", item->searched_high);
        lab_entry_truth(file, beside, "low_decided", item->low_decided);
        lab_entry_truth(file, beside, "high_decided", item->high_decided);
        fputc('}', file);
    }
    fputs(t->count ? "\n    ]\n  },\n" : "]\n  },\n", file);
}

// ---- the forms of learning -------------------------------------------------------------------

// A form that is not possible has its reason only.
static void put_form(FILE *file, const lab_form_analysis *form, const char *name, double step_ms)
{
    const lab_learning_analysis *l = &form->learning;
    const cfpc_certificate *c = &l->certificate;
    const bool is = !form->reason, known = is && !l->reason;
    lab_entry_text(file, "    {", "form", name);
    lab_entry_truth(file, beside, "used", form->is_used);
    lab_entry_truth(file, beside, "possible", is);
    lab_entry_text(file, beside, "reason", is ? l->reason : form->reason);
    lab_entry_number(file, beside, "horizon_steps", is ? form->horizon : NAN);
    lab_entry_number(file, beside, "horizon_ms", is ? form->horizon * step_ms : NAN);
    lab_entry_number(file, beside, "lead_steps", is ? form->lead : NAN);
    lab_entry_number(file, beside, "lead_ms", is ? form->lead * step_ms : NAN);
    lab_entry_number(file, beside, "neglected", is ? form->neglected : NAN);
    lab_entry_number(file, beside, "bytes_per_synapse", is ? form->synapse_bytes : NAN);
    lab_entry_number(file, beside, "bytes_per_cell", is ? form->cell_bytes : NAN);
    lab_entry_text(file, beside, "verdict", is ? lab_verdict(l) : NULL);
    lab_entry_number(file, beside, "rate", is ? l->rate : NAN);
    lab_entry_number(file, beside, "rate_max", known ? c->rate_max : is ? l->online_rate_max : NAN);
    lab_entry_number(file, beside, "asymptote_rrmse",
                     known && c->asymptote_decided ? c->asymptote : NAN);
    lab_entry_number(file, beside, "trials_to_5pc",
                     known && l->trials_to_5pc > 0 ? l->trials_to_5pc : NAN);
    fputc('}', file);
}

static void put_forms(FILE *file, const lab_analysis *analysis)
{
    fputs("  \"forms\": [", file);
    for (lab_form form = 0; analysis->forms && form < LAB_FORMS_COMPARED; form++) {
        fputs(form ? ",\n" : "\n", file);
        put_form(file, &analysis->forms[form], lab_form_name(analysis->spec, form),
                 analysis->spec->step_ms);
    }
    fputs(analysis->forms ? "\n  ],\n" : "],\n", file);
}

// ---- the band of the believed model ----------------------------------------------------------

static void put_worst(FILE *file, const lab_worst *worst)
{
    lab_entry_number(file, beside, "rrmse_5", worst->compared);
    lab_entry_number(file, beside, "rrmse_last", worst->last);
    lab_entry_truth(file, beside, "falls", worst->falls);
}

static void put_choice(FILE *file, const lab_choice *choice, bool doubtful)
{
    const bool whitened = choice->trace == LAB_TRACE_WHITENED;
    const bool preconditioned = choice->update == LAB_PRECONDITIONED;
    if (!choice->found) {
        fputs("\n    \"choice\": null", file);
        return;
    }
    lab_entry_text(file, "\n    \"choice\": {", "trace", whitened ? "whitened" : "forward-model");
    lab_entry_text(file, beside, "update", preconditioned ? "preconditioned" : "plain");
    lab_entry_number(file, beside, "whitening_rho", whitened ? choice->whitening_rho : NAN);
    lab_entry_number(file, beside, "rho", preconditioned ? choice->rho : NAN);
    lab_entry_number(file, beside, "rate", choice->rate);
    lab_entry_number(file, beside, "leak", choice->leak);
    put_worst(file, &choice->worst);
    lab_entry_truth(file, beside, "certified", choice->rate < choice->rate_max && !doubtful);
    lab_entry_number(file, beside, "rate_max", choice->rate_max);
    fputs(", \"set\": [", file);
    for (int i = 0; i < choice->count; i++) {
        fputs(i ? ", " : "", file);
        lab_json_text(file, choice->line[i]);
    }
    fputs("]}", file);
}

// null if the spec has none. Nothing is certified of a model that is doubtful.
static void put_band(FILE *file, const lab_band_analysis *band, double rate, bool doubtful)
{
    const cfpc_robust *bound = &band->bound;
    const bool is = !band->no_bound;
    if (!band->is_given) {
        fputs("  \"band\": null,\n", file);
        return;
    }
    lab_entry_text(file, "  \"band\": {\n    ", "reason", band->reason);
    if (band->reason) {
        fputs("\n  },\n", file);
        return;
    }

    // What is sufficient for all models of the band.
    lab_entry_truth(file, ",\n    \"sufficient\": {", "certified",
                    is && rate < bound->rate_max && !doubtful);
    lab_entry_number(file, beside, "rate_max", is ? bound->rate_max : NAN);
    lab_entry_number(file, beside, "widest", is ? bound->widest : NAN);
    lab_entry_number(file, beside, "low_hz", is ? bound->low_hz : NAN);
    lab_entry_number(file, beside, "high_hz", is ? bound->high_hz : NAN);
    lab_entry_text(file, beside, "reason", band->no_bound);
    lab_entry_text(file, beside, "of", "weights");

    // Where the log of the model excites.
    if (isnan(band->excited_share))
        fputs("},\n    \"log_excites\": null", file);
    else {
        lab_entry_number(file, "},\n    \"log_excites\": {", "low_hz", band->excited_low_hz);
        lab_entry_number(file, beside, "high_hz", band->excited_high_hz);
        lab_entry_number(file, beside, "bases_power_share", band->excited_share);
        fputc('}', file);
    }

    // The models of the band that were tried, and the settings that suit them best.
    lab_entry_number(file, ",\n    \"sampled\": {", "models", 1 + band->variants + band->members);
    lab_entry_number(file, beside, "variants", band->variants);
    lab_entry_number(file, beside, "edge", band->members);
    lab_entry_text(file, beside, "worst_model", band->worst_model);
    put_worst(file, &band->worst);
    lab_entry_number(file, "},\n    ", "settings_tried", band->choice.tried);
    fputc(',', file);
    put_choice(file, &band->choice, doubtful);
    fputs("\n  },\n", file);
}

// ---- all of it -------------------------------------------------------------------------------

void lab_certificate_json(FILE *file, const lab_analysis *analysis)
{
    const lab_spec *spec = analysis->spec;
    const lab_learning_analysis *l = &analysis->learning;
    const char *doubt = analysis->doubt.text, *untuned = analysis->untuned.text;
    lab_entry_text(file, "{\n  ", "name", spec->name);
    lab_entry_text(file, outer, "version", CFPC_VERSION);
    lab_entry_text(file, outer, "rule", lab_rules(spec)[spec->main_rule].name);
    lab_entry_text(file, outer, "mode", spec->learning.mode == LAB_ONLINE ? "online" : "batch");
    lab_entry_text(file, outer, "taught_by", lab_teacher_name(analysis->teacher));
    lab_entry_text(file, outer, "model_doubt", *doubt ? doubt : NULL);
    lab_entry_text(file, outer, "tuned_later", *untuned ? untuned : NULL);
    fputs(",\n", file);
    put_loop(file, &analysis->loop);
    put_learning(file, l);
    put_tolerance(file, analysis);
    lab_entry_number(file, "  \"online\": {\n    ", "rate_max", l->online_rate_max);
    lab_entry_number(file, inner, "batch_rate_max", l->batch_rate_max);
    lab_entry_number(file, inner, "ratio", l->online_rate_max / l->batch_rate_max);
    fputs("\n  },\n", file);
    put_forms(file, analysis);
    put_band(file, &analysis->band, l->rate, *doubt);
    lab_entry_text(file, "  ", "advice", analysis->advice.text);
    fputs("\n}\n", file);
}

lab_outcome lab_write_certificate(lab_folder *folder, const lab_analysis *analysis, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, "certificate.json", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_certificate_json(file, analysis);
    return lab_folder_close(folder, file, why);
}
