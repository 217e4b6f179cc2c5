// SPDX-License-Identifier: Apache-2.0
// doubt: what a second certificate contradicts is not decided.
#include "cfpc/certificate.h"
#include "harness.h"

static cfpc_certificate ends_at(cfpc_verdict verdict, double asymptote)
{
    return (cfpc_certificate){.verdict = verdict,
                              .asymptote = asymptote,
                              .verdict_decided = true,
                              .asymptote_decided = true};
}

static void expect(cfpc_certificate it, cfpc_certificate other, bool verdict, bool asymptote)
{
    cfpc_doubt(&it, &other);
    assert_int_equal(it.verdict_decided, verdict);
    assert_int_equal(it.asymptote_decided, asymptote);
}

static void certificates_that_agree_are_decided(void **state)
{
    (void)state;
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, 0.209), true, true);
    expect(ends_at(CFPC_DIVERGES, NAN), ends_at(CFPC_DIVERGES, NAN), true, true);
    expect(ends_at(CFPC_EVENTUAL, 1e-9), ends_at(CFPC_EVENTUAL, 1e-7), true, true);
}

static void what_they_contradict_is_not(void **state)
{
    (void)state;
    expect(ends_at(CFPC_MONOTONE, 0.2), ends_at(CFPC_MONOTONE, 0.25), true, false);
    expect(ends_at(CFPC_MONOTONE, 0.25), ends_at(CFPC_EVENTUAL, 0.25), false, true);
    expect(ends_at(CFPC_EVENTUAL, 0.25), ends_at(CFPC_DIVERGES, NAN), false, false);
    expect(ends_at(CFPC_DIVERGES, NAN), ends_at(CFPC_EVENTUAL, 0.25), false, false);
}

static void a_doubt_stays(void **state)
{
    (void)state;
    cfpc_certificate it = ends_at(CFPC_MONOTONE, 0.2);
    const cfpc_certificate against = ends_at(CFPC_EVENTUAL, 0.5);
    const cfpc_certificate agrees = ends_at(CFPC_MONOTONE, 0.2);
    cfpc_doubt(&it, &against);
    expect(it, agrees, false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certificates_that_agree_are_decided),
        cmocka_unit_test(what_they_contradict_is_not),
        cmocka_unit_test(a_doubt_stays),
    };
    return cmocka_run_group_tests_name("design.doubt", tests, NULL, NULL);
}
