// SPDX-License-Identifier: Apache-2.0
// lab: experiments from a program. A spec is a tree, whoever parsed it; an experiment is a spec
// with settings put in, checked; running it gives a result. All objects are opaque; nothing here
// prints, exits or writes a file unless its name says so.
#ifndef CFPC_LAB_H
#define CFPC_LAB_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- how it ended ----------------------------------------------------------------------------

typedef enum cfpc_outcome {
    CFPC_DONE = 0,
    CFPC_FAILED = 1, // memory ran out, a disk is full, it was stopped
    CFPC_REFUSED = 2 // the input is bad: nothing was begun
} cfpc_outcome;

// Why: one line for a person, without a newline. It begins with the place, where it has one. Calls
// take NULL from who does not want to know. What a call needs and is NULL is refused; of NULL
// nothing can be asked: the answer is NULL, false or 0.
typedef struct cfpc_why {
    char text[1024];
    char file[512];   // of the place; "": none
    int line, column; // from 1; 0: none
} cfpc_why;

// ---- how far it is --------------------------------------------------------------------------

// Told how far a run is, by the thread that called; returns false to stop it.
typedef struct cfpc_progress {
    bool (*tick)(void *context, const char *what, int done, int total);
    void *context;
} cfpc_progress;

// ---- a spec as a tree ------------------------------------------------------------------------

// A parser reports what it reads, in the order of the text. The first error stays and is reported
// when the tree is used: nothing needs to be checked in between.
//
// Places are lines and columns from 1, in characters; 0: none is written, as of an empty value. A
// scalar or key is where its text begins, after the quote or the *; that of a block (|, >) is the
// line after, column 1. What has no place gets that of the scalar or key before it. A map or list
// is where its key is, or else where its first key or scalar is; the place of its beginning is for
// the message about one that is nested too deeply.
typedef struct cfpc_tree cfpc_tree;

// The file is for messages; NULL without memory.
cfpc_tree *cfpc_tree_create(const char *file);
void cfpc_tree_free(cfpc_tree *tree);

// A map or a list begins and ends. Within a map, each value follows its key. Texts are as they are
// written, without quotes.
void cfpc_tree_map(cfpc_tree *tree, int line, int column);
void cfpc_tree_list(cfpc_tree *tree, int line, int column);
void cfpc_tree_end(cfpc_tree *tree);
void cfpc_tree_key(cfpc_tree *tree, const char *text, int line, int column);
void cfpc_tree_scalar(cfpc_tree *tree, const char *text, int line, int column);

// Reads the text of a spec file into an empty tree: the part of YAML that docs/lab.md describes.
void cfpc_tree_read(cfpc_tree *tree, const char *text, size_t length);

// CFPC_DONE if the tree is whole.
cfpc_outcome cfpc_tree_check(const cfpc_tree *tree, cfpc_why *why);

// ---- settings --------------------------------------------------------------------------------

// Values that replace those of a spec: a path such as loop.delay_ms, and a value.
typedef struct cfpc_settings cfpc_settings;

cfpc_settings *cfpc_settings_create(void); // NULL without memory
void cfpc_settings_free(cfpc_settings *settings);
cfpc_outcome cfpc_settings_add(cfpc_settings *settings, const char *path_is_value,
                               cfpc_why *why); // "loop.delay_ms=40"
cfpc_outcome cfpc_settings_add_tree(cfpc_settings *settings, const char *path,
                                    const cfpc_tree *value, cfpc_why *why);

// ---- an experiment ---------------------------------------------------------------------------

typedef struct cfpc_experiment cfpc_experiment;

typedef struct cfpc_experiment_options {
    const cfpc_settings *settings; // NULL: none
    const char *rule;              // whose signals are kept; NULL: the spec's
    int trials;                    // 0: the spec's
    double rate;                   // of every rule; 0 or NAN: the spec's
    bool online;                   // learn at every step
    int repeat;                    // runs with other seeds; 0: the spec's
    int seed;                      // added to every seed; -1: the spec's
} cfpc_experiment_options;
cfpc_experiment_options cfpc_default_experiment_options(void); // all the spec's

