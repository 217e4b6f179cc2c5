// SPDX-License-Identifier: Apache-2.0
// arrival: when a learning curve has arrived at the optimum. One definition for what is run and for
// what is predicted.
#ifndef CFPC_LAB_ARRIVAL_H
#define CFPC_LAB_ARRIVAL_H

// The first trial, counted from 1, whose rRMSE is within 5 % of the optimum, or within 0.005 of it
// where that is more (an optimum near 0 is never reached to 5 %); 0 if there is none.
int lab_trials_to_5pc(const double *rrmse, int trials, double optimum);

#endif
