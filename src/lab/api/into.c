// SPDX-License-Identifier: Apache-2.0
#include "api/into.h"

#include "api/call.h"
#include "api/given.h"

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
    if (outcome == LAB_DONE) {
        outcome = lab_folder_begin_as(&folder, path, options ? options->option : NULL,
                                      options && options->replace, &call.why);
        if (outcome == LAB_DONE)
            lab_folder_abandon(&folder);
    }
    return lab_call_end(&call, outcome, why);
}
