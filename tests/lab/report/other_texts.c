// SPDX-License-Identifier: Apache-2.0
// other_texts: what is said of a probe, an identification, a comparison, a sweep, and of what is in
// a file.
#include "cfpc/cell.h"
#include "cfpc/compile.h"
#include "core/data_image.h"
#include "draw/gnuplot.h"
#include "lab/report/said.h"
#include "lab/rich_spec.h"
#include "lab/temporary.h"
#include "report/report.h"
#include "write/hash.h"

// What is said by a call that puts it into a text.
#define EXPECT_OF(call, ...)                                                                       \
    do {                                                                                           \
        said text;                                                                                 \
        FILE *to = said_begin(&text);                                                              \
        (call);                                                                                    \
        said_end(&text);                                                                           \
        expect_said(text.text, __VA_ARGS__);                                                       \
        said_free(&text);                                                                          \
    } while (0)
#define EXPECT_NOT_OF(call, ...)                                                                   \
    do {                                                                                           \
        said text;                                                                                 \
        FILE *to = said_begin(&text);                                                              \
        (call);                                                                                    \
        said_end(&text);                                                                           \
        expect_unsaid(text.text, __VA_ARGS__);                                                     \
        said_free(&text);                                                                          \
    } while (0)

// ---- a probe ---------------------------------------------------------------------------------

enum { LINES = 2 };

typedef struct probe {
    lab_spec spec;
    double re[LINES], im[LINES], deviation[LINES], u[1];
    lab_excitation of;
} probe;

static void make_probe(probe *it)
{
    *it = (probe){.re = {3, 0.3}, .im = {4, 0.4}, .deviation = {0.5, 0.25}};
    must_parse(&it->spec, SMALL_SPEC, SET("loop.saturation={low: -2, high: 2}"));
    it->of = (lab_excitation){.design = {.step_s = 0.01,
                                         .period_steps = 250,
                                         .periods = 4,
                                         .lines = LINES,
                                         .re = it->re,
                                         .im = it->im,
                                         .deviation = it->deviation,
                                         .rms = 0.5,
                                         .peak = 0.75,
                                         .error = 0.125,
                                         .relative_rms = 0.25,
                                         .relative_max = 0.5,
                                         .relative_hz = 3},
                              .spec = &it->spec,
                              .low_hz = 0.4,
                              .high_hz = 8,
                              .output_rms = 0.02,
                              .task_rms = 0.5,
                              .noise_from = "loop.noise",
                              .noise_rms = 0.001,
                              .steps = 1000,
                              .u = it->u,
                              .y_peak = 0.0625,
                              .u_low = -1.5,
                              .u_high = 1.5};
}

static void a_probe_is_described_and_so_is_what_it_does(void **state)
{
    (void)state;
    probe it;
    make_probe(&it);
    EXPECT_OF(lab_put_excitation(to, &it.of), "small: a small loop\n",
              "    add it to                            the reference\n",
              "0.4 to 8 Hz, where the basis signals have power\n", "2, 0.4 Hz apart\n",
              "4 periods of 2.5 s: 10 s, 1000 steps\n", "0.5, peak 0.75 (crest factor 1.5)\n",
              "0.02 (4 % of the task's)\n",
              "    command                              -1.5 to 1.5\n",
              "0.001 (rms), from loop.noise\n", "error over the band, relative to T   12.5 %\n",
              "50 % at most, at 3 Hz\n", "add the probe to its reference, and log r and y",
              " --input r --output y --step-ms 10 ");
    EXPECT_NOT_OF(lab_put_excitation(to, &it.of), "WARNING", "above 100 %");
    lab_spec_free(&it.spec);
}

