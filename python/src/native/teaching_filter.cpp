// SPDX-License-Identifier: Apache-2.0
// teaching_filter: traces moved to the error.
#include "native.h"

static TeachingFilter of_trace(const System &trace, double neglect, int32_t max_steps)
{
    TeachingFilter filter;
    must(cfpc_teaching_filter_of(&filter.raw, &trace.raw, neglect, max_steps),
         "the teaching filter");
    return filter;
}

static TeachingFilter whitened(const System &path, double rho, double neglect, int32_t max_steps)
{
    TeachingFilter filter;
    must(cfpc_teaching_filter_whitened(&filter.raw, &path.raw, rho, neglect, max_steps),
         "the teaching filter");
    return filter;
}

static TeachingFilter phase_matched(const System &path, double rho, double neglect,
                                    int32_t max_steps)
{
    TeachingFilter filter;
    must(cfpc_teaching_filter_phase_matched(&filter.raw, &path.raw, rho, neglect, max_steps),
         "the teaching filter");
    return filter;
}

static Array taps(const TeachingFilter &filter)
{
    return array_of(filter.raw.taps, (size_t)(filter.raw.lead + filter.raw.horizon + 1));
}

static Array traces(const TeachingFilter &filter, const Table &x)
{
    std::vector<double> z(x.size());
    must(cfpc_teaching_filter_traces(&filter.raw, count_of(x.shape(0)), count_of(x.shape(1)),
                                     x.data(), z.data()),
         "the traces");
    return array_of(z.data(), x.shape(0), x.shape(1));
}

static double norm(const TeachingFilter &filter, const System &path, const Table &x)
{
    double value = 0;
    must(cfpc_teaching_filter_norm(&filter.raw, &path.raw, count_of(x.shape(0)),
                                   count_of(x.shape(1)), x.data(), &value),
         "the learning rate");
    return value;
}

void add_teaching_filter(nb::module_ &module)
{
    nb::class_<TeachingFilter>(module, "TeachingFilter")
        .def_static("of_trace", of_trace)
        .def_static("whitened", whitened)
        .def_static("phase_matched", phase_matched)
        .def_prop_ro("lead", [](const TeachingFilter &filter) { return filter.raw.lead; })
        .def_prop_ro("horizon", [](const TeachingFilter &filter) { return filter.raw.horizon; })
        .def_prop_ro("neglected", [](const TeachingFilter &filter) { return filter.raw.neglected; })
        .def_prop_ro("taps", taps, nb::rv_policy::automatic)
        .def("traces", traces, nb::arg("x").noconvert())
        .def("norm", norm, nb::arg("path"), nb::arg("x").noconvert());
}
