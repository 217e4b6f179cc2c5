// SPDX-License-Identifier: Apache-2.0
// Fuzzing of spec files: whatever the text is, it is refused on one line, or it is a spec that is
// printed and read again to the same, and whose loop, world and basis can be built or are refused.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/setup.h"
#include "spec/load.h"
#include "spec/spec_print.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// What is larger is parsed but not built, so that every input is fast.
enum { MAX_STEPS = 300, MAX_BASES = 40, MAX_DELAY = 60, MAX_PARTS = 8, MAX_PHASES = 3 };

static void must(int holds)
{
    if (!holds)
        abort();
}

static void expect_one_line(const lab_why *why)
{
    must(*why->text && strlen(why->text) < sizeof why->text && !strpbrk(why->text, "\r\n"));
}

// ---- print -----------------------------------------------------------------------------------

static char *print_of(const lab_spec *spec)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    must(stream != NULL);
    lab_spec_print(stream, spec);
    must(fclose(stream) == 0);
    return text;
}

static void expect_rereads(const lab_spec *spec)
{
    lab_spec again;
    lab_why why = {0};
    char *first = print_of(spec), *second = NULL;
    if (lab_spec_parse(&again, "fuzz.yaml", first, NULL, &why) != LAB_DONE) {
        fprintf(stderr, "%s in\n%s", why.text, first);
        abort();
    }
    second = print_of(&again);
    if (strcmp(first, second) != 0) {
        fprintf(stderr, "printed\n%s\nthen\n%s", first, second);
        abort();
    }
    lab_spec_free(&again);
    free(first);
    free(second);
}

// ---- build -----------------------------------------------------------------------------------

static bool is_small_system(const lab_system_spec *s)
{
    return s->kind != LAB_RESPONSE && s->kind != LAB_IDENTIFIED && s->stages.count <= MAX_PARTS &&
           s->num.columns <= MAX_PARTS && s->den.columns <= MAX_PARTS && s->a.rows <= MAX_PARTS;
}

static double or_none(double ms)
{
    return isnan(ms) ? 0 : ms;
}

static bool has_small_delays(const lab_spec *spec)
{
    const lab_loop_spec *loop = &spec->loop;
    const lab_believed_spec *b = &spec->believed;
    const double most_ms = MAX_DELAY * spec->step_ms;
    return loop->delay_ms + loop->command_delay_ms + loop->measurement_delay_ms <= most_ms &&
           or_none(b->delay_ms) + or_none(b->command_delay_ms) + or_none(b->measurement_delay_ms) <=
               most_ms &&
           spec->teach.delay_ms <= most_ms && spec->teach.reference_delay_ms <= most_ms;
}

static bool has_small_basis(const lab_spec *spec)
{
    int bases = 0;
    for (int i = 0; i < spec->basis.count; i++) {
        const lab_basis_spec *bank = &lab_banks(spec)[i];
        bases += bank->kind == LAB_IDENTITY ? MAX_BASES : bank->count;
        if (bank->kind == LAB_CSV_BASIS || bases > MAX_BASES)
            return false;
        if (bank->kind == LAB_TAPPED_DELAY && bank->spacing_ms > MAX_DELAY * spec->step_ms)
            return false;
    }
    return true;
}

// No file is read but the spec: a spec may name any.
static bool names_files(const lab_spec *spec)
{
    bool named = spec->task.reference.kind == LAB_CSV_SIGNAL;
    for (int i = 0; i < spec->disturbances.count; i++)
        named |= lab_disturbances(spec)[i].signal.kind == LAB_CSV_SIGNAL;
    for (int i = 0; i < spec->rules.count; i++)
        named |= lab_rules(spec)[i].file && *lab_rules(spec)[i].file;
    return named;
}

