// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cfpc/cell.h"
#include "export/inspect.h"
#include "report/report.h"
#include "write/hashed.h"

// Puts a name and what there is to say of it.
__attribute__((format(printf, 3, 4))) static void row(FILE *to, const char *name,
                                                      const char *format, ...)
{
    va_list arguments;
    fprintf(to, "  %-16s ", name);
    va_start(arguments, format);
    vfprintf(to, format, arguments);
    va_end(arguments);
}

static void print_rule(FILE *to, const lab_rule_numbers *numbers)
{
    row(to, "rule", "%s, rate %g", numbers->batch ? "batch" : "on line", numbers->rate);
    if (numbers->rectified)
        fputs(", rectified", to);
    if (numbers->preconditioned)
        fputs(", preconditioned", to);
    if (numbers->normaliser > 0)
        fprintf(to, ", normalised (%g)", numbers->normaliser);
    if (numbers->leak > 0)
        fprintf(to, ", leak %g", numbers->leak);
    if (numbers->momentum > 0)
        fprintf(to, ", momentum %g", numbers->momentum);
    if (numbers->output_penalty > 0)
        fprintf(to, ", output penalty %g", numbers->output_penalty);
    if (numbers->inhibition != 0)
        fprintf(to, ", inhibition %g after %d steps", numbers->inhibition,
                numbers->inhibition_delay_steps);
    if (numbers->weight_low < numbers->weight_high)
        fprintf(to, ", weights from %g to %g", numbers->weight_low, numbers->weight_high);
    fputc('\n', to);
}

static void inspect_print_guard(FILE *to, const lab_guard_numbers *numbers, bool response_known)
{
    if (!numbers->on) {
        row(to, "guard", "off\n");
        return;
    }
    row(to, "guard", "on: knows the loop alone from %s, factor %g",
        response_known ? "a model and from pauses" : "pauses", numbers->factor);
    if (numbers->window_steps > 0)
        fprintf(to, ", window %d steps", numbers->window_steps);
    if (numbers->settle_steps >= 0)
        fprintf(to, ", settles in %d steps", numbers->settle_steps);
    if (numbers->saturated_steps > 0)
        fprintf(to, ", saturated at most %d steps", numbers->saturated_steps);
    if (numbers->resume > 0)
        fprintf(to, ", %d tries\n", numbers->tries);
    else
        fputs(", then freezes\n", to);
}

static void inspect_print_model(FILE *to, const lab_inspected *inspected)
{
    static const char *const past[] = {"kept by the cell", "in the basis table",
                                       "given by the caller"};
    const lab_model_facts *model = &inspected->model;
    row(to, "synapses", "%d\n", model->synapses);
    if (model->steps > 0)
        row(to, "basis", "a table of %d steps\n", model->steps);
    else
        row(to, "basis", "passed by the caller at every step\n");
    print_rule(to, &model->rule);
    if (model->adjoint)
        row(to, "learns",
            "in adjoint form: teaching filter of %d taps (lead %d, horizon %d%s), past inputs %s\n",
            model->lead + model->horizon + 1, model->lead, model->horizon,
            model->mutable_taps ? ", mutable" : "", past[model->past]);
    else
        row(to, "trace", "%d states, %d delay lines of %" PRId64 " steps in all\n",
            model->trace_states, model->trace_lines, model->trace_delays);
    inspect_print_guard(to, &model->guard, model->response_known);
    if (model->dead_time_steps > 0) {
        row(to, "blocks", "of up to %d steps%s%s\n", model->dead_time_steps,
            model->only_blocks ? ", and only in blocks" : "",
            model->held ? "; the weights change at their ends" : "");
    }
    row(to, "needs", "%zu bytes of data\n", model->data_bytes);
}

