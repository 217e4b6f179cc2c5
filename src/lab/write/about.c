// SPDX-License-Identifier: Apache-2.0
#include "write/about.h"

#include <stdlib.h>
#include <string.h>

#include "cfpc/config.h"

bool lab_about_make(lab_about *about, const lab_spec *spec, const lab_origin *origin)
{
    *about = (lab_about){.spec = spec, .origin = origin, .settings = lab_applied_text(spec)};
    return about->settings;
}

void lab_about_free(lab_about *about)
{
    free(about->settings);
    *about = (lab_about){0};
}

const char *lab_about_text(const lab_about *about, const char *name)
{
    const lab_spec *spec = about->spec;
    const char *const texts[][2] = {
        {"name", spec->name},
        {"title", spec->title},
        {"version", CFPC_VERSION},
        {"spec", about->origin->text},
        {"settings", about->settings},
        {"mode", spec->learning.mode == LAB_ONLINE ? "online" : "batch"},
        {"rule", lab_rules(spec)[spec->main_rule].name}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i][0], name) == 0)
            return texts[i][1];
    return NULL;
}
