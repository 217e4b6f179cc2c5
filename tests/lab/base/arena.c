// SPDX-License-Identifier: Apache-2.0
// arena: zeroed arrays, a failure that sticks, and one free.
#include <stdalign.h>
#include <stdint.h>

#include "base/arena.h"
#include "harness.h"

static void what_is_taken_is_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    enum { PIECES = 50 };
    lab_arena arena = {0};
    unsigned char *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = lab_take(&arena, i, 3);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < 3 * i; k++)
            assert_int_equal(pieces[i][k], 0);
        memset(pieces[i], (int)i + 1, 3 * i);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < 3 * i; k++)
            assert_int_equal(pieces[i][k], i + 1);
    assert_false(arena.failed);
    lab_arena_free(&arena);
}

static void sizes_that_overflow_fail_and_the_failure_sticks(void **state)
{
    (void)state;
    static const size_t wrong[][2] = {{SIZE_MAX, 1},
                                      {1, SIZE_MAX},
                                      {SIZE_MAX / 2 + 2, 2},
                                      {SIZE_MAX / 8 + 1, 8},
                                      {SIZE_MAX - 8, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lab_arena arena = {0};
        assert_non_null(lab_take(&arena, 4, sizeof(double)));
        assert_null(lab_take(&arena, wrong[i][0], wrong[i][1]));
        assert_true(arena.failed);
        assert_null(lab_take(&arena, 1, 1)); // there would be memory for it
        lab_arena_free(&arena);
        assert_false(arena.failed);
        assert_non_null(lab_take(&arena, 1, 1)); // it begins anew
        lab_arena_free(&arena);
    }
}

static void an_empty_arena_is_freed_like_any_other(void **state)
{
    (void)state;
    lab_arena arena = {0};
    lab_arena_free(&arena);
    lab_arena_free(&arena);
    assert_null(arena.last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_taken_is_zeroed_aligned_and_apart),
        cmocka_unit_test(sizes_that_overflow_fail_and_the_failure_sticks),
        cmocka_unit_test(an_empty_arena_is_freed_like_any_other),
    };
    return cmocka_run_group_tests_name("lab.arena", tests, NULL, NULL);
}
