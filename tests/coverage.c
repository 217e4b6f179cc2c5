// SPDX-License-Identifier: Apache-2.0
// coverage: a process that ends by _exit, as the children of src/lab/base/apart.c do, writes down
// which branches it took. Linked with --wrap=_exit into the tests of the preset coverage.
#include <gcov.h>
#include <unistd.h>

_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

// Of failing_memory.h, where a test has it: what gcov allocates does not fail.
__attribute__((weak)) void memory_is_enough(void);

void __wrap__exit(int status)
{
    if (memory_is_enough)
        memory_is_enough();
    __gcov_dump();
    __real__exit(status);
}
