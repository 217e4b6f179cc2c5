// SPDX-License-Identifier: Apache-2.0
// bases: basis signals in time, driven by a signal, and over an angle.
#include "native.h"

#include <memory>

static Array time_basis(int kind, int32_t count, double origin_s, double first_s, double spacing_s,
                        double width_s, double last_s, double step_s, int32_t steps)
{
    must(steps > 0 && count > 0 ? CFPC_OK : CFPC_BAD_SIZE, "the basis");
    std::vector<double> table((size_t)steps * (size_t)count);
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.kind = (cfpc_time_kind)kind;
    def.count = count;
    def.origin_s = origin_s;
    def.first_s = first_s;
    def.spacing_s = spacing_s;
    def.width_s = width_s;
    def.last_s = last_s;
    must(cfpc_time_basis(&def, step_s, steps, count, 0, table.data()), "the basis");
    return array_of(table.data(), (size_t)steps, (size_t)count);
}

static double centred_first(int32_t count, double spacing_s, double step_s, int32_t steps)
{
    cfpc_time_basis_def def = cfpc_default_time_basis_def();
    def.count = count;
    def.spacing_s = spacing_s;
    return cfpc_centred_first_s(&def, step_s, steps);
}

// ---- driven by a signal ----------------------------------------------------------------------

static System tapped_delay(double step_s, int32_t count, int32_t spacing_steps)
{
    System sys;
    must(cfpc_tapped_delay(&sys.raw, step_s, count, spacing_steps), "the basis");
    return sys;
}

static System derivatives(double step_s, int32_t count)
{
    System sys;
    must(cfpc_derivatives(&sys.raw, step_s, count), "the basis");
    return sys;
}

static System leaky_cascade(double step_s, int32_t count, double time_constant_s)
{
    System sys;
    must(cfpc_leaky_cascade(&sys.raw, step_s, count, time_constant_s), "the basis");
    return sys;
}

static System laguerre(double step_s, int32_t count, double time_constant_s)
{
    System sys;
    must(cfpc_laguerre(&sys.raw, step_s, count, time_constant_s), "the basis");
    return sys;
}

// What the network makes of a signal: (steps x outputs).
static Array driven(const System &network, const Signal &signal)
{
    cfpc_lti *made = nullptr;
    must(cfpc_lti_of_system(&made, &network.raw), "the basis");
    const std::unique_ptr<cfpc_lti, void (*)(cfpc_lti *)> kept(made, cfpc_lti_free);
    const cfpc_lti *lti = made;
    const auto count = (size_t)lti->outputs;
    std::vector<double> memory((cfpc_bank_size(lti, 1) + 7) / 8), table(signal.size() * count);
    cfpc_bank *bank = nullptr;
    must(cfpc_bank_init(&bank, memory.data(), memory.size() * 8, lti, 1), "the basis");
    for (size_t n = 0; n < signal.size(); n++)
        cfpc_bank_step(lti, bank, signal.data() + n, table.data() + n * count);
    return array_of(table.data(), signal.size(), count);
}

// ---- over an angle ---------------------------------------------------------------------------

// Rows of the basis at these phases: (phases x count).
static Array periodic(int32_t count, double width_turns, const Signal &turns)
{
    cfpc_periodic def{};
    must(cfpc_periodic_make(&def, count, width_turns), "the basis");
    const std::unique_ptr<cfpc_periodic, void (*)(cfpc_periodic *)> kept(&def, cfpc_periodic_free);
    std::vector<double> table(turns.size() * (size_t)count);
    for (size_t n = 0; n < turns.size(); n++)
        cfpc_periodic_row(&def, turns.data()[n], table.data() + n * (size_t)count);
    return array_of(table.data(), turns.size(), (size_t)count);
}

void add_bases(nb::module_ &module)
{
    module.def("time_basis", time_basis);
    module.def("centred_first", centred_first);
    module.def("tapped_delay", tapped_delay);
    module.def("derivatives", derivatives);
    module.def("leaky_cascade", leaky_cascade);
    module.def("laguerre", laguerre);
    module.def("driven", driven, nb::arg("network"), nb::arg("signal").noconvert());
    module.def("periodic", periodic, nb::arg("count"), nb::arg("width_turns"),
               nb::arg("turns").noconvert());
}