static void a_probe_may_be_too_large_or_know_little(void **state)
{
    (void)state;
    probe it;
    make_probe(&it);
    it.of.at_plant = it.of.band_given = true;
    it.of.task_rms = 0;
    it.of.u_low = -3;
    it.of.u_high = 2.5;
    it.deviation[1] = 0.5; // as large as T there
    it.of.design.relative_max = 0.25;
    it.of.design.error = 12;
    EXPECT_OF(lab_put_excitation(to, &it.of), "add it to                            the command\n",
              "0.4 to 8 Hz\n", "rms of the output                    0.02\n",
              "WARNING: the command exceeds loop.saturation.low, -2; ",
              "WARNING: the command exceeds loop.saturation.high, 2; ", "relative to T   1200 %\n",
              "25 % at every line\n", "lines with an error above 100 %      1 of 2, where ",
              "add the probe to its command, and log the probe and y",
              " --input probe --output y ");
    it.of.noise_from = NULL;
    it.of.u = NULL;
    it.of.u_low = it.of.u_high = NAN;
    it.of.design.error = 1e9;
    EXPECT_OF(lab_put_excitation(to, &it.of), "not known: the loop was identified as a whole\n",
              "    unknown: set loop.noise in the spec, or give --noise, ");
    it.of.noise_from = "--noise";
    EXPECT_OF(lab_put_excitation(to, &it.of), "relative to T   1e+11 %\n");
    EXPECT_NOT_OF(lab_put_excitation(to, &it.of), "WARNING");
    lab_spec_free(&it.spec);
}

static void files_of_a_probe_are_named(void **state)
{
    (void)state;
    EXPECT_OF(lab_put_excitation_files(to, "out", true),
              "  data:    out/probe.csv, probe.h (C table), probe.json\n",
              lab_has_gnuplot() ? "  figures: out/fig-probe.png (and .svg)\n" : "out/probe.csv");
    EXPECT_NOT_OF(lab_put_excitation_files(to, "out", false), "figures");
}

// ---- an identification -----------------------------------------------------------------------

static lab_identification make_identified(void)
{
    return (lab_identification){.log = {.file = "logs/arm.csv",
                                        .input_name = "u",
                                        .output_name = "y",
                                        .step_ms = 4,
                                        .step_from = LAB_STEP_LOGGED,
                                        .rows = 1000},
                                .settings = {.dead_time_steps = -1, .confidence = 0.95},
                                .found = {.method = CFPC_IDENTIFY_DIRECT,
                                          .dead_time_steps = 3,
                                          .order = 2,
                                          .fit = 90.5,
                                          .fit_estimation = 91.5,
                                          .fit_fir = 89.5,
                                          .noise = 0.25,
                                          .low_hz = 0.5,
                                          .high_hz = 20,
                                          .radius = 0.125,
                                          .radius_hz = 7,
                                          .whiteness = 0.5,
                                          .unexplained = 0.75,
                                          .feedback = 0.25}};
}

static void an_identification_has_its_model_and_doubts(void **state)
{
    (void)state;
    lab_identification it = make_identified();
    EXPECT_OF(lab_put_identification(to, &it, "arm.yaml"), "logs/arm.csv: from u to y\n",
              "1000 (4 s)\n", "4 ms (of the time stamps)\n",
              "    dead time                            12 ms (3 steps)\n",
              "    order                                2\n", "the response itself\n",
              "90.5 % (estimation 91.5 %, FIR 89.5 %)\n", "0.5 to 20 Hz\n",
              "12 % at 7 Hz (95 % confidence)\n", "p = 0.5\n", "p = 0.75\n", "p = 0.25\n",
              "plant: {kind: identified, file: arm.yaml}");
    EXPECT_OF(lab_put_identification(to, &it, NULL), "plant: {kind: identified, file: model.yaml}");
    it.log.step_from = LAB_STEP_ASSUMED;
    it.settings.dead_time_steps = it.found.dead_time_steps = 1;
    it.settings.order = 2;
    it.found.radius = NAN;
    it.found.whiteness = it.found.unexplained = it.found.feedback = 0;
    it.feedback = true;
    EXPECT_OF(lab_put_identification(to, &it, "arm.yaml"), "4 ms (assumed: there are no time ",
              "4 ms (1 step), as given\n", "2, as given\n",
              "largest relative error               "
              "unknown\n",
              "p = 0: no, the noise is coloured\n", "p = 0: NO\n",
              "p = 0: NO, allowed by --allow-feedback\n", "'u' reacts to 'y'");
}

