// SPDX-License-Identifier: Apache-2.0
#include "analyse/pieces.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "plant/paths.h"

#define SAY(it, ...) lab_say(&(it)->advice, __VA_ARGS__)

// ---- trying something else -------------------------------------------------------------------

// A certificate and its rate.
typedef struct tried {
    cfpc_certificate certificate;
    double rate;
} tried;

static double good_rate(const cfpc_certificate *c)
{
    const double most = c->rate_max_monotone > 0 ? c->rate_max_monotone : c->rate_max;
    return isfinite(most) ? most / 2 : 0;
}

// The certificate of a rule with another trace, in the form of this spec of it: at its rate, or, if
// that diverges, at one that does not.
static lab_outcome certify_trace(tried *tried, const lab_setup *setup, const lab_rule *rule,
                                 const lab_rule_spec *rule_spec, const cfpc_system *trace,
                                 lab_why *why)
{
    lab_rule other = *rule;
    lab_learner learner = {0};
    cfpc_learning_map map = {0};
    other.trace = *trace;
    lab_outcome outcome =
        lab_filter_make(&other.filter, setup->rig.spec, setup->rig.steps, rule_spec, trace, why);
    if (outcome == LAB_DONE)
        outcome = lab_learner_make(&learner, setup, &other, why);
    if (outcome == LAB_DONE) {
        const double inside = lab_learner_rate(&learner);
        cfpc_status status = lab_learner_map(&map, &learner, NULL);
        if (status == CFPC_OK)
            status = cfpc_certify(&tried->certificate, &map, inside);
        const bool diverges = tried->certificate.verdict == CFPC_DIVERGES && !map.online;
        const double slower = status == CFPC_OK && diverges ? good_rate(&tried->certificate) : 0;
        tried->rate = rule->rate;
        if (slower > 0) {
            tried->rate *= slower / inside;
            status = cfpc_certify(&tried->certificate, &map, slower);
        }
        outcome = lab_from_status(why, status, setup->rig.spec->file);
    }
    cfpc_learning_map_free(&map);
    lab_learner_free(&learner);
    cfpc_teaching_filter_free(&other.filter);
    return outcome;
}

// What a forward model would do: of the loop as it is believed, or with the delays put right, or
// of the loop as it is. An unstable one is not tried.
typedef enum model { AS_BELIEVED, DELAY_RIGHT, ALL_RIGHT } model;

static lab_outcome certify_model(tried *made, const lab_setup *setup, int rule, model which,
                                 lab_why *why)
{
    lab_spec told = *setup->rig.spec; // borrows all but what is believed
    lab_rule_spec forward = lab_rules(setup->rig.spec)[rule];
    lab_loop loop = {0};
    cfpc_system trace = {0};
    *made = (tried){.certificate = {.verdict = CFPC_DIVERGES}};
    if (!lab_is_filtered(forward.trace))
        forward.trace = LAB_TRACE_FORWARD_MODEL;
    if (which != AS_BELIEVED)
        told.believed.delay_ms = told.believed.command_delay_ms =
            told.believed.measurement_delay_ms = NAN;
    lab_outcome outcome = lab_loop_make(&loop, &told, which != ALL_RIGHT, why);
    bool is_none = outcome == LAB_REFUSED;
    if (outcome == LAB_DONE)
        outcome =
            lab_trace_make(&trace, &told, &forward, &loop, setup->rig.steps, setup->response, why);
    if (outcome == LAB_DONE)
        outcome = certify_trace(made, setup, &setup->rule[rule], &forward, &trace, why);
    is_none |= outcome == LAB_REFUSED; // its teaching filter is too long
    cfpc_system_free(&trace);
    lab_loop_free(&loop);
    return is_none ? LAB_DONE : outcome;
}

// Whether one certificate is clearly better than the other.
static bool is_better(const cfpc_certificate *a, const cfpc_certificate *b)
{
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict;
    return a->verdict != CFPC_DIVERGES && a->asymptote < 0.95 * b->asymptote;
}

