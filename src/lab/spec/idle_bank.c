// SPDX-License-Identifier: Apache-2.0
#include "spec/idle_bank.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const double REACH = 4; // standard deviations: a Gaussian is 3e-4 there

// When a bank begins: with a cue, or with the trial. NAN: its cue is off.
static double origin_ms(const lab_spec *spec, const lab_basis_spec *bank)
{
    for (int i = 0; *bank->cue && i < spec->cues.count; i++)
        if (strcmp(lab_cues(spec)[i].name, bank->cue) == 0)
            return lab_cues(spec)[i].on ? 1e3 * lab_cues(spec)[i].at_s : NAN;
    return 0;
}

// Comparisons are false without a centre (the bank is in the middle) and with a cue that is off.
static bool idle_bank_is_idle(const lab_spec *spec, const lab_basis_spec *bank)
{
    const double reach = bank->kind == LAB_GAUSSIAN ? REACH * bank->width_ms : bank->width_ms;
    return lab_family_of_basis(bank->kind) == LAB_CENTRED &&
           origin_ms(spec, bank) + bank->first_ms - reach >= 1e3 * spec->task.trial_s;
}

bool lab_has_idle_bank(const lab_spec *spec, lab_why *caution)
{
    caution->text[0] = '\0';
    for (int i = 0; i < spec->basis.count && !*caution->text; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        if (idle_bank_is_idle(spec, bank))
            lab_say(caution,
                    "bank %d of the basis, %d signal%s, lies after the trial of %g s: its weights "
                    "learn nothing; lower its 'first_ms' (%g)",
                    i + 1, bank->count, lab_plural(bank->count), spec->task.trial_s,
                    bank->first_ms);
    }
    return *caution->text != '\0';
}
