// SPDX-License-Identifier: Apache-2.0
// certificate_json: an analysis as JSON.
#include "write/certificate_json.h"

#include <inttypes.h>
#include <math.h>

#include "base/json.h"
#include "cfpc/config.h"
#include "math/elementary.h"
#include "write/band_json.h"

static void certificate_json_put(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n    \"%s\": ", key);
    lab_json_number(file, value);
}

static void put_count(FILE *file, const char *key, double value)
{
    fprintf(file, ",\n    \"%s\": ", key);
    lab_json_number(file, value > 0 ? value : NAN);
}

static void put_bases(FILE *file, const char *key, const int *bases, int count)
{
    fprintf(file, ",\n    \"%s\": [", key);
    for (int i = 0; i < count; i++)
        fprintf(file, "%s\"x_%d\"", i ? ", " : "", bases[i] + 1);
    fputc(']', file);
}

static void put_loop(FILE *file, const lab_loop_analysis *loop)
{
    const bool asked = !isnan(loop->radius_with_cell);
    fprintf(file, "  \"loop\": {\n    \"stable\": %s", loop->stable ? "true" : "false");
    certificate_json_put(file, "spectral_radius", loop->radius);
    certificate_json_put(file, "gain_margin", loop->margins.gain);
    certificate_json_put(file, "gain_margin_db", 20 * cfpci_log10(loop->margins.gain));
    certificate_json_put(file, "gain_margin_hz", loop->margins.gain_hz);
    certificate_json_put(file, "gain_margin_low", loop->margins.gain_low);
    certificate_json_put(file, "phase_margin_deg", loop->margins.phase_deg);
    certificate_json_put(file, "phase_margin_hz", loop->margins.phase_hz);
    certificate_json_put(file, "delay_margin_ms", loop->margins.delay_s * 1e3);
    certificate_json_put(file, "bandwidth_hz", loop->bandwidth_hz);
    certificate_json_put(file, "lag_ms", loop->lag_ms);
    fprintf(file, ",\n    \"dead_time_steps\": %d", loop->dead_time_steps);
    fprintf(file, ",\n    \"hears_cell\": %s", loop->hears_loop ? "true" : "false");
    fprintf(file, ",\n    \"stable_with_weights\": %s",
            !asked                       ? "null"
            : loop->radius_with_cell < 1 ? "true"
                                         : "false");
    certificate_json_put(file, "spectral_radius_with_weights", loop->radius_with_cell);
    fprintf(file, ",\n    \"pole_count\": %" PRId64, loop->pole_count);
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

// Where nothing can be said the figures are null.
static void put_learning(FILE *file, const lab_learning_analysis *l)
{
    const bool known = !l->reason;
    const cfpc_certificate *c = &l->certificate;
    fprintf(file, "  \"learning\": {\n    \"verdict\": \"%s\",\n    \"reason\": ", lab_verdict(l));
    if (l->reason)
        lab_json_text(file, l->reason);
    else
        fputs("null", file);
    certificate_json_put(file, "rate", l->rate);
    certificate_json_put(file, "rate_max", known ? c->rate_max : NAN);
    certificate_json_put(file, "rate_max_monotone", known ? c->rate_max_monotone : NAN);
    certificate_json_put(file, "spectral_radius", known ? c->radius : NAN);
    certificate_json_put(file, "norm", known ? c->norm : NAN);
    certificate_json_put(file, "transient_growth", known ? c->growth : NAN);
    certificate_json_put(file, "transient_peak_trial",
                         known && c->growth_trial >= 0 ? (double)c->growth_trial : NAN);
    certificate_json_put(file, "asymptote_rrmse",
                         known && c->asymptote_decided ? c->asymptote : NAN);
    fprintf(file, ",\n    \"asymptote_decided\": %s",
            !known                 ? "null"
            : c->asymptote_decided ? "true"
                                   : "false");
    certificate_json_put(file, "asymptote_low", known ? c->asymptote_low : NAN);
    certificate_json_put(file, "asymptote_high", known ? c->asymptote_high : NAN);
    certificate_json_put(file, "optimum_rrmse", l->optimum);
    fprintf(file, ",\n    \"optimum_decided\": %s",
            isnan(l->optimum) || l->bases == 0 ? "null"
            : l->optimum_known                 ? "true"
                                               : "false");
    certificate_json_put(file, "curve_peak", known ? l->peak : NAN);
    put_count(file, "curve_peak_trial", known ? l->peak_trial : 0);
    put_count(file, "horizon_trials", known ? l->horizon : 0);
    certificate_json_put(file, "horizon_peak", known ? l->horizon_peak : NAN);
    put_count(file, "horizon_peak_trial", known ? l->horizon_peak_trial : 0);
    put_count(file, "trials_to_5pc", known ? l->trials_to_5pc : 0);
    put_count(file, "bases", l->bases);
    put_count(file, "rank", l->rank);
    certificate_json_put(file, "rank_cut", l->rank_cut);
    certificate_json_put(file, "condition", l->condition);
    put_bases(file, "idle_bases", l->idle, l->idle_count);
    fprintf(file, ",\n    \"redundant_count\": %d", l->redundant_count);
    put_bases(file, "redundant_bases", l->redundant, l->redundant ? l->redundant_count : 0);
    fputs(",\n    \"curve\": [", file);
    for (int k = 0; known && k < l->trials; k++) {
        fputs(k ? ", " : "", file);
        lab_json_number(file, l->curve[k]);
    }
    fputs("]\n  },\n", file);
}

static void certificate_json_put_item(FILE *file, const lab_tolerated *item)
{
    const struct {
        const char *key;
        double value;
    } values[] = {{"believed", item->believed},
                  {"actual", item->actual},
                  {"low", item->low},
                  {"high", item->high},
                  {"phase_low", item->phase_low},
                  {"phase_high", item->phase_high},
                  {"searched_low", item->searched_low},
                  {"searched_high", item->searched_high}};
    fputs("      {\"name\": ", file);
    lab_json_text(file, item->name);
    fprintf(file, ", \"unit\": \"%s\"", item->unit);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        fprintf(file, ", \"%s\": ", values[i].key);
        lab_json_number(file, values[i].value);
    }
    fprintf(file, ", \"low_decided\": %s, \"high_decided\": %s}",
            item->low_decided ? "true" : "false", item->high_decided ? "true" : "false");
}