// ---- the other forms -------------------------------------------------------------------------

// The spec's form is another, and this one is possible.
static const lab_form_analysis *other_form(const lab_analysis *analysis, lab_form form)
{
    const lab_form_analysis *other = analysis->forms ? &analysis->forms[form] : NULL;
    return other && !other->is_used && !other->reason ? other : NULL;
}

static double bound_of(const lab_learning_analysis *learning)
{
    return learning->reason ? learning->online_rate_max : learning->certificate.rate_max;
}

// The adjoint form learns on line from inputs of a horizon ago, which costs rate: it should be good
// for more than half the rate that traces have. Both must be known.
static bool advise_traces(lab_analysis *analysis)
{
    const lab_form_analysis *traces = other_form(analysis, LAB_BY_TRACES);
    const double adjoint = bound_of(&analysis->learning);
    const double most = traces ? bound_of(&traces->learning) : NAN;
    if (analysis->spec->learning.mode != LAB_ONLINE || !traces ||
        !analysis->forms[LAB_BY_ADJOINT].is_used || !(most > 0 && adjoint <= most / 2))
        return false;
    SAY(analysis,
        "Use `learning: {form: traces}`: in adjoint form each input is learned %.4g ms late, and "
        "it converges below a rate of %.3g, by traces below %.3g.",
        analysis->forms[LAB_BY_ADJOINT].horizon * analysis->spec->step_ms, adjoint, most);
    return true;
}

// "; in adjoint form, below a rate of 0.0133, a synapse needs 8 bytes instead of 440", if it does.
static const char *offer_adjoint(const lab_analysis *analysis, char *text, size_t size)
{
    const lab_form_analysis *adjoint = other_form(analysis, LAB_BY_ADJOINT);
    const bool filtered = analysis->forms && analysis->forms[LAB_BY_FILTER].is_used;
    const double traces = bound_of(&analysis->learning);
    text[0] = '\0';
    if (!adjoint || filtered || analysis->spec->learning.mode != LAB_ONLINE ||
        !(traces > 0 && bound_of(&adjoint->learning) > traces / 2) ||
        !(adjoint->synapse_bytes < analysis->forms[LAB_BY_TRACES].synapse_bytes))
        return text;
    snprintf(text, size,
             "; in adjoint form, below a rate of %.3g, a synapse needs %.4g bytes instead of %.4g",
             bound_of(&adjoint->learning), adjoint->synapse_bytes,
             analysis->forms[LAB_BY_TRACES].synapse_bytes);
    return text;
}

// A rate at which fewer trials are needed, of some that were tried; 0 if there is none.
static double faster_rate(const lab_analysis *analysis, int *trials)
{
    const lab_learning_analysis *l = &analysis->learning;
    double best = 0;
    *trials = l->trials_to_5pc > 0 ? l->trials_to_5pc : l->horizon;
    for (int i = 0; i < LAB_RATES_TRIED; i++)
        if (l->tried_trials[i] > 0 && l->tried_trials[i] < *trials) {
            *trials = l->tried_trials[i];
            best = l->tried_rate[i];
        }
    return best;
}

// A whitened trace, if it ends near the optimum and needs at most half the trials of this one, and
// no more than this one would at the best rate that was tried.
static bool advise_whitened(lab_analysis *analysis)
{
    const lab_form_analysis *other = other_form(analysis, LAB_BY_FILTER);
    const lab_learning_analysis *l = &analysis->learning,
                                *whitened = other ? &other->learning : NULL;
    const int trials = l->trials_to_5pc > 0 ? l->trials_to_5pc : l->horizon;
    int best;
    char now[32];
    faster_rate(analysis, &best);
    if (!whitened || whitened->reason || whitened->trials_to_5pc == 0 ||
        2 * whitened->trials_to_5pc > trials || whitened->trials_to_5pc > best ||
        whitened->certificate.verdict != CFPC_MONOTONE ||
        !whitened->certificate.asymptote_decided ||
        !(whitened->certificate.asymptote <= 1.05 * l->optimum))
        return false;
    snprintf(now, sizeof now, l->trials_to_5pc > 0 ? "%d" : "more than %d", trials);
    SAY(analysis,
        "Use `trace: whitened`: it needs %d trials instead of %s to within 5 %% of the optimum, "
        "and converges to an rRMSE of %.4g.",
        whitened->trials_to_5pc, now, whitened->certificate.asymptote);
    return true;
}

