// SPDX-License-Identifier: Apache-2.0
// slurm: a sweep as jobs of Slurm: an array of parts, and one that gathers them.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/call.h"
#include "api/sweep_into.h"
#include "base/child.h"
#include "base/quoted.h"
#include "base/text.h"

// What the scripts are made of.
typedef struct jobs {
    const cfpc_slurm_options *options;
    const lab_sweep_job *job; // its command repeats the sweep
    const char *name;         // of the job
    int points;               //
    int threads;              // of each part
    char here[PATH_MAX];      // where the command was given
    char *path;               // of the folder
    char *said;               // by sbatch
} jobs;

// ---- before ----------------------------------------------------------------------------------

static lab_outcome plan_jobs(jobs *to, const lab_sweep_job *job, const cfpc_slurm_options *options,
                             lab_why *why)
{
    const int points = job->sweep->sweep.points;
    // A part has one thread unless more are asked for: the cores of this machine say nothing of
    // those of a cluster.
    *to = (jobs){.options = options,
                 .job = job,
                 .name = job->sweep->experiment.spec.name,
                 .points = points,
                 .threads = job->options->threads > 0 ? job->options->threads : 1};
    if (options->parts < 1 || options->parts > points)
        return lab_refuse(why, "--slurm %d: the sweep has %d point%s; give at most %d",
                          options->parts, points, lab_plural(points), points);
    if (!options->program || !job->options->command)
        return lab_refuse(why, "a job needs the command that it runs");
    // Every option becomes a line of the script.
    for (const char *const *option = options->sbatch; option && *option; option++) {
        if ((*option)[0] != '-' || (*option)[1] == '\0')
            return lab_refuse(
                why,
                "--slurm-option must be an option of sbatch, as --time=1:00:00; this is '%.80s'",
                *option);
        for (const char *c = *option; *c; c++)
            if ((unsigned char)*c < 0x20)
                return lab_refuse(why, "--slurm-option must be one line");
    }
    if (options->submit && !lab_has_program("sbatch"))
        return lab_refuse(why, "--submit needs sbatch of Slurm, which is not in PATH; without "
                               "--submit the job is written, to be submitted elsewhere");
    return getcwd(to->here, sizeof to->here) ? LAB_DONE
                                             : lab_refuse_errno(why, "the working folder");
}

// ---- the scripts -----------------------------------------------------------------------------

