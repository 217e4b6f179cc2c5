// SPDX-License-Identifier: Apache-2.0
// about: what describes a result in words: its attributes in result.h5.
#ifndef CFPC_LAB_ABOUT_H
#define CFPC_LAB_ABOUT_H

#include "spec/origin.h"

typedef struct lab_about {
    const lab_spec *spec;
    const lab_origin *origin;
    char *settings; // one per line, as path=value
} lab_about;

// Borrows both; false without memory. Free it in either case.
bool lab_about_make(lab_about *about, const lab_spec *spec, const lab_origin *origin);
void lab_about_free(lab_about *about);

// name, title, version, spec, settings, mode, rule; NULL: there is no such attribute.
const char *lab_about_text(const lab_about *about, const char *name);

#endif
