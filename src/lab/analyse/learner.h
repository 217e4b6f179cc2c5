// SPDX-License-Identifier: Apache-2.0
// learner: one rule of a setup as the certificate takes it: its traces, what teaches it, and the
// paths from its output.
#ifndef CFPC_LAB_LESSON_H
#define CFPC_LAB_LESSON_H

#include "cfpc/certificate.h"
#include "run/setup.h"

typedef struct lab_learner {
    const lab_setup *setup;
    const lab_rule *rule;
    cfpc_lesson lesson;        // borrows what follows, and the setup's
    double *trace;             // Z                                             (N x G)
    double *teaching;          // what a reactive trial teaches, NULL: the error (N)
    double rate;               // η by which the map is to be certified
    double normaliser;         // ε online, 0: none
    cfpc_system error_path;    // from o to the output of the loop that is
    cfpc_system teaching_path; // from o to minus the teaching signal
} lab_learner;

// Why a rule's learning is no affine map from trial to trial, NULL if it is one.
const char *lab_not_affine(const lab_setup *setup, const lab_rule *rule);

// Whether the mean over the noise is nevertheless one: trials repeat, and no basis receives the
// noise.
bool lab_mean_is_affine(const lab_setup *setup, const lab_rule *rule);

// Whether online learning is linear in the weights, whatever the task does.
bool lab_mean_is_linear(const lab_setup *setup, const lab_rule *rule);

// Free it in either case.
lab_outcome lab_learner_make(lab_learner *learner, const lab_setup *setup, const lab_rule *rule,
                             lab_why *why);
void lab_learner_free(lab_learner *learner);

// The map of a trial, in the loop that is (other NULL) or in another. Online it includes the rate.
cfpc_status lab_learner_map(cfpc_learning_map *map, const lab_learner *learner,
                            const lab_loop *other);

// The verdict on batch learning in another loop, by its lags; see cfpc/certificate.h.
cfpc_status lab_learner_verdict(cfpc_verdict *verdict, bool *certain, const lab_learner *learner,
                                const cfpc_lags *lags, const lab_loop *other);

// The map of a trial in batch, in the loop that is, whatever the mode.
cfpc_status lab_learner_batch_map(cfpc_learning_map *map, const lab_learner *learner);

// The rate to certify the map with: 1 if the map includes it.
double lab_learner_rate(const lab_learner *learner);

// About how many multiply-adds a map takes, on line or in batch.
double lab_learner_work(const lab_learner *learner, bool online);

#endif