static void every_method_and_step_has_a_name(void **state)
{
    (void)state;
    static const struct {
        cfpc_identify_method method;
        const char *says;
    } cases[] = {{CFPC_IDENTIFY_OPEN_PATH, "  the open path T/(1 - T), closed again\n"},
                 {CFPC_IDENTIFY_LEAST_SQUARES, "  least squares in state space\n"},
                 {CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH,
                  "  least squares in state space, of the open path T/(1 - T)\n"}};
    lab_identification it = make_identified();
    it.log.step_from = LAB_STEP_GIVEN;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        it.found.method = cases[i].method;
        EXPECT_OF(lab_put_identification(to, &it, NULL), cases[i].says, "4 ms (as given)\n");
    }
}

static void files_of_an_identification_are_named(void **state)
{
    (void)state;
    EXPECT_OF(lab_put_identification_files(to, "arm.yaml", "out", true), "  model:   arm.yaml\n",
              "  data:    out/identification.json, simulation.csv, response.csv, ",
              lab_has_gnuplot() ? "  figure:  out/fig-identify.png (and .svg)\n" : "model:");
    EXPECT_NOT_OF(lab_put_identification_files(to, "arm.yaml", NULL, true), "data:", "figure:");
    EXPECT_NOT_OF(lab_put_identification_files(to, NULL, "out", false), "model:", "figure:");
}

// ---- a comparison ----------------------------------------------------------------------------

enum { COMPARED_TRIALS = 3 };

static void a_comparison_has_a_row_per_rule(void **state)
{
    (void)state;
    char fm[] = "fm", wh[] = "wh", a[] = "a", b[] = "b", longer[] = "longer";
    char *rules[] = {fm, wh};
    double rate[] = {0.5, NAN}, rrmse[] = {1, 0.5, 0.25, 1, NAN, NAN};
    int diverged_at[] = {0, 2};
    lab_shown shown[] = {{0, 0}, {0, 1}, {1, 0}};
    lab_comparison it = {.runs = 2,
                         .name = {a, longer},
                         .count = 3,
                         .shown = shown,
                         .run = {{.trials = COMPARED_TRIALS,
                                  .rules = 2,
                                  .rule = rules,
                                  .rrmse = rrmse,
                                  .rate = rate,
                                  .diverged_at = diverged_at,
                                  .optimum = 0.125,
                                  .claims = 3,
                                  .held = 2},
                                 {.trials = COMPARED_TRIALS,
                                  .rules = 1,
                                  .rule = rules,
                                  .rrmse = rrmse,
                                  .rate = rate,
                                  .diverged_at = diverged_at,
                                  .optimum = NAN}}};
    EXPECT_OF(
        lab_put_comparison(to, &it),
        "  run    rule               rate    trial 2    trial 7       last    optimum   claims "
        "held\n",
        "  a      fm                  0.5        0.5          -       0.25      0.125   2 of 3\n",
        "  a      wh                    -   diverged          -   diverged      0.125   -   "
        "diverged at trial 2\n",
        "  longer fm                  0.5        0.5          -       0.25          -   -\n");
    it.name[1] = b; // no name is longer than the heading
    EXPECT_OF(lab_put_comparison(to, &it), "  run rule  ", "  b   fm  ");
}

static void files_of_a_comparison_are_named(void **state)
{
    (void)state;
    EXPECT_OF(lab_put_comparison_files(to, "out", true), "  data:    out/compare.csv\n",
              lab_has_gnuplot() ? "  figure:  out/fig-compare.png (and .svg)\n"
                                : "  figure:  not drawn, as gnuplot is not installed");
    EXPECT_NOT_OF(lab_put_comparison_files(to, "out", false), "figure");
}