// sbatch reads such a line like a shell, without its dollar: a space ends an option unless it is in
// quotes, within which a backslash precedes a quote or another backslash.
static void put_directive(FILE *to, const char *option, const char *value)
{
    const bool plain = !strpbrk(value, " \"'\\#");
    fprintf(to, "#SBATCH %s%s", plain ? "" : "\"", option);
    for (; *value; value++)
        fprintf(to, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    fputs(plain ? "\n" : "\"\n", to);
}

// One part per task of an array, or what gathers them all: what the job is, and as its last line
// the command that it becomes.
static lab_outcome put_job(FILE *to, const jobs *jobs, bool gathers, lab_why *why)
{
    const char *const *option = jobs->options->sbatch;
    const int parts = jobs->options->parts;
    char last[96] = "--gather";
    if (gathers)
        fputs("#!/bin/sh\n# The result of all parts.\n", to);
    else
        fputs("#!/bin/sh\n# One part of the sweep per task of the array. To run parts again: sh "
              "submit.sh 2,5-7\n",
              to);
    put_directive(to, gathers ? "--job-name=gather-" : "--job-name=", jobs->name);
    if (!gathers) {
        fprintf(to, "#SBATCH --array=1-%d\n#SBATCH --cpus-per-task=%d\n", parts, jobs->threads);
        snprintf(last, sizeof last, "--threads %d --part \"${SLURM_ARRAY_TASK_ID:?}/%d\"",
                 jobs->threads, parts);
    }
    for (; option && *option; option++)
        put_directive(to, "", *option);
    char *command = lab_sweep_command(jobs->job, last);
    if (!command)
        return lab_no_memory(why, NULL);
    fputs("cd ", to);
    lab_put_shell_word(to, jobs->here);
    fputs(" || exit\nexec ", to);
    lab_put_shell_word(to, jobs->options->program);
    fprintf(to, "%s\n", command + strcspn(command, " "));
    free(command);
    return LAB_DONE;
}

static const char submit_script[] =
    "#!/bin/sh\n"
    "# Submits the sweep to Slurm: its parts as an array, and a job that gathers them after "
    "all\n"
    "# have succeeded. What the jobs print is written into this folder.\n"
    "#   sh submit.sh          all parts\n"
    "#   sh submit.sh 2,5-7    these parts only, as after a failure; finished points are kept\n"
    "set -eu\n"
    "cd \"$(dirname \"$0\")\"\n"
    "parts=$(sbatch --parsable ${1:+\"--array=$1\"} parts.sh)\n"
    "parts=${parts%%;*} # without the name of the cluster\n"
    "gather=$(sbatch --parsable --dependency=\"afterok:$parts\" --kill-on-invalid-dep=yes "
    "gather.sh) || {\n"
    "    echo \"the parts are submitted as job $parts, the gathering is not: submit gather.sh "
    "after them\" >&2\n"
    "    exit 1\n"
    "}\n"
    "echo \"submitted: the parts as job $parts, the gathering as job ${gather%%;*}\"\n";

static lab_outcome slurm_fill(lab_folder *folder, const void *jobs, bool figures, lab_why *why)
{
    static const char *const names[] = {"parts.sh", "gather.sh", "submit.sh"};
    lab_outcome outcome = LAB_DONE;
    (void)figures;
    for (int i = 0; outcome == LAB_DONE && i < 3; i++) {
        FILE *file;
        lab_why ignored;
        outcome = lab_folder_create(folder, names[i], &file, why);
        if (outcome != LAB_DONE)
            return outcome;
        if (i < 2)
            outcome = put_job(file, jobs, i == 1, why);
        else
            fputs(submit_script, file);
        const lab_outcome closed =
            lab_folder_close(folder, file, outcome == LAB_DONE ? why : &ignored);
        outcome = outcome == LAB_DONE ? closed : outcome;
    }
    return outcome;
}

// ---- submitting ------------------------------------------------------------------------------

// What it prints is heard like what it complains of.
static lab_outcome submit(jobs *jobs, lab_why *why)
{
    const char *const words[] = {"sh", "-c", "exec sh ./submit.sh >&2", NULL};
    lab_child_end end = lab_child_run(jobs->path, words);
    for (size_t last = strlen(end.complaint); last > 0 && end.complaint[last - 1] == ' ';)
        end.complaint[--last] = '\0'; // where a line ended
    if (end.code != 0)
        return lab_fail(why, "sbatch failed: %s; the job is in %s: submit.sh there submits it",
                        end.complaint, jobs->path);
    jobs->said = strdup(end.complaint);
    return jobs->said ? LAB_DONE : lab_no_memory(why, NULL);
}

static lab_outcome slurm_put(FILE *to, const void *context, lab_why *why)
{
    const jobs *jobs = context;
    const int parts = jobs->options->parts;
    (void)why;
    if (jobs->said) {
        fprintf(to, "%s\n", jobs->said);
        return LAB_DONE;
    }
    fprintf(to, "%s: %d points in %d part%s of %d CPU%s are a Slurm job in %s; submit it: sh ",
            jobs->name, jobs->points, parts, lab_plural(parts), jobs->threads,
            lab_plural(jobs->threads), jobs->path);
    lab_put_shell_word(to, jobs->path);
    fputs("/submit.sh\n", to);
    return LAB_DONE;
}

// ---- the whole -------------------------------------------------------------------------------

static lab_outcome make_jobs(jobs *jobs, const lab_sweep_job *job, const char *wanted,
                             const cfpc_slurm_options *options, lab_why *why)
{
    const cfpc_write_options *how = &job->options->write;
    char *result = NULL;
    lab_outcome outcome = plan_jobs(jobs, job, options, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_check(&result, wanted, how->option, how->replace, why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_any(&job->sweep->sweep, job->measure, why);
    if (outcome == LAB_DONE) {
        const size_t size = strlen(result) + sizeof ".slurm";
        jobs->path = malloc(size);
        if (jobs->path)
            snprintf(jobs->path, size, "%s.slurm", result);
        else
            outcome = lab_no_memory(why, NULL);
    }
    if (outcome == LAB_DONE)
        outcome = lab_write_into(jobs->path, how, job->progress, slurm_fill, jobs, why);
    if (outcome == LAB_DONE && options->submit)
        outcome = submit(jobs, why);
    free(result);
    return outcome;
}

cfpc_outcome cfpc_sweep_slurm(cfpc_sweep *sweep, const char *folder,
                              const cfpc_sweep_options *options, const cfpc_slurm_options *slurm,
                              char **text, cfpc_why *why)
{
    lab_sweep_job job = {0};
    jobs jobs = {0};
    lab_call call;
    lab_call_begin(&call, options ? options->write.progress : NULL);
    if (text)
        *text = NULL;
    lab_outcome outcome = lab_check_both(sweep, "sweep", folder, "folder", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_check_both(options, "command", slurm, "number of parts", &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_job_begin(&job, sweep, options, &call.progress, &call.why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_ready(sweep, &call.why);
    if (outcome == LAB_DONE)
        outcome = make_jobs(&jobs, &job, folder, slurm, &call.why);
    if (outcome == LAB_DONE && text)
        outcome = lab_tell(text, slurm_put, &jobs, &call.why);
    free(jobs.said);
    free(jobs.path);
    lab_sweep_job_free(&job);
    return lab_call_end(&call, outcome, why);
}
