// SPDX-License-Identifier: Apache-2.0
// cfpc: anticipation for feedback loops. Includes everything: the core and the design tier.
#ifndef CFPC_H
#define CFPC_H

#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/certificate.h"
#include "cfpc/compile.h"
#include "cfpc/core.h"
#include "cfpc/identify.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"

#endif
