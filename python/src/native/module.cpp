// SPDX-License-Identifier: Apache-2.0
// module: cfpc._native. The Python files of the package are its only users.
#include "lab_native.h"
#include "native.h"

NB_MODULE(_native, module)
{
    module.doc() = "The C libraries of cfpc, for the Python files of the package.";
    module.attr("version") = CFPC_VERSION;
    add_system(module);
    add_parts(module);
    add_loop(module);
    add_bases(module);
    add_teaching_filter(module);
    add_learning(module);
    add_compile(module);
    add_cell(module);
    add_identify(module);
    add_excite(module);
    add_tree(module);
    add_experiment(module);
    add_result(module);
    add_sweep(module);
}
