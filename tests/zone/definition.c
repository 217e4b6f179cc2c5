// SPDX-License-Identifier: Apache-2.0
// Every fault of a zone's definition is refused with the status that names it, and the sizes that
// are told before there is a zone are the true ones.
#include "zone_fixture.h"

// A valid definition of two cells, to put faults into.
static const double taps[] = {0.5, 1, 0.25};
static const double rates[] = {0.1, 0.2};
static const cfpc_zone_path paths[] = {
    {.cell = 0, .error = 0, .lead = 1, .horizon = 1, .taps = taps},
    {.cell = 1, .error = 1, .lead = 0, .horizon = 2, .taps = taps},
};

static cfpc_zone_def sound(void)
{
    cfpc_zone_def def = cfpc_default_zone_def();
    def.guard.repeats = true;
    def.synapses = 5;
    def.cells = 2;
    def.block_steps = 4;
    def.path_count = 2;
    def.paths = paths;
    def.rates = rates;
    return def;
}

static void refused(const cfpc_zone_def *def, cfpc_status status)
{
    static _Alignas(8) unsigned char memory[4096];
    const cfpc_zone_model *model = (const cfpc_zone_model *)memory;
    assert_int_equal(cfpc_zone_model_size(def), 0);
    assert_int_equal(cfpc_zone_model_init(&model, memory, sizeof memory, def), status);
    assert_null(model);
    assert_int_equal(cfpc_zone_data_size_of(def),
                     status == CFPC_BAD_SIZE && def && def->threads == INT32_MAX ? SIZE_MAX : 0);
}

#define REFUSED(change, status)                                                                    \
    do {                                                                                           \
        cfpc_zone_def def = sound();                                                               \
        change;                                                                                    \
        refused(&def, status);                                                                     \
    } while (0)

static void a_sound_definition_is_taken(void **state)
{
    (void)state;
    const cfpc_zone_def def = sound();
    zone z = make_zone(&def);
    assert_int_equal(cfpc_zone_errors(z.model), 2);
    assert_int_equal(cfpc_zone_horizon(z.model), 2);
    free_zone(&z);
}

static void the_default_lacks_only_rates(void **state)
{
    (void)state;
    cfpc_zone_def def = cfpc_default_zone_def();
    const cfpc_real x = 1, e = 1;
    const double rate = 0;
    cfpc_real o = 7;
    assert_int_equal(cfpc_zone_model_size(&def), 0);
    def.rates = &rate;
    assert_int_equal(cfpc_zone_model_size(&def), 0); // the guard does not know whether it can know
    def.guard.repeats = true;
    zone z = make_zone(&def);
    assert_ok(cfpc_zone_step_block(z.model, z.data, &x, &e, 1, &o));
    assert_true(o == 0);
    free_zone(&z);
}

static void counts_out_of_range(void **state)
{
    (void)state;
    REFUSED(def.synapses = 0, CFPC_BAD_SIZE);
    REFUSED(def.cells = 0, CFPC_BAD_SIZE);
    REFUSED(def.errors = -1, CFPC_BAD_SIZE);
    REFUSED(def.block_steps = 0, CFPC_BAD_SIZE);
    REFUSED(def.block_steps = INT32_MAX, CFPC_BAD_SIZE);
    REFUSED(def.path_count = -1, CFPC_BAD_SIZE);
    REFUSED(def.threads = 0, CFPC_BAD_SIZE);
    REFUSED(def.errors = 1, CFPC_BAD_SIZE); // the second path names error 1
}

static void more_than_a_machine_can_address(void **state)
{
    (void)state;
    cfpc_zone_def def = sound();
    def.block_steps = INT32_MAX / 8;
    def.threads = INT32_MAX;
    refused(&def, CFPC_BAD_SIZE);
}

static void numbers_out_of_range(void **state)
{
    (void)state;
    const double lost[] = {0.1, NAN}, large[] = {0.1, 1e39};
    REFUSED(def.leak = -0.1, CFPC_BAD_VALUE);
    REFUSED(def.leak = 1, CFPC_BAD_VALUE);
    REFUSED(def.leak = NAN, CFPC_BAD_VALUE);
    REFUSED(def.weight_low = 1, CFPC_BAD_VALUE);
    REFUSED(def.weight_high = INFINITY, CFPC_BAD_VALUE);
    REFUSED(def.precision = (cfpc_zone_precision)2, CFPC_BAD_VALUE);
    REFUSED(def.past = CFPC_PAST_TABLE, CFPC_BAD_VALUE);
    REFUSED(def.rates = lost, CFPC_BAD_VALUE);
    REFUSED(def.rates = large, CFPC_BAD_VALUE); // infinite in float
}

