// SPDX-License-Identifier: Apache-2.0
#include "write/band_json.h"

#include <math.h>

#include "base/json.h"

static void band_json_put(FILE *file, const char *key, double value)
{
    fprintf(file, ", \"%s\": ", key);
    lab_json_number(file, value);
}

static void band_json_put_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, ", \"%s\": ", key);
    if (text)
        lab_json_text(file, text);
    else
        fputs("null", file);
}

static void put_truth(FILE *file, const char *key, bool is)
{
    fprintf(file, ", \"%s\": %s", key, is ? "true" : "false");
}

static void put_worst(FILE *file, const lab_worst *worst)
{
    band_json_put(file, "rrmse_5", worst->compared);
    band_json_put(file, "rrmse_last", worst->last);
    put_truth(file, "falls", worst->falls);
}

static void band_json_put_bound(FILE *file, const lab_band_analysis *band, double rate,
                                bool doubtful)
{
    const cfpc_robust *bound = &band->bound;
    const bool is = !band->no_bound;
    fprintf(file, "\n    \"sufficient\": {\"certified\": %s",
            is && rate < bound->rate_max && !doubtful ? "true" : "false");
    band_json_put(file, "rate_max", is ? bound->rate_max : NAN);
    band_json_put(file, "widest", is ? bound->widest : NAN);
    band_json_put(file, "low_hz", is ? bound->low_hz : NAN);
    band_json_put(file, "high_hz", is ? bound->high_hz : NAN);
    band_json_put_text(file, "reason", band->no_bound);
    fputs(", \"of\": \"weights\"},", file);
}

static void put_excited(FILE *file, const lab_band_analysis *band)
{
    if (isnan(band->excited_share)) {
        fputs("\n    \"log_excites\": null,", file);
        return;
    }
    fputs("\n    \"log_excites\": {\"low_hz\": ", file);
    lab_json_number(file, band->excited_low_hz);
    band_json_put(file, "high_hz", band->excited_high_hz);
    band_json_put(file, "bases_power_share", band->excited_share);
    fputs("},", file);
}

static void put_sampled(FILE *file, const lab_band_analysis *band)
{
    fprintf(file, "\n    \"sampled\": {\"models\": %d, \"variants\": %d, \"edge\": %d",
            1 + band->variants + band->members, band->variants, band->members);
    band_json_put_text(file, "worst_model", band->worst_model);
    put_worst(file, &band->worst);
    fputs("},", file);
}

static void put_choice(FILE *file, const lab_choice *choice, bool doubtful)
{
    const bool whitened = choice->trace == LAB_TRACE_WHITENED;
    const bool preconditioned = choice->update == LAB_PRECONDITIONED;
    if (!choice->found) {
        fputs("\n    \"choice\": null", file);
        return;
    }
    fprintf(file, "\n    \"choice\": {\"trace\": \"%s\", \"update\": \"%s\"",
            whitened ? "whitened" : "forward-model", preconditioned ? "preconditioned" : "plain");
    band_json_put(file, "whitening_rho", whitened ? choice->whitening_rho : NAN);
    band_json_put(file, "rho", preconditioned ? choice->rho : NAN);
    band_json_put(file, "rate", choice->rate);
    band_json_put(file, "leak", choice->leak);
    put_worst(file, &choice->worst);
    put_truth(file, "certified", choice->rate < choice->rate_max && !doubtful);
    band_json_put(file, "rate_max", choice->rate_max);
    fputs(", \"set\": [", file);
    for (int i = 0; i < choice->count; i++) {
        fputs(i ? ", " : "", file);
        lab_json_text(file, choice->line[i]);
    }
    fputs("]}", file);
}

void lab_band_json(FILE *file, const lab_band_analysis *band, double rate, bool doubtful)
{
    if (!band->is_given) {
        fputs("  \"band\": null,\n", file);
        return;
    }
    fputs("  \"band\": {\n    \"reason\": ", file);
    if (band->reason)
        lab_json_text(file, band->reason);
    else
        fputs("null", file);
    if (!band->reason) {
        fputc(',', file);
        band_json_put_bound(file, band, rate, doubtful);
        put_excited(file, band);
        put_sampled(file, band);
        fprintf(file, "\n    \"settings_tried\": %d,", band->choice.tried);
        put_choice(file, &band->choice, doubtful);
    }
    fputs("\n  },\n", file);
}
