// SPDX-License-Identifier: Apache-2.0
#include "export/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cfpc/cell.h"
#include "verbs.h"
#include "write/hashed.h"

static void row(const char *name)
{
    printf("  %-16s ", name);
}

static void print_trace(const lab_model_facts *facts)
{
    static const char *const past[] = {"kept by the cell", "in the basis table",
                                       "given by the caller"};
    if (facts->adjoint) {
        row("learns");
        printf("in adjoint form: teaching filter of %d taps (lead %d, horizon %d%s), past inputs "
               "%s\n",
               facts->lead + facts->horizon + 1, facts->lead, facts->horizon,
               facts->mutable_taps ? ", mutable" : "", past[facts->past]);
    }
    if (facts->adjoint)
        return;
    row("trace");
    printf("%d states, %d delay lines of %" PRId64 " steps in all\n", facts->trace_states,
           facts->trace_lines, facts->trace_delays);
}

static void print_rule(const lab_rule_numbers *numbers)
{
    row("rule");
    printf("%s, rate %g", numbers->batch ? "batch" : "on line", numbers->rate);
    if (numbers->rectified)
        fputs(", rectified", stdout);
    if (numbers->preconditioned)
        fputs(", preconditioned", stdout);
    if (numbers->normaliser > 0)
        printf(", normalised (%g)", numbers->normaliser);
    if (numbers->leak > 0)
        printf(", leak %g", numbers->leak);
    if (numbers->momentum > 0)
        printf(", momentum %g", numbers->momentum);
    if (numbers->output_penalty > 0)
        printf(", output penalty %g", numbers->output_penalty);
    if (numbers->inhibition != 0)
        printf(", inhibition %g after %d steps", numbers->inhibition,
               numbers->inhibition_delay_steps);
    if (numbers->weight_low < numbers->weight_high)
        printf(", weights from %g to %g", numbers->weight_low, numbers->weight_high);
    puts("");
}

static void inspect_print_guard(const lab_guard_numbers *numbers, bool response_known)
{
    row("guard");
    if (!numbers->on) {
        puts("off");
        return;
    }
    printf("on: knows the loop alone from %s, factor %g",
           response_known ? "a model and from pauses" : "pauses", numbers->factor);
    if (numbers->window_steps > 0)
        printf(", window %d steps", numbers->window_steps);
    if (numbers->settle_steps >= 0)
        printf(", settles in %d steps", numbers->settle_steps);
    if (numbers->saturated_steps > 0)
        printf(", saturated at most %d steps", numbers->saturated_steps);
    if (numbers->resume > 0)
        printf(", %d tries\n", numbers->tries);
    else
        puts(", then freezes");
}

static void inspect_print_model(const lab_inspected *inspected)
{
    const lab_model_facts *model = &inspected->model;
    row("synapses");
    printf("%d\n", model->synapses);
    row("basis");
    if (model->steps > 0)
        printf("a table of %d steps\n", model->steps);
    else
        puts("passed by the caller at every step");
    print_rule(&model->rule);
    print_trace(model);
    inspect_print_guard(&model->guard, model->response_known);
    if (model->dead_time_steps > 0) {
        row("blocks");
        printf("of up to %d steps%s%s\n", model->dead_time_steps,
               model->only_blocks ? ", and only in blocks" : "",
               model->held ? "; the weights change at their ends" : "");
    }
    row("needs");
    printf("%zu bytes of data\n", model->data_bytes);
}

static void print_flags(uint32_t flags)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {{CFPC_FLAG_NOT_FINITE, "not finite"},
                 {CFPC_FLAG_FROZEN, "frozen"},
                 {CFPC_FLAG_GUARDED, "guarded"},
                 {CFPC_FLAG_ONLY_BLOCKS, "only blocks"},
                 {CFPC_FLAG_NO_PAST, "no past"}};
    const char *comma = "";
    row("flags");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (flags & names[i].flag) {
            printf("%s%s", comma, names[i].name);
            comma = ", ";
        }
    puts(*comma ? "" : "none");
}

