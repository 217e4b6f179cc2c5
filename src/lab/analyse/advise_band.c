// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>
#include <stdio.h>

#define KNOWN_SHARE 0.95 // of the bases' power: the log's frequencies are enough

// How sure it is: a sentence. The bound is about the weights, not about the error.
static void describe_surety(char *text, size_t size, const lab_analysis *analysis, double rate,
                            double rate_max)
{
    const lab_band_analysis *band = &analysis->band;
    if (*analysis->doubt.text || !(rate < rate_max)) {
        snprintf(text, size, "%s",
                 *analysis->doubt.text
                     ? "This is of the model: its band need not hold the machine."
                     : "This is sampled only, not certified for every model in the band.");
        return;
    }
    const int used = snprintf(text, size,
                              "That the weights converge monotonically is certified for every "
                              "model in the band");
    if (band->excited_share < KNOWN_SHARE)
        snprintf(text + used, size - (size_t)used,
                 ", if the response is smooth outside %.3g to %.3g Hz.", band->excited_low_hz,
                 band->excited_high_hz);
    else
        snprintf(text + used, size - (size_t)used, ".");
}

// "whitened, ρ 0.01, rate 0.02, leak 0.01"
static void advise_band_describe(char *text, size_t size, const lab_choice *choice)
{
    int used = snprintf(text, size, "`trace: %s`",
                        choice->trace == LAB_TRACE_WHITENED ? "whitened" : "forward-model");
    if (choice->trace == LAB_TRACE_WHITENED)
        used += snprintf(text + used, size - (size_t)used, " with `whitening_rho: %.4g`",
                         choice->whitening_rho);
    if (choice->update == LAB_PRECONDITIONED)
        used += snprintf(text + used, size - (size_t)used,
                         ", `update: preconditioned` with `rho: %.4g`", choice->rho);
    used += snprintf(text + used, size - (size_t)used, ", a rate of %.4g", choice->rate);
    if (choice->leak > 0)
        snprintf(text + used, size - (size_t)used, " and a leak of %.4g", choice->leak);
}

// What would help where the band is too wide.
static void say_too_wide(lab_analysis *analysis)
{
    const cfpc_robust *bound = &analysis->band.bound;
    char between[80] = "it";
    const bool known = bound->high_hz > 0;
    if (known)
        snprintf(between, sizeof between, "between %.3g and %.3g Hz it", bound->low_hz,
                 bound->high_hz);
    lab_say(&analysis->advice,
            "No setting of %d makes the error fall in every trial in every sampled model of the "
            "band: %s is too wide. Identify the loop%s with a longer log or a stronger probe "
            "(cfpc excite), use wider bases, which have less power%s, or a penalty on o "
            "(output_penalty); keep the guard on.",
            analysis->band.choice.tried, between, known ? " there" : "",
            known ? " there" : " at high frequencies");
}

// A plant inside its band for which the feedback loop itself is too strong.
static void say_unsafe(lab_analysis *analysis)
{
    lab_say(
        &analysis->advice,
        "A plant in the band may make the loop unstable at %.3g Hz, before anything is learned: "
        "identify the plant there with a longer log or a stronger probe (cfpc excite), or "
        "lower the controller gain there; keep the guard on.",
        analysis->band.unsafe_hz);
}

// Whether the present settings are nearly as good as those that were found. A preconditioned update
// trusts every direction of the model, which must not have failed a test.
static bool will_do(const lab_analysis *analysis)
{
    const lab_band_analysis *band = &analysis->band;
    const bool trusts =
        lab_rules(analysis->spec)[analysis->spec->main_rule].update == LAB_PRECONDITIONED;
    return band->worst.falls && band->worst.compared <= 1.1 * band->choice.worst.compared + 0.01 &&
           !(trusts && *analysis->doubt.text);
}

bool lab_advise_band(lab_analysis *analysis)
{
    const lab_band_analysis *band = &analysis->band;
    const lab_choice *choice = &band->choice;
    const double rate = analysis->learning.rate;
    const int models = 1 + band->variants + band->members, trials = analysis->spec->learning.trials;
    const int compared = trials < LAB_COMPARED_TRIAL ? trials : LAB_COMPARED_TRIAL;
    char settings[256], surety[192];
    if (!band->is_given || band->reason)
        return false;
    if (!isnan(band->unsafe_hz)) {
        say_unsafe(analysis);
        return true;
    }
    if (choice->tried == 0) {
        if (!band->worst.falls)
            lab_say(&analysis->advice,
                    "In the worst of the models that were sampled (%s) the error does not fall in "
                    "every trial: its rRMSE is %.3g at trial %d and %.3g at the last. Use a lower "
                    "rate, or a leak, and keep the guard on.",
                    band->worst_model, band->worst.compared, compared, band->worst.last);
        return !band->worst.falls;
    }
    if (!choice->found) {
        say_too_wide(analysis);
        return true;
    }
    if (will_do(analysis)) {
        describe_surety(surety, sizeof surety, analysis, rate, band->bound.rate_max);
        lab_say(&analysis->advice,
                "Run it as it is: in the worst of %d sampled models its rRMSE is %.3g at trial %d, "
                "and it falls in every trial in all of them. %s",
                models, band->worst.compared, compared, surety);
        return true;
    }
    advise_band_describe(settings, sizeof settings, choice);
    describe_surety(surety, sizeof surety, analysis, choice->rate, choice->rate_max);
    lab_say(&analysis->advice,
            "Use %s: in the worst of %d sampled models the rRMSE is then %.3g at trial %d, and it "
            "falls in every trial in all of them; with the present settings it is %.3g%s. %s",
            settings, models, choice->worst.compared, compared, band->worst.compared,
            band->worst.falls ? "" : " and does not fall", surety);
    return true;
}
