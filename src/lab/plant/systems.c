// SPDX-License-Identifier: Apache-2.0
#include "plant/systems.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "math/elementary.h"
#include "math/order.h"
#include "plant/identified.h"
#include "plant/response.h"

// ---- plant and controller --------------------------------------------------------------------

static cfpc_status make_chain(cfpc_system *sys, const lab_system_spec *spec)
{
    const int count = spec->stages.count;
    const lab_stage_spec *stages = spec->stages.items;
    cfpc_system *parts = calloc((size_t)count + 1, sizeof *parts);
    if (!parts)
        return CFPC_NO_MEMORY;
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < count; i++) {
        const double tau_s = stages[i].time_constant_ms / 1e3;
        status = stages[i].kind == LAB_LAG
                     ? cfpc_lag(&parts[i], tau_s, stages[i].gain)
                     : cfpc_leaky_integrator(&parts[i], tau_s, stages[i].gain);
    }
    if (status == CFPC_OK)
        status = cfpc_series(sys, count, parts);
    for (int i = 0; i < count; i++)
        cfpc_system_free(&parts[i]);
    free(parts);
    return status;
}

// Continuous, or discrete where it is given so.
static cfpc_status make_given(cfpc_system *sys, const lab_system_spec *spec, double step,
                              bool windup)
{
    const bool derives = spec->kind == LAB_PID, integrates = derives || spec->kind == LAB_PI;
    const cfpc_pid pid = {.kp = spec->kp,
                          .ki = integrates ? spec->ki_per_s : 0,
                          .kd = derives ? spec->kd_s : 0,
                          .filter_s = derives ? spec->filter_ms / 1e3 : 0};
    switch (spec->kind) {
    case LAB_CHAIN:
        return make_chain(sys, spec);
    case LAB_TRANSFER_FUNCTION:
        return cfpc_transfer_function(sys, spec->num.columns, spec->num.values, spec->den.columns,
                                      spec->den.values);
    case LAB_STATE_SPACE:
        return cfpc_state_space(sys, spec->discrete ? step : 0, spec->a.rows, spec->a.values,
                                spec->b.values, spec->c.values, spec->d);
    case LAB_P:
    case LAB_PI:
    case LAB_PID:
        return windup ? cfpc_pid_controller_with_windup(sys, &pid) : cfpc_pid_controller(sys, &pid);
    case LAB_LEAD_LAG:
        return cfpc_lead_lag(sys, spec->gain, spec->zero_ms / 1e3, spec->pole_ms / 1e3);
    case LAB_RESPONSE:
    case LAB_IDENTIFIED:
        break;
    }
    return CFPC_BAD_VALUE;
}

static lab_outcome make_measured(cfpc_system *sys, const lab_spec *spec,
                                 const lab_system_spec *system_spec, const char *what, lab_why *why)
{
    double *response;
    int steps;
    lab_outcome outcome = lab_response_read(&response, &steps, spec, system_spec->place,
                                            system_spec->file, system_spec->column, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = cfpc_realise(sys, spec->step_ms / 1e3, steps, response,
                                          system_spec->tolerance, system_spec->max_states);
        if (status == CFPC_OK && !lab_has_response(sys, steps, response, system_spec->tolerance)) {
            cfpc_system_free(sys);
            status = CFPC_NO_CONVERGENCE;
        }
        outcome = lab_response_explain(spec, system_spec->place, what, system_spec->max_states, 0,
                                       status, why);
    }
    free(response);
    return outcome;
}

// Which of a system is wanted: as it is given, or discrete whatever it is given as.
typedef enum lab_form { AS_GIVEN, DISCRETE } lab_form;

static lab_outcome make_system(cfpc_system *sys, const lab_spec *spec,
                               const lab_system_spec *system_spec, const char *what, lab_form form,
                               bool windup, lab_why *why)
{
    const double step_s = spec->step_ms / 1e3;
    cfpc_system given = {0};
    cfpc_status status;
    *sys = (cfpc_system){0};
    if (system_spec->kind == LAB_RESPONSE)
        return make_measured(sys, spec, system_spec, what, why);
    if (system_spec->kind == LAB_IDENTIFIED) {
        const lab_model_file *model = lab_spec_model(spec, system_spec->file);
        status = model ? lab_identified_system(sys, model) : CFPC_NO_MEMORY;
    } else {
        status = make_given(&given, system_spec, step_s, windup);
        if (status == CFPC_OK && (form == AS_GIVEN || given.step_s > 0)) {
            *sys = given;
            return LAB_DONE;
        }
        if (status == CFPC_OK)
            status = cfpc_discretise(sys, &given, step_s,
                                     (cfpc_discretise_method)system_spec->discretise);
        cfpc_system_free(&given);
    }
    return lab_spec_from_status(spec, system_spec->place, what, status, why);
}

