// SPDX-License-Identifier: Apache-2.0
// parts: what systems are made of, and made from.
#include "native.h"

static System transfer_function(const Signal &num, const Signal &den)
{
    System sys;
    must(cfpc_transfer_function(&sys.raw, count_of(num.size()), num.data(), count_of(den.size()),
                                den.data()),
         "the transfer function");
    return sys;
}

static System gain(double value)
{
    System sys;
    must(cfpc_gain(&sys.raw, value), "the gain");
    return sys;
}

static System delay(double step_s, int32_t steps)
{
    System sys;
    must(cfpc_delay(&sys.raw, step_s, steps), "the delay");
    return sys;
}

static System leaky_integrator(double time_constant_s, double value)
{
    System sys;
    must(cfpc_leaky_integrator(&sys.raw, time_constant_s, value), "the leaky integrator");
    return sys;
}

static System lag(double time_constant_s, double value)
{
    System sys;
    must(cfpc_lag(&sys.raw, time_constant_s, value), "the lag");
    return sys;
}

static System pid(double kp, double ki, double kd, double filter_s)
{
    System sys;
    const cfpc_pid def = {kp, ki, kd, filter_s};
    must(cfpc_pid_controller(&sys.raw, &def), "the controller");
    return sys;
}

static System lead_lag(double value, double zero_s, double pole_s)
{
    System sys;
    must(cfpc_lead_lag(&sys.raw, value, zero_s, pole_s), "the controller");
    return sys;
}

static System exponential_trace(double step_s, double time_constant_s)
{
    System sys;
    must(cfpc_exponential_trace(&sys.raw, step_s, time_constant_s), "the trace");
    return sys;
}

static System alpha_trace(double step_s, double time_constant_s)
{
    System sys;
    must(cfpc_alpha_trace(&sys.raw, step_s, time_constant_s), "the trace");
    return sys;
}

static System discretise(const System &continuous, double step_s, int method)
{
    System sys;
    must(cfpc_discretise(&sys.raw, &continuous.raw, step_s, (cfpc_discretise_method)method),
         "the discrete system");
    return sys;
}

static System series(const System &first, const System &second)
{
    System sys;
    const cfpc_system parts[] = {first.raw, second.raw};
    must(cfpc_series(&sys.raw, 2, parts), "the series");
    return sys;
}

// ---- from a response -------------------------------------------------------------------------

// CFPC_UNSTABLE is for the caller to judge: the system is made even then.
static nb::tuple made(System &&sys, cfpc_status status)
{
    if (status != CFPC_UNSTABLE)
        must(status, "the response");
    return nb::make_tuple(std::move(sys), status == CFPC_OK);
}

static nb::tuple realise(double step_s, const Signal &response, double tolerance, int32_t states)
{
    System sys;
    const cfpc_status status = cfpc_realise(&sys.raw, step_s, count_of(response.size()),
                                            response.data(), tolerance, states);
    return made(std::move(sys), status);
}

static nb::tuple realise_loop(double step_s, const Signal &response, double tolerance,
                              int32_t states, int32_t measurement_delay)
{
    System sys;
    const cfpc_status status =
        cfpc_realise_loop(&sys.raw, step_s, count_of(response.size()), response.data(), tolerance,
                          states, measurement_delay);
    return made(std::move(sys), status);
}

static System fir(double step_s, const Signal &response, double tolerance)
{
    System sys;
    must(cfpc_fir(&sys.raw, step_s, count_of(response.size()), response.data(), tolerance),
         "the response");
    return sys;
}

void add_parts(nb::module_ &module)
{
    module.def("transfer_function", transfer_function, nb::arg("num").noconvert(),
               nb::arg("den").noconvert());
    module.def("gain", gain);
    module.def("delay", delay);
    module.def("leaky_integrator", leaky_integrator);
    module.def("lag", lag);
    module.def("pid", pid);
    module.def("lead_lag", lead_lag);
    module.def("exponential_trace", exponential_trace);
    module.def("alpha_trace", alpha_trace);
    module.def("discretise", discretise);
    module.def("series", series);
    module.def("realise", realise, nb::arg("step_s"), nb::arg("response").noconvert(),
               nb::arg("tolerance"), nb::arg("states"));
    module.def("realise_loop", realise_loop, nb::arg("step_s"), nb::arg("response").noconvert(),
               nb::arg("tolerance"), nb::arg("states"), nb::arg("measurement_delay"));
    module.def("fir", fir, nb::arg("step_s"), nb::arg("response").noconvert(),
               nb::arg("tolerance"));
}
