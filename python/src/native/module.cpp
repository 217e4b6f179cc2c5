// SPDX-License-Identifier: Apache-2.0
// module: cfpc._native. The Python files of the package are its only users.
#include "lab_native.h"
#include "native.h"

// Names and numbers of C's enumerations, so that Python copies none of them.
static void add_names(nb::module_ &module)
{
    nb::dict flags, reasons, methods, inputs, outputs, kinds;
    flags[nb::int_((int)CFPC_FLAG_NOT_FINITE)] = "not finite";
    flags[nb::int_((int)CFPC_FLAG_FROZEN)] = "frozen";
    flags[nb::int_((int)CFPC_FLAG_GUARDED)] = "guarded";
    flags[nb::int_((int)CFPC_FLAG_ONLY_BLOCKS)] = "only blocks";
    flags[nb::int_((int)CFPC_FLAG_NO_PAST)] = "no past";
    module.attr("FLAGS") = flags;
    reasons[nb::int_((int)CFPC_GUARD_NOTHING)] = "";
    reasons[nb::int_((int)CFPC_GUARD_WORSE)] = "worse than without the cell";
    reasons[nb::int_((int)CFPC_GUARD_NOT_FINITE)] = "not finite";
    reasons[nb::int_((int)CFPC_GUARD_SATURATED)] = "saturated";
    module.attr("GUARD_REASONS") = reasons;
    methods["zoh"] = (int)CFPC_ZOH;
    methods["euler"] = (int)CFPC_EULER;
    methods["tustin"] = (int)CFPC_TUSTIN;
    module.attr("METHODS") = methods;
    inputs["drive"] = (int)CFPC_LOOP_DRIVE;
    inputs["push"] = (int)CFPC_LOOP_PUSH;
    inputs["shift"] = (int)CFPC_LOOP_SHIFT;
    inputs["noise"] = (int)CFPC_LOOP_NOISE;
    module.attr("LOOP_INPUTS") = inputs;
    outputs["y"] = (int)CFPC_LOOP_Y;
    outputs["u"] = (int)CFPC_LOOP_U;
    outputs["m"] = (int)CFPC_LOOP_M;
    module.attr("LOOP_OUTPUTS") = outputs;
    kinds["gaussian"] = (int)CFPC_GAUSSIAN;
    kinds["raised cosine"] = (int)CFPC_RAISED_COSINE;
    kinds["alpha"] = (int)CFPC_ALPHA;
    kinds["exponential"] = (int)CFPC_EXPONENTIAL;
    module.attr("TIME_KINDS") = kinds;
}

NB_MODULE(_native, module)
{
    module.doc() = "The C libraries of cfpc, for the Python files of the package.";
    module.attr("version") = CFPC_VERSION;
    add_names(module);
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