// ---- the loop --------------------------------------------------------------------------------

bool lab_saturates(const lab_spec *spec)
{
    const lab_saturation_spec *s = &spec->loop.saturation;
    return !isnan(s->low) || !isnan(s->high);
}

bool lab_limits_output(const lab_spec *spec)
{
    const lab_limits_spec *output = &spec->loop.output;
    return !isnan(output->low) || !isnan(output->high);
}

// Where a loop's parts are in the spec, believed or not.
typedef struct description {
    const lab_system_spec *plant, *controller;
    const char *file; // of the model, if the loop is identified as a whole; else NULL
    double error_ms, command_ms, measurement_ms; // delays
    lab_place place;
    const char *what;
} description;

static description systems_describe(const lab_spec *spec, bool believed)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *b = &spec->believed;
    description described = {.plant = &loop->plant,
                             .controller = &loop->controller,
                             .file = loop->model == LAB_LOOP_IDENTIFIED ? loop->file : NULL,
                             .error_ms = loop->delay_ms,
                             .command_ms = loop->command_delay_ms,
                             .measurement_ms = loop->measurement_delay_ms,
                             .place = loop->place,
                             .what = "the loop"};
    if (!believed || b->place.line == 0)
        return described;
    if (b->plant.place.line > 0)
        described.plant = &b->plant;
    if (b->controller.place.line > 0)
        described.controller = &b->controller;
    // a plant identified from logged command to logged output contains the delays between them
    if (b->plant.place.line > 0 && b->plant.kind == LAB_IDENTIFIED)
        described.command_ms = described.measurement_ms = 0;
    described.error_ms = lab_or_else(b->delay_ms, described.error_ms);
    described.command_ms = lab_or_else(b->command_delay_ms, described.command_ms);
    described.measurement_ms = lab_or_else(b->measurement_delay_ms, described.measurement_ms);
    described.place = b->place;
    described.what = "the believed loop";
    if (b->model == LAB_BELIEVED_IDENTIFIED)
        described.file = b->file;
    return described;
}

static lab_form systems_form_of(const lab_spec *spec)
{
    return spec->loop.discretise == LAB_CLOSE_WHOLE_LOOP ? AS_GIVEN : DISCRETE;
}

// A loop of which only T is known: the open path T/(1 - T) is its plant, 1 its controller.
static lab_outcome make_from_whole(lab_parts *parts, const lab_spec *spec,
                                   const description *description, lab_why *why)
{
    const lab_model_file *model = lab_spec_model(spec, description->file);
    cfpc_status status = model ? cfpc_gain(&parts->controller, 1) : CFPC_NO_MEMORY;
    if (status == CFPC_OK)
        status = lab_identified_open_path(&parts->plant, model);
    if (status == CFPC_ALGEBRAIC_LOOP)
        return lab_spec_refuse(spec, description->place, why,
                               "the output of '%.200s' reacts to its input within the same step, "
                               "which no sampled loop does: log the output before the input, or "
                               "identify with '--delay-ms %g'",
                               description->file, spec->step_ms);
    parts->controller.step_s = parts->step_s;
    return lab_spec_from_status(spec, description->place, description->what, status, why);
}

// A path that leads round the feedback must decay by itself.
static lab_outcome make_feedforward(cfpc_system *sys, const lab_spec *spec, lab_why *why)
{
    const lab_system_spec *system_spec = &spec->loop.feedforward;
    static const char what[] = "the feed-forward path";
    bool stable = false;
    if (!lab_has_feedforward(spec))
        return LAB_DONE;
    const lab_outcome outcome = make_system(sys, spec, system_spec, what, DISCRETE, false, why);
    if (outcome != LAB_DONE)
        return outcome;
    const cfpc_status status = cfpc_is_stable(sys, &stable);
    if (status == CFPC_OK && !stable)
        return lab_spec_refuse(spec, system_spec->place, why,
                               "%s is not stable: no feedback corrects it; let it leak", what);
    return lab_spec_from_status(spec, system_spec->place, what, status, why);
}

