// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "cfpc/config.h"
#include "cfpc/lab.h"
#include "verbs.h"

static cfpc_outcome version(const app_line *line, cfpc_why *why)
{
    (void)line;
    (void)why;
    printf("cfpc %s\n", CFPC_VERSION);
    printf("  core precision  %s\n", CFPC_REAL_IS_FLOAT ? "float" : "double");
    printf("  HDF5            %s\n",
           cfpc_has_hdf5() ? "built in" : "not built in: no result.h5 (Debian: libhdf5-dev)");
    printf("  gnuplot         %s\n",
           cfpc_has_gnuplot() ? "found" : "not found: no figures (Debian: gnuplot-nox)");
    const char *fault = cfpc_arithmetic_fault();
    printf("  arithmetic      %s%s\n", fault ? "not that of the published results: " : "IEEE 754",
           fault ? fault : "");
    return CFPC_DONE;
}

static const app_option options[] = {{0}};

const app_verb app_verb_version = {
    .name = "version",
    .arguments = "",
    .summary = "print the version and the optional parts built in (also --version)",
    .text = "",
    .options = options,
    .run = version};
