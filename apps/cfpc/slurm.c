// SPDX-License-Identifier: Apache-2.0
#include "slurm.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/folder.h"
#include "base/quoted.h"
#include "base/text.h"
#include "command.h"
#include "sweep_parts.h"

// What the scripts are made of.
typedef struct jobs {
    const app_line *line;
    const char *name;       // of the job
    int parts;              //
    int threads;            // of each part
    char here[PATH_MAX];    // where the command was given
    char command[PATH_MAX]; // this program
} jobs;

// ---- before ----------------------------------------------------------------------------------

// Every option becomes a line of the script.
static lab_outcome slurm_check_options(const app_line *line, lab_why *why)
{
    const char *option;
    for (int i = 0; (option = app_repeated(line, "--slurm-option", i)); i++) {
        if (option[0] != '-' || option[1] == '\0')
            return lab_refuse(
                why,
                "--slurm-option must be an option of sbatch, as --time=1:00:00; this is '%.80s'",
                option);
        for (const char *c = option; *c; c++)
            if ((unsigned char)*c < 0x20)
                return lab_refuse(why, "--slurm-option must be one line");
    }
    return LAB_DONE;
}

static lab_outcome check_submits(const app_line *line, lab_why *why)
{
    return !app_value(line, "--submit") || lab_has_program("sbatch")
               ? LAB_DONE
               : lab_refuse(why, "--submit needs sbatch of Slurm, which is not in PATH; without "
                                 "--submit the job is written, to be submitted elsewhere");
}

