// SPDX-License-Identifier: Apache-2.0
#include "spec/check_parts.h"

#include <math.h>

enum {
    MAX_DERIVATIVES = 8, // the signal included
    MAX_TURNING = 4096
};

static lab_outcome check_time_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    const lab_basis_family family = lab_family_of_basis(bank->kind);
    const bool spaced = family == LAB_DECAYING || family == LAB_SCATTERED;
    if (spaced && !isnan(bank->first_ms) && !(bank->first_ms > 0))
        return REFUSE(bank, "'first_ms' is a time constant here and must be above 0");
    if (spaced && bank->first_ms > bank->last_ms)
        return REFUSE(bank, "'first_ms' of %g is above 'last_ms' of %g", bank->first_ms,
                      bank->last_ms);
    if (family != LAB_SCATTERED && *bank->cue && lab_cue_of(spec, bank->cue) < 0)
        return REFUSE(bank, "there is no cue '%.60s' among 'cues'", bank->cue);
    return LAB_DONE;
}

static lab_outcome check_driven_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    if (bank->kind == LAB_TAPPED_DELAY && bank->spacing_ms < spec->step_ms)
        return REFUSE(bank, "'spacing_ms' of %g is less than a step of %g ms", bank->spacing_ms,
                      spec->step_ms);
    if (bank->kind == LAB_TAPPED_DELAY &&
        lab_check_time(spec, bank->place, "spacing_ms", bank->spacing_ms, why) != LAB_DONE)
        return LAB_REFUSED;
    if (bank->kind == LAB_DERIVATIVES && bank->count > MAX_DERIVATIVES)
        return REFUSE(bank, "'count' of %d is too large for derivatives; the maximum is %d",
                      bank->count, MAX_DERIVATIVES);
    if (bank->input == LAB_FROM_ANGLE)
        return REFUSE(bank,
                      "an angle jumps at every turn, and so would the input of a network: 'input: "
                      "angle' needs 'kind: periodic'");
    if (bank->preview_ms > 0 && bank->input != LAB_FROM_REFERENCE)
        return REFUSE(bank, "'preview_ms' needs 'input: reference': only the reference is known "
                            "ahead of time");
    if (lab_check_time(spec, bank->place, "preview_ms", bank->preview_ms, why) != LAB_DONE)
        return LAB_REFUSED;
    if (bank->input == LAB_FROM_CUE && lab_cue_of(spec, bank->source) < 0)
        return REFUSE(bank, "there is no cue '%.60s' among 'cues' to drive it", bank->source);
    if (bank->input == LAB_FROM_DISTURBANCE && lab_disturbance_of(spec, bank->source) < 0)
        return REFUSE(bank, "there is no disturbance '%.60s' among 'disturbances' to drive it",
                      bank->source);
    return bank->input == LAB_FROM_DISTURBANCE
               ? lab_check_known(spec, bank->place, bank->source, "drive a bank", why)
               : LAB_DONE;
}

static lab_outcome check_turning_bank(const lab_spec *spec, const lab_basis_spec *bank,
                                      lab_why *why)
{
    if (bank->input != LAB_FROM_ANGLE)
        return REFUSE(bank,
                      "periodic basis signals are functions of the angle: use 'input: angle'");
    if (bank->count > MAX_TURNING)
        return REFUSE(bank, "'count' of %d is too large for periodic; the maximum is %d",
                      bank->count, MAX_TURNING);
    if (bank->width_turns * bank->count < 0.5)
        return REFUSE(bank,
                      "'width_turns' of %g leaves angles at which no basis signal is above 0: %d "
                      "bumps are %g turns apart; use at least half of that",
                      bank->width_turns, bank->count, 1.0 / bank->count);
    if (spec->angle.place.line == 0)
        return REFUSE(bank, "periodic basis signals need 'angle', which says how the plant's "
                            "output turns the machine: e.g. angle: {turns: 1}");
    return LAB_DONE;
}

static lab_outcome basis_check_bank(const lab_spec *spec, const lab_basis_spec *bank, lab_why *why)
{
    switch (lab_family_of_basis(bank->kind)) {
    case LAB_CENTRED:
    case LAB_DECAYING:
    case LAB_SCATTERED:
        return check_time_bank(spec, bank, why);
    case LAB_DRIVEN:
        return check_driven_bank(spec, bank, why);
    case LAB_TURNING:
        return check_turning_bank(spec, bank, why);
    case LAB_PER_STEP:
    case LAB_PER_COLUMN:
        break;
    }
    return LAB_DONE;
}

lab_outcome lab_check_basis(const lab_spec *spec, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < spec->basis.count; i++)
        outcome = basis_check_bank(spec, &lab_banks(spec)[i], why);
    if (outcome == LAB_DONE && lab_hears_prediction(spec) && spec->prediction.place.line == 0)
        return REFUSE(&lab_banks(spec)[0], "a bank is driven by the prediction, but there is none: "
                                           "describe its first stage under 'prediction'");
    return outcome;
}

// What is predicted from does not depend on the loop: so neither does the prediction.
lab_outcome lab_check_prediction(const lab_spec *spec, lab_why *why)
{
    const lab_prediction_spec *prediction_spec = &spec->prediction;
    if (prediction_spec->place.line == 0)
        return LAB_DONE;
    if (lab_disturbance_of(spec, prediction_spec->source) < 0)
        return *prediction_spec->source
                   ? REFUSE(prediction_spec,
                            "there is no disturbance '%.60s' among 'disturbances' to predict",
                            prediction_spec->source)
                   : REFUSE(prediction_spec, "there are no 'disturbances' to predict");
    if (lab_check_known(spec, prediction_spec->place, prediction_spec->source, "be predicted",
                        why) != LAB_DONE)
        return LAB_REFUSED;
    if (prediction_spec->lead_ms >= spec->task.trial_s * 1e3)
        return REFUSE(prediction_spec, "'lead_ms' of %g ms is not shorter than a trial of %g s",
                      prediction_spec->lead_ms, spec->task.trial_s);
    lab_outcome outcome =
        lab_check_time(spec, prediction_spec->place, "lead_ms", prediction_spec->lead_ms, why);
    for (int i = 0; outcome == LAB_DONE && i < prediction_spec->basis.count; i++) {
        const lab_basis_spec *bank = &((lab_basis_spec *)prediction_spec->basis.items)[i];
        const lab_basis_family family = lab_family_of_basis(bank->kind);
        const bool of_world = (family != LAB_DRIVEN && family != LAB_TURNING) ||
                              bank->input == LAB_FROM_REFERENCE || bank->input == LAB_FROM_CUE ||
                              bank->input == LAB_FROM_DISTURBANCE;
        outcome = of_world
                      ? basis_check_bank(spec, bank, why)
                      : REFUSE(bank, "a disturbance is predicted from the reference, a cue or a "
                                     "disturbance, not from the loop: change 'input'");
    }
    return outcome;
}
