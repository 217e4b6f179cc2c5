// SPDX-License-Identifier: Apache-2.0
// compile: from a design to the image of a model.
#include "native.h"

#include <nanobind/stl/optional.h>

#include <memory>

// The rule's constants by name.
static cfpc_rule rule_of(const nb::dict &of)
{
    cfpc_rule rule{};
    rule.rate = nb::cast<double>(of["rate"]);
    rule.mode = nb::cast<bool>(of["batch"]) ? CFPC_BATCH : CFPC_ONLINE;
    rule.rectified = nb::cast<bool>(of["rectified"]);
    rule.normaliser = nb::cast<double>(of["normaliser"]);
    rule.leak = nb::cast<double>(of["leak"]);
    rule.momentum = nb::cast<double>(of["momentum"]);
    rule.output_penalty = nb::cast<double>(of["output_penalty"]);
    rule.weight_low = nb::cast<double>(of["weight_low"]);
    rule.weight_high = nb::cast<double>(of["weight_high"]);
    return rule;
}

static cfpc_guard guard_of(const nb::dict &of)
{
    cfpc_guard guard = cfpc_default_guard();
    guard.on = nb::cast<bool>(of["on"]);
    guard.factor = nb::cast<double>(of["factor"]);
    guard.spread = nb::cast<double>(of["spread"]);
    guard.repeats = nb::cast<bool>(of["repeats"]);
    guard.window_steps = nb::cast<int32_t>(of["window_steps"]);
    guard.settle_steps = nb::cast<int32_t>(of["settle_steps"]);
    guard.saturated_steps = nb::cast<int32_t>(of["saturated_steps"]);
    guard.tries = nb::cast<int32_t>(of["tries"]);
    guard.resume = nb::cast<double>(of["resume"]);
    return guard;
}

static nb::bytes compile(int32_t synapses, const std::optional<Table> &basis, const System &trace,
                         const TeachingFilter *filter, const nb::dict &rule, const nb::dict &guard,
                         const System *response, int32_t dead_time_steps)
{
    cfpc_cell_def def{};
    def.synapses = synapses;
    if (basis) {
        must(basis->shape(1) == (size_t)synapses ? CFPC_OK : CFPC_BAD_SHAPE, "the basis");
        def.steps = count_of(basis->shape(0));
        def.basis = basis->data();
    }
    def.trace = &trace.raw;
    def.filter = filter ? &filter->raw : nullptr;
    def.past = basis ? CFPC_PAST_TABLE : CFPC_PAST_KEPT;
    def.rule = rule_of(rule);
    def.guard = guard_of(guard);
    def.response = response ? &response->raw : nullptr;
    def.dead_time_steps = dead_time_steps;
    const cfpc_model *model = nullptr;
    must(cfpc_compile(&model, &def), "the cell");
    const std::unique_ptr<const cfpc_model, void (*)(const cfpc_model *)> kept(model,
                                                                               cfpc_model_free);
    return nb::bytes(model, cfpc_model_bytes(model));
}

void add_compile(nb::module_ &module)
{
    module.def("compile", compile, nb::arg("synapses"), nb::arg("basis").noconvert().none(),
               nb::arg("trace"), nb::arg("filter").none(), nb::arg("rule"), nb::arg("guard"),
               nb::arg("response").none(), nb::arg("dead_time_steps"));
}
