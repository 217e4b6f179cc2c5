// SPDX-License-Identifier: Apache-2.0
// system: cfpc_system, immutable, and what can be asked of it.
#include "native.h"

#include <algorithm>

static size_t entries(const cfpc_system &sys)
{
    return (size_t)cfpc_system_rows(&sys) * (size_t)cfpc_system_columns(&sys);
}

static System make(double step_s, int32_t states, int32_t inputs, int32_t outputs,
                   const std::vector<int32_t> &delays, const Table &matrix)
{
    System sys;
    must(cfpc_system_make(&sys.raw, step_s, states, inputs, outputs, count_of(delays.size())),
         "the system");
    if (matrix.shape(0) != (size_t)cfpc_system_rows(&sys.raw) ||
        matrix.shape(1) != (size_t)cfpc_system_columns(&sys.raw))
        must(CFPC_BAD_SHAPE, "the system");
    for (size_t i = 0; i < delays.size(); i++) {
        must(delays[i] >= 1 ? CFPC_OK : CFPC_BAD_DELAY, "the system");
        sys.raw.delay_steps[i] = delays[i];
    }
    std::copy_n(matrix.data(), entries(sys.raw), sys.raw.matrix);
    return sys;
}

static Array matrix(const System &sys)
{
    return array_of(sys.raw.matrix, (size_t)cfpc_system_rows(&sys.raw),
                    (size_t)cfpc_system_columns(&sys.raw));
}

static std::vector<int32_t> delays(const System &sys)
{
    return {sys.raw.delay_steps, sys.raw.delay_steps + sys.raw.lines};
}

// ---- its poles -------------------------------------------------------------------------------

static nb::tuple poles(const System &sys)
{
    const auto count = (size_t)cfpc_pole_count(&sys.raw);
    std::vector<double> re(count), im(count);
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_poles(&sys.raw, re.data(), im.data());
    }
    must(status, "the poles");
    return nb::make_tuple(array_of(std::move(re)), array_of(std::move(im)));
}

static nb::tuple dominant_poles(const System &sys, int32_t most)
{
    std::vector<double> re((size_t)most), im((size_t)most);
    int32_t count = 0;
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_dominant_poles(&sys.raw, most, re.data(), im.data(), &count);
    }
    must(status, "the poles");
    re.resize((size_t)count);
    im.resize((size_t)count);
    return nb::make_tuple(array_of(std::move(re)), array_of(std::move(im)));
}

static double spectral_radius(const System &sys)
{
    double radius = 0;
    must(cfpc_spectral_radius(&sys.raw, &radius), "the poles");
    return radius;
}

static bool is_stable(const System &sys)
{
    bool stable = false;
    must(cfpc_is_stable(&sys.raw, &stable), "the poles");
    return stable;
}

// ---- over frequency --------------------------------------------------------------------------

static nb::tuple frequency_response(const System &sys, const Signal &hz)
{
    std::vector<double> re(hz.size()), im(hz.size());
    must(cfpc_frequency_response(&sys.raw, count_of(hz.size()), hz.data(), re.data(), im.data()),
         "the frequency response");
    return nb::make_tuple(array_of(std::move(re)), array_of(std::move(im)));
}

static nb::tuple margins(const System &open)
{
    cfpc_margins m;
    must(cfpc_margins_of(&open.raw, &m), "the margins");
    return nb::make_tuple(m.gain, m.gain_hz, m.phase_deg, m.phase_hz, m.delay_s, m.gain_low,
                          m.gain_low_hz);
}

static double bandwidth(const System &sys)
{
    double hz = 0;
    must(cfpc_bandwidth(&sys.raw, &hz), "the bandwidth");
    return hz;
}

static int32_t dead_time(const System &sys, int32_t most)
{
    int32_t steps = 0;
    must(cfpc_dead_time(&sys.raw, most, &steps), "the dead time");
    return steps;
}

// ---- over time -------------------------------------------------------------------------------

static Array apply(const System &sys, const Table &x)
{
    std::vector<double> y(x.size());
    must(sys.raw.inputs == 1 && sys.raw.outputs == 1 ? CFPC_OK : CFPC_BAD_SHAPE, "the simulation");
    const int32_t steps = count_of(x.shape(0)), columns = count_of(x.shape(1));
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_apply(&sys.raw, steps, columns, x.data(), y.data());
    }
    must(status, "the simulation");
    return array_of(y.data(), x.shape(0), x.shape(1));
}

static Array response(const System &sys, int32_t steps)
{
    std::vector<double> h((size_t)std::max(steps, 0));
    must(cfpc_impulse_response(&sys.raw, steps, h.data()), "the response");
    return array_of(std::move(h));
}

void add_system(nb::module_ &module)
{
    nb::class_<System>(module, "System")
        .def_static("make", make, nb::arg("step_s"), nb::arg("states"), nb::arg("inputs"),
                    nb::arg("outputs"), nb::arg("delays"), nb::arg("matrix").noconvert())
        .def_prop_ro("step_s", [](const System &sys) { return sys.raw.step_s; })
        .def_prop_ro("states", [](const System &sys) { return sys.raw.states; })
        .def_prop_ro("inputs", [](const System &sys) { return sys.raw.inputs; })
        .def_prop_ro("outputs", [](const System &sys) { return sys.raw.outputs; })
        .def_prop_ro("delays", delays)
        .def_prop_ro("matrix", matrix, nb::rv_policy::automatic)
        .def("poles", poles)
        .def("dominant_poles", dominant_poles)
        .def("spectral_radius", spectral_radius)
        .def("is_stable", is_stable)
        .def("frequency_response", frequency_response, nb::arg("hz").noconvert())
        .def("margins", margins)
        .def("bandwidth", bandwidth)
        .def("dead_time", dead_time)
        .def("apply", apply, nb::arg("x").noconvert())
        .def("response", response);
}
