// SPDX-License-Identifier: Apache-2.0
// The figures of a run: on small records with known answers, and on the paper's experiment.
#include "lab/experiment.h"
#include "lab/temporary.h"
#include "run/measure_rows.h"

// ---- small records ---------------------------------------------------------------------------

enum { N = 100, MAX_TRIALS = 20, DELAYS = 3 };

// A run made up by hand: one rule, 10 ms steps.
typedef struct made_up {
    double r[N], y[N], e[N], o[N], response[N], rrmse[2][MAX_TRIALS];
    double optimum[2][MAX_TRIALS];
    int phase[MAX_TRIALS];
    double delays[DELAYS], at_delay[DELAYS];
    lab_rule_record rules[2];
    lab_spec spec;
    lab_record record;
    lab_measures measures;
} made_up;

// r rises by `by` from step 20 to step 40, stands still, and goes back from step 80 to step 90.
static void set_target(made_up *it, double from, double by)
{
    for (int n = 0; n < N; n++) {
        const double part = n < 20   ? 0
                            : n < 40 ? (n - 20) / 20.0
                            : n < 80 ? 1
                            : n < 90 ? (90 - n) / 10.0
                                     : 0;
        it->r[n] = from + by * part;
    }
}

static void make_up(made_up *it)
{
    *it = (made_up){.delays = {0, 50, 100}, .at_delay = {3, 2, 1}};
    set_target(it, 0, 1);
    it->o[10] = 1;
    for (int k = 0; k < MAX_TRIALS; k++)
        it->rrmse[0][k] = it->rrmse[1][k] = 1;
    const lab_signals signals = {.r_first = it->r,
                                 .r_last = it->r,
                                 .y_first = it->y,
                                 .y_last = it->y,
                                 .e_first = it->e,
                                 .e_last = it->o,
                                 .o_last = it->o,
                                 .response = it->response};
    static const char *const names[] = {"own", "other"};
    for (int i = 0; i < 2; i++)
        it->rules[i] = (lab_rule_record){
            .name = names[i], .rrmse = it->rrmse[i], .optimum = it->optimum[i], .signals = signals};
    it->record = (lab_record){.step_s = 0.01,
                              .steps = N,
                              .trials = MAX_TRIALS,
                              .phase = it->phase,
                              .rules = 2,
                              .rule = it->rules,
                              .signals = signals,
                              .scan_count = DELAYS,
                              .scan_delay_ms = it->delays,
                              .scan_rrmse = it->at_delay};
}

// Measures; returns the figure of this name.
static double figure(made_up *it, const char *name)
{
    lab_why why;
    lab_measures_free(&it->measures);
    assert_int_equal(lab_measures_make(&it->measures, &it->record, &it->spec, &why), LAB_DONE);
    double value = NAN;
    bool found = false;
    for (int i = 0; i < it->measures.count; i++)
        if (strcmp(it->measures.measure[i].name, name) == 0) {
            value = it->measures.measure[i].value;
            found = true;
        }
    assert_true(found);
    lab_measures_free(&it->measures);
    return value;
}

static void the_lag_is_that_at_four_fifths_of_the_ramp(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    // y starts with r but rises at 4/5 of its speed: it is there at steps 20 + 25 · level.
    for (int n = 0; n < N; n++)
        it.y[n] = fmin(fmax((n - 20) / 25.0, 0), 1);
    assert_near(figure(&it, "lag_ms"), 10 * (25 - 20) * 0.8, 1e-9);
    // A parallel ramp 7.5 steps later: the crossing is interpolated.
    for (int n = 0; n < N; n++)
        it.y[n] = fmin(fmax((n - 27.5) / 20.0, 0), 1);
    assert_near(figure(&it, "lag_ms"), 75, 1e-9);
    assert_near(figure(&it, "lag_last_ms"), 75, 1e-9);
}

static void the_lag_of_a_movement_down_is_measured_alike(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    set_target(&it, 5, -2);
    for (int n = 0; n < N; n++)
        it.y[n] = 5 - 2 * fmin(fmax((n - 26) / 20.0, 0), 1);
    assert_near(figure(&it, "lag_ms"), 60, 1e-9);
}

static void an_output_that_never_gets_there_has_no_lag(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    for (int n = 0; n < N; n++)
        it.y[n] = fmin(it.r[n], 0.79);
    assert_true(isnan(figure(&it, "lag_ms")));
}