// A part has one thread unless more are asked for: the cores of this machine say nothing of those
// of a cluster.
static lab_outcome plan_jobs(jobs *to, const app_sweep *sweep, const app_line *line, lab_why *why)
{
    const int points = sweep->of.sweep.points;
    *to = (jobs){.line = line,
                 .name = sweep->of.experiment.spec.name,
                 .threads = app_value(line, "--threads") ? sweep->threads : 1};
    lab_outcome outcome = app_count(line, "--slurm", &to->parts, why);
    if (outcome == LAB_DONE && to->parts > points)
        outcome = lab_refuse(why, "--slurm %d: the sweep has %d point%s; give at most %d",
                             to->parts, points, lab_plural(points), points);
    if (outcome == LAB_DONE)
        outcome = slurm_check_options(line, why);
    if (outcome == LAB_DONE)
        outcome = check_submits(line, why);
    if (outcome == LAB_DONE && !getcwd(to->here, sizeof to->here))
        outcome = lab_refuse_errno(why, "the working folder");
    const ssize_t length = readlink("/proc/self/exe", to->command, sizeof to->command - 1);
    if (length <= 0)
        snprintf(to->command, sizeof to->command, "cfpc");
    return outcome;
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

static void put_directives(FILE *to, const jobs *jobs)
{
    const char *option;
    for (int i = 0; (option = app_repeated(jobs->line, "--slurm-option", i)); i++)
        put_directive(to, "", option);
}

// The last line: the job becomes the command.
static void put_end(FILE *to, const jobs *jobs, const char *last)
{
    const char *left_out[16] = {"--threads"};
    for (int i = 0; app_parts_options[i]; i++)
        left_out[i + 1] = app_parts_options[i];
    fputs("cd ", to);
    lab_put_shell_word(to, jobs->here);
    fputs(" || exit\nexec ", to);
    lab_put_shell_word(to, jobs->command);
    fputc(' ', to);
    app_put_command(to, "sweep", jobs->line, left_out, last);
    fputc('\n', to);
}

static void put_parts(FILE *to, const jobs *jobs)
{
    char last[96];
    fputs("#!/bin/sh\n"
          "# One part of the sweep per task of the array. To run parts again: sh submit.sh 2,5-7\n",
          to);
    put_directive(to, "--job-name=", jobs->name);
    fprintf(to, "#SBATCH --array=1-%d\n#SBATCH --cpus-per-task=%d\n", jobs->parts, jobs->threads);
    put_directives(to, jobs);
    snprintf(last, sizeof last, "--threads %d --part \"${SLURM_ARRAY_TASK_ID:?}/%d\"",
             jobs->threads, jobs->parts);
    put_end(to, jobs, last);
}

static void put_gather(FILE *to, const jobs *jobs)
{
    fputs("#!/bin/sh\n# The result of all parts.\n", to);
    put_directive(to, "--job-name=gather-", jobs->name);
    put_directives(to, jobs);
    put_end(to, jobs, "--gather");
}

static void put_submit(FILE *to, const jobs *jobs)
{
    (void)jobs;
    fputs(
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
        "echo \"submitted: the parts as job $parts, the gathering as job ${gather%%;*}\"\n",
        to);
}

typedef void put_function(FILE *to, const jobs *it);

static lab_outcome slurm_write_script(lab_folder *folder, const char *name, put_function *put,
                                      const jobs *jobs, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    put(file, jobs);
    return lab_folder_close(folder, file, why);
}

static lab_outcome write_scripts(const jobs *jobs, const char *path, bool force, lab_why *why)
{
    lab_folder folder;
    lab_outcome outcome = lab_folder_begin(&folder, path, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = slurm_write_script(&folder, "parts.sh", put_parts, jobs, why);
    if (outcome == LAB_DONE)
        outcome = slurm_write_script(&folder, "gather.sh", put_gather, jobs, why);
    if (outcome == LAB_DONE)
        outcome = slurm_write_script(&folder, "submit.sh", put_submit, jobs, why);
    if (outcome == LAB_DONE)
        return lab_folder_commit(&folder, why);
    lab_folder_abandon(&folder);
    return outcome;
}

// ---- submitting ------------------------------------------------------------------------------

// What it prints is heard like what it complains of.
static lab_outcome submit(const char *path, bool quiet, lab_why *why)
{
    const char *const words[] = {"sh", "-c", "exec sh ./submit.sh >&2", NULL};
    lab_child_end end = lab_child_run(path, words);
    for (size_t last = strlen(end.complaint); last > 0 && end.complaint[last - 1] == ' ';)
        end.complaint[--last] = '\0'; // where a line ended
    if (end.code != 0)
        return lab_fail(why, "sbatch failed: %s; the job is in %s: submit.sh there submits it",
                        end.complaint, path);
    if (!quiet)
        puts(end.complaint);
    return LAB_DONE;
}

static void slurm_say_how(const jobs *jobs, const char *path, int points)
{
    printf("%s: %d points in %d part%s of %d CPU%s are a Slurm job in %s; submit it: sh ",
           jobs->name, points, jobs->parts, lab_plural(jobs->parts), jobs->threads,
           lab_plural(jobs->threads), path);
    lab_put_shell_word(stdout, path);
    puts("/submit.sh");
}

// ---- the whole -------------------------------------------------------------------------------

static char *path_of_jobs(const char *result)
{
    const size_t size = strlen(result) + sizeof ".slurm";
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s.slurm", result);
    return path;
}

static lab_outcome make_jobs(const jobs *jobs, const char *path, int points, lab_why *why)
{
    const bool quiet = app_value(jobs->line, "--quiet");
    lab_outcome outcome = write_scripts(jobs, path, app_value(jobs->line, "--force"), why);
    if (outcome == LAB_DONE && app_value(jobs->line, "--submit"))
        outcome = submit(path, quiet, why);
    else if (outcome == LAB_DONE && !quiet)
        slurm_say_how(jobs, path, points);
    return outcome;
}

lab_outcome app_sweep_slurm(app_sweep *sweep, const app_line *line, const char *wanted,
                            lab_why *why)
{
    jobs planned;
    char *result = NULL, *path = NULL;
    lab_outcome outcome = plan_jobs(&planned, sweep, line, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_check(&result, wanted, app_value(line, "--force"), why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_measure(&sweep->of.sweep, sweep->measure, why);
    if (outcome == LAB_DONE)
        outcome = lab_sweep_check_any(&sweep->of.sweep, sweep->measure, why);
    if (outcome == LAB_DONE && !(path = path_of_jobs(result)))
        outcome = lab_no_memory(why, NULL);
    if (outcome == LAB_DONE)
        outcome = make_jobs(&planned, path, sweep->of.sweep.points, why);
    free(path);
    free(result);
    return outcome;
}
