// SPDX-License-Identifier: Apache-2.0
// The part of cmocka's interface that the core's tests use, for a board that has no cmocka: a test
// that fails says where and jumps back to the runner.
#ifndef CFPC_PORT_CMOCKA_H
#define CFPC_PORT_CMOCKA_H

#include <stddef.h>
#include <stdint.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func, teardown_func;
    void *initial_state;
};

#define cmocka_unit_test(f)                                                                        \
    {                                                                                              \
#f, f, NULL, NULL, NULL                                                                    \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown)                                        \
    {                                                                                              \
#f, f, setup, teardown, NULL                                                               \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    cmocka_stand_in_run(#tests, tests, sizeof(tests) / sizeof *(tests), setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_stand_in_run(name, tests, sizeof(tests) / sizeof *(tests), setup, teardown)

// Returns the number of tests that failed.
int cmocka_stand_in_run(const char *name, const struct CMUnitTest *tests, size_t count,
                        CMFixtureFunction setup, CMFixtureFunction teardown);

void print_message(const char *format, ...);
void print_error(const char *format, ...);
_Noreturn void _fail(const char *file, int line);
void cmocka_stand_in_expect(int holds, const char *text, const char *file, int line);
void cmocka_stand_in_integers(uintmax_t a, uintmax_t b, int equal, const char *text,
                              const char *file, int line);
void cmocka_stand_in_range(uintmax_t v, uintmax_t low, uintmax_t high, const char *text,
                           const char *file, int line);

#define CMOCKA_STAND_IN(holds, text) cmocka_stand_in_expect((holds), text, __FILE__, __LINE__)
#define CMOCKA_STAND_IN_INTEGERS(a, b, equal, text)                                                \
    cmocka_stand_in_integers((uintmax_t)(a), (uintmax_t)(b), equal, text, __FILE__, __LINE__)

#define fail() _fail(__FILE__, __LINE__)
#define assert_true(c) CMOCKA_STAND_IN(!!(c), #c)
#define assert_false(c) CMOCKA_STAND_IN(!(c), "not " #c)
#define assert_null(p) CMOCKA_STAND_IN((p) == NULL, #p " is NULL")
#define assert_non_null(p) CMOCKA_STAND_IN((p) != NULL, #p " is not NULL")
#define assert_ptr_equal(a, b) CMOCKA_STAND_IN((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_int_equal(a, b) CMOCKA_STAND_IN_INTEGERS(a, b, 1, #a " == " #b)
#define assert_int_not_equal(a, b) CMOCKA_STAND_IN_INTEGERS(a, b, 0, #a " != " #b)
#define assert_in_range(v, low, high)                                                              \
    cmocka_stand_in_range((v), (low), (high), #v " from " #low " to " #high, __FILE__, __LINE__)
#define assert_string_equal(a, b) CMOCKA_STAND_IN(strcmp((a), (b)) == 0, #a " is " #b)
#define assert_string_not_equal(a, b) CMOCKA_STAND_IN(strcmp((a), (b)) != 0, #a " is not " #b)
#define assert_memory_equal(a, b, bytes)                                                           \
    CMOCKA_STAND_IN(memcmp((a), (b), (bytes)) == 0, #a " == " #b)
#define assert_memory_not_equal(a, b, bytes)                                                       \
    CMOCKA_STAND_IN(memcmp((a), (b), (bytes)) != 0, #a " != " #b)

#endif
