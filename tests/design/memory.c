// SPDX-License-Identifier: Apache-2.0
// memory: whatever of design finds no memory says so (CFPC_NO_MEMORY), and leaks nothing.
#include "failing_memory.h"

#include "cfpc/basis.h"
#include "cfpc/batch.h"
#include "cfpc/certificate.h"
#include "cfpc/compile.h"
#include "cfpc/identify.h"
#include "cfpc/loop.h"
#include "cfpc/response.h"
#include "cfpc/system.h"
#include "cfpc/trace.h"
#include "design/system/reshape.h"
#include "lab/temporary.h"

enum { STEPS = 60, BASES = 4, DELAY = 5, TRIALS = 3 };

#define STEP_S 0.01

// Goes on while all is well.
#define TRY(status, call) ((status) == CFPC_OK ? (status) = (call) : (status))

// ---- loops -----------------------------------------------------------------------------------

// A plant of two stages, one given as a transfer function.
static cfpc_status make_plant(cfpc_system *plant)
{
    static const double num[] = {2}, den[] = {0.02, 0.3, 1};
    cfpc_system stages[2] = {{0}}, chain = {0};
    cfpc_status status = CFPC_OK;
    TRY(status, cfpc_transfer_function(&stages[0], 1, num, 3, den));
    TRY(status, cfpc_lag(&stages[1], 0.03, 1));
    TRY(status, cfpc_series(&chain, 2, stages));
    TRY(status, cfpc_discretise(plant, &chain, STEP_S, CFPC_ZOH));
    cfpc_system_free(&stages[0]);
    cfpc_system_free(&stages[1]);
    cfpc_system_free(&chain);
    return status;
}

static cfpc_status make_controller(cfpc_system *controller)
{
    static const cfpc_pid pid = {.kp = 0.5, .ki = 1, .kd = 0.01, .filter_s = 0.05};
    cfpc_system continuous = {0};
    cfpc_status status = cfpc_pid_controller(&continuous, &pid);
    TRY(status, cfpc_discretise(controller, &continuous, STEP_S, CFPC_TUSTIN));
    cfpc_system_free(&continuous);
    return status;
}

// Closed, and cut open at the command.
static cfpc_status make_loops(cfpc_system *closed, cfpc_system *open)
{
    cfpc_system controller = {0}, plant = {0};
    cfpc_status status = CFPC_OK;
    TRY(status, make_controller(&controller));
    TRY(status, make_plant(&plant));
    cfpc_loop_def def = cfpc_default_loop_def();
    def.controller = &controller;
    def.plant = &plant;
    def.error_delay_steps = DELAY;
    TRY(status, cfpc_close_loop(closed, &def));
    TRY(status, cfpc_open_loop(open, &def));
    cfpc_system_free(&controller);
    cfpc_system_free(&plant);
    return status;
}

static int look_at_loops(const void *context)
{
    (void)context;
    static const double hz[] = {0.1, 1};
    cfpc_system closed = {0}, open = {0}, path = {0}, transfer = {0};
    cfpc_margins margins;
    double radius, bandwidth, centroid, re[64], im[64];
    int32_t dead_time, count;
    bool stable;
    cfpc_status status = make_loops(&closed, &open);
    TRY(status, cfpc_loop_path(&path, &open, CFPC_LOOP_APPLIED, CFPC_LOOP_U));
    TRY(status, cfpc_loop_transfer(&transfer, &closed));
    TRY(status, cfpc_spectral_radius(&closed, &radius));
    TRY(status, cfpc_is_stable(&closed, &stable));
    TRY(status, cfpc_poles(&closed, re, im));
    TRY(status, cfpc_dominant_poles(&closed, 3, re, im, &count));
    TRY(status, cfpc_margins_of(&path, &margins));
    TRY(status, cfpc_bandwidth(&transfer, &bandwidth));
    TRY(status, cfpc_centroid(&transfer, &centroid));
    TRY(status, cfpc_frequency_response(&transfer, 2, hz, re, im));
    TRY(status, cfpc_dead_time(&transfer, STEPS, &dead_time));
    cfpc_system_free(&closed);
    cfpc_system_free(&open);
    cfpc_system_free(&path);
    cfpc_system_free(&transfer);
    return (int)status;
}

