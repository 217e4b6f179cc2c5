// SPDX-License-Identifier: Apache-2.0
#include "spec/cautions.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cfpc/identify.h"

static const double REACH = 4; // standard deviations: a Gaussian is 3e-4 there

bool lab_has_idle_bank(const lab_spec *spec, lab_why *caution)
{
    caution->text[0] = '\0';
    for (int i = 0; i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        if (lab_family_of_basis(bank->kind) != LAB_CENTRED)
            continue;
        const int index = *bank->cue ? lab_cue_of(spec, bank->cue) : -1;
        const lab_cue_spec *cue = index >= 0 ? &lab_cues(spec)[index] : NULL;
        const double begin_ms = !cue ? 0 : cue->on ? 1e3 * cue->at_s : NAN;
        const double reach = bank->kind == LAB_GAUSSIAN ? REACH * bank->width_ms : bank->width_ms;
        // False without a centre (the bank is in the middle), and with a cue that is off.
        if (begin_ms + bank->first_ms - reach >= 1e3 * spec->task.trial_s) {
            lab_say(caution,
                    "bank %d of the basis, %d signal%s, lies after the trial of %g s: its weights "
                    "learn nothing; lower its 'first_ms' (%g)",
                    i + 1, bank->count, lab_plural(bank->count), spec->task.trial_s,
                    bank->first_ms);
            return true;
        }
    }
    return false;
}

// Which test a model failed: "the input explains …".
static bool model_fails(const lab_model_file *model, lab_why *test)
{
    const cfpc_identified figures = {.fit = model->fit,
                                     .fit_estimation = model->fit_estimation,
                                     .fit_fir = NAN,
                                     .outlier = NAN,
                                     .unexplained = model->unexplained,
                                     .feedback = model->feedback_allowed ? 0 : model->feedback,
                                     .radius = NAN};
    const cfpc_model_fault fault = cfpc_model_judge(&figures);
    if (!cfpc_model_fails(fault))
        return false;
    switch (fault) {
    case CFPC_MODEL_FEEDBACK:
        lab_say(test,
                "its input reacts to its output (p = %.1g): the log is of the command of a "
                "closed loop",
                model->feedback);
        break;
    case CFPC_MODEL_LACKS:
        lab_say(test,
                "the input explains more of the output than the model does (p = %.1g): the system "
                "is not linear, or the log too short",
                model->unexplained);
        break;
    case CFPC_MODEL_CHANGES:
        lab_say(test,
                "it fits the held-back data to %.0f %% only, and the data it was estimated from to "
                "%.0f %%: the system changes with time, or the log is too short",
                model->fit, model->fit_estimation);
        break;
    default:
        lab_say(test, "it fits the held-back data to %.1f %% only: it is no model", model->fit);
        break;
    }
    return true;
}

bool lab_is_doubtful(const lab_spec *spec, lab_why *doubt)
{
    lab_why test;
    doubt->text[0] = '\0';
    for (int i = 0; i < spec->models.count; i++) {
        const lab_known_model *model = &spec->models.items[i];
        if (model->outcome != LAB_DONE || !model_fails(&model->model, &test))
            continue;
        const char *slash = strrchr(model->path, '/');
        lab_say(doubt,
                "the model of %.300s failed a test: %s; what is computed is of the model, not of "
                "the machine",
                slash ? slash + 1 : model->path, test.text);
        return true;
    }
    return false;
}