// ---- what keeps the analysis from saying more ------------------------------------------------

static void advise_unstable(lab_analysis *analysis)
{
    SAY(analysis,
        lab_is_identified(analysis->spec, false)
            ? "The identified loop is not stable (largest pole %s), so it is no loop that was "
              "logged: identify it again from a longer log or with a stronger probe (cfpc excite), "
              "or with another --order."
            : "The loop alone is not stable (largest pole %s): lower the controller gain or "
              "shorten the delays first.",
        lab_beside_one(analysis->loop.radius).text);
}

static const char *guard_word(const lab_analysis *analysis)
{
    return analysis->spec->guard.on ? "keep the guard on" : "turn the guard on";
}

static void advise_not_applicable(lab_analysis *analysis, const lab_setup *setup)
{
    static const struct {
        const char *reason, *advice;
    } of[] = {{"angle",
               "The forward model holds at any angle, but there is no map from trial to trial; "
               "the rates are those of a loop that turns as its reference says; "},
              {"noise, and the measurement is rounded",
               "Certify the mean, without noise and rounding (--set loop.noise={} --set "
               "loop.measurement_step=0), and "},
              {"noise", "Certify the mean, without noise (--set loop.noise={}), and "},
              {"rounded", "Certify it without rounding (--set loop.measurement_step=0), and "},
              {"saturate", "Certify the loop without limits (--set loop.saturation={}), and "},
              {"output has limits", "Certify the loop without limits (--set loop.output={}), and "},
              {"repetitions", "Trials that do not repeat have no map from one to the next; "}};
    const char *reason = analysis->learning.reason, *advice = NULL;
    const double online = analysis->learning.online_rate_max;
    char bound[224] = "", adjoint[128];
    if (isfinite(online) && analysis->spec->learning.mode == LAB_ONLINE)
        snprintf(bound, sizeof bound, " Keep the rate below %.3g, where the mean converges%s.",
                 online, offer_adjoint(analysis, adjoint, sizeof adjoint));
    for (size_t i = 0; !advice && i < sizeof of / sizeof of[0]; i++)
        advice = strstr(reason, of[i].reason) ? of[i].advice : NULL;
    if (analysis->loop.hears_loop)
        SAY(analysis, "The weights are part of the loop: with %s its largest pole is %s, %s; %s.",
            analysis->loop.weights, lab_beside_one(analysis->loop.radius_with_cell).text,
            analysis->loop.radius_with_cell < 1 ? "it is stable" : "it is NOT stable",
            guard_word(analysis));
    else if (setup->rig.spec->phases.count > 1)
        SAY(analysis,
            "Certify one phase at a time: --set phases=[] with that phase's settings as --set.");
    else if (lab_has_noisy_teacher(analysis->spec) && strstr(reason, "teaching"))
        SAY(analysis, "Certify the mean, without %s=0), and %s.%s",
            lab_has_spikes(analysis->spec) ? "spikes (--set teach.spikes.rate_hz"
                                           : "noise (--set teach.noise",
            guard_word(analysis), bound);
    else if (strstr(reason, "repetitions") && advise_traces(analysis))
        return;
    else if (advice)
        SAY(analysis, "%s%s.%s", advice, guard_word(analysis), bound);
    else if (setup->rig.spec->learning.frozen)
        SAY(analysis, "Learning is frozen; --set learning.frozen=no turns it on.");
    else
        SAY(analysis, "Certify it without that feature, and %s.", guard_word(analysis));
}

