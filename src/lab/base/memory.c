// SPDX-License-Identifier: Apache-2.0
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

size_t lab_memory_bytes(void)
{
    struct rlimit limit;
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    const size_t machine = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return machine;
    return limit.rlim_cur < machine ? (size_t)limit.rlim_cur : machine;
}

lab_bytes_text lab_bytes_said(size_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    lab_bytes_text to;
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1000 && unit + 1 < sizeof units / sizeof units[0]; unit++)
        value /= 1000;
    snprintf(to.text, sizeof to.text, "%.3g %s (%zu bytes)", value, units[unit], bytes);
    return to;
}
