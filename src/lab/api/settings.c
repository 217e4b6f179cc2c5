// SPDX-License-Identifier: Apache-2.0
#include "api/settings.h"

#include <stdlib.h>

#include "api/call.h"
#include "api/given.h"
#include "spec/table_print.h"
#include "spec/tree.h"

struct cfpc_settings {
    lab_settings all;
};

cfpc_settings *cfpc_settings_create(void)
{
    return calloc(1, sizeof(cfpc_settings));
}

void cfpc_settings_free(cfpc_settings *settings)
{
    if (settings)
        lab_settings_free(&settings->all);
    free(settings);
}

const lab_settings *lab_settings_of(const cfpc_settings *settings)
{
    return settings ? &settings->all : NULL;
}

// Where a call has left one out; a settings that could not be made is NULL too.
static lab_outcome check_arguments(const cfpc_settings *settings, const char *text, lab_why *why)
{
    if (!settings)
        return lab_no_memory(why, NULL);
    if (!text || !*text)
        return lab_refuse(why, "a setting needs a path, as loop.delay_ms");
    return LAB_DONE;
}

static lab_outcome settings_add_text(cfpc_settings *settings, const char *path_is_value,
                                     lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    if (!path_is_value || !settings)
        outcome = check_arguments(settings, path_is_value, why); // of "" the lab says what it needs
    return outcome == LAB_DONE ? lab_settings_add(&settings->all, path_is_value, why) : outcome;
}

cfpc_outcome cfpc_settings_add(cfpc_settings *settings, const char *path_is_value, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    return lab_call_end(&call, settings_add_text(settings, path_is_value, &call.why), why);
}

// It is called by the text that a command line would have for it.
static lab_outcome add_copy(lab_settings *all, const char *path, const lab_node *root, lab_why *why)
{
    lab_node *value = lab_node_copy(root);
    const lab_setting named = {.path = (char *)path, .value = value};
    char *assignment = value ? lab_setting_text(&named) : NULL;
    const lab_outcome outcome = assignment
                                    ? lab_settings_add_given(all, path, value, assignment, why)
                                    : lab_no_memory(why, NULL);
    free(assignment);
    lab_node_free(value);
    return outcome;
}

static lab_outcome add_tree(cfpc_settings *settings, const char *path, const cfpc_tree *value,
                            lab_why *why)
{
    lab_outcome outcome = check_arguments(settings, path, why);
    if (outcome == LAB_DONE && value && lab_tree_is_empty(value))
        outcome = lab_refuse(why, "setting '%.80s' has no value", path);
    if (outcome == LAB_DONE)
        outcome = cfpc_tree_check(value, why);
    return outcome == LAB_DONE ? add_copy(&settings->all, path, lab_tree_root(value), why)
                               : outcome;
}

cfpc_outcome cfpc_settings_add_tree(cfpc_settings *settings, const char *path,
                                    const cfpc_tree *value, cfpc_why *why)
{
    lab_call call;
    lab_call_begin(&call, NULL);
    return lab_call_end(&call, add_tree(settings, path, value, &call.why), why);
}
