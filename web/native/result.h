// SPDX-License-Identifier: Apache-2.0
// result: tells JavaScript what a result holds.
#ifndef CFPC_WEB_RESULT_H
#define CFPC_WEB_RESULT_H

#include "cfpc/lab.h"

void web_result_tell(const cfpc_result *result);
cfpc_outcome web_result_check(const cfpc_result *result);

#endif