// ---- what to do about learning ---------------------------------------------------------------

static bool has_forward_model(const lab_setup *setup, int rule)
{
    return lab_family_of_trace(lab_rules(setup->rig.spec)[rule].trace) != LAB_CHOSEN;
}

// "converges monotonically at rate 0.003 to an rRMSE of 0.05"
static const char *would_be(char *text, size_t size, const tried *other)
{
    const cfpc_certificate *c = &other->certificate;
    snprintf(text, size, "%s at rate %.3g to an rRMSE of %.4g",
             c->verdict == CFPC_MONOTONE ? "converges monotonically" : "converges", other->rate,
             c->asymptote);
    return text;
}

// The delay that is believed wrongly, by its key.
static void say_delay(lab_analysis *analysis, const lab_setup *setup, const char *because,
                      const char *then)
{
    const lab_loop_spec *loop = &setup->rig.spec->loop;
    const lab_believed_spec *b = &setup->rig.spec->believed;
    const struct {
        const char *key;
        double believed, is;
    } delays[] = {{"delay_ms", b->delay_ms, loop->delay_ms},
                  {"command_delay_ms", b->command_delay_ms, loop->command_delay_ms},
                  {"measurement_delay_ms", b->measurement_delay_ms, loop->measurement_delay_ms}};
    for (int i = 0; i < 3; i++)
        if (!isnan(delays[i].believed) && delays[i].believed != delays[i].is) {
            SAY(analysis, "%s: correct `believed.%s` (%g; actual %g), then it %s.", because,
                delays[i].key, delays[i].believed, delays[i].is, then);
            return;
        }
}

// Another trace or another model, if one serves better. Says nothing if none does.
static lab_outcome advise_trace(lab_analysis *analysis, const lab_setup *setup, const char *because,
                                lab_why *why)
{
    const int rule = analysis->spec->main_rule;
    const bool believes = setup->rig.spec->believed.place.line > 0; // otherwise it believes what is
    const int first = has_forward_model(setup, rule) ? DELAY_RIGHT : AS_BELIEVED;
    const int last = believes || !has_forward_model(setup, rule) ? ALL_RIGHT : AS_BELIEVED;
    lab_outcome outcome = LAB_DONE;
    for (int which = first; outcome == LAB_DONE && which <= last; which++) {
        tried other;
        char then[128];
        outcome = certify_model(&other, setup, rule, (model)which, why);
        if (outcome != LAB_DONE || !is_better(&other.certificate, &analysis->learning.certificate))
            continue;
        would_be(then, sizeof then, &other);
        if (which == AS_BELIEVED)
            SAY(analysis, "%s: use `trace: forward-model`, which %s.", because, then);
        else if (which == DELAY_RIGHT)
            say_delay(analysis, setup, because, then);
        else
            SAY(analysis,
                "%s: the trace is up to %.0f° out of phase with the loop (at %.2g Hz, 90° is "
                "the limit); identify the plant again, or use `trace: response`.",
                because, analysis->tolerance.phase_error_deg, analysis->tolerance.phase_error_hz);
        return LAB_DONE;
    }
    return outcome;
}

// A reference as late as the measurement, if that ends at a smaller error. Says nothing if not.
static lab_outcome advise_reference(lab_analysis *analysis, const lab_setup *setup,
                                    const char *because, lab_why *why)
{
    const int rule = analysis->spec->main_rule;
    lab_spec told = *setup->rig.spec; // borrows all but the delay
    lab_setup other = *setup;
    tried late = {.certificate = {.verdict = CFPC_DIVERGES}};
    char then[128];
    told.teach.reference_delay_ms = told.loop.measurement_delay_ms;
    if (told.teach.signal != LAB_TEACH_MEASURED_ERROR ||
        told.teach.reference_delay_ms == setup->rig.spec->teach.reference_delay_ms)
        return LAB_DONE;
    other.rig.spec = &told;
    const lab_outcome outcome = certify_trace(
        &late, &other, &setup->rule[rule], &lab_rules(&told)[rule], &setup->rule[rule].trace, why);
    if (outcome == LAB_DONE && is_better(&late.certificate, &analysis->learning.certificate))
        SAY(analysis,
            "%s: m is %g ms late, so r - m compares two moments; use `teach: {reference_delay_ms: "
            "%g}`, which %s.",
            because, told.loop.measurement_delay_ms, told.teach.reference_delay_ms,
            would_be(then, sizeof then, &late));
    return outcome;
}

