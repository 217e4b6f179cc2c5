// SPDX-License-Identifier: Apache-2.0
// arrival: when a learning curve has reached the optimum: one definition for runs and for
// predictions.
#ifndef CFPC_LAB_ARRIVAL_H
#define CFPC_LAB_ARRIVAL_H

// The first trial, counted from 1, whose rRMSE is within 5 % of the optimum, or within 0.005 of it,
// whichever is larger (an optimum near 0 is never reached to 5 %); 0 if there is none.
int lab_trials_to_5pc(const double *rrmse, int trials, double optimum);

#endif