// ---- a sweep ---------------------------------------------------------------------------------

enum { POINTS = 4 };

typedef struct swept {
    lab_spec spec;
    lab_grid grid;
    lab_point point[POINTS];
    lab_sweep sweep;
    const char *names[2];
    double values[2 * POINTS];
    lab_swept of;
} swept;

static char nothing[] = "", negative[] = "it is negative", no_memory[] = "no memory",
            diverged[] = "rule fm diverged at trial 2";

// Two delays and two rates: the last two points are refused and fail.
static void make_swept(swept *it, const char *first, const char *second)
{
    lab_why why;
    *it = (swept){.point = {{.finished = true, .why = nothing},
                            {.finished = true, .why = nothing},
                            {.finished = true, .outcome = LAB_REFUSED, .why = negative},
                            {.finished = true, .outcome = LAB_FAILED, .why = no_memory}},
                  .names = {"rules.fm.rrmse_last", "rules.fm.rrmse_last_half_width"},
                  .values = {0.5, 0.25, NAN, NAN, 0.01, 0.02, NAN, NAN}};
    must_parse(&it->spec, SMALL_SPEC, SET_NOTHING);
    must(lab_grid_add(&it->grid, first, &why), &why);
    must(lab_grid_add(&it->grid, second, &why), &why);
    it->sweep =
        (lab_sweep){.spec = &it->spec, .grid = &it->grid, .points = POINTS, .point = it->point};
    it->of = (lab_swept){.sweep = &it->sweep,
                         .columns = 2,
                         .names = it->names,
                         .values = it->values,
                         .half_width = -1,
                         .best = 1};
}

static void swept_free(swept *it)
{
    lab_grid_free(&it->grid);
    lab_spec_free(&it->spec);
}

static void a_sweep_counts_its_points_and_has_a_best(void **state)
{
    (void)state;
    swept it;
    make_swept(&it, "loop.delay_ms=20,40", "rules.fm.rate=0.1,0.2");
    EXPECT_OF(lab_put_swept(to, &it.of, "out", true),
              "small: 4 points, taught by the error r - y\n\n"
              "  done          2\n"
              "  diverged      0\n"
              "  refused       1   the first: it is negative\n"
              "  failed        1   the first: no memory\n"
              "\n  lowest rules.fm.rrmse_last: 0.25 at loop.delay_ms=20, rules.fm.rate=0.2\n",
              "  spec:    out/spec.yaml is ", "  data:    out/sweep.csv",
              lab_has_hdf5() ? ", sweep.h5\n" : "           no sweep.h5: this cfpc was built ",
              lab_has_gnuplot() ? "  figure:  out/fig-sweep.png (and .svg)\n"
                                : "  figure:  not drawn, as gnuplot is not installed");
    EXPECT_NOT_OF(lab_put_swept(to, &it.of, "out", false), "figure");
    swept_free(&it);
}

static void a_sweep_of_repeats_has_intervals(void **state)
{
    (void)state;
    swept it;
    make_swept(&it, "teach.signal=error,command", "rules.fm.rate=0.1,0.2");
    it.spec.runs = 3;
    it.of.half_width = 1;
    EXPECT_OF(lab_put_swept(to, &it.of, "out", false),
              "small: 4 points, means of 3 runs with 95 % intervals\n\n",
              "0.25 ± 0.02 at teach.signal=error, rules.fm.rate=0.2\n");
    it.values[POINTS + 1] = NAN;
    EXPECT_OF(lab_put_swept(to, &it.of, "out", false), "0.25 at teach");
    swept_free(&it);
}

