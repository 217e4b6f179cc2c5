// SPDX-License-Identifier: Apache-2.0
// check_gpu: zones on a GPU compute what zones on the CPU compute. check_gpu [--tiny]: --tiny only
// runs small blocks, for compute-sanitizer.
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/zone_cuda.h"

int main(int argc, char **argv)
{
    const bool tiny = argc == 2 && strcmp(argv[1], "--tiny") == 0;
    size_t bytes = 0;
    const cfpc_status status = cfpc_zone_cuda_free_bytes(0, &bytes);
    if (argc > 1 && !tiny) {
        fprintf(stderr, "check_gpu: '%s' is not an option; the only one is --tiny\n", argv[1]);
        return EXIT_FAILURE;
    }
    if (status != CFPC_OK) {
        fprintf(stderr, "check_gpu: %s\n", cfpc_status_message(status));
        return EXIT_FAILURE;
    }
    int failed = check_blocks(tiny);
    failed += tiny ? 0 : check_loops() + check_refusals();
    printf(failed ? "%d checks failed\n" : "all checks passed\n", failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
