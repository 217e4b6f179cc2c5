// SPDX-License-Identifier: Apache-2.0
// load: a spec file as it was read, and a spec made of it: settings put in, and checked.
#ifndef CFPC_LAB_LOAD_H
#define CFPC_LAB_LOAD_H

#include "spec/node.h"
#include "spec/spec.h"

// What was read of a spec file. A spec made of it does not need it any more.
typedef struct lab_source {
    char *file;            // where it was read from
    char *text;            // what was read; NULL: a tree was given
    lab_node *tree;        // the same, parsed: without settings
    lab_model_files known; // model files that were read before; a spec reads others itself
} lab_source;

// Reads a spec file, or text that stands for one, or takes a copy of a tree. Free the source in
// either case.
lab_outcome lab_source_load(lab_source *source, const char *file, lab_why *why);
lab_outcome lab_source_parse(lab_source *source, const char *file, const char *text, lab_why *why);
lab_outcome lab_source_of_tree(lab_source *source, const cfpc_tree *tree, lab_why *why);
void lab_source_free(lab_source *source);

// Reads the model files that a spec of this source and settings (of a grid, or NULL) name, so that
// specs made of it later read none: all of them see the same. What is wrong with a file is said by
// the spec that needs it.
lab_outcome lab_source_know(lab_source *source, const lab_spec *spec, const lab_settings *settings,
                            lab_why *why);

// The tree with its cases written out and settings put in. Free the tree in either case.
lab_outcome lab_source_tree(lab_node **tree, const lab_source *source, const lab_settings *settings,
                            lab_why *why);

// The spec of a source with settings (or NULL) put in, checked. Free it in either case.
lab_outcome lab_spec_make(lab_spec *spec, const lab_source *source, const lab_settings *settings,
                          lab_why *why);

// The same for a part of a plan: the settings are not noted in the spec, and its story is not
// checked.
lab_outcome lab_spec_make_part(lab_spec *spec, const lab_source *source,
                               const lab_settings *settings, lab_why *why);

// Reads and makes in one call, where the source is not needed again. Free the spec in either case.
lab_outcome lab_spec_load(lab_spec *spec, const char *file, const lab_settings *settings,
                          lab_why *why);
lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text,
                           const lab_settings *settings, lab_why *why);
void lab_spec_free(lab_spec *spec);

#endif
