// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

#include <stdlib.h>

#include "base/text.h"

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

// ---- texts -----------------------------------------------------------------------------------

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

// ---- folders ---------------------------------------------------------------------------------

lab_outcome lab_write_into(const char *path, const cfpc_write_options *options,
                           const lab_progress *progress, lab_filler *fill, const void *context,
                           lab_why *why)
{
    const cfpc_write_options how = options ? *options : (cfpc_write_options){0};
    lab_pace pace = {.progress = progress, .total = 1};
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin_as(&folder, path, how.option, how.replace, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = fill(&folder, context, how.figures, why);
    if (outcome == LAB_DONE)
        outcome = lab_tick(&pace, "files", why); // whoever waits may have asked to stop
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

cfpc_outcome cfpc_folder_check(const char *path, const cfpc_write_options *options, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    lab_folder folder;
    lab_outcome outcome = lab_check_given(path, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_begin_as(&folder, path, options ? options->option : NULL,
                                      options && options->replace, &call.why);
    if (outcome == LAB_DONE)
        lab_folder_abandon(&folder);
    return lab_call_end(&call, outcome, why);
}