// Reads a spec file, or takes a copy of a tree; options may be NULL. Several threads may use one
// experiment at once. On success the caller frees *experiment; else it is NULL.
cfpc_outcome cfpc_experiment_load(cfpc_experiment **experiment, const char *file,
                                  const cfpc_experiment_options *options, cfpc_why *why);
cfpc_outcome cfpc_experiment_make(cfpc_experiment **experiment, const cfpc_tree *tree,
                                  const cfpc_experiment_options *options, cfpc_why *why);
void cfpc_experiment_free(cfpc_experiment *experiment);

const char *cfpc_experiment_name(const cfpc_experiment *experiment);
const char *cfpc_experiment_title(const cfpc_experiment *experiment);

// The names of its rules; NULL: no more.
const char *cfpc_experiment_rule(const cfpc_experiment *experiment, int i);

// Texts that the caller frees with cfpc_text_free: the effective spec as YAML; what `cfpc check`
// prints; the certificate of the main rule as JSON (docs/certificate.md).
cfpc_outcome cfpc_experiment_text(const cfpc_experiment *experiment, char **text, cfpc_why *why);
cfpc_outcome cfpc_experiment_check(const cfpc_experiment *experiment, char **text, cfpc_why *why);
cfpc_outcome cfpc_experiment_certificate(const cfpc_experiment *experiment, char **json,
                                         const cfpc_progress *progress, cfpc_why *why);
void cfpc_text_free(char *text);

// References as text: every key of a spec, and every measure of a run.
cfpc_outcome cfpc_spec_reference(char **text, cfpc_why *why);
cfpc_outcome cfpc_measure_reference(char **text, cfpc_why *why);

// ---- a run and its result --------------------------------------------------------------------

typedef struct cfpc_result cfpc_result; // needs its experiment no more

// progress may be NULL. On success the caller frees *result; else it is NULL.
cfpc_outcome cfpc_experiment_run(cfpc_result **result, const cfpc_experiment *experiment,
                                 const cfpc_progress *progress, cfpc_why *why);
void cfpc_result_free(cfpc_result *result);

// A dataset, under the name that it has in result.h5, e.g. curves/fm-et. Its values belong to the
// result, and stay where they are until it is freed.
typedef struct cfpc_array {
    const char *name;
    const char *unit;
    const double *values;
    int rank;        // 0: a number, 1, 2
    size_t shape[2]; // row-major
} cfpc_array;
bool cfpc_result_array(const cfpc_result *result, int i, cfpc_array *array); // false: no more

typedef struct cfpc_measure {
    const char *name; // dotted, as in summary.json
    const char *unit; //
    double value;     // NAN where the run does not define it
} cfpc_measure;
bool cfpc_result_measure(const cfpc_result *result, int i, cfpc_measure *measure);

typedef struct cfpc_claim {
    const char *name, *says, *measure;
    double low, high; // within which the measure must be; NAN: no such bound
    double measured;
    bool applies; // to a run with these settings; false: it neither holds nor fails
    bool holds;
} cfpc_claim;
bool cfpc_result_claim(const cfpc_result *result, int i, cfpc_claim *claim);

typedef struct cfpc_rule_result {
    const char *name;
    double rate;            // η of the first phase
    int diverged_at;        // trial, from 1; 0: it did not diverge
    const char *no_optimum; // why there is none; NULL: there is
    const char *taught_by;  // the signal that taught it
    const double *weights;  // (count)
    size_t count;
} cfpc_rule_result;
bool cfpc_result_rule(const cfpc_result *result, int i, cfpc_rule_result *rule);

