// SPDX-License-Identifier: Apache-2.0
// loop: plant, controller and delays, closed and open.
#include "native.h"

static cfpc_loop_def def_of(const System &plant, const System &controller, int32_t error_delay,
                            int32_t command_delay, int32_t measurement_delay)
{
    cfpc_loop_def def = cfpc_default_loop_def();
    def.plant = &plant.raw;
    def.controller = &controller.raw;
    def.error_delay_steps = error_delay;
    def.command_delay_steps = command_delay;
    def.measurement_delay_steps = measurement_delay;
    return def;
}

// The loop, and whether it is stable: an unstable one can still be examined.
static nb::tuple close_loop(const System &plant, const System &controller, int32_t error_delay,
                            int32_t command_delay, int32_t measurement_delay)
{
    System loop;
    const cfpc_loop_def def =
        def_of(plant, controller, error_delay, command_delay, measurement_delay);
    cfpc_status status;
    {
        nb::gil_scoped_release release;
        status = cfpc_close_loop(&loop.raw, &def);
    }
    if (status != CFPC_UNSTABLE)
        must(status, "the loop");
    return nb::make_tuple(std::move(loop), status == CFPC_OK);
}

static void negate_output(cfpc_system *sys)
{
    const size_t columns = (size_t)cfpc_system_columns(sys);
    double *row = sys->matrix + (size_t)sys->states * columns;
    for (size_t i = 0; i < columns; i++)
        row[i] = -row[i];
}

// L, closed by 1 / (1 + L).
static System open_path(const System &plant, const System &controller, int32_t error_delay,
                        int32_t command_delay, int32_t measurement_delay)
{
    System open, path;
    const cfpc_loop_def def =
        def_of(plant, controller, error_delay, command_delay, measurement_delay);
    must(cfpc_open_loop(&open.raw, &def), "the open loop");
    must(cfpc_loop_path(&path.raw, &open.raw, CFPC_LOOP_APPLIED, CFPC_LOOP_U), "the open loop");
    negate_output(&path.raw);
    return path;
}

static System loop_path(const System &loop, int32_t input, int32_t output)
{
    System path;
    must(cfpc_loop_path(&path.raw, &loop.raw, input, output), "the path");
    return path;
}

// L = T / (1 - z⁻ᵇ T), b the delay of the measurement: T with positive feedback through it.
static System opened(const System &closed, int32_t measurement_delay)
{
    System back, open;
    must(cfpc_delay(&back.raw, closed.raw.step_s, measurement_delay), "the open loop");
    const cfpc_system parts[] = {closed.raw, back.raw};
    static const double from_parts[] = {0, 1, 1, 0}, from_outside[] = {1, 0}, to_outside[] = {1, 0};
    cfpc_wiring wiring{};
    wiring.inputs = wiring.outputs = 1;
    wiring.from_parts = from_parts;
    wiring.from_outside = from_outside;
    wiring.to_outside = to_outside;
    must(cfpc_connect(&open.raw, 2, parts, &wiring), "the open loop");
    return open;
}

static int32_t steps_of(double time_s, double step_s, const char *what)
{
    int32_t steps = 0;
    must(cfpc_steps_of(time_s, step_s, &steps), what);
    return steps;
}

void add_loop(nb::module_ &module)
{
    module.def("close_loop", close_loop);
    module.def("open_path", open_path);
    module.def("loop_path", loop_path);
    module.def("opened", opened);
    module.def("steps_of", steps_of);
}