static void print_data(FILE *to, const lab_inspected *inspected)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } flags[] = {{CFPC_FLAG_NOT_FINITE, "not finite"},
                 {CFPC_FLAG_FROZEN, "frozen"},
                 {CFPC_FLAG_GUARDED, "guarded"},
                 {CFPC_FLAG_ONLY_BLOCKS, "only blocks"},
                 {CFPC_FLAG_NO_PAST, "no past"}};
    const lab_data_facts *data = &inspected->data;
    const char *comma = "";
    row(to, "weights", "%d, from %g to %g, %d of them 0\n", data->synapses, data->smallest,
        data->largest, data->zeros);
    row(to, "clock", "step %" PRId64 " of the trial\n", data->clock);
    fprintf(to, "  %-16s ", "flags");
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (data->flags & flags[i].flag) {
            fprintf(to, "%s%s", comma, flags[i].name);
            comma = ", ";
        }
    fprintf(to, "%s\n", *comma ? "" : "none");
    row(to, "guard", "acted %d times", data->guard_acts);
    if (data->baseline > 0)
        fprintf(to, ", baseline %g", data->baseline);
    fputc('\n', to);
    row(to, "of the model", "with checksum %016" PRIx64 "\n", data->model_identity);
}

static lab_outcome inspect_image(FILE *to, const char *path, lab_why *why)
{
    lab_inspected inspected;
    const lab_outcome outcome = lab_inspect(&inspected, path, why);
    if (outcome != LAB_DONE)
        return outcome;
    fprintf(to, "%s: a %s of cfpc\n", path, inspected.is_model ? "model" : "cell's data");
    row(to, "version", "%" PRIu32 "\n", inspected.version);
    row(to, "precision", "%s\n", inspected.real->name);
    row(to, "bytes", "%" PRIu64 "\n", inspected.bytes);
    row(to, "checksum", "%016" PRIx64 ", right\n", inspected.checksum);
    if (inspected.is_model)
        inspect_print_model(to, &inspected);
    else
        print_data(to, &inspected);
    return LAB_DONE;
}

// ---- a result --------------------------------------------------------------------------------

static bool is_counted(const lab_hashed_row *row)
{
    return *row->hash.text;
}

static void print_datasets(FILE *to, const lab_hashed *hashed, bool counted)
{
    for (int i = 0; i < hashed->count; i++) {
        const lab_hashed_row *row = &hashed->row[i];
        if (is_counted(row) == counted)
            fprintf(to, "  %-16s %-12s %s\n", row->hash.text, *row->shape ? row->shape : "1",
                    row->name);
    }
}

static lab_outcome inspect_result(FILE *to, const char *path, const char *folder, lab_why *why)
{
    lab_hashed hashed;
    const lab_outcome outcome = lab_hashed_read(&hashed, folder, why);
    int counted = 0;
    for (int i = 0; outcome == LAB_DONE && i < hashed.count; i++)
        counted += is_counted(&hashed.row[i]);
    if (outcome == LAB_DONE) {
        fprintf(to, "%s: a result of cfpc\n", path);
        row(to, "experiment", "%s\n", hashed.name);
        row(to, "version", "%s\n", hashed.version);
        row(to, "precision", "%s\n", hashed.real);
        row(to, "hash", "%s\n", hashed.hash.text);
        fprintf(to, "\nThe hash is made of the name, the shape and every bit of %d datasets:\n",
                counted);
        print_datasets(to, &hashed, true);
        if (hashed.count > counted)
            fprintf(to, "\nIt leaves out %d measures of the clock:\n", hashed.count - counted);
        print_datasets(to, &hashed, false);
        fputs("\nIt leaves out all that is no dataset: units, titles, settings, the verdicts of "
              "claims, the version, figures, paths.\n",
              to);
    }
    lab_hashed_free(&hashed);
    return outcome;
}

// A result is a folder, or the summary in it.
lab_outcome lab_put_inspected(FILE *to, const char *path, lab_why *why)
{
    struct stat about;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return inspect_result(to, path, path, why);
    const char *slash = strrchr(path, '/');
    if (strcmp(slash ? slash + 1 : path, "summary.json") != 0)
        return inspect_image(to, path, why);
    char *folder = slash ? strndup(path, (size_t)(slash - path + 1)) : strdup(".");
    const lab_outcome outcome =
        folder ? inspect_result(to, path, folder, why) : lab_no_memory(why, path);
    free(folder);
    return outcome;
}
