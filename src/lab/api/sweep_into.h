// SPDX-License-Identifier: Apache-2.0
// sweep_into: a sweep that keeps its points on disk while it runs, and leaves a folder.
#ifndef CFPC_LAB_API_SWEEP_INTO_H
#define CFPC_LAB_API_SWEEP_INTO_H

#include "api/sweep.h"

typedef struct lab_sweep_job {
    cfpc_sweep *sweep;                 //
    const cfpc_sweep_options *options; //
    const lab_progress *progress;      //
    int threads;                       //
    char measure[LAB_MEASURE_NAME];    // that is drawn
    lab_swept swept;                   // with it
    lab_origin origin;                 //
    char *text;                        // what was found, once it is written
} lab_sweep_job;

// Checks the options. Free the job in either case.
lab_outcome lab_sweep_job_begin(lab_sweep_job *job, cfpc_sweep *sweep,
                                const cfpc_sweep_options *options, const lab_progress *progress,
                                lab_why *why);
void lab_sweep_job_free(lab_sweep_job *job);

// One part of the sweep of the result at this path, and the result of all parts.
lab_outcome lab_sweep_part(lab_sweep_job *job, const char *path, lab_why *why);
lab_outcome lab_sweep_gather_parts(lab_sweep_job *job, const char *path, lab_why *why);

// What became of a result.
typedef enum lab_left {
    LAB_LEFT_NOTHING, // there is none, and nothing that could be resumed: no point was done
    LAB_LEFT_PARTLY,  // there is none, or points in it failed: the journals are needed
    LAB_LEFT_ALL      // it is there, and the journals are not needed any more
} lab_left;

// Writes the result of points that are all known, from whatever journals, and its text. `again`
// says how points that failed are tried again.
lab_outcome lab_sweep_leave(lab_sweep_job *job, const char *path, bool replace, const char *again,
                            lab_left *left, lab_why *why);

// The words of the command with one more option, as a shell reads them: before two dashes, if it
// has them. "" without a command; NULL without memory. The caller frees it.
char *lab_sweep_command(const lab_sweep_job *job, const char *last);

#endif
