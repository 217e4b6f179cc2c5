// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own: what it makes and says comes back, and what it does when memory
// runs out does not.
#include "base/apart.h"

#include <signal.h>
#include <unistd.h>

#include "harness.h"

enum { MANY = 1000000 }; // bytes, more than a pipe holds

static lab_outcome make_many(const void *context, lab_bytes *bytes, lab_why *why)
{
    (void)why;
    for (int i = 0; i < MANY; i++) {
        const char next = (char)(i % *(const int *)context);
        lab_bytes_add(bytes, &next, 1);
    }
    return LAB_DONE;
}

static void what_is_made_comes_back(void **state)
{
    (void)state;
    const int period = 101;
    lab_bytes bytes;
    lab_why why;
    assert_int_equal(lab_apart(make_many, &period, &bytes, &why), LAB_DONE);
    assert_int_equal(bytes.count, MANY);
    for (int i = 0; i < MANY; i++)
        if (bytes.at[i] != (char)(i % period))
            fail_msg("byte %d is wrong", i);
    free(bytes.at);
}

static lab_outcome refuse(const void *context, lab_bytes *bytes, lab_why *why)
{
    (void)bytes;
    return lab_refuse(why, "%s", (const char *)context);
}

static void what_is_refused_is_told(void **state)
{
    (void)state;
    lab_bytes bytes;
    lab_why why;
    assert_int_equal(lab_apart(refuse, "not this", &bytes, &why), LAB_REFUSED);
    assert_string_equal(why.text, "not this");
    free(bytes.at);
}

static lab_outcome end_badly(const void *context, lab_bytes *bytes, lab_why *why)
{
    (void)why;
    const int how = *(const int *)context;
    lab_bytes_add(bytes, "half", 4);
    fputs("noise", stderr);
    if (how < 0)
        raise(-how);
    _exit(how);
}

static void a_process_that_dies_has_run_out_of_memory(void **state)
{
    (void)state;
    static const int ways[] = {255, 1, 0, -SIGKILL, -SIGTERM};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        lab_bytes bytes;
        lab_why why;
        assert_int_equal(lab_apart(end_badly, &ways[i], &bytes, &why), LAB_FAILED);
        assert_string_equal(why.text, "memory ran out");
        free(bytes.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_comes_back),
        cmocka_unit_test(what_is_refused_is_told),
        cmocka_unit_test(a_process_that_dies_has_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