// Of a spec with phases, one after another.
typedef struct cfpc_phase {
    const char *name;
    int first, last; // trials, from 1
} cfpc_phase;
bool cfpc_result_phase(const cfpc_result *result, int i, cfpc_phase *phase);

int cfpc_result_repeats(const cfpc_result *result); // seeds whose mean the curves are

// One number for all that the run computed, as 16 hexadecimal digits: the names, the shapes and
// every bit of all datasets, except measures of the clock. Runs with the same hash have the same
// results, bit for bit; docs/lab.md says how it is made.
const char *cfpc_result_hash(const cfpc_result *result);

// CFPC_FAILED if a rule diverged and no claim says so, or a claim of an unmodified spec does not
// hold.
cfpc_outcome cfpc_result_check(const cfpc_result *result, cfpc_why *why);

// The attributes of result.h5 by name: name, title, version, spec (as it was run, in YAML),
// settings (one per line), mode, rule, taught_by, modified (0 or 1); NULL: none of that name.
const char *cfpc_result_attribute(const cfpc_result *result, const char *name);

// How a folder is written; NULL stands for {0}.
typedef struct cfpc_write_options {
    bool replace;                  // an existing result
    bool figures;                  // draw them, by gnuplot
    const char *option;            // that names the folder, for messages: "--out"; NULL: none does
    const cfpc_progress *progress; // asked before the folder takes its place; NULL: nobody
} cfpc_write_options;

// Refuses a folder that could not be written: to be asked before a long run.
cfpc_outcome cfpc_folder_check(const char *folder, const cfpc_write_options *options,
                               cfpc_why *why);

// Writes the folder that `cfpc run` writes, completely or not at all. Copies of files that the spec
// names are as they were when the run began.
cfpc_outcome cfpc_result_write(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why);

// Texts for a person: what was found, and the files that such a call writes.
cfpc_outcome cfpc_result_text(const cfpc_result *result, char **text, cfpc_why *why);
cfpc_outcome cfpc_result_files(const cfpc_result *result, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why);

// NULL if this machine, as it is set now, computes as IEEE 754 says, so that results have the
// published bits; otherwise what it does instead: "it sets subnormal numbers to 0".
const char *cfpc_arithmetic_fault(void);

// Whether this build writes result.h5, and whether figures can be drawn on this machine.
bool cfpc_has_hdf5(void);
bool cfpc_has_gnuplot(void);

// "did you mean 'x'?", or else "it may be a, b, c": for a word that is none of these names.
typedef struct cfpc_hint {
    char text[512];
} cfpc_hint;
cfpc_hint cfpc_hint_among(const char *word, const char *const *names, size_t count);

// ---- reports ---------------------------------------------------------------------------------

// What an analysis, a probe, an identification or a comparison found. One that is made of an
// experiment needs it until it is freed.
typedef struct cfpc_report cfpc_report;
void cfpc_report_free(cfpc_report *report);

// What was found: for a person, and as JSON, which a comparison does not have.
cfpc_outcome cfpc_report_text(const cfpc_report *report, char **text, cfpc_why *why);
cfpc_outcome cfpc_report_json(const cfpc_report *report, char **json, cfpc_why *why);

// Writes it into a folder with its data and figures, completely or not at all; and says which files
// such a call writes. Of an identification the model file is written last, and only it if the
// folder is NULL.
cfpc_outcome cfpc_report_write(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, cfpc_why *why);
cfpc_outcome cfpc_report_files(const cfpc_report *report, const char *folder,
                               const cfpc_write_options *options, char **text, cfpc_why *why);

// Each call makes a report; the caller frees *report, which is NULL unless it is done. The options
// may be NULL.

// Whether learning will converge, to what error, and with what margins: of the main rule in the
// first phase (docs/certificate.md).
typedef struct cfpc_analyse_options {
    bool region;                   // fill the plane of delay and gain, for a figure
    const char *weights;           // CSV file with the weights that the cell has now; NULL: none
    const cfpc_progress *progress; // NULL: nobody
} cfpc_analyse_options;
cfpc_outcome cfpc_experiment_analyse(cfpc_report **report, const cfpc_experiment *experiment,
                                     const cfpc_analyse_options *options, cfpc_why *why);