static void settling_ends_with_the_last_error_above_four_percent(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    assert_near(figure(&it, "settling_ms"), 0, 0);
    it.e[39] = 1;      // still moving
    it.e[50] = 0.5;    // settled again before the next
    it.e[63] = -0.041; // the last above 4 %, of either sign
    it.e[70] = 0.039;
    it.e[81] = 1; // the target moves again
    assert_near(figure(&it, "settling_ms"), 10 * (63 - 40), 1e-9);
}

static void settling_is_relative_to_the_amplitude(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    set_target(&it, 1, -10);
    it.e[50] = 0.41;
    it.e[60] = 0.39;
    assert_near(figure(&it, "settling_ms"), 100, 1e-9);
}

static void the_lead_is_from_a_tenth_of_the_largest_output_to_the_onset(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.o[10] = 0;
    it.o[12] = 0.19;
    it.o[14] = -0.21; // the first above 10 % of the maximum, of either sign
    it.o[30] = -2;
    assert_near(figure(&it, "lead_ms"), 10 * (20 - 14), 1e-9);
    it.o[14] = 0;
    assert_near(figure(&it, "lead_ms"), 10 * (20 - 30), 1e-9);
}

// o has its maximum of the movement (steps 20 to 40) at step 30; what comes before and after does
// not count.
static void the_lead_at_the_stop_is_from_where_o_has_lost_a_tenth(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.o[10] = 9;
    for (int n = 20; n < N; n++)
        it.o[n] = n < 30 ? -0.1 : n < 34 ? -2 : n < 36 ? -1.81 : -1.79;
    assert_near(figure(&it, "lead_offset_ms"), 10 * (40 - 36), 1e-9);
    for (int n = 34; n < N; n++)
        it.o[n] = n < 70 ? -2 : 0; // it holds on: a lag
    assert_near(figure(&it, "lead_offset_ms"), 10 * (40 - 70), 1e-9);
    for (int n = 34; n < N; n++)
        it.o[n] = -2; // it never ends
    assert_true(isnan(figure(&it, "lead_offset_ms")));
}

static void without_output_there_is_no_lead(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.o[10] = 0;
    assert_true(isnan(figure(&it, "lead_ms")));
    assert_true(isnan(figure(&it, "lead_offset_ms")));
    it.o[10] = INFINITY;
    assert_true(isnan(figure(&it, "lead_ms")));
}

static void a_target_that_stands_still_has_no_movement_to_measure(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    for (int n = 0; n < N; n++)
        it.r[n] = 1;
    assert_true(isnan(figure(&it, "lag_ms")));
    assert_true(isnan(figure(&it, "settling_ms")));
    assert_true(isnan(figure(&it, "lead_ms")));
    for (int n = 0; n < N; n++)
        it.r[n] = n; // moves to the very end: never stops
    assert_true(isnan(figure(&it, "settling_ms")));
}

static void the_peak_of_the_response_is_its_largest_magnitude(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.response[8] = 0.5;
    it.response[17] = -0.7;
    it.response[20] = 0.7; // as large, but later
    assert_near(figure(&it, "impulse_peak_ms"), 170, 1e-9);
}

// A kernel by hand: half of its peak from step 3 to step 5, a lobe of 0.25 at step 8.
static void a_kernel_has_a_peak_a_width_and_a_lobe(void **state)
{
    (void)state;
    static double kernel[N] = {0, 0, 1.9, 2, 4, 2.5, 1, -0.5, -1, -0.5};
    made_up it;
    make_up(&it);
    it.rules[0].kernel = kernel;
    assert_near(figure(&it, "rules.own.kernel_peak_ms"), 40, 1e-12);
    assert_near(figure(&it, "rules.own.kernel_half_from_ms"), 30, 1e-12);
    assert_near(figure(&it, "rules.own.kernel_half_to_ms"), 50, 1e-12);
    assert_near(figure(&it, "rules.own.kernel_lobe"), 0.25, 1e-12);
    assert_near(figure(&it, "rules.own.kernel_lobe_ms"), 80, 1e-12);
    static double nothing[N];
    it.rules[0].kernel = nothing;
    assert_true(isnan(figure(&it, "rules.own.kernel_peak_ms")));
    assert_true(isnan(figure(&it, "rules.own.kernel_lobe")));
    assert_true(isnan(figure(&it, "rules.own.kernel_lobe_ms")));
}