static void loops_are_made_and_looked_at_or_fail(void **state)
{
    (void)state;
    fail_every_allocation(look_at_loops, NULL, CFPC_NO_MEMORY);
}

// So many poles that they are counted around the circle instead of computed.
static int look_at_a_long_delay(const void *context)
{
    (void)context;
    cfpc_system parts[2] = {{0}}, chain = {0};
    double re[4], im[4], radius;
    int32_t count;
    bool stable;
    cfpc_status status = make_plant(&parts[0]);
    TRY(status, cfpc_delay(&parts[1], STEP_S, 300));
    TRY(status, cfpc_series(&chain, 2, parts));
    cfpc_loop_def def = cfpc_default_loop_def();
    cfpc_system gain = {0}, loop = {0};
    TRY(status, cfpc_gain(&gain, 0.4));
    def.controller = &gain;
    def.plant = &chain;
    TRY(status, cfpc_close_loop(&loop, &def));
    TRY(status, cfpc_is_stable(&loop, &stable));
    TRY(status, cfpc_dominant_poles(&loop, 4, re, im, &count));
    TRY(status, cfpc_spectral_radius(&loop, &radius));
    cfpc_system_free(&parts[0]);
    cfpc_system_free(&parts[1]);
    cfpc_system_free(&chain);
    cfpc_system_free(&gain);
    cfpc_system_free(&loop);
    return (int)status;
}

static void long_delays_are_looked_at_or_fail(void **state)
{
    (void)state;
    fail_every_allocation(look_at_a_long_delay, NULL, CFPC_NO_MEMORY);
}

// Measured responses become systems again, systems other forms.
static int realise(const void *context)
{
    (void)context;
    double response[STEPS] = {0};
    cfpc_system closed = {0}, open = {0}, transfer = {0}, realised = {0}, modal = {0}, fir = {0};
    cfpc_system plant = {0}, transposed = {0};
    cfpc_lti *lti = NULL;
    cfpc_status status = make_loops(&closed, &open);
    TRY(status, cfpc_loop_transfer(&transfer, &closed));
    TRY(status, cfpc_impulse_response(&transfer, STEPS, response));
    TRY(status, cfpc_realise_loop(&realised, STEP_S, STEPS, response, 1e-6, 6, 0));
    TRY(status, cfpc_fir(&fir, STEP_S, STEPS, response, 1e-3));
    TRY(status, make_plant(&plant));
    TRY(status, cfpc_modal(&modal, &plant, 1e6));
    TRY(status, cfpci_transpose(&transposed, &plant));
    TRY(status, cfpc_apply_transpose(&transfer, STEPS, 1, response, response));
    TRY(status, cfpc_lti_of_system(&lti, &transfer));
    cfpc_lti_free(lti);
    cfpc_system_free(&closed);
    cfpc_system_free(&open);
    cfpc_system_free(&transfer);
    cfpc_system_free(&realised);
    cfpc_system_free(&modal);
    cfpc_system_free(&fir);
    cfpc_system_free(&plant);
    cfpc_system_free(&transposed);
    return (int)status;
}

static void responses_are_realised_or_it_fails(void **state)
{
    (void)state;
    fail_every_allocation(realise, NULL, CFPC_NO_MEMORY);
}

// ---- learning --------------------------------------------------------------------------------

// A loop and bases, made before memory runs out.
typedef struct given {
    cfpc_system transfer;
    double basis[STEPS * BASES];
    double r[STEPS];
    cfpc_problem problem;
    temporary here;
} given;

static int set_up(void **state)
{
    given *it = must_calloc(1, sizeof *it);
    cfpc_system closed, open;
    assert_ok(make_loops(&closed, &open));
    assert_ok(cfpc_loop_transfer(&it->transfer, &closed));
    cfpc_system_free(&closed);
    cfpc_system_free(&open);
    for (int n = 0; n < STEPS; n++) {
        it->r[n] = n > STEPS / 3;
        for (int j = 0; j < BASES; j++)
            it->basis[n * BASES + j] = exp(-pow((n - 12. * (j + 1)) / 6, 2));
    }
    assert_ok(cfpc_problem_make(&it->problem, &it->transfer, STEPS, BASES, it->basis, it->r));
    temporary_make(&it->here);
    *state = it;
    return 0;
}