lab_outcome lab_parts_make(lab_parts *parts, const lab_spec *spec, bool believed, bool windup,
                           lab_why *why)
{
    const description description = systems_describe(spec, believed);
    const double step_s = spec->step_ms / 1e3;
    *parts = (lab_parts){.step_s = step_s,
                         .whole_loop =
                             !description.file && spec->loop.discretise == LAB_CLOSE_WHOLE_LOOP};
    if (description.file)
        return make_from_whole(parts, spec, &description, why);
    lab_outcome outcome = make_system(&parts->plant, spec, description.plant, "the plant",
                                      systems_form_of(spec), false, why);
    if (outcome == LAB_DONE)
        outcome = make_system(&parts->controller, spec, description.controller, "the controller",
                              systems_form_of(spec), windup, why);
    if (outcome == LAB_DONE)
        outcome = make_feedforward(&parts->feedforward, spec, why);
    if (outcome != LAB_DONE)
        return outcome;
    // the delays around them
    const double delay_ms[] = {description.error_ms, description.command_ms,
                               description.measurement_ms};
    int32_t *const delay_steps[] = {&parts->error_delay_steps, &parts->command_delay_steps,
                                    &parts->measurement_delay_steps};
    cfpc_status status = CFPC_OK;
    for (int i = 0; status == CFPC_OK && i < 3; i++)
        status = cfpc_steps_of(delay_ms[i] / 1e3, step_s, delay_steps[i]);
    return lab_spec_from_status(spec, description.place, description.what, status, why);
}

// Parts: the loop, and a gain or the feed-forward path between o and its entry. What passes it goes
// to the plant, and so it does at the plant's input, but not at that of the controller.
cfpc_status lab_parts_from_o(cfpc_system *from_o, const lab_spec *spec, const lab_parts *parts,
                             const cfpc_system *closed)
{
    enum { PASSED = CFPC_LOOP_OUTPUTS, ALL_OUTPUTS, IN = CFPC_LOOP_INPUTS, ALL_INPUTS };
    const bool at_drive = spec->enters == LAB_CONTROLLER_INPUT;
    const bool passes = spec->enters == LAB_FEEDFORWARD_INPUT;
    double from_parts[ALL_INPUTS][ALL_OUTPUTS] = {0}, from_outside[ALL_INPUTS] = {[IN] = 1};
    double to_outside[LAB_LOOP_OUTPUTS][ALL_OUTPUTS] = {0};
    from_parts[at_drive ? CFPC_LOOP_DRIVE : CFPC_LOOP_PUSH][PASSED] = 1;
    for (int i = 0; i < CFPC_LOOP_OUTPUTS; i++)
        to_outside[i][i] = 1;
    to_outside[LAB_LOOP_TOTAL][CFPC_LOOP_U] = 1;
    to_outside[LAB_LOOP_TOTAL][PASSED] = !at_drive;
    cfpc_system gain = {0};
    cfpc_status status = passes ? CFPC_OK : cfpc_gain(&gain, 1);
    if (status == CFPC_OK) {
        const cfpc_system both[2] = {*closed, passes ? parts->feedforward : gain};
        const cfpc_wiring wiring = {.inputs = 1,
                                    .outputs = LAB_LOOP_OUTPUTS,
                                    .from_parts = from_parts[0],
                                    .from_outside = from_outside,
                                    .to_outside = to_outside[0]};
        status = cfpc_connect(from_o, 2, both, &wiring);
    }
    cfpc_system_free(&gain);
    return status;
}

static lab_outcome systems_explain(const lab_spec *spec, bool believed, const lab_loop *loop,
                                   lab_parts *parts, cfpc_status status, lab_why *why)
{
    double radius;
    const description d = systems_describe(spec, believed);
    if (status == CFPC_UNSTABLE && cfpc_spectral_radius(&loop->closed, &radius) == CFPC_OK) {
        lab_why advice;
        if (lab_is_identified(spec, believed))
            lab_say(&advice, "identify it again, from a longer log or with a stronger probe "
                             "(`cfpc excite`)");
        else
            lab_gain_advice(&advice, parts);
        return lab_spec_refuse(spec, d.place, why,
                               "%s is unstable: its largest pole has magnitude %s; %.400s", d.what,
                               lab_beside_one(radius).text, advice.text);
    }
    const double delay_ms = d.error_ms + d.command_ms + d.measurement_ms;
    const char *longest = d.error_ms >= cfpci_max(d.command_ms, d.measurement_ms) ? "delay_ms"
                          : d.command_ms >= d.measurement_ms ? "command_delay_ms"
                                                             : "measurement_delay_ms";
    if (status == CFPC_TOO_LARGE && delay_ms > 0)
        return lab_spec_refuse(spec, d.place, why,
                               "%s: with delays of %.0f steps, most of them '%s', its stability "
                               "cannot be computed; shorten the delays or take a longer 'step_ms'",
                               d.what, delay_ms / spec->step_ms, longest);
    return lab_spec_from_status(spec, d.place, d.what, status, why);
}

