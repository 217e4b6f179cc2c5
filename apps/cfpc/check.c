// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "load.h"
#include "setup.h"
#include "verbs.h"

static lab_outcome check_phase(const lab_spec *spec, int phase, lab_why *why)
{
    lab_setup setup;
    double radius = 0;
    lab_outcome outcome = lab_setup_make(&setup, spec, phase, why);
    if (outcome == LAB_DONE)
        outcome =
            lab_from_status(why, cfpc_spectral_radius(&setup.loop.closed, &radius), spec->file);
    if (outcome == LAB_DONE)
        printf("%s%s%s: fine; %d steps, %d bases, %d rules; largest pole %.4f; %s%s\n", spec->name,
               spec->phases.count > 0 ? ", phase " : "",
               spec->phases.count > 0 ? lab_phases(spec)[phase].name : "", setup.steps, setup.bases,
               setup.rules, radius, setup.nonlinear ? "not a linear problem: " : "a linear problem",
               setup.nonlinear ? setup.nonlinear : "");
    lab_setup_free(&setup);
    return outcome;
}

static int check(const app_line *line)
{
    lab_why why;
    lab_spec spec;
    lab_outcome outcome = app_load_spec(&spec, line, &why);
    const int phases = spec.phases.count > 0 ? spec.phases.count : 1;
    for (int p = 0; outcome == LAB_DONE && p < phases; p++)
        outcome = check_phase(&spec, p, &why);
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    lab_spec_free(&spec);
    return outcome;
}

static const app_option options[] = {
    {"--set", "KEY=VALUE", "another value for a key, as loop.delay_ms=80; may be given often",
     true},
    {0}};

const app_verb app_verb_check = {.name = "check",
                                 .arguments = "SPEC",
                                 .summary = "say whether a spec is right, without running it",
                                 .text = "",
                                 .options = options,
                                 .positionals = 1,
                                 .run = check};