// A preconditioned update trusts the model in every direction; a plain one tolerates errors that it
// cannot.
static lab_outcome advise_plain(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    tried plain = {.certificate = {.verdict = CFPC_DIVERGES}};
    char then[128];
    lab_rule rule = setup->rule[analysis->spec->main_rule];
    if (!rule.preconditioner)
        return LAB_DONE;
    rule.preconditioner = NULL;
    rule.rate = cfpc_problem_rate(lab_believed_problem(setup), 0.5);
    const lab_outcome outcome =
        certify_trace(&plain, setup, &rule, &lab_rules(setup->rig.spec)[analysis->spec->main_rule],
                      &rule.trace, why);
    if (outcome == LAB_DONE && is_better(&plain.certificate, &analysis->learning.certificate))
        SAY(analysis,
            "A preconditioned update does not tolerate this model's errors: use `update: plain`, "
            "which %s.",
            would_be(then, sizeof then, &plain));
    return outcome;
}

static void say_rate(lab_analysis *analysis)
{
    const cfpc_certificate *c = &analysis->learning.certificate;
    SAY(analysis, "Use a rate of %.3g: it converges below %.3g and diverges at %.3g.", good_rate(c),
        c->rate_max, analysis->learning.rate);
}

static lab_outcome advise_diverging(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const cfpc_certificate *c = &analysis->learning.certificate;
    const bool too_fast = c->rate_max > 0 && analysis->learning.rate >= c->rate_max;
    if (advise_traces(analysis))
        return LAB_DONE;
    if (too_fast && c->rate_max_monotone > 0) {
        say_rate(analysis);
        return LAB_DONE;
    }
    lab_outcome outcome = advise_plain(analysis, setup, why);
    if (outcome == LAB_DONE && !*analysis->advice.text)
        outcome = advise_trace(analysis, setup,
                               too_fast ? "No rate is monotone with this trace"
                                        : "No rate converges with this trace",
                               why);
    if (outcome == LAB_DONE && !*analysis->advice.text && too_fast)
        say_rate(analysis);
    if (outcome == LAB_DONE && !*analysis->advice.text)
        SAY(analysis, "No rate converges: change the bases or the loop.");
    return outcome;
}

static lab_outcome advise_swinging(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const cfpc_certificate *c = &analysis->learning.certificate;
    char because[160];
    if (c->rate_max_monotone > 0 && c->asymptote < 1) {
        SAY(analysis, "Use a rate of %.3g: convergence is monotone up to %.3g.", good_rate(c),
            c->rate_max_monotone);
        return LAB_DONE;
    }
    snprintf(because, sizeof because,
             c->asymptote < 1
                 ? "The weights may grow %.3g times before they converge to an rRMSE of %.4g"
                 : "It converges, but not to a smaller error (the weights grow %.3g times, and the "
                   "error is %.4g times the reactive one)",
             c->growth, c->asymptote);
    lab_outcome outcome = advise_trace(analysis, setup, because, why);
    if (outcome == LAB_DONE && !*analysis->advice.text)
        SAY(analysis, "%s: %s.", because, guard_word(analysis));
    return outcome;
}

