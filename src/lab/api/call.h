// SPDX-License-Identifier: Apache-2.0
// call: what every call of a program begins and ends with: the locale of C, and why it failed.
#ifndef CFPC_LAB_API_CALL_H
#define CFPC_LAB_API_CALL_H

#include "base/c_locale.h"
#include "base/pace.h"

typedef struct lab_call {
    lab_locale locale;
    const cfpc_progress *told; // NULL: none
    lab_progress progress;     // tells it, in the program's own locale
    lab_why why;
} lab_call;

// A call may not be moved between its begin and its end. told may be NULL.
void lab_call_begin(lab_call *call, const cfpc_progress *told);
cfpc_outcome lab_call_end(lab_call *call, lab_outcome outcome, cfpc_why *why);

#endif