// A probe to identify the loop with (docs/excite.md). 0 or NAN: the default.
typedef struct cfpc_excite_options {
    double seconds;         // length; default 20, or what the band needs
    double rms;             // of what it does to the output; default 2 % of the task's output
    double noise;           // standard deviation of the measured value at rest; default loop.noise
    double low_hz, high_hz; // band; default where the basis signals have power
    int seed;               // of random phases; 0: Schroeder's phases
} cfpc_excite_options;
cfpc_outcome cfpc_experiment_excite(cfpc_report **report, const cfpc_experiment *experiment,
                                    const cfpc_excite_options *options, cfpc_why *why);

// A model from a log, a CSV file, with its uncertainty (docs/identify.md).
typedef struct cfpc_identify_options {
    const char *input, *output; // columns: names or numbers from 1
    const char *time;           // likewise; NULL: found by its name; "none": there is none
    double step_ms;             // 0 or NAN: from the time stamps, or 1
    const double *dead_time_ms; // NULL: found
    int order;                  // 0: found
    bool allow_feedback;        // accept an input that reacts to the output
    const char *model;          // file that the model is written to, NAME.yaml; NULL: none
    bool replace_model;         // an existing one
} cfpc_identify_options;
cfpc_outcome cfpc_identify_log(cfpc_report **report, const char *log,
                               const cfpc_identify_options *options, cfpc_why *why);

// Finished runs side by side, 2 to 12 folders: this rule of every run, or all rules, or each run's
// main rule.
typedef struct cfpc_compare_options {
    const char *rule; // NULL: each run's own
    bool all;
} cfpc_compare_options;
cfpc_outcome cfpc_compare(cfpc_report **report, const char *const *folders, size_t count,
                          const cfpc_compare_options *options, cfpc_why *why);

// What is in a model or data file of a cell, or what the hash of a result folder is made of.
cfpc_outcome cfpc_inspect(const char *path, char **text, cfpc_why *why);

// ---- export ----------------------------------------------------------------------------------

typedef enum cfpc_export_kind {
    CFPC_EXPORT_C,   // C source (docs/firmware.md)
    CFPC_EXPORT_BIN, // files for cfpc_model_load and cfpc_data_load
    CFPC_EXPORT_FMU  // FMI 3.0, co-simulation (docs/fmu.md)
} cfpc_export_kind;

typedef struct cfpc_export_options {
    cfpc_export_kind kind;
    size_t real_bytes;    // 4: float, 8: double; 0: double for an FMU, else float
    const char *name;     // of files and functions; NULL: made from the rule's name
    const char *weights;  // result folder of a run, to start with its weights; NULL: start at 0
    bool frozen;          // do not learn
    double flash, ram;    // bytes that there are, of C source; 0: 4 MiB of flash, any RAM
    const char *firmware; // folder of the core's source that is copied: share/cfpc/firmware
    cfpc_write_options write;
} cfpc_export_options;

// Writes the cell of the main rule into a folder, or of an FMU into a file; NULL: out/SPEC-NAME or
// out/SPEC-NAME.fmu. The text says what was written and what it needs of a target.
cfpc_outcome cfpc_experiment_export(const cfpc_experiment *experiment, const char *place,
                                    const cfpc_export_options *options, char **text, cfpc_why *why);

// ---- a sweep ---------------------------------------------------------------------------------

// One spec at all points of a grid, the last axis fastest. A point that is refused or fails is a
// result like any other.
typedef struct cfpc_sweep cfpc_sweep;

// Reads as cfpc_experiment_load and cfpc_experiment_make do: exactly one of file and tree is given.
cfpc_outcome cfpc_sweep_create(cfpc_sweep **sweep, const char *file, const cfpc_tree *tree,
                               const cfpc_experiment_options *options, cfpc_why *why);
