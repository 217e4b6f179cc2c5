// SPDX-License-Identifier: Apache-2.0
#include "api/told.h"

#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "base/text.h"

lab_outcome lab_tell(char **text, lab_teller *tell, const void *context, lab_why *why)
{
    lab_written to;
    lab_written_open(&to);
    lab_outcome outcome = to.file ? tell(to.file, context, why) : lab_no_memory(why, NULL);
    *text = lab_written_close(&to);
    if (outcome == LAB_DONE && !*text)
        outcome = lab_no_memory(why, NULL);
    if (outcome != LAB_DONE) {
        free(*text);
        *text = NULL;
    }
    return outcome;
}

cfpc_outcome lab_tell_program(char **text, lab_teller *tell, const void *context, const char *what,
                              cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    if (text)
        *text = NULL;
    lab_outcome outcome = lab_check_both(context, what, text, "place for the text", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_tell(text, tell, context, &call.why);
    return lab_call_end(&call, outcome, why);
}
