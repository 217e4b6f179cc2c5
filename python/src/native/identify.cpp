// SPDX-License-Identifier: Apache-2.0
// identify: from a log to a model, and its uncertainty.
#include "native.h"

#include <memory>

static cfpc_identify_settings settings_of(const nb::dict &of)
{
    cfpc_identify_settings settings = cfpc_default_identify_settings();
    settings.dead_time_steps = nb::cast<int32_t>(of["dead_time_steps"]);
    settings.order = nb::cast<int32_t>(of["order"]);
    settings.max_order = nb::cast<int32_t>(of["max_order"]);
    settings.taps = nb::cast<int32_t>(of["taps"]);
    settings.estimation = nb::cast<double>(of["estimation"]);
    settings.confidence = nb::cast<double>(of["confidence"]);
    return settings;
}

static const char *method_of(cfpc_identify_method method)
{
    switch (method) {
    case CFPC_IDENTIFY_DIRECT:
        return "direct";
    case CFPC_IDENTIFY_OPEN_PATH:
        return "open path";
    case CFPC_IDENTIFY_LEAST_SQUARES:
        return "least squares";
    case CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH:
        return "least squares, open path";
    }
    return "";
}

// The names of Python, in identify.py.
static const char *flaw_of(cfpc_log_flaw_kind kind)
{
    switch (kind) {
    case CFPC_LOG_SOUND:
        return "";
    case CFPC_LOG_SHORT:
        return "short";
    case CFPC_LOG_MAGNITUDE:
        return "magnitude";
    case CFPC_LOG_CONSTANT:
        return "constant";
    case CFPC_LOG_FREQUENCIES:
        return "frequencies";
    }
    return "";
}

static const char *fault_of(cfpc_model_fault fault)
{
    switch (fault) {
    case CFPC_MODEL_SOUND:
        return "";
    case CFPC_MODEL_OUTLIER:
        return "outlier";
    case CFPC_MODEL_NO_FIT:
        return "no fit";
    case CFPC_MODEL_FEEDBACK:
        return "feedback";
    case CFPC_MODEL_CHANGES:
        return "changes";
    case CFPC_MODEL_FIR_BETTER:
        return "response better";
    case CFPC_MODEL_LACKS:
        return "lacks";
    case CFPC_MODEL_UNKNOWN:
        return "unknown";
    case CFPC_MODEL_UNCERTAIN:
        return "uncertain";
    case CFPC_MODEL_LOW_FIT:
        return "low fit";
    }
    return "";
}

static System model_of(const cfpc_identified &it)
{
    System model;
    must(cfpc_select(&model.raw, &it.model, 0, 0), "the model");
    return model;
}

static nb::dict dict_of(const cfpc_identified &it, size_t steps)
{
    nb::dict out;
    out["method"] = method_of(it.method);
    out["dead_time_steps"] = it.dead_time_steps;
    out["order"] = it.order;
    out["system"] = nb::cast(model_of(it));
    out["fit"] = it.fit;
    out["fit_estimation"] = it.fit_estimation;
    out["fit_fir"] = it.fit_fir;
    out["first_held_back"] = it.first_held_back;
    out["simulated"] = array_of(it.simulated, steps);
    out["response"] = array_of(it.response, (size_t)it.taps);
    out["deviation"] = array_of(it.deviation, (size_t)it.taps);
    out["noise"] = it.noise;
    out["band_hz"] = array_of(it.band.hz, (size_t)it.band.count);
    out["band_radius"] = array_of(it.band.radius, (size_t)it.band.count);
    out["low_hz"] = it.low_hz;
    out["high_hz"] = it.high_hz;
    out["whiteness"] = it.whiteness;
    out["unexplained"] = it.unexplained;
    out["feedback"] = it.feedback;
    out["radius"] = it.radius;
    out["radius_hz"] = it.radius_hz;
    out["outlier"] = it.outlier;
    out["outlier_step"] = it.outlier_step;
    out["lacks"] = it.unexplained < CFPC_UNEXPLAINED_P;
    out["fault"] = fault_of(cfpc_model_judge(&it));
    return out;
}

// What is wrong with a log; "" as the flaw: nothing.
static nb::dict check_log(const Signal &input, const Signal &output, double step_s,
                          double estimation)
{
    must(input.size() == output.size() ? CFPC_OK : CFPC_BAD_SHAPE, "the log");
    const cfpc_log log = {count_of(input.size()), step_s, input.data(), output.data()};
    cfpc_log_flaw flaw;
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_log_check(&log, estimation, &flaw);
    }
    must(status, "the log");
    nb::dict out;
    out["flaw"] = flaw_of(flaw.kind);
    out["signal"] = flaw.is_output ? "output" : "input";
    out["is_held_back"] = flaw.is_held_back;
    out["value"] = flaw.value;
    out["least_steps"] = (int)CFPC_LOG_STEPS;
    return out;
}

static nb::dict identify(const Signal &input, const Signal &output, double step_s,
                         const nb::dict &of)
{
    must(input.size() == output.size() ? CFPC_OK : CFPC_BAD_SHAPE, "the log");
    const cfpc_log log = {count_of(input.size()), step_s, input.data(), output.data()};
    const cfpc_identify_settings settings = settings_of(of);
    cfpc_identified it{};
    const std::unique_ptr<cfpc_identified, void (*)(cfpc_identified *)> kept(&it,
                                                                             cfpc_identified_free);
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_identify(&it, &log, &settings);
    }
    must(status, "the log");
    return dict_of(it, input.size());
}

void add_identify(nb::module_ &module)
{
    module.def("check_log", check_log, nb::arg("input").noconvert(), nb::arg("output").noconvert(),
               nb::arg("step_s"), nb::arg("estimation"));
    module.def("identify", identify, nb::arg("input").noconvert(), nb::arg("output").noconvert(),
               nb::arg("step_s"), nb::arg("settings"));
}
