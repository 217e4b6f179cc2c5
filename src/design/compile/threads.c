// SPDX-License-Identifier: Apache-2.0
// threads: the core uses none; its chunks are distributed here, the only file of design that names
// OpenMP.
#include "cfpc/compile.h"

#include "core/fast/pass.h"
#include "core/fast/passes.h"

#ifdef _OPENMP
#include <unistd.h>
#endif

int32_t cfpc_max_threads(void)
{
#ifdef _OPENMP
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 0 && processors < INT32_MAX ? (int32_t)processors : 1;
#else
    return 1;
#endif
}

static void threads_run_chunks(const cfpci_pass *pass, int32_t threads)
{
    const int32_t used = threads < pass->chunks ? threads : pass->chunks;
    (void)used; // without OpenMP
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(used) if (used > 1)
#endif
    for (int32_t chunk = 0; chunk < pass->chunks; chunk++)
        cfpci_pass_chunk(pass, chunk);
}

cfpc_status cfpc_step_block_threads(const cfpc_model *model, cfpc_data *data,
                                    const cfpc_source *source, const cfpc_real *e, int32_t steps,
                                    cfpc_real *o, int32_t threads)
{
    return threads < 1
               ? CFPC_BAD_SIZE
               : cfpci_run_block(model, data, source, e, steps, o, threads_run_chunks, threads);
}

cfpc_status cfpc_learn_due_threads(const cfpc_model *model, cfpc_data *data,
                                   const cfpc_source *source, int32_t threads)
{
    return threads < 1 ? CFPC_BAD_SIZE
                       : cfpci_run_due(model, data, source, threads_run_chunks, threads);
}
