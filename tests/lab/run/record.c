// SPDX-License-Identifier: Apache-2.0
// record: plain data. Its header needs nothing of the setup, and it outlives all that it came from.
#include "run/record.h"

#ifdef CFPC_LAB_SETUP_H
#error "record.h includes setup.h"
#endif
#ifdef CFPC_LAB_RIG_H
#error "record.h includes rig.h"
#endif

#include "lab/small_lab.h"

static void a_record_outlives_spec_plan_and_setups(void **state)
{
    (void)state;
    ran it;
    must_run(&it, SMALL_SPEC "phases: [{name: a, trials: 2}, {name: b, trials: 2}]\n",
             SET("rules.1.set={loop.delay_ms: 40}"), 1);
    lab_plan_free(&it.plan);
    lab_spec_free(&it.spec);
    assert_int_equal(it.record.rules, 2);
    assert_string_equal(it.record.rule[0].name, "fm");
    assert_string_equal(it.record.rule[1].name, "wh");
    assert_true(it.record.rule[1].is_varied);
    assert_true(it.record.rule[0].rrmse[0] > 0.99 && it.record.rule[0].rrmse[3] < 1);
    assert_true(it.record.signals.e_last == it.record.rule[0].last[1].e);
    lab_record_free(&it.record);
    assert_null(it.record.rule);
    lab_record_free(&it.record); // what is empty may be freed again
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_outlives_spec_plan_and_setups),
    };
    return cmocka_run_group_tests_name("lab.record", tests, NULL, NULL);
}
