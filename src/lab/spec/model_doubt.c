// SPDX-License-Identifier: Apache-2.0
#include "spec/model_doubt.h"

#include <string.h>

// Probabilities below which a test has failed, and fits (in %) of held-back data and of the data of
// the estimate that differ by more than noise explains.
static const double unexplained_limit = 1e-3;
static const double feedback_limit = 1e-4;
static const double low_fit = 50, lost_fit = 20;

bool lab_model_fails(const lab_model_file *model, lab_why *test)
{
    if (model->feedback_allowed || model->feedback < feedback_limit)
        lab_say(test,
                "its input reacts to its output (p = %.1g): the log is of the command of a "
                "closed loop",
                model->feedback);
    else if (model->unexplained < unexplained_limit)
        lab_say(test,
                "the input explains more of the output than the model does (p = %.1g): the system "
                "is not linear, or the log too short",
                model->unexplained);
    else if (model->fit < low_fit && model->fit < model->fit_estimation - lost_fit)
        lab_say(test,
                "it fits the held-back data to %.0f %% only, and the data it was estimated from to "
                "%.0f %%: the system changes with time, or the log is too short",
                model->fit, model->fit_estimation);
    else
        return false;
    return true;
}

bool lab_is_doubtful(const lab_spec *spec, lab_why *doubt)
{
    lab_why test;
    doubt->text[0] = '\0';
    for (int i = 0; i < spec->models.count; i++) {
        const lab_known_model *it = &spec->models.items[i];
        if (it->outcome != LAB_DONE || !lab_model_fails(&it->model, &test))
            continue;
        const char *slash = strrchr(it->path, '/');
        lab_say(doubt,
                "the model of %.300s failed a test: %s; what is computed is of the model, not of "
                "the machine",
                slash ? slash + 1 : it->path, test.text);
        return true;
    }
    return false;
}
