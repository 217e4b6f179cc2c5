// SPDX-License-Identifier: Apache-2.0
// failing_memory: allocations of a call fail in turn, one of every place in the code, told apart by
// the functions that led there. The linker sends the library's allocations here
// (cfpc_failing_memory in tests/CMakeLists.txt); those of other libraries are not touched. What is
// allocated within a call must be freed within it.
#ifndef CFPC_TESTS_FAILING_MEMORY_H
#define CFPC_TESTS_FAILING_MEMORY_H

#include <execinfo.h>
#include <pthread.h>
#include <sys/mman.h>

#include "harness.h"

enum {
    MAX_PLACES = 1 << 14,
    FRAMES = 3 + 4, // of the stack tell places apart: three of ours and four callers
    MAX_FRAMES = 20
};

// Shared with the processes that the library forks.
typedef struct memory_count {
    long asked;                 // allocations since the call began
    long failing;               // the one that fails, from 0; -1: none
    bool traces;                // places are noted
    int places;                 // so far
    uint64_t place[MAX_PLACES]; // a hash of the stack; 0: free
    long first[MAX_PLACES];     // allocation that was the first there
    void *stack[MAX_FRAMES];    // of the one that failed, for addr2line
    int depth;                  //
} memory_count;

enum { MAX_LIVE = 1 << 16 };

static memory_count *counted; // NULL outside of a call
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static void *live[MAX_LIVE]; // what the call has allocated and not freed yet
static int live_count;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
void __wrap_free(void *memory);
void memory_is_enough(void);

// From now on nothing fails, and nothing is counted.
void memory_is_enough(void)
{
    counted = NULL;
}

// Notes the place from which an allocation is asked for.
static __attribute__((noinline)) void memory_trace(long index)
{
    void *frames[FRAMES];
    const int count = backtrace(frames, FRAMES);
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (int i = 1; i < count; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frames[i]) * 1099511628211u;
    pthread_mutex_lock(&memory_lock);
    size_t at = hash % MAX_PLACES;
    while (counted->place[at] != 0 && counted->place[at] != hash)
        at = (at + 1) % MAX_PLACES;
    if (counted->place[at] == 0) {
        if (++counted->places == MAX_PLACES)
            abort();
        counted->place[at] = hash;
        counted->first[at] = index;
    }
    pthread_mutex_unlock(&memory_lock);
}

static __attribute__((noinline)) bool memory_runs_out(void)
{
    if (!counted)
        return false;
    const long index = __atomic_fetch_add(&counted->asked, 1, __ATOMIC_SEQ_CST);
    if (counted->traces)
        memory_trace(index);
    if (index == counted->failing)
        counted->depth = backtrace(counted->stack, MAX_FRAMES);
    return index == counted->failing;
}

static inline void *memory_enter(void *memory)
{
    if (!counted || !memory)
        return memory;
    pthread_mutex_lock(&memory_lock);
    if (live_count == MAX_LIVE)
        abort();
    live[live_count++] = memory;
    pthread_mutex_unlock(&memory_lock);
    return memory;
}

// What is freed was allocated last, as a rule.
static inline void memory_leave(const void *memory)
{
    if (!counted || !memory)
        return;
    pthread_mutex_lock(&memory_lock);
    for (int i = live_count - 1; i >= 0; i--)
        if (live[i] == memory) {
            live[i] = live[--live_count];
            break;
        }
    pthread_mutex_unlock(&memory_lock);
}

void *__wrap_malloc(size_t bytes)
{
    return memory_runs_out() ? NULL : memory_enter(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return memory_runs_out() ? NULL : memory_enter(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (memory_runs_out())
        return NULL;
    memory_leave(old);
    return memory_enter(__real_realloc(old, bytes));
}

char *__wrap_strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = __wrap_malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

void __wrap_free(void *memory)
{
    memory_leave(memory);
    __real_free(memory);
}

// ---- calls -----------------------------------------------------------------------------------

// A call that frees all it makes, and what came of it.
typedef int memory_call(const void *context);

// What came of a call whose allocation `failing` fails, if it has as many.
static inline int call_with(memory_call *call, const void *context, memory_count *count,
                            long failing)
{
    count->asked = 0;
    count->failing = failing;
    count->traces = failing < 0;
    live_count = 0;
    counted = count;
    const int came = call(context);
    counted = NULL;
    if (live_count > 0) {
        backtrace_symbols_fd(count->stack, count->depth, 2);
        fail_msg("allocation %ld fails, and %d are never freed", failing + 1, live_count);
    }
    return came;
}

// The call succeeds (0); when memory runs out at any place it returns `no_memory`, and frees what
// it has. Returns how many places there are.
static inline int fail_every_allocation(memory_call *call, const void *context, int no_memory)
{
    memory_count *count =
        mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(count != MAP_FAILED);
    assert_int_equal(call_with(call, context, count, -1), 0);
    const int places = count->places;
    for (int i = 0; i < MAX_PLACES; i++) {
        if (count->place[i] == 0)
            continue;
        const int came = call_with(call, context, count, count->first[i]);
        const bool reached = count->asked > count->first[i]; // pieces that a pipe delivers vary
        if (came != (reached ? no_memory : 0)) {
            backtrace_symbols_fd(count->stack, count->depth, 2);
            fail_msg("allocation %ld fails, and %d comes of it", count->first[i] + 1, came);
        }
    }
    munmap(count, sizeof *count);
    return places;
}

#endif