static void print_data(const lab_inspected *inspected)
{
    const lab_data_facts *data = &inspected->data;
    row("weights");
    printf("%d, from %g to %g, %d of them 0\n", data->synapses, data->smallest, data->largest,
           data->zeros);
    row("clock");
    printf("step %" PRId64 " of the trial\n", data->clock);
    print_flags(data->flags);
    row("guard");
    printf("acted %d times", data->guard_acts);
    if (data->baseline > 0)
        printf(", baseline %g", data->baseline);
    puts("");
    row("of the model");
    printf("with checksum %016" PRIx64 "\n", data->model_identity);
}

static lab_outcome inspect_image(const char *path, lab_why *why)
{
    lab_inspected inspected;
    const lab_outcome outcome = lab_inspect(&inspected, path, why);
    if (outcome != LAB_DONE)
        return outcome;
    printf("%s: a %s of cfpc\n", path, inspected.is_model ? "model" : "cell's data");
    row("version");
    printf("%" PRIu32 "\n", inspected.version);
    row("precision");
    puts(inspected.real->name);
    row("bytes");
    printf("%" PRIu64 "\n", inspected.bytes);
    row("checksum");
    printf("%016" PRIx64 ", right\n", inspected.checksum);
    if (inspected.is_model)
        inspect_print_model(&inspected);
    else
        print_data(&inspected);
    return LAB_DONE;
}

// ---- a result --------------------------------------------------------------------------------

static bool is_counted(const lab_hashed_row *row)
{
    return *row->hash.text;
}

static void print_datasets(const lab_hashed *hashed, bool counted)
{
    for (int i = 0; i < hashed->count; i++) {
        const lab_hashed_row *row = &hashed->row[i];
        if (is_counted(row) == counted)
            printf("  %-16s %-12s %s\n", row->hash.text, *row->shape ? row->shape : "1", row->name);
    }
}

static void print_result(const lab_hashed *hashed)
{
    int counted = 0;
    for (int i = 0; i < hashed->count; i++)
        counted += is_counted(&hashed->row[i]);
    row("experiment");
    puts(hashed->name);
    row("version");
    puts(hashed->version);
    row("precision");
    puts(hashed->real);
    row("hash");
    puts(hashed->hash.text);
    printf("\nThe hash is made of the name, the shape and every bit of %d datasets:\n", counted);
    print_datasets(hashed, true);
    if (hashed->count > counted)
        printf("\nIt leaves out %d measures of the clock:\n", hashed->count - counted);
    print_datasets(hashed, false);
    puts("\nIt leaves out all that is no dataset: units, titles, settings, the verdicts of claims, "
         "the version, figures, paths.");
}

static lab_outcome inspect_result(const char *path, const char *folder, lab_why *why)
{
    lab_hashed hashed;
    const lab_outcome outcome = lab_hashed_read(&hashed, folder, why);
    if (outcome == LAB_DONE) {
        printf("%s: a result of cfpc\n", path);
        print_result(&hashed);
    }
    lab_hashed_free(&hashed);
    return outcome;
}

// A result is a folder, or the summary in it.
static lab_outcome inspect(const char *path, lab_why *why)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return inspect_result(path, path, why);
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "summary.json") != 0)
        return inspect_image(path, why);
    char *folder = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
    const lab_outcome outcome =
        folder ? inspect_result(path, folder, why) : lab_no_memory(why, path);
    free(folder);
    return outcome;
}

static int inspect_run(const app_line *line)
{
    lab_why why = {0};
    const lab_outcome outcome =
        line->count > 0 ? inspect(line->positionals[0], &why)
                        : lab_refuse(&why, "this needs a model or data file, or a result folder");
    if (outcome != LAB_DONE)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return outcome;
}

static const app_option options[] = {{0}};

const app_verb app_verb_inspect = {
    .name = "inspect",
    .arguments = "FILE",
    .summary = "say what is in a model or data file, or what the hash of a result is of",
    .text =
        "FILE was written by 'cfpc export --as bin', cfpc_model_save or cfpc_data_save, in either\n"
        "precision. Or it is a result folder of 'cfpc run': this lists the datasets, each with "
        "its\n"
        "own hash, of which the hash of the result is made, and what is left out. Exit code: 0 it\n"
        "is whole, 2 it is not of this version of cfpc, or it was altered or damaged.\n",
    .options = options,
    .positionals = 1,
    .run = inspect_run};
