// SPDX-License-Identifier: Apache-2.0
// status: every status has a sentence of its own.
#include "harness.h"

#include "cfpc/status.h"

static const cfpc_status all[] = {
#define STATUS(name, sentence) name,
    CFPC_STATUS_LIST(STATUS)
#undef STATUS
};
static const size_t count = sizeof all / sizeof all[0];

static void every_status_has_a_sentence_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < count; i++) {
        assert_true(strlen(cfpc_status_message(all[i])) > 0);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(cfpc_status_message(all[i]), cfpc_status_message(all[j]));
    }
    assert_string_equal(cfpc_status_message(CFPC_OK), "no error");
    assert_string_equal(cfpc_status_message(CFPC_OTHER_MODEL), "the data belongs to another model");
}

static void an_unknown_status_has_a_sentence_too(void **state)
{
    (void)state;
    assert_string_equal(cfpc_status_message((cfpc_status)count), "unknown status");
    assert_string_equal(cfpc_status_message((cfpc_status)-1), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_sentence_of_its_own),
        cmocka_unit_test(an_unknown_status_has_a_sentence_too),
    };
    return cmocka_run_group_tests_name("core.status", tests, NULL, NULL);
}
