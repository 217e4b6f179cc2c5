// SPDX-License-Identifier: Apache-2.0
// cost: what a run of an experiment needs, before it is run.
#include "api/call.h"
#include "api/experiment.h"
#include "api/given.h"
#include "run/run_needs.h"

cfpc_outcome cfpc_experiment_cost(const cfpc_experiment *experiment, cfpc_cost *cost, cfpc_why *why)
{
    lab_call call;
    lab_needs needs = {0}, before = {0};
    lab_call_begin(&call, NULL);
    if (cost)
        *cost = (cfpc_cost){0};
    lab_outcome outcome =
        lab_check_both(experiment, "experiment", cost, "place for the cost", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_run_needs(&needs, &before, &experiment->plan, &call.why);
    if (outcome == LAB_DONE)
        *cost = (cfpc_cost){.work = lab_needs_work(&needs),
                            .check = 2 * lab_needs_work(&before), // texts, then measures
                            .bytes = needs.kept + needs.passing};
    return lab_call_end(&call, outcome, why);
}