static int tear_down(void **state)
{
    given *it = *state;
    cfpc_system_free(&it->transfer);
    cfpc_problem_free(&it->problem);
    temporary_remove(&it->here);
    free(it);
    return 0;
}

static int pose(const void *context)
{
    const given *it = context;
    double g[BASES], p[BASES * BASES], gram[BASES * BASES] = {0};
    for (int j = 0; j < BASES; j++)
        gram[j * BASES + j] = 1 + j;
    cfpc_problem problem = {0};
    cfpc_status status = cfpc_problem_make(&problem, &it->transfer, STEPS, BASES, it->basis, it->r);
    TRY(status, cfpc_batch_gradient(&problem, &it->transfer, it->r, g));
    TRY(status, cfpc_preconditioner(BASES, gram, 0.1, p));
    TRY(status, cfpc_gram_spectrum(BASES, gram, g, p));
    cfpc_problem_free(&problem);
    return (int)status;
}

static void problems_are_posed_or_fail(void **state)
{
    fail_every_allocation(pose, *state, CFPC_NO_MEMORY);
}

static int filter_the_error(const void *context)
{
    const given *it = context;
    cfpc_teaching_filter plain = {0}, whitened = {0};
    double delta[STEPS], norm;
    cfpc_status status = CFPC_OK;
    TRY(status, cfpc_teaching_filter_of(&plain, &it->transfer, CFPC_NEGLECT, 10000));
    TRY(status, cfpc_teaching_filter_whitened(&whitened, &it->transfer, 1e-3, 1e-4, 10000));
    TRY(status, cfpc_teaching_filter_adjoint(&whitened, STEPS, 1, it->r, delta));
    TRY(status, cfpc_teaching_filter_norm(&whitened, &it->transfer, STEPS, 1, it->r, &norm));
    cfpc_teaching_filter_free(&plain);
    cfpc_teaching_filter_free(&whitened);
    return (int)status;
}

static void teaching_filters_are_made_or_fail(void **state)
{
    fail_every_allocation(filter_the_error, *state, CFPC_NO_MEMORY);
}

static int certify(const void *context)
{
    const given *it = context;
    const double rate = 0.1;
    const cfpc_lesson lesson = {.steps = STEPS,
                                .bases = BASES,
                                .trace = it->basis,
                                .basis = it->basis,
                                .output_penalty = 0.01,
                                .leak = 0.01};
    cfpc_lesson plain = lesson;
    plain.output_penalty = plain.leak = 0;
    plain.teaching = it->problem.e0;
    double taps[] = {0.5, 1, 0.2};
    const cfpc_teaching_filter filter = {.lead = 1, .horizon = 1, .taps = taps};
    cfpc_lesson adjoint = plain;
    adjoint.filter = &filter;
    cfpc_learning_map batch = {0}, online = {0}, late = {0};
    cfpc_lags lags = {0};
    cfpc_certificate certificate;
    cfpc_verdict verdict;
    double rrmse[TRIALS], rate_max;
    bool certain;
    cfpc_status status = CFPC_OK;
    TRY(status, cfpc_learning_map_make(&batch, &lesson, &it->problem));
    TRY(status, cfpc_certify(&certificate, &batch, rate));
    TRY(status, cfpc_learning_verdict(&verdict, &batch, rate));
    TRY(status, cfpc_predict(&batch, rate, TRIALS, rrmse, NULL));
    batch.momentum = 0.5;
    TRY(status, cfpc_certify(&certificate, &batch, rate));
    TRY(status, cfpc_predict(&batch, rate, TRIALS, rrmse, NULL));
    TRY(status,
        cfpc_learning_map_online(&online, &lesson, &it->transfer, NULL, it->problem.e0, rate, 1));
    TRY(status, cfpc_certify(&certificate, &online, 1));
    TRY(status,
        cfpc_learning_map_online(&late, &adjoint, &it->transfer, NULL, it->problem.e0, rate, 0));
    TRY(status, cfpc_online_rate_max(&rate_max, &plain, &it->transfer, 0, rate));
    TRY(status, cfpc_lags_make(&lags, &plain));
    TRY(status, cfpc_lags_verdict(&lags, &it->transfer, rate, &verdict, &certain));
    cfpc_learning_map_free(&batch);
    cfpc_learning_map_free(&online);
    cfpc_learning_map_free(&late);
    cfpc_lags_free(&lags);
    return (int)status;
}