// Why it ends above the optimum, or above the reactive error, when no trace would do better.
static void say_why_worse(lab_analysis *analysis, const lab_setup *setup, const char *because)
{
    const cfpc_rule *rule = &setup->rule[analysis->spec->main_rule].rule;
    const lab_trace_kind trace = lab_rules(setup->rig.spec)[analysis->spec->main_rule].trace;
    if (setup->rig.spec->teach.signal == LAB_TEACH_COMMAND)
        SAY(analysis, "%s: the command teaches, not the error (`teach: {signal: error}`).",
            because);
    else if (rule->leak > 0 || rule->output_penalty > 0)
        SAY(analysis, "%s: its %s keeps it there.", because,
            rule->leak > 0 ? "leak" : "penalty on o (`output_penalty`)");
    else if (analysis->learning.certificate.asymptote > 0.999)
        SAY(analysis,
            "%s: no teaching signal arrives within a trial; shorten the delays or lengthen the "
            "trial.",
            because);
    else if (lab_is_filtered(trace))
        SAY(analysis,
            "%s: a %s trace weights the error by frequency; a larger `whitening_rho` ends "
            "nearer to the optimum, but learns more slowly where the loop is weak.",
            because, lab_name_of_trace(trace));
    else
        SAY(analysis,
            "%s: the rest lies in directions too weak to be learned (condition of H %.2g); use "
            "fewer bases, or bases that overlap less.",
            because, analysis->learning.condition);
}

// Bases that can be left out, the first few by name, if any can: `identity` has one for every step,
// and makes any other redundant.
static bool advise_bases(lab_analysis *analysis, const lab_setup *setup)
{
    const lab_learning_analysis *l = &analysis->learning;
    const bool idle = l->idle_count > 0;
    const int *bases = idle ? l->idle : l->redundant;
    const int count = idle ? l->idle_count : l->redundant_count;
    char text[96] = "";
    size_t used = 0;
    for (int i = 0; i < setup->rig.spec->basis.count; i++)
        if (lab_banks(setup->rig.spec)[i].kind == LAB_IDENTITY)
            return false;
    if (!bases || count <= 0)
        return false;
    for (int i = 0; i < count && i < 5 && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%sx_%d", i ? ", " : "",
                                 bases[i] + 1);
    if (count > 5 && used < sizeof text)
        snprintf(text + used, sizeof text - used, " and %d more", count - 5);
    SAY(analysis, "Run it, and drop bases %s, %s.", text,
        idle ? "which have no effect within a trial" : "which are redundant");
    return true;
}

// The verdict is about the weights: where something else teaches than the error, or another trace
// than its own, the error may rise while they settle.
static bool error_rises(const lab_learning_analysis *l)
{
    return l->peak > LAB_ERROR_RISES;
}

static void say_slow(lab_analysis *analysis)
{
    const lab_learning_analysis *l = &analysis->learning;
    const lab_rule_spec *rule = &lab_rules(analysis->spec)[analysis->spec->main_rule];
    const bool can = analysis->spec->learning.mode == LAB_BATCH &&
                     rule->update != LAB_PRECONDITIONED && !*analysis->doubt.text;
    int trials;
    const double rate = faster_rate(analysis, &trials);
    char needed[64] = "more trials than were computed", faster[64] = "run more trials";
    if (l->trials_to_5pc > 0)
        snprintf(needed, sizeof needed, "%d trial%s", l->trials_to_5pc,
                 lab_plural(l->trials_to_5pc));
    if (rate > 0)
        snprintf(faster, sizeof faster, "at a rate of %.3g it takes %d", rate, trials);
    SAY(analysis, "It is safe but slow (%s to within 5 %% of the optimum): %s%s.", needed, faster,
        can ? ", or use `update: preconditioned`" : "");
}