static bool is_small(const lab_spec *spec)
{
    for (int i = 0; i < spec->rules.count; i++)
        if (or_none(lab_rules(spec)[i].delay_ms) > MAX_DELAY * spec->step_ms)
            return false;
    return is_small_system(&spec->loop.plant) && is_small_system(&spec->loop.controller) &&
           (spec->believed.plant.place.line == 0 || is_small_system(&spec->believed.plant)) &&
           (spec->believed.controller.place.line == 0 ||
            is_small_system(&spec->believed.controller)) &&
           has_small_delays(spec) && has_small_basis(spec) && !names_files(spec) &&
           spec->task.trial_s * 1e3 <= MAX_STEPS * spec->step_ms &&
           spec->learning.trials <= MAX_PHASES && spec->rules.count <= MAX_PARTS;
}

static void build(const lab_plan *plan, int phase)
{
    const int rule = plan->spec->main_rule;
    lab_setup setup = {0};
    lab_why why = {0};
    if (!is_small(lab_planned(plan, rule, phase)))
        return;
    if (lab_setup_make(&setup, plan, rule, phase, &why) == LAB_DONE)
        must(setup.rig.steps >= 1 && setup.bases >= 1 && isfinite(setup.baseline));
    else
        expect_one_line(&why);
    lab_setup_free(&setup);
}

static void expect_sound(const lab_spec *spec, const lab_source *source,
                         const lab_settings *settings)
{
    lab_plan plan = {0};
    lab_why why = {0};
    expect_rereads(spec);
    if (spec->phases.count > MAX_PHASES || spec->rules.count > MAX_PARTS)
        return;
    if (lab_plan_make(&plan, spec, source, settings, &why) == LAB_DONE)
        for (int p = 0; p < plan.phases; p++)
            build(&plan, p);
    else
        expect_one_line(&why);
    lab_plan_free(&plan);
}

// ---- settings --------------------------------------------------------------------------------

// An input that begins with '=' is lines of settings that are put into this.
static const char base[] =
    "name: base\ntitle: base\nstep_ms: 10\n"
    "loop:\n"
    "  plant: {kind: chain, stages: [{name: body, kind: lag, time_constant_ms: 50}]}\n"
    "  controller: {kind: pi, kp: 2, ki_per_s: 4}\n"
    "  delay_ms: 20\n"
    "task: {kind: step, at_s: 0.2, trial_s: 1}\n"
    "disturbances: [{name: push, kind: sinusoids, components: [[1, 0.5, 0]]}]\n"
    "cues: [{name: go, at_s: 0.1, duration_ms: 50}]\n"
    "basis: [{kind: gaussian, count: 4, width_ms: 100, spacing_ms: 200}, {kind: laguerre, count: "
    "3, time_constant_ms: 40, input: cue}]\n"
    "learning: {trials: 2}\n"
    "rules: [{name: a, trace: forward-model}, {name: b, trace: delay, delay_ms: 20}]\n";

static lab_outcome add_lines(lab_settings *settings, char *lines, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (char *line = strtok(lines, "\n"); outcome == LAB_DONE && line; line = strtok(NULL, "\n"))
        outcome = lab_settings_add(settings, line, why);
    return outcome;
}

static lab_outcome parse(lab_source *source, lab_settings *settings, lab_spec *spec, char *text,
                         lab_why *why)
{
    const bool sets = *text == '=';
    lab_outcome outcome = sets ? add_lines(settings, text + 1, why) : LAB_DONE;
    if (outcome == LAB_DONE)
        outcome = lab_source_parse(source, "fuzz.yaml", sets ? base : text, why);
    return outcome == LAB_DONE ? lab_spec_make(spec, source, settings, why) : outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    lab_source source = {0};
    lab_settings settings = {0};
    lab_spec spec = {0};
    lab_why why = {0};
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    if (parse(&source, &settings, &spec, text, &why) == LAB_DONE)
        expect_sound(&spec, &source, &settings);
    else
        expect_one_line(&why);
    lab_spec_free(&spec);
    lab_settings_free(&settings);
    lab_source_free(&source);
    free(text);
    return 0;
}
