// SPDX-License-Identifier: Apache-2.0
// bench_gpu [FILE.csv]: how many cells with 1.5 million synapses each learn in real time on a GPU,
// at steps of 1 ms. Prints a table, and writes one row per measurement to the file.
// bench_gpu --row BACKEND CELLS STEPS: a single row of it, for profilers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows.cuh"
#include "stage.cuh"

enum { SYNAPSES = 1500000, LEARNING_CELLS = 8192, TRIALS = 8 };

static const cfpc_zone_cuda_def fused = {0, CFPC_CUDA_TF32, false, false};
static const cfpc_zone_cuda_def cublas = {0, CFPC_CUDA_TF32, true, false};
static const cfpc_zone_cuda_def sixteen = {0, CFPC_CUDA_TF32, false, true};

static row row_of(const char *back_end, const cfpc_zone_cuda_def *def, int32_t cells, int32_t steps)
{
    row it = {};
    it.back_end = back_end;
    it.cells = cells;
    it.synapses = SYNAPSES;
    it.block_steps = steps;
    it.def = *def;
    it.given = strcmp(back_end, "cuda-given") == 0;
    return it;
}

static void print_head(FILE *csv)
{
    printf("%-14s %6s %5s %10s %8s %8s %6s %6s %9s %9s %9s\n", "back end", "cells", "steps",
           "ms/block", "TFLOP/s", "GB/s", "of cp", "all", "real time", "with it", "times");
    if (csv)
        fprintf(csv, "backend,cells,synapses,block_steps,seconds_per_block,gflops,gb_per_s,"
                     "cells_in_real_time\n");
}

static void print_row(FILE *csv, const row *of, double copy)
{
    const double products = 4e-9 * of->synapses * of->cells * of->block_steps;
    const double times = 1e-3 * of->block_steps / of->block_s;
    printf("%-14s %6d %5d %10.4f %8.1f %8.0f %6.3f %6.3f %9.0f %9.0f %9.2f\n", of->back_end,
           of->cells, of->block_steps, 1e3 * of->block_s, 1e-3 * products / of->block_s,
           of->weight_gb / of->block_s, of->weight_gb / of->block_s / copy,
           (of->weight_gb + of->input_gb) / of->block_s / copy, of->cells * times,
           of->cells * 1e-3 * of->block_steps / of->all_s, times);
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%d,%d,%d,%.6g,%.5g,%.5g,%.5g\n", of->back_end, of->cells, of->synapses,
                of->block_steps, of->block_s, products / of->block_s, of->weight_gb / of->block_s,
                of->cells * times);
}

static void measure(FILE *csv, row of, double copy)
{
    if (!row_fits(&of))
        return;
    row_measure(&of);
    print_row(csv, &of, copy);
}

static void measure_all(FILE *csv, double copy)
{
    static const int32_t many[] = {1,   2,    4,    8,    16,   32,    64,    128,  256,
                                   512, 1024, 2048, 4096, 8192, 12288, 16384, 22528};
    static const int32_t few[] = {1, 32, 256, 1024, 2048, 4096, 8192};
    for (const int32_t cells : many)
        measure(csv, row_of("cuda", &fused, cells, 48), copy);
    for (const int32_t cells : many)
        measure(csv, row_of("cuda-31", &fused, cells, 31), copy);
    for (const int32_t cells : few)
        measure(csv, row_of("cuda-cublas", &cublas, cells, 48), copy);
    measure(csv, row_of("cuda-cublas-31", &cublas, 8192, 31), copy);
    measure(csv, row_of("cuda-16bit", &sixteen, 8192, 48), copy);
    measure(csv, row_of("cuda-given", &fused, 1, 48), copy);
    measure(csv, row_of("cuda-given", &fused, 8192, 48), copy);
}

static const cfpc_zone_cuda_def *def_of(const char *back_end)
{
    return strncmp(back_end, "cuda-cublas", 11) == 0 ? &cublas
           : strcmp(back_end, "cuda-16bit") == 0     ? &sixteen
                                                     : &fused;
}

static int one_row(char **argv, double copy)
{
    const int32_t cells = (int32_t)strtol(argv[3], NULL, 10);
    const int32_t steps = (int32_t)strtol(argv[4], NULL, 10);
    if (cells < 1 || steps < 1 || steps > WORLD_LONGEST) {
        fprintf(stderr, "bench_gpu: CELLS must be at least 1, STEPS 1 to %d\n", WORLD_LONGEST);
        return EXIT_FAILURE;
    }
    print_head(NULL);
    measure(NULL, row_of(argv[2], def_of(argv[2]), cells, steps), copy);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    size_t free_bytes = 0;
    cudaDeviceProp device;
    const cfpc_status status = cfpc_zone_cuda_free_bytes(0, &free_bytes);
    if (status != CFPC_OK) {
        fprintf(stderr, "bench_gpu: %s\n", cfpc_status_message(status));
        return EXIT_FAILURE;
    }
    if (argc == 5 && strcmp(argv[1], "--row") == 0)
        return one_row(argv, row_copy_gb_per_s());
    FILE *csv = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (argc > 1 && !csv) {
        fprintf(stderr, "bench_gpu: %s cannot be opened for writing\n", argv[1]);
        return EXIT_FAILURE;
    }
    stage_must(cudaGetDeviceProperties(&device, 0), "device");
    const double copy = row_copy_gb_per_s();
    printf("%s, %d multiprocessors, %.1f GB free; a copy moves %.0f GB/s\n", device.name,
           device.multiProcessorCount, 1e-9 * (double)free_bytes, copy);
    if (csv)
        fprintf(csv, "# device: %s\n# copy_gb_per_s: %.0f\n", device.name, copy);
    print_head(csv);
    measure_all(csv, copy);
    const row learning = row_of("cuda", &fused, LEARNING_CELLS, 48);
    if (row_fits(&learning))
        row_learn(&learning, TRIALS);
    const bool written = !csv || (!ferror(csv) && fclose(csv) == 0);
    if (!written)
        fprintf(stderr, "bench_gpu: %s could not be written\n", argv[1]);
    return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