static void learning_is_certified_or_it_fails(void **state)
{
    fail_every_allocation(certify, *state, CFPC_NO_MEMORY);
}

static int bound_a_band(const void *context)
{
    const given *it = context;
    double hz[2] = {0, 500}, radius[2] = {0.1, 0.1}, deviation[STEPS];
    const cfpc_band band = {.count = 2, .hz = hz, .radius = radius};
    const cfpc_lesson lesson = {.steps = STEPS,
                                .bases = BASES,
                                .trace = it->problem.h,
                                .effect = it->problem.h,
                                .basis = it->basis,
                                .output_penalty = 0.01};
    cfpc_robust robust;
    cfpc_status status = CFPC_OK;
    TRY(status, cfpc_robust_bound(&robust, &lesson, &band, 1e-3));
    TRY(status, cfpc_band_member(&band, 1e-3, STEPS, it->problem.e0, 1, deviation));
    return (int)status;
}

static void a_band_is_bounded_or_it_fails(void **state)
{
    fail_every_allocation(bound_a_band, *state, CFPC_NO_MEMORY);
}

// ---- logs ------------------------------------------------------------------------------------

// A short log of a lag with dead time, with noise.
static int identify(const void *context)
{
    (void)context;
    enum { ROWS = 64 };
    dice d = {1};
    double u[ROWS], y[ROWS];
    for (int n = 0; n < ROWS; n++) {
        u[n] = dice_between(&d, -1, 1);
        y[n] = (n > 0 ? 0.7 * y[n - 1] : 0) + (n > 2 ? u[n - 3] : 0) + dice_between(&d, -0.1, 0.1);
    }
    cfpc_identify_settings set = cfpc_default_identify_settings();
    set.max_order = 2;
    set.taps = 10;
    set.max_dead_time_steps = 3;
    const cfpc_log log = {.steps = ROWS, .step_s = STEP_S, .input = u, .output = y};
    cfpc_identified found;
    const cfpc_status status = cfpc_identify(&found, &log, &set);
    cfpc_identified_free(&found);
    return (int)status;
}

static void logs_become_models_or_it_fails(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(identify, NULL, CFPC_NO_MEMORY) > 50);
}

// ---- cells -----------------------------------------------------------------------------------

static int compile(const void *context)
{
    const given *it = context;
    double taps[] = {0.5, 1};
    const cfpc_teaching_filter filter = {.horizon = 1, .taps = taps};
    const temporary_path model_file = temporary_below(&it->here, "model"),
                         data_file = temporary_below(&it->here, "data");
    const cfpc_cell_def def = {.synapses = BASES,
                               .steps = STEPS,
                               .basis = it->basis,
                               .trace = &it->transfer,
                               .filter = &filter,
                               .rule = {.rate = (cfpc_real)0.1}};
    const cfpc_model *model = NULL, *loaded = NULL;
    cfpc_data *data = NULL;
    cfpc_status status = CFPC_OK;
    TRY(status, cfpc_compile(&model, &def));
    TRY(status, cfpc_data_make(&data, model));
    TRY(status, cfpc_model_save(model, model_file.text));
    TRY(status, cfpc_model_load(&loaded, model_file.text));
    TRY(status, cfpc_data_save(data, data_file.text));
    TRY(status, cfpc_data_load(model, data, data_file.text));
    cfpc_data_free(data);
    cfpc_model_free(model);
    cfpc_model_free(loaded);
    return (int)status;
}

static void cells_are_compiled_and_kept_or_it_fails(void **state)
{
    given *it = *state;
    fail_every_allocation(compile, it, CFPC_NO_MEMORY);
    assert_int_equal(entries_of(it->here.path), 2); // no half-written file stays
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_made_and_looked_at_or_fail),
        cmocka_unit_test(long_delays_are_looked_at_or_fail),
        cmocka_unit_test(responses_are_realised_or_it_fails),
        TEST(problems_are_posed_or_fail),
        TEST(teaching_filters_are_made_or_fail),
        TEST(learning_is_certified_or_it_fails),
        TEST(a_band_is_bounded_or_it_fails),
        cmocka_unit_test(logs_become_models_or_it_fails),
        TEST(cells_are_compiled_and_kept_or_it_fails),
    };
    return cmocka_run_group_tests_name("design.memory", tests, NULL, NULL);
}