static void refused_path(cfpc_zone_path path, cfpc_status status)
{
    const cfpc_zone_path both[] = {paths[0], path};
    REFUSED(def.paths = both, status);
}

static void paths_that_cannot_be(void **state)
{
    (void)state;
    const double lost[] = {0, NAN, 0}, large[] = {0, 0, -1e39};
    refused_path((cfpc_zone_path){-1, 1, 0, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){2, 1, 0, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, -1, 0, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 2, 0, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 1, -1, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 1, 0, -1, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 1, INT32_MAX, 2, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 1, 0, INT32_MAX, taps}, CFPC_BAD_SIZE);
    refused_path((cfpc_zone_path){1, 1, 0, 2, NULL}, CFPC_MISSING);
    refused_path((cfpc_zone_path){1, 1, 0, 2, lost}, CFPC_BAD_VALUE);
    refused_path((cfpc_zone_path){1, 1, 0, 2, large}, CFPC_BAD_VALUE);
    refused_path((cfpc_zone_path){0, 0, 0, 2, taps}, CFPC_BAD_VALUE); // the same pair again
}

// In any order, also where the same cell and error come again later.
static void paths_out_of_order(void **state)
{
    (void)state;
    const cfpc_zone_path turned[] = {paths[1], paths[0]};
    const cfpc_zone_path again[] = {paths[1], paths[0], paths[1]};
    cfpc_zone_def def = sound();
    const size_t bytes = cfpc_zone_model_size(&def);
    zone a = make_zone(&def);
    def.paths = turned;
    zone b = make_zone(&def);
    assert_int_equal(cfpc_zone_model_size(&def), bytes);
    assert_memory_equal(a.model, b.model, bytes);
    def.paths = again;
    def.path_count = 3;
    refused(&def, CFPC_BAD_VALUE);
    free_zone(&a);
    free_zone(&b);
}

static void pointers_that_are_missing(void **state)
{
    (void)state;
    const cfpc_zone_def nothing = {0};
    refused(NULL, CFPC_MISSING);
    refused(&nothing, CFPC_BAD_SIZE);
    REFUSED(def.rates = NULL, CFPC_MISSING);
    REFUSED(def.paths = NULL, CFPC_MISSING);
    assert_int_equal(cfpc_zone_synapses_within(NULL, 1000), 0);
    assert_int_equal(cfpc_zone_data_size(NULL), 0);
}

// ---- sizes -----------------------------------------------------------------------------------

static void the_size_of_data_is_told_before(void **state)
{
    (void)state;
    for (int given = 0; given < 2; given++)
        for (int precise = 0; precise < 2; precise++) {
            cfpc_zone_def def = sound();
            def.past = given ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
            def.precision = precise ? CFPC_ZONE_DOUBLE : CFPC_ZONE_FLOAT;
            def.synapses = 5000;
            def.threads = 3;
            zone z = make_zone(&def);
            assert_int_equal(cfpc_zone_data_size_of(&def), cfpc_zone_data_size(z.model));
            free_zone(&z);
        }
}

// N fit, and one more does not. Paths name cells: without them any number of cells is valid.
static void as_many_as_fit(void **state)
{
    (void)state;
    static const size_t memories[] = {20000, 100000, 1234567};
    static const double no_rates[1 << 16];
    for (int i = 0; i < 6; i++) {
        const size_t bytes = memories[i / 2];
        cfpc_zone_def def = sound();
        def.past = i % 2 ? CFPC_PAST_GIVEN : CFPC_PAST_KEPT;
        def.path_count = 0;
        def.rates = no_rates;
        cfpc_zone_def wide = def;
        wide.synapses = cfpc_zone_synapses_within(&def, bytes);
        assert_true(wide.synapses > 0 && cfpc_zone_data_size_of(&wide) <= bytes);
        wide.synapses++;
        assert_true(cfpc_zone_data_size_of(&wide) > bytes);
    }
    const cfpc_zone_def def = sound();
    assert_int_equal(cfpc_zone_synapses_within(&def, 100), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_definition_is_taken),
        cmocka_unit_test(the_default_lacks_only_rates),
        cmocka_unit_test(counts_out_of_range),
        cmocka_unit_test(more_than_a_machine_can_address),
        cmocka_unit_test(numbers_out_of_range),
        cmocka_unit_test(paths_that_cannot_be),
        cmocka_unit_test(paths_out_of_order),
        cmocka_unit_test(pointers_that_are_missing),
        cmocka_unit_test(the_size_of_data_is_told_before),
        cmocka_unit_test(as_many_as_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
