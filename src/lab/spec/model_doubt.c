// SPDX-License-Identifier: Apache-2.0
#include "spec/model_doubt.h"

#include <math.h>
#include <string.h>

#include "cfpc/identify.h"

bool lab_model_fails(const lab_model_file *model, lab_why *test)
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
        if (model->outcome != LAB_DONE || !lab_model_fails(&model->model, &test))
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
