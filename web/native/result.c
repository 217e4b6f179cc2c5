// SPDX-License-Identifier: Apache-2.0
#include "result.h"

#include "tell.h"
#include "why.h"

static void tell_arrays(const cfpc_result *result)
{
    cfpc_array it;
    for (int i = 0; cfpc_result_array(result, i, &it); i++)
        web_tell_array(it.name, it.unit, it.values, it.rank, it.shape[0], it.shape[1]);
}

static void tell_measures(const cfpc_result *result)
{
    cfpc_measure it;
    for (int i = 0; cfpc_result_measure(result, i, &it); i++)
        web_tell_measure(it.name, it.unit, it.value);
}

static void tell_claims(const cfpc_result *result)
{
    cfpc_claim it;
    for (int i = 0; cfpc_result_claim(result, i, &it); i++)
        web_tell_claim(it.name, it.says, it.measure, it.low, it.high, it.measured, it.applies,
                       it.holds);
}

static void tell_rules(const cfpc_result *result)
{
    cfpc_rule_result it;
    for (int i = 0; cfpc_result_rule(result, i, &it); i++)
        web_tell_rule(it.name, it.rate, it.diverged_at, it.no_optimum, it.taught_by, it.weights,
                      it.count);
}

static void tell_phases(const cfpc_result *result)
{
    cfpc_phase it;
    for (int i = 0; cfpc_result_phase(result, i, &it); i++)
        web_tell_phase(it.name, it.first, it.last);
}

void web_result_tell(const cfpc_result *result)
{
    tell_arrays(result);
    tell_measures(result);
    tell_claims(result);
    tell_rules(result);
    tell_phases(result);
}

cfpc_outcome web_result_check(const cfpc_result *result)
{
    return web_ended(cfpc_result_check(result, &web_why));
}
