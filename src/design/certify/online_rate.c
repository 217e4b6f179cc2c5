// SPDX-License-Identifier: Apache-2.0
// The maximum rate at which learning on line converges. The map depends on the rate in no simple
// way, so it is made again for every rate tried. The directions that matter are the same for all.
#include <math.h>

#include "certify/learning_map.h"
#include "cfpc/certificate.h"

enum { SEARCH_MAX = 60 }; // steps down, and up

#define SEARCH_FROM 0.02 // of the given start
#define SEARCH_STEP 1.25 // from one rate to the next

#define RATE_TOLERANCE 1e-3 // far below its random variation, see docs/certificate.md

typedef struct search {
    const cfpc_lesson *lesson;
    const cfpc_system *path;
    double normaliser;
    cfpc_learning_map first; // its directions are used at all rates
} search;

static cfpc_status settles_by_itself(search *search, double rate, bool *does)
{
    cfpc_verdict verdict = CFPC_DIVERGES;
    cfpc_learning_map_free(&search->first);
    cfpc_status status =
        cfpc_learning_map_online(&search->first, search->lesson, search->path, NULL,
                                 search->lesson->teaching, rate, search->normaliser);
    if (status == CFPC_OK)
        status = cfpc_learning_verdict(&verdict, &search->first, 1);
    if (search->first.boundless) // it has no directions
        cfpc_learning_map_free(&search->first);
    *does = verdict != CFPC_DIVERGES;
    return status;
}

static cfpc_status online_rate_settles(search *search, double rate, bool *does)
{
    cfpc_learning_map map;
    cfpc_verdict verdict = CFPC_DIVERGES;
    bool still = false;
    if (!search->first.m)
        return settles_by_itself(search, rate, does);
    cfpc_status status = cfpci_learning_map_online_like(&map, &search->first, search->lesson,
                                                        search->path, rate, search->normaliser);
    if (status == CFPC_OK)
        status = cfpci_learning_verdict_and_still(&verdict, &still, &map, 1);
    cfpc_learning_map_free(&map);
    *does = verdict != CFPC_DIVERGES;
    return still ? settles_by_itself(search, rate, does) : status;
}

cfpc_status cfpc_online_rate_max(double *rate_max, const cfpc_lesson *lesson,
                                 const cfpc_system *teaching_path, double normaliser, double start)
{
    search search = {.lesson = lesson, .path = teaching_path, .normaliser = normaliser};
    double low = 0, high = INFINITY; // low converges, or is 0; high does not, or is INFINITY
    double rate = start * SEARCH_FROM;
    bool does = false;
    cfpc_status status = CFPC_OK;
    *rate_max = 0;
    if (!lesson)
        return CFPC_MISSING;
    if (!lesson->teaching || !(start > 0 && isfinite(start)))
        return CFPC_BAD_VALUE;
    // The rates that converge need not be one interval: from a low one that does, the search goes
    // up in small steps to the first that does not.
    for (int k = 0; status == CFPC_OK && k < SEARCH_MAX && !does; k++) {
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
        rate *= does ? 1 : 0.25;
    }
    for (int k = 0; status == CFPC_OK && k < SEARCH_MAX && does && isinf(high); k++) {
        rate *= SEARCH_STEP;
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
    }
    while (status == CFPC_OK && low > 0 && isfinite(high) && high - low > RATE_TOLERANCE * low) {
        rate = low + (high - low) / 2;
        status = online_rate_settles(&search, rate, &does);
        *(does ? &low : &high) = rate;
    }
    cfpc_learning_map_free(&search.first);
    if (status == CFPC_OK)
        *rate_max = low > 0 && isinf(high) ? INFINITY : low;
    return status;
}
