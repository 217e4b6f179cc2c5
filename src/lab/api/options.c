// SPDX-License-Identifier: Apache-2.0
#include "api/options.h"

#include <math.h>
#include <stdio.h>

#include "api/given.h"
#include "api/settings.h"
#include "base/number.h"

cfpc_experiment_options cfpc_default_experiment_options(void)
{
    return (cfpc_experiment_options){.rate = NAN, .seed = -1};
}

// No rate is given.
static bool is_usual(double rate)
{
    return isnan(rate) || rate == 0;
}

static lab_outcome options_check_whole(const char *name, int value, int least, lab_why *why)
{
    return value >= least && value <= LAB_MAX_COUNT
               ? LAB_DONE
               : lab_refuse(why, "%s must be a whole number from %d to %d; this is %d", name, least,
                            LAB_MAX_COUNT, value);
}

static lab_outcome check_options(const cfpc_experiment_options *from, lab_why *why)
{
    lab_outcome outcome =
        from->trials ? options_check_whole("trials", from->trials, 1, why) : LAB_DONE;
    if (outcome == LAB_DONE && from->repeat)
        outcome = options_check_whole("repeat", from->repeat, 1, why);
    if (outcome == LAB_DONE && from->seed != -1)
        outcome = options_check_whole("seed", from->seed, 0, why);
    if (outcome == LAB_DONE && !is_usual(from->rate) && !(isfinite(from->rate) && from->rate > 0))
        outcome =
            lab_refuse(why, "the learning rate must be a number above 0; this is %g", from->rate);
    return outcome;
}

lab_outcome lab_options_read(lab_optional *to, const cfpc_experiment_options *from, lab_why *why)
{
    const cfpc_experiment_options standard = cfpc_default_experiment_options();
    const cfpc_experiment_options *options = from ? from : &standard;
    *to = (lab_optional){0};
    const lab_outcome outcome = check_options(options, why);
    if (outcome != LAB_DONE)
        return outcome;
    snprintf(to->trials, sizeof to->trials, "%d", options->trials);
    snprintf(to->rate, sizeof to->rate, "%s", lab_number(options->rate).text);
    to->changes = (lab_changes){.settings = lab_settings_of(options->settings),
                                .rule = options->rule,
                                .trials = options->trials > 0 ? to->trials : NULL,
                                .rate = is_usual(options->rate) ? NULL : to->rate,
                                .online = options->online,
                                .repeat = options->repeat,
                                .seed = options->seed,
                                .dashes = ""};
    return LAB_DONE;
}
