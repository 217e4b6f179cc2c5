// SPDX-License-Identifier: Apache-2.0
// The core: runs anywhere, including microcontrollers.
#ifndef CFPC_CORE_H
#define CFPC_CORE_H

#include "cfpc/blocks.h"
#include "cfpc/cell.h"
#include "cfpc/config.h"
#include "cfpc/learned.h"
#include "cfpc/lti.h"
#include "cfpc/model.h"
#include "cfpc/slots.h"
#include "cfpc/status.h"

#endif
