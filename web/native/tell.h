// SPDX-License-Identifier: Apache-2.0
// tell: functions in JavaScript (tell.js), called with what a result holds, one item per call; so
// that no layout of a struct is known there.
#ifndef CFPC_WEB_TELL_H
#define CFPC_WEB_TELL_H

#include <stddef.h>

#include "cfpc/lab.h"

int web_tick(const char *what, int done, int total); // 0: stop

void web_tell_array(const char *name, const char *unit, const double *values, int rank, size_t rows,
                    size_t columns);
void web_tell_measure(const char *name, const char *unit, double value);
void web_tell_claim(const char *name, const char *says, const char *measure, double low,
                    double high, double measured, int applies, int holds);
void web_tell_rule(const char *name, double rate, int diverged_at, const char *no_optimum,
                   const char *taught_by, const double *weights, size_t count);
void web_tell_phase(const char *name, int first, int last);

#endif
