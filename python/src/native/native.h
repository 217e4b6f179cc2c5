// SPDX-License-Identifier: Apache-2.0
// native: what every file of the module needs. Each concept adds its own classes and functions.
#ifndef CFPC_PYTHON_NATIVE_H
#define CFPC_PYTHON_NATIVE_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "cfpc/cfpc.h"

namespace nb = nanobind;

void add_system(nb::module_ &module);
void add_loop(nb::module_ &module);
void add_bases(nb::module_ &module);
void add_learning(nb::module_ &module);
void add_cell(nb::module_ &module);
void add_identify(nb::module_ &module);
void add_excite(nb::module_ &module);

#endif