static void the_best_delay_is_counted_from_all_delays_of_the_loop(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.spec.loop.delay_ms = 20;
    it.spec.loop.command_delay_ms = 3;
    it.spec.loop.measurement_delay_ms = 1;
    assert_near(figure(&it, "best_delay_ms"), 100, 0);
    it.at_delay[1] = 0.5;
    assert_near(figure(&it, "best_delay_ms"), 50, 0);
    assert_near(figure(&it, "best_delay_excess_ms"), 26, 1e-9);
    it.at_delay[1] = NAN;
    assert_near(figure(&it, "best_delay_ms"), 100, 0);
}

static void a_rule_is_measured_at_its_trials_and_against_the_first_rule(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.lambda_max = 152;
    it.record.rrmse_optimum = 0.1;
    it.rules[0].rate = it.rules[1].rate = 0.003;
    for (int k = 0; k < MAX_TRIALS; k++) {
        it.rrmse[0][k] = 1.0 / (k + 1);
        it.rrmse[1][k] = 2.0 / (k + 1);
    }
    it.record.main_rule = 1; // does not matter: ratios are to the first
    assert_near(figure(&it, "lambda_max"), 152, 0);
    assert_near(figure(&it, "learning_rate"), 0.003, 0);
    assert_near(figure(&it, "rrmse_optimum"), 0.1, 0);
    assert_near(figure(&it, "rules.own.rrmse_2"), 1.0 / 2, 0);
    assert_near(figure(&it, "rules.own.rrmse_7"), 1.0 / 7, 0);
    assert_near(figure(&it, "rules.other.rrmse_20"), 2.0 / 20, 0);
    assert_near(figure(&it, "rules.other.rrmse_last"), 2.0 / 20, 0);
    assert_near(figure(&it, "rules.other.left_7"), (2.0 / 7 - 0.1) / 0.9, 1e-15);
    assert_near(figure(&it, "rules.own.ratio_7"), 1, 0);
    assert_near(figure(&it, "rules.other.ratio_7"), 2, 1e-15);
    assert_near(figure(&it, "rules.other.ratio_last"), 2, 1e-15);
}

static void a_trial_that_was_not_run_has_no_figure(void **state)
{
    (void)state;
    made_up it;
    make_up(&it);
    it.record.trials = 6;
    assert_near(figure(&it, "rules.own.rrmse_2"), 1, 0);
    assert_true(isnan(figure(&it, "rules.own.rrmse_7")));
    assert_true(isnan(figure(&it, "rules.own.left_7")));
    assert_true(isnan(figure(&it, "rules.own.rrmse_20")));
    assert_near(figure(&it, "rules.own.rrmse_last"), 1, 0);
}

// 1, 1/2, 1/4, … in the first 10 trials, 0 in those of a second phase.
static void set_halving(made_up *it, double optimum)
{
    for (int k = 0; k < MAX_TRIALS; k++) {
        it->phase[k] = k >= 10;
        it->rrmse[1][k] = k < 10 ? pow(0.5, k) : 0;
        it->optimum[1][k] = k < 10 ? optimum : 0;
    }
}

static void a_rule_is_there_when_within_5_percent_of_its_own_optimum(void **state)
{
    (void)state;
    static made_up it;
    make_up(&it);
    set_halving(&it, 0.125 / 1.05 + 1e-9); // 5 % above it is 0.125, trial 4
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 4, 0);
    set_halving(&it, 0.125 / 1.05 - 1e-9);
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 5, 0);
    set_halving(&it, 0.03125 - 0.005 + 1e-9); // 5 % are less than 0.005 here
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 6, 0);
    set_halving(&it, 0.03125 - 0.005 - 1e-9);
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 7, 0);
    assert_near(figure(&it, "rules.other.rrmse_optimum"), 0.03125 - 0.005, 1e-8);
    it.rrmse[1][0] = 0; // from the first trial on
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 1, 0);
    it.rules[1].bases = 17;
    assert_near(figure(&it, "rules.other.parameters"), 17, 0);
}

static void a_rule_is_held_against_its_own_best_by_another_measure(void **state)
{
    (void)state;
    static made_up it;
    make_up(&it);
    set_halving(&it, NAN); // its best is 1/512, trial 10; 1/256 lies within 0.005 of it
    assert_true(isnan(figure(&it, "rules.other.trials_to_5pc")));
    assert_near(figure(&it, "rules.other.trials_to_own_5pc"), 9, 0);
    assert_true(isnan(figure(&it, "rules.other.rrmse_optimum")));
    for (int k = 4; k < 10; k++)
        it.rrmse[1][k] = 0.3; // it was better
    assert_near(figure(&it, "rules.other.trials_to_own_5pc"), 4, 0);
    it.rules[1].diverged_at = 10;
    assert_true(isnan(figure(&it, "rules.other.trials_to_own_5pc")));
    it.rules[1].diverged_at = 0;
    set_halving(&it, 0.06); // the optimum is reached before the rule's own best
    assert_near(figure(&it, "rules.other.trials_to_5pc"), 5, 0);
    assert_near(figure(&it, "rules.other.trials_to_own_5pc"), 9, 0);
}

