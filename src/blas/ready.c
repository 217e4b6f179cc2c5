// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE // RTLD_DEFAULT
#include "ready.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "memory.h"

typedef void set_threads(int);
typedef int get_threads(void);

static set_threads *tell_threads; // NULL: not OpenBLAS
static get_threads *ask_threads;

static void find_threads(void)
{
    void *const tell = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    void *const ask = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    if (tell && ask) {
        memcpy(&tell_threads, &tell, sizeof tell);
        memcpy(&ask_threads, &ask, sizeof ask);
    }
}

// OpenBLAS ends its threads at every fork and would start them again when it is told a number: it
// is told only what it does not know.
static void tell_one(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    if (ask_threads() != 1)
        tell_threads(1);
    pthread_mutex_unlock(&mutex);
}

bool cfpci_blas_ready(bool can_tell)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_threads);
    if (!tell_threads)
        return true;
    if (ask_threads() != 1)
        tell_one();
    return cfpci_blas_has_memory(can_tell);
}
