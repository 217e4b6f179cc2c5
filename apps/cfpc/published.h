// SPDX-License-Identifier: Apache-2.0
// published: the hashes of the experiments that come with cfpc, in the file HASHES beside them.
#ifndef CFPC_APP_PUBLISHED_H
#define CFPC_APP_PUBLISHED_H

#include "write/hash.h"

typedef struct app_published {
    lab_hash_text hash; // "": there is none
    bool is_due;        // the run is of the experiment as it is, and should have this hash
} app_published;

// What is published of the experiment of this spec's name, and whether its file is, letter for
// letter, that of the experiment. Nothing is published where the folder of experiments has no
// HASHES, or no line of this name in it, and for a cfpc that computes in float: the published
// results are of double.
lab_outcome app_find_published(app_published *published, const lab_spec *spec, lab_why *why);

#endif