static void a_sweep_may_have_diverged(void **state)
{
    (void)state;
    swept it;
    make_swept(&it, "title=a,b", "teach.signal=error,command");
    it.point[1].why = it.point[3].why = diverged;
    it.point[2].outcome = it.point[3].outcome = LAB_DONE;
    it.point[0].why = it.point[2].why = nothing;
    it.of.best = -1;
    EXPECT_OF(lab_put_swept(to, &it.of, "out", true), "  done          2\n",
              "  diverged      2   the first: rule fm diverged at trial 2, at title=a, "
              "teach.signal=command\n",
              "  refused       0\n", "  failed        0\n",
              "lowest rules.fm.rrmse_last: no value is finite\n",
              "  figure:  none: no key has two or more numbers\n");
    it.sweep.points = 1;
    EXPECT_OF(lab_put_swept(to, &it.of, "out", false), "small: 1 point\n\n", "done          1\n");
    swept_free(&it);
}

// ---- files of a cell -------------------------------------------------------------------------

static void write_bytes(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_ok(fclose(file));
}

#define EXPECT_INSPECTED(path, ...)                                                                \
    do {                                                                                           \
        lab_why refused;                                                                           \
        EXPECT_OF(must(lab_put_inspected(to, (path), &refused), &refused), __VA_ARGS__);           \
    } while (0)

// A model of this definition in a file.
static temporary_path leave_model(const temporary *here, const cfpc_cell_def *def)
{
    const temporary_path path = temporary_below(here, "cell.model");
    const cfpc_model *model;
    assert_ok(cfpc_compile(&model, def));
    write_bytes(path.text, model, cfpc_model_bytes(model));
    cfpc_model_free(model);
    return path;
}

enum { SYNAPSES = 2, STEPS = 4 };
static const double table[STEPS * SYNAPSES] = {1, 0, 0, 1, 1, 1, 0, 0};
#define PRECISION                                                                                  \
    (CFPC_REAL_IS_FLOAT ? "  precision        float\n" : "  precision        double\n")

static void a_model_that_learns_by_traces_is_told(void **state)
{
    cfpc_system trace = {0};
    assert_ok(cfpc_delay(&trace, 0.01, 7));
    cfpc_cell_def def = {.synapses = SYNAPSES, .trace = &trace, .rule = {.rate = 0.25}};
    temporary_path path = leave_model(*state, &def);
    EXPECT_INSPECTED(path.text, "cell.model: a model of cfpc\n", PRECISION, ", right\n",
                     "  synapses         2\n", "  basis            passed by the caller at every",
                     "  rule             on line, rate 0.25\n",
                     "  trace            0 states, 1 delay lines of 7 steps in all\n",
                     "  guard            off\n", " bytes of data\n");
    def.dead_time_steps = 5;
    def.only_blocks = true;
    def.rule = (cfpc_rule){.rate = 0.25,
                           .rectified = true,
                           .leak = 0.125,
                           .inhibition = 0.5,
                           .inhibition_delay_steps = 9,
                           .weight_low = -1,
                           .weight_high = 2};
    path = leave_model(*state, &def);
    EXPECT_INSPECTED(path.text,
                     "on line, rate 0.25, rectified, leak 0.125, inhibition 0.5 after 9 steps, "
                     "weights from -1 to 2\n",
                     "  blocks           of up to 5 steps, and only in blocks\n");
    cfpc_system_free(&trace);
}

