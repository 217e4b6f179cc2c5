// SPDX-License-Identifier: Apache-2.0
// excite: a probe that tells most about a path.
#include "native.h"

#include <memory>

static cfpc_excite_settings settings_of(const nb::dict &of)
{
    cfpc_excite_settings settings = cfpc_default_excite_settings();
    settings.steps = nb::cast<int32_t>(of["steps"]);
    settings.low_hz = nb::cast<double>(of["low_hz"]);
    settings.high_hz = nb::cast<double>(of["high_hz"]);
    settings.rms = nb::cast<double>(of["rms"]);
    settings.seed = nb::cast<uint32_t>(of["seed"]);
    return settings;
}

static nb::dict dict_of(const cfpc_excitation &it)
{
    const auto lines = (size_t)it.lines;
    nb::dict out;
    out["settling"] = it.settling;
    out["period_steps"] = it.period_steps;
    out["periods"] = it.periods;
    out["probe"] = array_of(it.probe, (size_t)it.period_steps);
    out["hz"] = array_of(it.hz, lines);
    out["amplitude"] = array_of(it.amplitude, lines);
    out["deviation"] = array_of(it.deviation, lines);
    out["rms"] = it.rms;
    out["peak"] = it.peak;
    out["error"] = it.error;
    return out;
}

// The least number of steps where they are too few, or the excitation.
static nb::object excite(const System &path, double noise, const nb::dict &of)
{
    const cfpc_excite_settings settings = settings_of(of);
    const cfpc_excite_noise white = {nullptr, noise};
    cfpc_excitation it{};
    const std::unique_ptr<cfpc_excitation, void (*)(cfpc_excitation *)> kept(&it,
                                                                             cfpc_excitation_free);
    const cfpc_status status = cfpc_excite(&it, &path.raw, noise > 0 ? 1 : 0, &white, &settings);
    if (status == CFPC_BAD_SIZE && it.least_steps > 0)
        return nb::cast(it.least_steps);
    must(status, "the probe");
    return dict_of(it);
}

void add_excite(nb::module_ &module)
{
    module.def("excite", excite, nb::arg("path"), nb::arg("noise"), nb::arg("settings"));
}
