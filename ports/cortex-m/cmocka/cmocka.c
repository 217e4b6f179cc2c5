// SPDX-License-Identifier: Apache-2.0
#include "cmocka.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static jmp_buf runner;

void print_message(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
}

void print_error(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
}

_Noreturn void _fail(const char *file, int line)
{
    printf("%s:%d: failed\n", file, line);
    longjmp(runner, 1);
}

void cmocka_stand_in_expect(int holds, const char *text, const char *file, int line)
{
    if (holds)
        return;
    printf("does not hold: %s\n", text);
    _fail(file, line);
}

void cmocka_stand_in_integers(uintmax_t a, uintmax_t b, int equal, const char *text,
                              const char *file, int line)
{
    if ((a == b) == equal)
        return;
    printf("does not hold: %s (%ld and %ld)\n", text, (long)a, (long)b);
    _fail(file, line);
}

void cmocka_stand_in_range(uintmax_t v, uintmax_t low, uintmax_t high, const char *text,
                           const char *file, int line)
{
    cmocka_stand_in_expect(v >= low && v <= high, text, file, line);
}

static int passes(const struct CMUnitTest *test)
{
    void *state = test->initial_state;
    if (setjmp(runner))
        return 0;
    if (test->setup_func && test->setup_func(&state))
        return 0;
    test->test_func(&state);
    return !test->teardown_func || !test->teardown_func(&state);
}

int cmocka_stand_in_run(const char *name, const struct CMUnitTest *tests, size_t count,
                        CMFixtureFunction setup, CMFixtureFunction teardown)
{
    void *state = NULL;
    int failed = 0;
    if (setup && setup(&state))
        return 1;
    for (size_t i = 0; i < count; i++)
        if (!passes(&tests[i])) {
            printf("FAILED: %s\n", tests[i].name);
            failed++;
        }
    if (teardown && teardown(&state))
        failed++;
    printf("%s: %d of %d tests passed\n", name, (int)count - failed, (int)count);
    return failed;
}