lab_outcome lab_loop_make(lab_loop *loop, const lab_spec *spec, bool believed, lab_why *why)
{
    *loop = (lab_loop){0};
    lab_parts parts;
    const bool cut = !believed && lab_saturates(spec);
    lab_outcome outcome = lab_parts_make(&parts, spec, believed, cut, why);
    if (outcome == LAB_DONE) {
        cfpc_status status = CFPC_OK;
        // In a loop identified as a whole the error's delay is part of the response; the controller
        // still sees it as late when it teaches.
        loop->error_delay_steps = parts.error_delay_steps;
        if (systems_describe(spec, believed).file)
            status =
                cfpc_steps_of(spec->loop.delay_ms / 1e3, parts.step_s, &loop->error_delay_steps);
        if (status == CFPC_OK)
            status = lab_parts_close(&loop->closed, &parts);
        if (status == CFPC_OK)
            status = lab_parts_from_o(&loop->from_o, spec, &parts, &loop->closed);
        if (status == CFPC_OK && cut)
            status = lab_parts_cut(&loop->open, &parts);
        outcome = systems_explain(spec, believed, loop, &parts, status, why);
        loop->feedforward = parts.feedforward;
        parts.feedforward = (cfpc_system){0};
    }
    lab_parts_free(&parts);
    return outcome;
}

// A copy of the plant's description with one stage, or the whole, this many times slower. What it
// owns is in `numbers` and `stages`.
static bool slow_down(lab_system_spec *plant, int stage, double factor, double **numbers,
                      lab_stage_spec **stages)
{
    *numbers = NULL;
    *stages = NULL;
    if (plant->kind == LAB_CHAIN) {
        const size_t count = (size_t)plant->stages.count;
        *stages = calloc(count + 1, sizeof **stages);
        for (size_t i = 0; *stages && i < count; i++) {
            (*stages)[i] = ((const lab_stage_spec *)plant->stages.items)[i];
            if (stage < 0 || (int)i == stage)
                (*stages)[i].time_constant_ms *= factor;
        }
        plant->stages.items = *stages;
        return *stages;
    }
    const int n = plant->num.columns, d = plant->den.columns;
    *numbers = calloc((size_t)(n + d) + 1, sizeof **numbers);
    for (int k = 0; *numbers && k < n; k++) // a power of s more, a factor more
        (*numbers)[k] = plant->num.values[k] * cfpci_pow(factor, n - 1 - k);
    for (int k = 0; *numbers && k < d; k++)
        (*numbers)[n + k] = plant->den.values[k] * cfpci_pow(factor, d - 1 - k);
    plant->num.values = *numbers;
    plant->den.values = *numbers + n;
    return *numbers;
}

bool lab_plant_has_times(const lab_spec *spec)
{
    const lab_system_kind kind = spec->loop.plant.kind;
    return kind == LAB_CHAIN || kind == LAB_TRANSFER_FUNCTION;
}

lab_outcome lab_plant_slower(cfpc_system *plant, const lab_spec *spec, int stage, double factor,
                             lab_why *why)
{
    lab_system_spec changed = spec->loop.plant;
    double *numbers;
    lab_stage_spec *stages;
    *plant = (cfpc_system){0};
    lab_outcome outcome =
        slow_down(&changed, stage, factor, &numbers, &stages) ? LAB_DONE : lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome =
            make_system(plant, spec, &changed, "the plant", systems_form_of(spec), false, why);
    free(numbers);
    free(stages);
    return outcome;
}

void lab_loop_free(lab_loop *loop)
{
    cfpc_system_free(&loop->closed);
    cfpc_system_free(&loop->open);
    cfpc_system_free(&loop->feedforward);
    cfpc_system_free(&loop->from_o);
}

cfpc_status lab_system_start(cfpc_lti **lti, cfpc_bank **state, const cfpc_system *sys)
{
    cfpc_status status = cfpc_lti_of_system(lti, sys);
    if (status != CFPC_OK)
        return status;
    const size_t bytes = cfpc_bank_size(*lti, 1);
    void *mem = malloc(bytes + 1);
    if (!mem)
        return CFPC_NO_MEMORY;
    status = cfpc_bank_init(state, mem, bytes, *lti, 1);
    if (status != CFPC_OK)
        free(mem);
    return status;
}
