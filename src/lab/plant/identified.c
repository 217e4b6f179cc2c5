// SPDX-License-Identifier: Apache-2.0
#include "plant/identified.h"

#include <math.h>

// The matrices of the file behind the dead time.
static cfpc_status make_part(cfpc_system *sys, const lab_model_file *m)
{
    const double step_s = m->step_ms / 1e3;
    const int32_t dead_time = (int32_t)lround(m->dead_time_ms / m->step_ms);
    cfpc_system parts[2] = {0};
    cfpc_status status = cfpc_delay(&parts[0], step_s, dead_time);
    if (status == CFPC_OK)
        status = cfpc_state_space(&parts[1], step_s, m->a.rows, m->a.values, m->b.values,
                                  m->c.values, m->d);
    if (status == CFPC_OK)
        status = cfpc_series(sys, 2, parts);
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    return status;
}

// The part itself, or with a feedback that turns it into what is wanted, part/(1 - sign part): its
// output is added to its input, or taken off.
static cfpc_status identified_make(cfpc_system *sys, const lab_model_file *model, bool as_it_is,
                                   double sign)
{
    static const double one = 1;
    const cfpc_wiring wiring = {
        .inputs = 1, .outputs = 1, .from_parts = &sign, .from_outside = &one, .to_outside = &one};
    cfpc_system part = {0};
    *sys = (cfpc_system){0};
    if (as_it_is)
        return make_part(sys, model);
    cfpc_status status = make_part(&part, model);
    if (status == CFPC_OK)
        status = cfpc_connect(sys, 1, &part, &wiring);
    cfpc_system_free(&part);
    return status;
}

cfpc_status lab_identified_system(cfpc_system *sys, const lab_model_file *model)
{
    return identified_make(sys, model, !lab_is_open_path(model->method), -1);
}

cfpc_status lab_identified_open_path(cfpc_system *sys, const lab_model_file *model)
{
    return identified_make(sys, model, lab_is_open_path(model->method), 1);
}
