// SPDX-License-Identifier: Apache-2.0
// cfpc: anticipation for feedback loops. Includes everything: the core and the design tier.
#ifndef CFPC_H
#define CFPC_H

#include "cfpc/band.h"
#include "cfpc/bases.h"
#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/certificate.h"
#include "cfpc/compile.h"
#include "cfpc/controller.h"
#include "cfpc/core.h"
#include "cfpc/excite.h"
#include "cfpc/frequency.h"
#include "cfpc/identify.h"
#include "cfpc/lags.h"
#include "cfpc/loop.h"
#include "cfpc/modal.h"
#include "cfpc/precondition.h"
#include "cfpc/problem.h"
#include "cfpc/realise.h"
#include "cfpc/robust.h"
#include "cfpc/system.h"
#include "cfpc/teaching_filter.h"
#include "cfpc/threads.h"
#include "cfpc/trace_design.h"
#include "cfpc/transfer.h"

#endif