static void put_tolerance(FILE *file, const lab_analysis *analysis)
{
    const lab_tolerance *t = &analysis->tolerance;
    const bool known = !analysis->learning.reason;
    fputs("  \"tolerance\": {\n    \"keeps\": ", file);
    if (known && t->fate < LAB_DIVERGES)
        lab_json_text(file, lab_fate_name(t->fate));
    else
        fputs("null", file);
    fprintf(file, ",\n    \"skipped\": %s", t->is_skipped ? "true" : "false");
    certificate_json_put(file, "phase_error_deg", known ? t->phase_error_deg : NAN);
    certificate_json_put(file, "phase_error_hz", known ? t->phase_error_hz : NAN);
    fputs(",\n    \"parameters\": [", file);
    for (int i = 0; i < t->count; i++) {
        fputs(i ? ",\n" : "\n", file);
        certificate_json_put_item(file, &t->items[i]);
    }
    fputs(t->count ? "\n    ]\n  },\n" : "]\n  },\n", file);
}

static void put_next(FILE *file, const char *key, double value)
{
    fprintf(file, ", \"%s\": ", key);
    lab_json_number(file, value);
}

static void put_reason(FILE *file, const char *reason)
{
    fputs(", \"reason\": ", file);
    if (reason)
        lab_json_text(file, reason);
    else
        fputs("null", file);
}

// A form that is not possible has its reason only.
static void put_form(FILE *file, const lab_form_analysis *form, const char *name, double step_ms)
{
    const lab_learning_analysis *l = &form->learning;
    const cfpc_certificate *c = &l->certificate;
    const bool is = !form->reason, known = is && !l->reason;
    fprintf(file, "    {\"form\": \"%s\", \"used\": %s, \"possible\": %s", name,
            form->is_used ? "true" : "false", is ? "true" : "false");
    put_reason(file, is ? l->reason : form->reason);
    put_next(file, "horizon_steps", is ? form->horizon : NAN);
    put_next(file, "horizon_ms", is ? form->horizon * step_ms : NAN);
    put_next(file, "lead_steps", is ? form->lead : NAN);
    put_next(file, "lead_ms", is ? form->lead * step_ms : NAN);
    put_next(file, "neglected", is ? form->neglected : NAN);
    put_next(file, "bytes_per_synapse", is ? form->synapse_bytes : NAN);
    put_next(file, "bytes_per_cell", is ? form->cell_bytes : NAN);
    if (is)
        fprintf(file, ", \"verdict\": \"%s\"", lab_verdict(l));
    else
        fputs(", \"verdict\": null", file);
    put_next(file, "rate", is ? l->rate : NAN);
    put_next(file, "rate_max", known ? c->rate_max : is ? l->online_rate_max : NAN);
    put_next(file, "asymptote_rrmse", known && c->asymptote_decided ? c->asymptote : NAN);
    put_next(file, "trials_to_5pc", known && l->trials_to_5pc > 0 ? l->trials_to_5pc : NAN);
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

static void put_caution(FILE *file, const char *key, const lab_why *caution)
{
    fprintf(file, "  \"%s\": ", key);
    if (*caution->text)
        lab_json_text(file, caution->text);
    else
        fputs("null", file);
    fputs(",\n", file);
}

void lab_certificate_json(FILE *file, const lab_analysis *analysis)
{
    const lab_spec *spec = analysis->spec;
    const lab_learning_analysis *l = &analysis->learning;
    fputs("{\n  \"name\": ", file);
    lab_json_text(file, spec->name);
    fputs(",\n  \"version\": ", file);
    lab_json_text(file, CFPC_VERSION);
    fputs(",\n  \"rule\": ", file);
    lab_json_text(file, lab_rules(spec)[spec->main_rule].name);
    fprintf(file, ",\n  \"mode\": \"%s\",\n  \"taught_by\": \"%s\",\n",
            spec->learning.mode == LAB_ONLINE ? "online" : "batch",
            lab_teacher_name(analysis->teacher));
    put_caution(file, "model_doubt", &analysis->doubt);
    put_caution(file, "tuned_later", &analysis->untuned);
    put_loop(file, &analysis->loop);
    put_learning(file, l);
    put_tolerance(file, analysis);
    fputs("  \"online\": {\n    \"rate_max\": ", file);
    lab_json_number(file, l->online_rate_max);
    certificate_json_put(file, "batch_rate_max", l->batch_rate_max);
    certificate_json_put(file, "ratio", l->online_rate_max / l->batch_rate_max);
    fputs("\n  },\n", file);
    put_forms(file, analysis);
    lab_band_json(file, &analysis->band, l->rate, *analysis->doubt.text);
    fputs("  \"advice\": ", file);
    lab_json_text(file, analysis->advice.text);
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