// Where it ends above the optimum, or above the reactive error.
static lab_outcome advise_ends_high(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const lab_learning_analysis *l = &analysis->learning;
    const double ends = l->certificate.asymptote;
    char because[192];
    if (error_rises(l) && ends <= 1.001)
        snprintf(because, sizeof because,
                 "The weights converge monotonically, but not the error: it peaks at %.4g times "
                 "the reactive error at trial %d and ends at %.4g (the optimum is %.4g)",
                 l->peak, l->peak_trial, ends, l->optimum);
    else
        snprintf(because, sizeof because,
                 ends > 1.001   ? "Do not run it: it converges, but to %.4g times the reactive "
                                  "error (the optimum is %.4g)"
                 : ends > 0.999 ? "It learns nothing (rRMSE %.4g; the optimum is %.4g)"
                                : "It is safe, but converges to an rRMSE of %.4g; the optimum is "
                                  "%.4g",
                 ends, l->optimum);
    lab_outcome outcome = advise_reference(analysis, setup, because, why);
    if (outcome == LAB_DONE && !*analysis->advice.text)
        outcome = advise_trace(analysis, setup, because, why);
    if (outcome == LAB_DONE && !*analysis->advice.text && !advise_whitened(analysis))
        say_why_worse(analysis, setup, because);
    return outcome;
}

static lab_outcome advise_safe(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const lab_learning_analysis *l = &analysis->learning;
    const cfpc_certificate *c = &l->certificate;
    char adjoint[128];
    if (c->asymptote > 1.05 * l->optimum && c->asymptote - l->optimum > 1e-6)
        return advise_ends_high(analysis, setup, why);
    if (advise_traces(analysis) || advise_whitened(analysis))
        return LAB_DONE;
    if (error_rises(l))
        SAY(analysis,
            "The weights come nearer to where they end in every trial, but the error does not fall "
            "with them: it peaks at %.4g times the reactive error at trial %d before it comes down "
            "to %.4g.",
            l->peak, l->peak_trial, c->asymptote);
    else if (advise_bases(analysis, setup))
        return LAB_DONE;
    else if (l->trials_to_5pc == 0 || l->trials_to_5pc > l->trials)
        say_slow(analysis);
    else
        SAY(analysis, "Run it as it is: convergence is monotone, at any rate up to %.3g%s.",
            c->rate_max_monotone, offer_adjoint(analysis, adjoint, sizeof adjoint));
    return LAB_DONE;
}

static void advise_undecided(lab_analysis *analysis)
{
    const lab_learning_analysis *l = &analysis->learning;
    const bool verdict = l->certificate.verdict_decided;
    if (verdict && l->certificate.verdict == CFPC_MONOTONE &&
        100 * l->rate < good_rate(&l->certificate)) { // it is a hundred times too low
        SAY(analysis, "Use a rate of %.3g: at %.3g not even 1e12 trials converge.",
            good_rate(&l->certificate), l->rate);
        return;
    }
    SAY(analysis,
        "%s depends on directions of the weights that are too weak to tell from rounding errors%s "
        "(condition of H %.2g): use fewer bases, bases that overlap less, or a leak, and analyse "
        "it again; %s.",
        verdict ? "The asymptote" : "Whether it converges",
        verdict ? ", or to be learned in 1e12 trials" : "", l->condition, guard_word(analysis));
}

static lab_outcome advise(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    if (!setup)
        advise_unstable(analysis);
    else if (lab_advise_band(analysis))
        return LAB_DONE;
    else if (analysis->learning.reason)
        advise_not_applicable(analysis, setup);
    else if (!analysis->learning.certificate.verdict_decided ||
             !analysis->learning.certificate.asymptote_decided)
        advise_undecided(analysis);
    else if (analysis->learning.certificate.verdict == CFPC_DIVERGES)
        return advise_diverging(analysis, setup, why);
    else if (analysis->learning.certificate.verdict == CFPC_EVENTUAL)
        return advise_swinging(analysis, setup, why);
    else
        return advise_safe(analysis, setup, why);
    return LAB_DONE;
}

lab_outcome lab_advise(lab_analysis *analysis, const lab_setup *setup, lab_why *why)
{
    const lab_outcome outcome = advise(analysis, setup, why);
    if (outcome != LAB_DONE || !*analysis->doubt.text)
        return outcome;
    const lab_why advice = analysis->advice;
    SAY(analysis, "Of the model only, which failed a test: %.900s", advice.text);
    return LAB_DONE;
}
