// SPDX-License-Identifier: Apache-2.0
// coverage: a process that ends by _exit, as the children of src/lab/base/apart.c do, writes down
// which branches it took. Linked with --wrap=_exit into what has CFPC_COVERAGE.
#include <unistd.h>

int __llvm_profile_write_file(void); // of clang's runtime library
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

// Of failing_memory.h, where a test has it: what that allocates does not fail.
__attribute__((weak)) void memory_is_enough(void);

void __wrap__exit(int status)
{
    if (memory_is_enough)
        memory_is_enough();
    __llvm_profile_write_file();
    __real__exit(status);
}