void cfpc_sweep_free(cfpc_sweep *sweep);

// An axis as `cfpc sweep` takes it, "loop.delay_ms=20:100:9"; or a path and a list of values.
cfpc_outcome cfpc_sweep_axis(cfpc_sweep *sweep, const char *text, cfpc_why *why);
cfpc_outcome cfpc_sweep_axis_tree(cfpc_sweep *sweep, const char *path, const cfpc_tree *list,
                                  cfpc_why *why);

// Runs all points, on this number of threads (0: one per core; 64 at most). The result does not
// depend on it. A sweep that was stopped is resumed when it is run again. It is done, whatever
// became of its points.
cfpc_outcome cfpc_sweep_run(cfpc_sweep *sweep, int threads, const cfpc_progress *progress,
                            cfpc_why *why);

// Runs on disk: a journal beside the folder keeps every finished point, so that a sweep that was
// stopped or killed resumes; then the folder is written, as `cfpc sweep` writes it. What was run in
// memory is run again.
typedef struct cfpc_sweep_options {
    int threads;                // 0: one per core; 64 at most
    const char *measure;        // that is drawn; NULL: the first rule's rRMSE in the last trial
    const char *part;           // "I/N": part I of N alone, without a folder; NULL: all
    const char *const *command; // words of a command that repeats the sweep, for messages, with
                                // NULL at the end; NULL: there is none
    cfpc_write_options write;
} cfpc_sweep_options;

// *text says what was found: it is there as soon as the folder is, also if the call then fails as
// points failed. NULL: not wanted. cfpc_sweep_gather makes the folder of parts that have all run.
cfpc_outcome cfpc_sweep_run_into(cfpc_sweep *sweep, const char *folder,
                                 const cfpc_sweep_options *options, char **text, cfpc_why *why);
cfpc_outcome cfpc_sweep_gather(cfpc_sweep *sweep, const char *folder,
                               const cfpc_sweep_options *options, char **text, cfpc_why *why);

// Writes FOLDER.slurm: an array of jobs, one per part, and one that gathers them (docs/cluster.md).
// They run the command of the sweep's options, with its threads, 1 by default, per part.
typedef struct cfpc_slurm_options {
    int parts;                 //
    const char *program;       // path of cfpc on the cluster, for the first word of the command
    const char *const *sbatch; // options of sbatch, with NULL at the end; NULL: none
    bool submit;               // by sbatch
} cfpc_slurm_options;
cfpc_outcome cfpc_sweep_slurm(cfpc_sweep *sweep, const char *folder,
                              const cfpc_sweep_options *options, const cfpc_slurm_options *slurm,
                              char **text, cfpc_why *why);

// The experiment's name.
const char *cfpc_sweep_name(const cfpc_sweep *sweep);

// The grid: how many points, and each axis, its values as text and, unless one is none, as numbers:
// those of the axis, one after another. A point's number counts from 0.
size_t cfpc_sweep_points(const cfpc_sweep *sweep);
const char *cfpc_sweep_key(const cfpc_sweep *sweep, int axis);                 // NULL: no more
const char *cfpc_sweep_value(const cfpc_sweep *sweep, int axis, size_t point); // as text
const double *cfpc_sweep_numbers(const cfpc_sweep *sweep, int axis, size_t *count);

// What became of a point: done, diverged, refused or failed, and why, "" for one that is done; NULL
// while it is not run.
const char *cfpc_sweep_status(const cfpc_sweep *sweep, size_t point);
const char *cfpc_sweep_says(const cfpc_sweep *sweep, size_t point);

// A measure by point, NAN where a point has none; false: no more, or the sweep was not run to its
// end.
bool cfpc_sweep_column(const cfpc_sweep *sweep, int i, cfpc_array *column);

#ifdef __cplusplus
}
#endif

#endif
