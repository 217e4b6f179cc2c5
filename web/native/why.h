// SPDX-License-Identifier: Apache-2.0
// why: how the last call ended, kept for JavaScript to ask.
#ifndef CFPC_WEB_WHY_H
#define CFPC_WEB_WHY_H

#include "cfpc/lab.h"
#include "cfpc/status.h"

extern cfpc_why web_why; // for the call that is next

// Keep the outcome and return it; that of a status is refused, or failed without memory.
cfpc_outcome web_ended(cfpc_outcome outcome);
cfpc_outcome web_ended_with(cfpc_status status);

// For JavaScript.
const char *web_version(void);
int web_outcome(void);
const char *web_why_text(void);
const char *web_why_file(void);
int web_why_line(void);
int web_why_column(void);

#endif
