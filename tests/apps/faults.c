// SPDX-License-Identifier: Apache-2.0
// faults: a library to preload (LD_PRELOAD) that makes one call of the system fail, counted from
// the start of main. What fails is said in the environment:
//   FAULT_MALLOC=K     the K-th allocation finds no memory
//   FAULT_RENAME=K     the process dies, as by kill -9, before its K-th rename
//   FAULT_EXCHANGE=no  the file system cannot exchange two names at once
//   FAULT_LOCK=no      the file system has no locks
//   FAULT_COUNT=FILE   the number of allocations is written there in the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long failing, dying; // calls; 0 for none

// What has been called, by the process and those it forks.
typedef struct calls {
    atomic_long allocations, renames;
} calls;

static calls *counted; // NULL before main and after it

// ---- memory ----------------------------------------------------------------------------------

static int runs_out(void)
{
    if (!counted || atomic_fetch_add(&counted->allocations, 1) + 1 != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return runs_out() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return runs_out() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return runs_out() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    return runs_out() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = memalign(alignment, size);
    return *to ? 0 : ENOMEM;
}

// ---- names -----------------------------------------------------------------------------------

static void may_die(void)
{
    if (counted && atomic_fetch_add(&counted->renames, 1) + 1 == dying)
        raise(SIGKILL);
}

int rename(const char *from, const char *to)
{
    may_die();
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
    if (getenv("FAULT_EXCHANGE")) {
        errno = EINVAL;
        return -1;
    }
    may_die();
    int (*real)(int, const char *, int, const char *, unsigned) = dlsym(RTLD_NEXT, "renameat2");
    return real(from_fd, from, to_fd, to, flags);
}

// ---- locks -----------------------------------------------------------------------------------

int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (command == F_SETLK && getenv("FAULT_LOCK")) {
        errno = ENOLCK;
        return -1;
    }
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, "fcntl");
    return real(fd, command, argument);
}

// ---- from the start of main to its end -------------------------------------------------------

static int (*real_main)(int, char **, char **);

static long number_of(const char *name)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

static int counted_main(int argc, char **argv, char **environment)
{
    failing = number_of("FAULT_MALLOC");
    dying = number_of("FAULT_RENAME");
    counted =
        mmap(NULL, sizeof *counted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counted == MAP_FAILED)
        abort();
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *) = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = main;
    return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

__attribute__((destructor)) static void tell(void)
{
    const long allocations = counted ? atomic_load(&counted->allocations) : 0;
    counted = NULL;
    const char *file = getenv("FAULT_COUNT");
    FILE *out = file ? fopen(file, "w") : NULL;
    if (!out)
        return;
    fprintf(out, "%ld\n", allocations);
    fclose(out);
}
