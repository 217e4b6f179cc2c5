// SPDX-License-Identifier: Apache-2.0
// published: the hashes of the experiments that come with cfpc, in the file HASHES beside them.
#ifndef CFPC_APP_PUBLISHED_H
#define CFPC_APP_PUBLISHED_H

#include "cfpc/lab.h"

enum { APP_HASH_DIGITS = 16 };

typedef struct app_published {
    char hash[APP_HASH_DIGITS + 1]; // "": there is none
    bool is_due;                    // the experiment is the published one, whose hash this is
} app_published;

// What is published under the experiment's name, and whether the experiment has the same spec.
// Nothing is published where the folder of experiments has no HASHES, or no line of this name in
// it, and for a cfpc that computes in float: the published results are of double.
cfpc_outcome app_find_published(app_published *published, const cfpc_experiment *experiment,
                                cfpc_why *why);

// Prints the hash of a result, and whether it is the published one.
void app_print_hash(const char *hash, const app_published *published);

#endif
