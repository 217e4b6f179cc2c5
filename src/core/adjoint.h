// SPDX-License-Identifier: Apache-2.0
// adjoint: the halves of a step, and the end of a trial, of a cell in adjoint form.
#ifndef CFPC_CORE_ADJOINT_H
#define CFPC_CORE_ADJOINT_H

#include "data_image.h"

// Acting, x as used: keeps the input if the cell must. handed: x came from the caller.
void cfpci_adjoint_note(const cfpc_model *model, cfpc_data *data, const cfpc_real *x, bool handed);

// Learning, with the past input that the model or the cell has; or with the one given.
void cfpci_adjoint_teach(const cfpc_model *model, cfpc_data *data, cfpc_real e);
void cfpci_adjoint_teach_given(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                               cfpc_real e);

// The input that learns now, where the model or the cell has it; NULL: zeros.
const cfpc_real *cfpci_adjoint_past(const cfpc_model *model, cfpc_data *data);

// The same as the last one, and cfpc_learn_due, without the bounds of the weights, which a held
// block applies at its end. Return whether the weights have changed.
bool cfpci_adjoint_learn(const cfpc_model *model, cfpc_data *data, const cfpc_real *past,
                         cfpc_real e);
bool cfpci_adjoint_learn_due(const cfpc_model *model, cfpc_data *data, const cfpc_real *past);

// The end of a trial: all that is due is learned, unless the caller gives the past, or dropped.
void cfpci_adjoint_end(const cfpc_model *model, cfpc_data *data);

#endif
