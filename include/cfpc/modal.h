// SPDX-License-Identifier: Apache-2.0
// modal: a discrete system with its states changed to its modes, so that a step of it is a handful
// of multiplications: a real pole is one state, a pair of complex ones two,
//
//     q⁺ = p q + u        [q₁]⁺   [ re  im] [q₁]   [1]
//                         [q₂]  = [-im  re] [q₂] + [0] u
//
// each scaled so that the input or line that drives it most does so by 1. The response is the same
// but for rounding, which grows with the condition of the eigenvectors.
#ifndef CFPC_MODAL_H
#define CFPC_MODAL_H

#include "cfpc/system.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CFPC_MODAL_CONDITION 1e3 // up to which twelve digits of the response stay

// CFPC_ILL_CONDITIONED if the eigenvectors, of length 1, have a condition above `most`: poles that
// meet or nearly do. Free the result with cfpc_system_free.
cfpc_status cfpc_modal(cfpc_system *modal, const cfpc_system *sys, double most);

#ifdef __cplusplus
}
#endif

#endif
