// SPDX-License-Identifier: Apache-2.0
#include "analyse/advise_band.h"

#include <stdio.h>

// How sure it is: "certified for every model in the band", or sampled only.
static const char *surety(const lab_analysis *it, double rate, double rate_max)
{
    if (*it->doubt.text)
        return "of the model: its band need not hold the machine";
    return rate < rate_max ? "certified for every model in the band"
                           : "sampled only, not certified for every model in the band";
}

// "whitened, ρ 0.01, rate 0.02, leak 0.01"
static void describe(char *text, size_t size, const lab_choice *it)
{
    int used = snprintf(text, size, "`trace: %s`",
                        it->trace == LAB_TRACE_WHITENED ? "whitened" : "forward-model");
    if (it->trace == LAB_TRACE_WHITENED)
        used += snprintf(text + used, size - (size_t)used, " with `whitening_rho: %.4g`",
                         it->whitening_rho);
    if (it->update == LAB_PRECONDITIONED)
        used += snprintf(text + used, size - (size_t)used,
                         ", `update: preconditioned` with `rho: %.4g`", it->rho);
    used += snprintf(text + used, size - (size_t)used, ", a rate of %.4g", it->rate);
    if (it->leak > 0)
        snprintf(text + used, size - (size_t)used, " and a leak of %.4g", it->leak);
}

// What would help where the band is too wide.
static void say_too_wide(lab_analysis *it)
{
    const cfpc_robust *bound = &it->band.bound;
    lab_say(&it->advice,
            "No setting of %d makes the error fall in every trial in every model of the band: "
            "between %.3g and %.3g Hz it is too wide. Identify the loop there with a longer log or "
            "a stronger probe (cfpc excite), use wider bases, which have less power there, or a "
            "penalty on o (output_penalty); keep the guard on.",
            it->band.choice.tried, bound->low_hz, bound->high_hz);
}

// Whether the present settings are nearly as good as those that were found. A preconditioned update
// trusts every direction of the model, which must not have failed a test.
static bool will_do(const lab_analysis *it)
{
    const lab_band_analysis *band = &it->band;
    const bool trusts = lab_rules(it->spec)[it->spec->main_rule].update == LAB_PRECONDITIONED;
    return band->worst.falls && band->worst.compared <= 1.1 * band->choice.worst.compared + 0.01 &&
           !(trusts && *it->doubt.text);
}

bool lab_advise_band(lab_analysis *analysis)
{
    const lab_band_analysis *band = &analysis->band;
    const lab_choice *choice = &band->choice;
    const double rate = analysis->learning.rate;
    char settings[256];
    if (!band->is_given || band->reason)
        return false;
    if (choice->tried == 0) {
        if (!band->worst.falls)
            lab_say(&analysis->advice,
                    "In the worst of the models that were sampled (%s) the error does not fall in "
                    "every trial: its rRMSE is %.3g at trial %d and %.3g at the last. Use a lower "
                    "rate, or a leak, and keep the guard on.",
                    band->worst_model, band->worst.compared, LAB_COMPARED_TRIAL, band->worst.last);
        return !band->worst.falls;
    }
    if (!choice->found) {
        say_too_wide(analysis);
        return true;
    }
    if (will_do(analysis)) {
        lab_say(&analysis->advice,
                "Run it as it is: in the worst model its rRMSE is %.3g at trial %d and falls in "
                "every trial (%s).",
                band->worst.compared, LAB_COMPARED_TRIAL,
                surety(analysis, rate, band->bound.rate_max));
        return true;
    }
    describe(settings, sizeof settings, choice);
    lab_say(&analysis->advice,
            "Use %s: in the worst model the rRMSE is then %.3g at trial %d and falls in every "
            "trial (%s); with the present settings it is %.3g%s.",
            settings, choice->worst.compared, LAB_COMPARED_TRIAL,
            surety(analysis, choice->rate, choice->rate_max), band->worst.compared,
            band->worst.falls ? "" : " and does not");
    return true;
}