static void the_worst_trial_and_the_first_above_1_are_told(void **state)
{
    (void)state;
    static made_up it;
    make_up(&it);
    it.rrmse[1][0] = 1 + 1e-15; // rounding: not above 1
    assert_near(figure(&it, "rules.other.rrmse_max"), 1, 0);
    assert_true(isnan(figure(&it, "rules.other.first_above_1")));
    it.rrmse[1][7] = 1.001;
    it.rrmse[1][9] = 3;
    assert_near(figure(&it, "rules.other.rrmse_max"), 3, 0);
    assert_near(figure(&it, "rules.other.first_above_1"), 8, 0);
    it.rrmse[1][7] = 0.9;
    it.rrmse[1][9] = NAN; // it diverged before it was seen above 1
    assert_true(isnan(figure(&it, "rules.other.rrmse_max")));
    assert_near(figure(&it, "rules.other.first_above_1"), 10, 0);
}

// What comes in a later phase does not count.
static void a_rule_that_never_gets_there_has_no_such_trial(void **state)
{
    (void)state;
    static made_up it;
    make_up(&it);
    set_halving(&it, 0.125);
    for (int k = 0; k < 10; k++)
        it.rrmse[1][k] = 0.2;
    assert_true(isnan(figure(&it, "rules.other.trials_to_5pc")));
}

// ---- claims on small records -----------------------------------------------------------------

static bool holds(double measured, double low, double high)
{
    made_up it;
    make_up(&it);
    it.rrmse[0][1] = measured;
    char measure[] = "rules.own.rrmse_2";
    lab_claim_spec claim = {.measure = measure, .low = low, .high = high};
    it.spec.claims = (lab_listing){.count = 1, .items = &claim};
    lab_why why;
    assert_int_equal(lab_measures_make(&it.measures, &it.record, &it.spec, &why), LAB_DONE);
    const bool pass = it.measures.claim[0].pass;
    assert_memory_equal(&it.measures.claim[0].measured, &measured, sizeof measured);
    assert_int_equal(it.measures.failed, !pass);
    lab_measures_free(&it.measures);
    return pass;
}

static void a_claim_holds_within_its_range_and_at_its_ends(void **state)
{
    (void)state;
    assert_true(holds(2, 1, 3));
    assert_true(holds(1, 1, 3));
    assert_true(holds(3, 1, 3));
    assert_false(holds(nextafter(1, 0), 1, 3));
    assert_false(holds(nextafter(3, 4), 1, 3));
    assert_false(holds(NAN, 1, 3));
    assert_false(holds(INFINITY, 1, 3));
}

static void a_claim_may_have_one_bound(void **state)
{
    (void)state;
    assert_true(holds(1e9, 1, NAN));
    assert_true(holds(1, 1, NAN));
    assert_true(holds(INFINITY, 1, NAN));
    assert_false(holds(nextafter(1, 0), 1, NAN));
    assert_true(holds(-1e9, NAN, 3));
    assert_true(holds(3, NAN, 3));
    assert_false(holds(nextafter(3, 4), NAN, 3));
    assert_false(holds(NAN, 1, NAN)); // a measure that is null
    assert_false(holds(NAN, NAN, 3));
}

// ---- the paper's experiment ------------------------------------------------------------------