static void rules_and_guards_are_told_with_their_numbers(void **state)
{
    static const double identity[SYNAPSES * SYNAPSES] = {1, 0, 0, 1};
    cfpc_system trace = {0};
    assert_ok(cfpc_delay(&trace, 0.01, 2));
    cfpc_cell_def def = {.synapses = SYNAPSES,
                         .steps = STEPS,
                         .basis = table,
                         .trace = &trace,
                         .rule = {.rate = 0.5, .mode = CFPC_BATCH, .momentum = 0.25},
                         .preconditioner = identity,
                         .guard = {.on = true,
                                   .repeats = true,
                                   .factor = 1.5,
                                   .spread = -1,
                                   .settle_steps = 3,
                                   .saturated_steps = 6,
                                   .tries = 8,
                                   .resume = 0.5},
                         .response = &trace};
    temporary_path path = leave_model(*state, &def);
    EXPECT_INSPECTED(
        path.text, "  basis            a table of 4 steps\n",
        "  rule             batch, rate 0.5, preconditioned, momentum 0.25\n",
        "on: knows the loop alone from a model and from pauses, factor 1.5, settles in "
        "3 steps, saturated at most 6 steps, 8 tries\n");
    def.response = NULL;
    def.preconditioner = NULL;
    def.rule = (cfpc_rule){.rate = 0.5, .normaliser = 0.125, .output_penalty = 0.75};
    def.guard.window_steps = 20;
    def.guard.settle_steps = -1;
    def.guard.saturated_steps = 0;
    def.guard.resume = 0;
    path = leave_model(*state, &def);
    EXPECT_INSPECTED(path.text, "on line, rate 0.5, normalised (0.125), output penalty 0.75\n",
                     "from pauses, factor 1.5, window 20 steps, then freezes\n");
    cfpc_system_free(&trace);
}

static void a_model_in_adjoint_form_is_told(void **state)
{
    double taps[4] = {0.5, 1, 0.5, 0.25};
    const cfpc_teaching_filter filter = {.lead = 1, .horizon = 2, .taps = taps};
    cfpc_system trace = {0};
    assert_ok(cfpc_delay(&trace, 0.01, 2));
    cfpc_cell_def def = {.synapses = SYNAPSES,
                         .trace = &trace,
                         .filter = &filter,
                         .mutable_taps = true,
                         .held = true,
                         .dead_time_steps = 3,
                         .rule = {.rate = 0.5}};
    temporary_path path = leave_model(*state, &def);
    EXPECT_INSPECTED(
        path.text,
        "in adjoint form: teaching filter of 4 taps (lead 1, horizon 2, mutable), past "
        "inputs kept by the cell\n",
        "of up to 3 steps; the weights change at their ends\n");
    lab_why why;
    EXPECT_NOT_OF(must(lab_put_inspected(to, path.text, &why), &why), "delay lines");
    def.held = def.mutable_taps = false;
    def.past = CFPC_PAST_GIVEN;
    path = leave_model(*state, &def);
    EXPECT_INSPECTED(path.text, "(lead 1, horizon 2), past inputs given by the caller\n",
                     "of up to 3 steps\n");
    cfpc_system_free(&trace);
}

static void data_is_told(void **state)
{
    const temporary_path path = temporary_below(*state, "cell.data");
    cfpc_system trace = {0};
    const cfpc_model *model;
    cfpc_data *data;
    assert_ok(cfpc_delay(&trace, 0.01, 2));
    const cfpc_cell_def def = {.synapses = SYNAPSES, .trace = &trace, .rule = {.rate = 0.5}};
    assert_ok(cfpc_compile(&model, &def));
    assert_ok(cfpc_data_make(&data, model));
    cfpc_weights(data)[1] = -0.5;
    cfpc_data_seal(data);
    write_bytes(path.text, data, cfpc_data_bytes(data));
    EXPECT_INSPECTED(path.text, "cell.data: a cell's data of cfpc\n", PRECISION,
                     "  weights          2, from -0.5 to 0, 1 of them 0\n",
                     "  clock            step 0 of the trial\n", "  flags            none\n",
                     "  guard            acted 0 times\n", "  of the model     with checksum ");
    data->flags = CFPC_FLAG_NOT_FINITE | CFPC_FLAG_FROZEN;
    data->guard.is_known = 1;
    data->guard.baseline = (cfpc_real)0.25;
    cfpc_data_seal(data);
    write_bytes(path.text, data, cfpc_data_bytes(data));
    EXPECT_INSPECTED(path.text, "  flags            not finite, frozen\n",
                     "acted 0 times, baseline 0.25\n");
    cfpc_data_free(data);
    cfpc_model_free(model);
    cfpc_system_free(&trace);
}

