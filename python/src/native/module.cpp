// SPDX-License-Identifier: Apache-2.0
// module: cfpc._native. The Python files of the package are its only users.
#include "native.h"

NB_MODULE(_native, module)
{
    module.doc() = "The C libraries of cfpc, for the Python files of the package.";
    module.attr("version") = CFPC_VERSION;
}
