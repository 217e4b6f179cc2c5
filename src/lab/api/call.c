// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

static bool call_tell(void *context, const char *what, int done, int total)
{
    lab_call *call = context;
    if (!call->told || !call->told->tick)
        return true;
    lab_locale_leave(call->locale);
    const bool goes_on = call->told->tick(call->told->context, what, done, total);
    call->locale = lab_locale_enter();
    return goes_on;
}

void lab_call_begin(lab_call *call, const cfpc_progress *told)
{
    *call = (lab_call){.locale = lab_locale_enter(), .told = told};
    call->progress = (lab_progress){.tick = call_tell, .context = call};
}

cfpc_outcome lab_call_end(lab_call *call, lab_outcome outcome, cfpc_why *why)
{
    lab_locale_leave(call->locale);
    if (why)
        *why = outcome == LAB_DONE ? (cfpc_why){0} : call->why;
    return outcome;
}