static void what_is_no_file_of_a_cell_is_refused(void **state)
{
    const temporary_path path = temporary_below(*state, "notes.txt");
    said text;
    lab_why why;
    write_file(path.text, "hello, here is more than a header would have room for, I suppose\n");
    FILE *to = said_begin(&text);
    assert_int_equal(lab_put_inspected(to, path.text, &why), LAB_REFUSED);
    assert_non_null(strstr(why.text, "notes.txt: is not a model or data file of cfpc"));
    assert_int_equal(lab_put_inspected(to, "no-such-file", &why), LAB_REFUSED);
    assert_int_equal(lab_put_inspected(to, "no-such-folder/summary.json", &why), LAB_REFUSED);
    assert_int_equal(lab_put_inspected(to, ((temporary *)*state)->path, &why), LAB_REFUSED);
    said_end(&text);
    assert_string_equal(text.text, "");
    said_free(&text);
}

// ---- a result folder -------------------------------------------------------------------------

static void a_result_tells_what_its_hash_is_of(void **state)
{
    const temporary_path path = temporary_below(*state, "out");
    const temporary_path summary = temporary_below(*state, "out/summary.json");
    ran found;
    lab_measures measures;
    lab_folder folder;
    lab_why why;
    char here[1024];
    must_run(&found, SMALL_SPEC, SET_NOTHING, 1);
    must(lab_measures_make(&measures, &found.record, &found.spec, &why), &why);
    snprintf(measures.measure[0].name, sizeof measures.measure[0].name, "run_seconds");
    const lab_result result = {.spec = &found.spec, .record = &found.record, .measures = &measures};
    must(lab_folder_begin(&folder, path.text, false, &why), &why);
    must(lab_write_summary(&folder, &result, &why), &why);
    must(lab_write_hashes(&folder, &result, &why), &why);
    must(lab_folder_commit(&folder, &why), &why);
    EXPECT_INSPECTED(path.text, "/out: a result of cfpc\n", "  experiment       small\n", PRECISION,
                     "The hash is made of the name, ", " curves/fm\n",
                     "\nIt leaves out 1 measures of the clock:\n",
                     "                   1            summary/run_seconds\n");
    EXPECT_INSPECTED(summary.text, "/out/summary.json: a result of cfpc\n", " curves/fm\n");
    assert_non_null(getcwd(here, sizeof here)); // its summary may be named alone
    assert_ok(chdir(path.text));
    EXPECT_INSPECTED("summary.json", "summary.json: a result of cfpc\n");
    assert_ok(chdir(here));
    lab_measures_free(&measures);
    ran_free(&found);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, temporary_set_up, temporary_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_is_described_and_so_is_what_it_does),
        cmocka_unit_test(a_probe_may_be_too_large_or_know_little),
        cmocka_unit_test(files_of_a_probe_are_named),
        cmocka_unit_test(an_identification_has_its_model_and_doubts),
        cmocka_unit_test(every_method_and_step_has_a_name),
        cmocka_unit_test(files_of_an_identification_are_named),
        cmocka_unit_test(a_comparison_has_a_row_per_rule),
        cmocka_unit_test(files_of_a_comparison_are_named),
        cmocka_unit_test(a_sweep_counts_its_points_and_has_a_best),
        cmocka_unit_test(a_sweep_of_repeats_has_intervals),
        cmocka_unit_test(a_sweep_may_have_diverged),
        TEST(a_model_that_learns_by_traces_is_told),
        TEST(rules_and_guards_are_told_with_their_numbers),
        TEST(a_model_in_adjoint_form_is_told),
        TEST(data_is_told),
        TEST(what_is_no_file_of_a_cell_is_refused),
        TEST(a_result_tells_what_its_hash_is_of),
    };
    return cmocka_run_group_tests_name("lab.other_texts", tests, NULL, NULL);
}