static void the_papers_figures_come_out(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double value, within; // relative
    } figures[] = {
        {"lambda_max", 152, 0.03},
        {"learning_rate", 0.5 / 152, 0.03},
        {"rrmse_optimum", 0.0459, 0.03},
        {"impulse_peak_ms", 63, 0.03},
        {"lag_ms", 92, 0.03},
        {"lag_last_ms", 0.707, 0.03},
        {"settling_ms", 260, 0.03},
        {"lead_ms", 80, 0.06},        // the text says about
        {"lead_offset_ms", 80, 0.06}, // and of offsets the same
        {"rules.fm-et.rrmse_7", 0.061, 0.03},
        {"rules.fm-et.rrmse_last", 0.0459, 0.03},
        {"rules.wh.rrmse_7", 0.33, 0.10},
        {"rules.wh.rrmse_20", 1.4, 0.10},
        {"rules.wh.first_above_1", 18, 0.10},
        {"rules.wh.rrmse_max", 45, 0.10},
        {"rules.fm-et.rrmse_max", 1, 0},
        {"rules.wh.rrmse_last", 45, 0.10},
        {"rules.wh+50ms.rrmse_7", 0.124, 0.03},
        {"rules.wh+50ms.rrmse_last", 0.051, 0.03},
        {"rules.wh+70ms.rrmse_7", 0.088, 0.03},
        {"rules.wh+70ms.rrmse_last", 0.047, 0.03},
    };
    experiment it;
    experiment_do(&it, pursuit_text());
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const double found = measured(&it, figures[i].name);
        if (!(fabs(found / figures[i].value - 1) <= figures[i].within))
            fail_msg("%s is %g, not about %g", figures[i].name, found, figures[i].value);
    }
    experiment_free(&it);
}

static void the_largest_errors_are_those_of_the_first_and_the_last_trial(void **state)
{
    (void)state;
    static made_up it;
    make_up(&it);
    it.e[3] = -7;
    it.o[5] = -4;
    assert_near(figure(&it, "rules.own.peak_error_first"), 7, 0);
    assert_near(figure(&it, "rules.other.peak_error_last"), 4, 0);
    lab_measures_free(&it.measures);
}

// ---- the list --------------------------------------------------------------------------------

enum { MANY_RULES = 64, MANY_PHASES = 5, MANY_SIZES = 16 };

// A record of as many rules, phases and sizes as a spec may have, or nearly, with all that can be
// measured of them; each phase is held against the first.
typedef struct large_record {
    double signal[N], trials[MANY_PHASES];
    int phase[MANY_PHASES];
    lab_phase_spec phases[MANY_PHASES];
    char names[MANY_RULES][16], phase_names[MANY_PHASES][16];
    lab_phase_signals last[MANY_PHASES];
    lab_guarded guard[MANY_PHASES];
    lab_rule_record rules[MANY_RULES];
    lab_tuning tuning[MANY_RULES];
    lab_scale_point sizes[MANY_SIZES];
    lab_spec spec;
    lab_record record;
} large_record;

static void make_large(large_record *it)
{
    memset(it, 0, sizeof *it);
    const lab_signals signals = {.r_first = it->signal,
                                 .r_last = it->signal,
                                 .y_first = it->signal,
                                 .e_first = it->signal,
                                 .e_last = it->signal,
                                 .o_last = it->signal,
                                 .response = it->signal};
    for (int p = 0; p < MANY_PHASES; p++) {
        snprintf(it->phase_names[p], sizeof it->phase_names[p], "phase-%d", p);
        it->phase[p] = p;
        it->phases[p] = (lab_phase_spec){.name = it->phase_names[p], .against = it->phase_names[0]};
        it->last[p] = (lab_phase_signals){.e = it->signal, .e0 = it->signal};
    }
    for (int i = 0; i < MANY_RULES; i++) {
        snprintf(it->names[i], sizeof it->names[i], "rule-%d", i);
        it->rules[i] = (lab_rule_record){.name = it->names[i],
                                         .rrmse = it->trials,
                                         .optimum = it->trials,
                                         .is_spiking = true,
                                         .spike_steps = 1,
                                         .filter = {.is_adjoint = true},
                                         .guard = it->guard,
                                         .responses = {it->trials, it->trials, it->trials},
                                         .gain = it->trials,
                                         .worst_window = it->trials,
                                         .kernel = it->signal,
                                         .model = {.peak_ms = it->trials, .off_ms = it->trials},
                                         .signals = signals,
                                         .last = it->last};
    }
    for (int k = 0; k < MANY_SIZES; k++)
        it->sizes[k] = (lab_scale_point){.synapses = 1 + k, .rrmse = it->trials};
    it->spec.phases = (lab_listing){.count = MANY_PHASES, .items = it->phases};
    it->spec.prediction.place.line = 1;
    it->record = (lab_record){.step_s = 0.01,
                              .steps = N,
                              .trials = MANY_PHASES,
                              .phases = MANY_PHASES,
                              .phase = it->phase,
                              .rules = MANY_RULES,
                              .rule = it->rules,
                              .tuning = it->tuning,
                              .signals = signals,
                              .scale_sizes = MANY_SIZES,
                              .scale_trials = 1,
                              .scale = it->sizes};
}

