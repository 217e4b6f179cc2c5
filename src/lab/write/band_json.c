// SPDX-License-Identifier: Apache-2.0
#include "write/band_json.h"

#include <math.h>

#include "base/json.h"

static void put(FILE *file, const char *key, double value)
{
    fprintf(file, ", \"%s\": ", key);
    lab_json_number(file, value);
}

static void put_text(FILE *file, const char *key, const char *text)
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
    put(file, "rrmse_5", worst->compared);
    put(file, "rrmse_last", worst->last);
    put_truth(file, "falls", worst->falls);
}

static void put_bound(FILE *file, const lab_band_analysis *band, double rate, bool doubtful)
{
    const cfpc_robust *bound = &band->bound;
    const bool is = !band->no_bound;
    fprintf(file, "\n    \"sufficient\": {\"certified\": %s",
            is && rate < bound->rate_max && !doubtful ? "true" : "false");
    put(file, "rate_max", is ? bound->rate_max : NAN);
    put(file, "widest", is ? bound->widest : NAN);
    put(file, "low_hz", is ? bound->low_hz : NAN);
    put(file, "high_hz", is ? bound->high_hz : NAN);
    put_text(file, "reason", band->no_bound);
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
    put(file, "high_hz", band->excited_high_hz);
    put(file, "bases_power_share", band->excited_share);
    fputs("},", file);
}

static void put_sampled(FILE *file, const lab_band_analysis *band)
{
    fprintf(file, "\n    \"sampled\": {\"models\": %d, \"variants\": %d, \"edge\": %d",
            1 + band->variants + band->members, band->variants, band->members);
    put_text(file, "worst_model", band->worst_model);
    put_worst(file, &band->worst);
    fputs("},", file);
}

static void put_choice(FILE *file, const lab_choice *it, bool doubtful)
{
    const bool whitened = it->trace == LAB_TRACE_WHITENED;
    const bool preconditioned = it->update == LAB_PRECONDITIONED;
    if (!it->found) {
        fputs("\n    \"choice\": null", file);
        return;
    }
    fprintf(file, "\n    \"choice\": {\"trace\": \"%s\", \"update\": \"%s\"",
            whitened ? "whitened" : "forward-model", preconditioned ? "preconditioned" : "plain");
    put(file, "whitening_rho", whitened ? it->whitening_rho : NAN);
    put(file, "rho", preconditioned ? it->rho : NAN);
    put(file, "rate", it->rate);
    put(file, "leak", it->leak);
    put_worst(file, &it->worst);
    put_truth(file, "certified", it->rate < it->rate_max && !doubtful);
    put(file, "rate_max", it->rate_max);
    fputs(", \"set\": [", file);
    for (int i = 0; i < it->count; i++) {
        fputs(i ? ", " : "", file);
        lab_json_text(file, it->line[i]);
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
        put_bound(file, band, rate, doubtful);
        put_excited(file, band);
        put_sampled(file, band);
        fprintf(file, "\n    \"settings_tried\": %d,", band->choice.tried);
        put_choice(file, &band->choice, doubtful);
    }
    fputs("\n  },\n", file);
}
