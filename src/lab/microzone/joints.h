// SPDX-License-Identifier: Apache-2.0
// joints: two loops that act on each other. Cells that are taught by both errors, each through the
// adjoint of the path from the cell to that error, are compared with cells that are taught by their
// own error alone: through its path, or through that of a loop without coupling.
#ifndef CFPC_LAB_JOINTS_H
#define CFPC_LAB_JOINTS_H

#include "base/arena.h"
#include "base/pace.h"
#include "cfpc/trace.h"
#include "microzone/zone_loops.h"
#include "spec/spec.h"

// Rules for coupled loops: enumerator, name.
#define LAB_JOINT_RULES(X)                                                                         \
    X(LAB_JOINT_FULL, "full")         /* both errors, each through its path */                     \
    X(LAB_JOINT_PER_ZONE, "per-zone") /* its own error, as if there were no coupling */            \
    X(LAB_JOINT_OWN, "own")           /* its own error, through its path */

typedef enum lab_joint_rule { LAB_JOINT_RULES(LAB_ENUMERATOR) LAB_JOINT_RULE_COUNT } lab_joint_rule;

const char *lab_joint_rule_name(lab_joint_rule rule);

// How a rule did at one coupling. rRMSE: of both errors together.
typedef struct lab_joint_score {
    double rate_fraction; // of 1/‖ZᵀH‖: the best of those tried
    double rrmse_last;    // with it
    double rrmse_10;      // at trial 10, with the rate that is best then; NAN: there are fewer
    double failed;        // fraction of the rates at which it ends worse than without cells
    double slowest;       // of the per-zone rule, else NAN: smallest real part of the eigenvalues
                          // of ZᵀH over ‖ZᵀH‖. Below 0 it diverges at every rate
    double definite; // likewise: smallest eigenvalue of the symmetric part of ZᵀH over ‖ZᵀH‖.
                     // Below 0 there are weights that move away from the optimum
} lab_joint_score;

typedef struct lab_joint {
    double coupling; // κ
    double reactive; // rms of both errors without a cell
    lab_joint_score score[LAB_JOINT_RULE_COUNT];
} lab_joint;

typedef struct lab_joints {
    int count;             // couplings; 0: no loops are coupled
    lab_joint *joint;      // (count)
    double definite_until; // coupling of the per-zone rule at which the symmetric part of ZᵀH loses
                           // its definiteness; NAN: at none
    double diverges_from; // at which ZᵀH has an eigenvalue of negative real part; NAN: at none
    double fails_from;    // at which it ends with LAB_JOINTS_FAIL times the error of the full one;
                          // NAN: at none
} lab_joints;

#define LAB_JOINTS_FAIL 1.5
#define LAB_JOINTS_NEGATIVE 1e-3 // an eigenvalue over ‖ZᵀH‖ whose effect shows in some 100 trials

// A coupling as part of a name: 0.45 is "0_45".
typedef struct lab_coupling_text {
    char text[32];
} lab_coupling_text;
lab_coupling_text lab_coupling_name(double coupling);

int lab_joints_work(const lab_zone_spec *zone);

// The couplings before they are run.
lab_outcome lab_joints_begin(lab_joints *joints, lab_arena *arena, const lab_zone_spec *zone,
                             lab_why *why);

// The filters of a rule for joints with some coupling, by cell and error; `apart` are the same
// joints without coupling. A path that teaches nothing has none. Free them in either case.
enum { LAB_JOINT_PATHS = LAB_MAX_COUPLED * LAB_MAX_COUPLED };
lab_outcome lab_joint_filters(cfpc_teaching_filter filter[LAB_JOINT_PATHS],
                              const lab_zone_loops *loops, const lab_zone_loops *apart,
                              lab_joint_rule rule, const lab_spec *spec, lab_why *why);

// Runs every coupling. r: (steps)
lab_outcome lab_joints_run(lab_joints *joints, const lab_spec *spec, int synapses, const double *r,
                           int steps, lab_pace *pace, lab_why *why);

#endif