static int rows_of(lab_measured of)
{
    int count = 0;
    for (int t = 0; lab_measure_tables[t]; t++)
        for (const lab_measure_row *row = lab_measure_tables[t]; row->name; row++)
            count += row->of == of;
    return count;
}

// The first phase has nothing before it to be held against.
static void the_list_has_every_row_however_many_rules_phases_and_sizes_there_are(void **state)
{
    (void)state;
    static large_record it;
    lab_measures measures;
    lab_why why;
    make_large(&it);
    assert_int_equal(lab_measures_make(&measures, &it.record, &it.spec, &why), LAB_DONE);
    assert_int_equal(measures.count, rows_of(LAB_OF_RUN) + MANY_RULES * rows_of(LAB_OF_RULE) +
                                         MANY_RULES * (MANY_PHASES * rows_of(LAB_OF_PHASE) - 1) +
                                         MANY_SIZES * rows_of(LAB_OF_SIZE));
    assert_non_null(lab_measure_of(&measures, "rules.rule-63.phase-4.answer"));
    assert_null(lab_measure_of(&measures, "rules.rule-63.phase-0.answer"));
    assert_string_equal(measures.measure[measures.count - 1].name, "scale.16.bytes_per_synapse");
    lab_measures_free(&measures);
}

static void measures_of_the_clock_end_so(void **state)
{
    (void)state;
    assert_true(lab_is_of_clock("scale.5000.run_seconds"));
    assert_true(lab_is_of_clock("steps_per_second"));
    assert_true(lab_is_of_clock("x_real_time"));
    assert_false(lab_is_of_clock("lag_ms"));
    assert_false(lab_is_of_clock("run_seconds.rrmse_last"));
    assert_false(lab_is_of_clock(""));
}

static void the_measures_in_docs_are_those_of_the_rows(void **state)
{
    (void)state;
    char *expected = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&expected, &size);
    assert_non_null(stream);
    lab_measure_reference(stream);
    assert_int_equal(fclose(stream), 0);
    char *found = file_text(TEST_SOURCE_DIR "/../docs/measures.md");
    if (!found || strcmp(found, expected) != 0)
        fail_msg("docs/measures.md is out of date: cfpc help measures > docs/measures.md");
    free(found);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lag_is_that_at_four_fifths_of_the_ramp),
        cmocka_unit_test(the_lag_of_a_movement_down_is_measured_alike),
        cmocka_unit_test(an_output_that_never_gets_there_has_no_lag),
        cmocka_unit_test(settling_ends_with_the_last_error_above_four_percent),
        cmocka_unit_test(settling_is_relative_to_the_amplitude),
        cmocka_unit_test(the_lead_is_from_a_tenth_of_the_largest_output_to_the_onset),
        cmocka_unit_test(the_lead_at_the_stop_is_from_where_o_has_lost_a_tenth),
        cmocka_unit_test(without_output_there_is_no_lead),
        cmocka_unit_test(a_target_that_stands_still_has_no_movement_to_measure),
        cmocka_unit_test(the_peak_of_the_response_is_its_largest_magnitude),
        cmocka_unit_test(a_kernel_has_a_peak_a_width_and_a_lobe),
        cmocka_unit_test(the_best_delay_is_counted_from_all_delays_of_the_loop),
        cmocka_unit_test(a_rule_is_measured_at_its_trials_and_against_the_first_rule),
        cmocka_unit_test(a_trial_that_was_not_run_has_no_figure),
        cmocka_unit_test(a_rule_is_there_when_within_5_percent_of_its_own_optimum),
        cmocka_unit_test(a_rule_is_held_against_its_own_best_by_another_measure),
        cmocka_unit_test(the_worst_trial_and_the_first_above_1_are_told),
        cmocka_unit_test(a_rule_that_never_gets_there_has_no_such_trial),
        cmocka_unit_test(a_claim_holds_within_its_range_and_at_its_ends),
        cmocka_unit_test(a_claim_may_have_one_bound),
        cmocka_unit_test(the_papers_figures_come_out),
        cmocka_unit_test(the_largest_errors_are_those_of_the_first_and_the_last_trial),
        cmocka_unit_test(the_list_has_every_row_however_many_rules_phases_and_sizes_there_are),
        cmocka_unit_test(measures_of_the_clock_end_so),
        cmocka_unit_test(the_measures_in_docs_are_those_of_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
