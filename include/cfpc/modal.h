// SPDX-License-Identifier: Apache-2.0
// modal: a discrete system in modal form, so that a step takes only a few multiplications: a real
// pole is one state, a complex pair two,
//
//     q⁺ = p q + u        [q₁]⁺   [ re  im] [q₁]   [1]
//                         [q₂]  = [-im  re] [q₂] + [0] u
//
// each scaled so that the largest gain of an input or line to it is 1. The response is the same
// except for rounding, which grows with the condition number of the eigenvectors.
#ifndef CFPC_MODAL_H
#define CFPC_MODAL_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CFPC_MODAL_CONDITION 1e3 // up to here twelve digits of the response are kept

// CFPC_ILL_CONDITIONED if the normalised eigenvectors have a condition number above
// `max_condition`: poles that coincide or nearly do. Free the result with cfpc_system_free.
cfpc_status cfpc_modal(cfpc_system *modal, const cfpc_system *sys, double max_condition);

#ifdef __cplusplus
}
#endif

#endif
