// SPDX-License-Identifier: Apache-2.0
// hdf5: result.h5 and sweep.h5, and the only place that names HDF5. A file is made in memory and
// written like every other, so that a disk that is full is noticed in the one way there is.
#include <math.h>

#include "base/apart.h"
#include "write/results.h"
#include "write/sweep_results.h"

#ifdef CFPC_HAS_HDF5

#include <errno.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

bool lab_has_hdf5(void)
{
    return true;
}

enum { LONGEST_ATTRIBUTE = 60000 }; // bytes

// A file in the making. After the first failure nothing more is done.
typedef struct store {
    hid_t file;
    bool failed;
} store;

// A text of this length, in UTF-8.
static hid_t text_type(const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_attribute_text(store *it, hid_t object, const char *name, const char *text)
{
    const hid_t type = text_type(text);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    it->failed |= attribute < 0 || H5Awrite(attribute, type, text) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

static void put_attribute_number(store *it, hid_t object, const char *name, double value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    it->failed |= attribute < 0 || H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
}

// A dataset of rows x columns (rows 0: one value, columns 0: one dimension), with its unit if it
// has one. Groups in the path are made on the way.
static void put_array(store *it, const char *path, hid_t type, const char *unit, size_t rows,
                      size_t columns, const void *values)
{
    if (it->failed)
        return;
    const hsize_t sizes[] = {rows, columns};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space =
        rows == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(columns > 0 ? 2 : 1, sizes, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0); // the same run leaves the same bytes
    const hid_t set = H5Dcreate2(it->file, path, type, space, links, creation, H5P_DEFAULT);
    it->failed |= set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    if (set >= 0 && *unit)
        put_attribute_text(it, set, "unit", unit);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Pclose(links);
}

// The spec as an attribute of the file; one that is longer than an attribute can be, as a dataset.
static void put_spec(store *it, const char *text)
{
    if (strlen(text) < LONGEST_ATTRIBUTE) {
        put_attribute_text(it, it->file, "spec", text);
        return;
    }
    const hid_t type = text_type(text);
    put_array(it, "/spec", type, "", 0, 0, text);
    H5Tclose(type);
}

static void put(store *it, const char *path, const char *unit, size_t rows, size_t columns,
                const double *values)
{
    put_array(it, path, H5T_NATIVE_DOUBLE, unit, rows, columns, values);
}

static void put_named(store *it, const char *folder, const char *name, const char *unit,
                      size_t rows, size_t columns, const double *values)
{
    char path[320];
    snprintf(path, sizeof path, "/%s/%s", folder, name);
    put(it, path, unit, rows, columns, values);
}

static void put_curves(store *it, const lab_result *result)
{
    const lab_record *record = result->record;
    const size_t trials = (size_t)record->trials;
    for (int i = 0; i < record->rules; i++) {
        const lab_rule_record *rule = &record->rule[i];
        put_named(it, "curves", rule->name, "rRMSE", trials, 0, rule->rrmse);
        if (record->repeats > 1)
            put_named(it, "half_widths", rule->name, "rRMSE", trials, 0, rule->half_width);
        put_named(it, "weights", rule->name, "1", (size_t)rule->bases, 0, rule->weights);
        if (rule->gain)
            put_named(it, "gain", rule->name, "1", trials, 0, rule->gain);
        if (rule->worst_window)
            put_named(it, "windows", rule->name, "1", trials, 0, rule->worst_window);
        if (rule->model.peak_ms) {
            put_named(it, "models/peak_ms", rule->name, "ms", trials, 0, rule->model.peak_ms);
            put_named(it, "models/right_ms", rule->name, "ms", trials, 0, rule->model.right_ms);
            put_named(it, "models/off_ms", rule->name, "ms", trials, 0, rule->model.off_ms);
        }
        if (rule->responses.peak_ms) {
            put_named(it, "responses/onset_ms", rule->name, "ms", trials, 0,
                      rule->responses.onset_ms);
            put_named(it, "responses/peak_ms", rule->name, "ms", trials, 0,
                      rule->responses.peak_ms);
            put_named(it, "responses/amplitude", rule->name, "task units", trials, 0,
                      rule->responses.amplitude);
        }
    }
    put(it, "/curves/optimum", "rRMSE", trials, 0, record->optimum);
    if (!record->nonlinear)
        put(it, "/weights/optimum", "1", (size_t)record->bases, 0, record->w_optimum);
}

// 0, step, 2 step, …
static void put_axis(store *it, const char *path, const char *unit, size_t count, double first,
                     double step)
{
    double *values = malloc(count * sizeof *values);
    it->failed |= !values;
    for (size_t i = 0; values && i < count; i++)
        values[i] = first + (double)i * step;
    if (values)
        put(it, path, unit, count, 0, values);
    free(values);
}

static void put_signals(store *it, const lab_result *result)
{
    const lab_record *record = result->record;
    const size_t n = (size_t)record->steps, g = (size_t)record->bases;
    put_axis(it, "/curves/trial", "trial", (size_t)record->trials, 1, 1);
    put_axis(it, "/signals/time_s", "s", n, 0, record->step_s);
    put(it, "/signals/r", "task units", n, 0, record->signals.r_last);
    put(it, "/signals/y_first", "task units", n, 0, record->signals.y_first);
    put(it, "/signals/y_last", "task units", n, 0, record->signals.y_last);
    put(it, "/signals/e_first", "task units", n, 0, record->signals.e_first);
    put(it, "/signals/e_last", "task units", n, 0, record->signals.e_last);
    put(it, "/signals/o_last", "task units", n, 0, record->signals.o_last);
    put(it, "/signals/u_last", "command units", n, 0, record->signals.u_last);
    put(it, "/signals/m_first", "task units", n, 0, record->signals.m_first);
    put(it, "/signals/m_last", "task units", n, 0, record->signals.m_last);
    put(it, "/signals/response", "task units per unit pulse", n, 0, record->signals.response);
    put(it, "/traces/basis", "1", n, g, record->x);
    put(it, "/traces/trace", "1", n, g, record->traces);
    if (record->scan_count == 0)
        return;
    put(it, "/delays/delay_ms", "ms", (size_t)record->scan_count, 0, record->scan_delay_ms);
    put(it, "/delays/rrmse", "rRMSE", (size_t)record->scan_count, 0, record->scan_rrmse);
}

// The last trial of each phase, by rule.
static void put_phases(store *it, const lab_result *result)
{
    const lab_record *record = result->record;
    const size_t n = (size_t)record->steps;
    for (int p = 0; p < result->spec->phases.count; p++)
        for (int i = 0; i < record->rules; i++) {
            const lab_phase_signals *last = &record->rule[i].last[p];
            char folder[256];
            snprintf(folder, sizeof folder, "phases/%.100s/%.100s",
                     lab_phases(result->spec)[p].name, record->rule[i].name);
            put_named(it, folder, "r", "task units", n, 0, last->r);
            put_named(it, folder, "y", "task units", n, 0, last->y);
            put_named(it, folder, "e", "task units", n, 0, last->e);
            put_named(it, folder, "o", "task units", n, 0, last->o);
            put_named(it, folder, "u", "command units", n, 0, last->u);
        }
}

// What was tried of each constant of a rule, and what it came to.
static void put_tuning(store *it, const char *rule, const lab_tuning *tuning)
{
    const size_t count = (size_t)tuning->evaluations, row = (size_t)tuning->constants;
    char folder[128];
    double *values = calloc(count, sizeof *values);
    it->failed |= !values;
    snprintf(folder, sizeof folder, "tuning/%s", rule);
    for (size_t i = 0; values && i < row; i++) {
        for (size_t k = 0; k < count; k++)
            values[k] = tuning->values[k * row + i];
        put_named(it, folder, tuning->keys[i].text, lab_unit(tuning->keys[i].text), count, 0,
                  values);
    }
    if (values)
        put_named(it, folder, "rrmse", "rRMSE", count, 0, tuning->error);
    free(values);
}

// What was tuned, and each number of synapses.
static void put_sweeps(store *it, const lab_result *result)
{
    const lab_record *record = result->record;
    for (int i = 0; i < record->rules; i++)
        if (lab_tuning_of(record, i))
            put_tuning(it, record->rule[i].name, lab_tuning_of(record, i));
    for (int i = 0; i < record->scale_sizes; i++) {
        char folder[64];
        snprintf(folder, sizeof folder, "scale/%d", record->scale[i].synapses);
        put_named(it, folder, "rrmse", "rRMSE", (size_t)record->scale_trials, 0,
                  record->scale[i].rrmse);
        put_named(it, folder, "rate", "1", 0, 0, &record->scale[i].rate);
        put_named(it, folder, "lambda_max", "1", 0, 0, &record->scale[i].lambda_max);
    }
}

// A measure's dotted name becomes a path below the folder.
static void put_measure(store *it, const char *folder, const char *name, size_t rows,
                        const double *values)
{
    char path[256];
    snprintf(path, sizeof path, "%s", name);
    for (char *dot; (dot = strchr(path, '.'));)
        *dot = '/';
    put_named(it, folder, path, lab_unit(name), rows, 0, values);
}

static void put_summary(store *it, const lab_measures *measures)
{
    for (int i = 0; i < measures->count; i++)
        put_measure(it, "summary", measures->measure[i].name, 0, &measures->measure[i].value);
    for (int i = 0; i < measures->claims && !it->failed; i++) {
        const lab_claim *claim = &measures->claim[i];
        char path[192];
        put_named(it, "claims", claim->spec->name, lab_unit(claim->spec->measure), 0, 0,
                  &claim->measured);
        snprintf(path, sizeof path, "/claims/%s", claim->spec->name);
        const hid_t set = H5Dopen2(it->file, path, H5P_DEFAULT);
        put_attribute_text(it, set, "says", claim->spec->says);
        put_attribute_text(it, set, "measure", claim->spec->measure);
        put_attribute_number(it, set, "low", claim->spec->low);
        put_attribute_number(it, set, "high", claim->spec->high);
        put_attribute_number(it, set, "pass", claim->applies ? claim->pass : NAN);
        H5Dclose(set);
    }
}

// The spec as it was run, and the settings that made it so.
static void put_about(store *it, const lab_spec *spec, const lab_origin *origin)
{
    char *settings = lab_applied_text(spec);
    it->failed |= !settings;
    put_attribute_text(it, it->file, "name", spec->name);
    put_attribute_text(it, it->file, "title", spec->title);
    put_attribute_text(it, it->file, "version", CFPC_VERSION);
    put_spec(it, origin->text);
    put_attribute_text(it, it->file, "settings", settings ? settings : "");
    free(settings);
    put_attribute_text(it, it->file, "mode",
                       spec->learning.mode == LAB_ONLINE ? "online" : "batch");
    put_attribute_text(it, it->file, "rule", lab_rules(spec)[spec->main_rule].name);
    put_attribute_number(it, it->file, "modified", spec->modified);
}

// The finished file's bytes; NULL on failure.
static void *take_image(store *it, size_t *bytes)
{
    if (it->failed || H5Fflush(it->file, H5F_SCOPE_GLOBAL) < 0)
        return NULL;
    const ssize_t length = H5Fget_file_image(it->file, NULL, 0);
    void *image = length > 0 ? malloc((size_t)length) : NULL;
    if (image && H5Fget_file_image(it->file, image, (size_t)length) != length) {
        free(image);
        return NULL;
    }
    *bytes = (size_t)length;
    return image;
}

// What puts a result into the file.
typedef void filler(store *it, const void *context);

typedef struct contents {
    const char *name;
    filler *fill;
    const void *context;
} contents;

// The image of a file, from a process of its own: without memory HDF5 may crash, exit, or say
// nothing of it.
static lab_outcome make_image(const void *context, lab_bytes *bytes, lab_why *why)
{
    const contents *of = context;
    size_t size = 0;
    errno = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const bool in_memory = H5Pset_fapl_core(access, 1 << 20, 0) >= 0; // no file behind it
    store it = {.file = in_memory ? H5Fcreate(of->name, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                  : H5I_INVALID_HID};
    it.failed = it.file < 0;
    if (!it.failed)
        of->fill(&it, of->context);
    void *image = take_image(&it, &size);
    lab_outcome outcome = LAB_DONE;
    if (errno == ENOMEM)
        outcome = lab_no_memory(why, NULL);
    else if (!image)
        outcome = lab_fail(why, "HDF5 could not write it; most likely memory ran out");
    else
        lab_bytes_add(bytes, image, size);
    free(image);
    H5Fclose(it.file);
    H5Pclose(access);
    return outcome;
}

static lab_outcome write_file(lab_folder *folder, const char *name, filler *fill,
                              const void *context, lab_why *why)
{
    const contents of = {.name = name, .fill = fill, .context = context};
    lab_bytes image;
    lab_why reason = {0};
    FILE *file;
    lab_outcome outcome = lab_apart(make_image, &of, &image, &reason);
    if (outcome != LAB_DONE)
        lab_say(why, "%s/%s: %.500s", folder->path, name, reason.text);
    else
        outcome = lab_folder_create(folder, name, &file, why);
    if (outcome == LAB_DONE) {
        fwrite(image.at, 1, image.count, file);
        outcome = lab_folder_close(folder, file, why);
    }
    free(image.at);
    return outcome;
}

static void put_result(store *it, const void *context)
{
    const lab_result *result = context;
    put_about(it, result->spec, result->origin);
    put_attribute_text(it, it->file, "taught_by",
                       lab_teacher_name(result->record->rule[result->record->main_rule].teacher));
    put_curves(it, result);
    put_signals(it, result);
    put_phases(it, result);
    put_sweeps(it, result);
    put_summary(it, result->measures);
}

lab_outcome lab_write_hdf5(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return write_file(folder, "result.h5", put_result, result, why);
}

// ---- sweep.h5 --------------------------------------------------------------------------------

static size_t longest(size_t count, const char *const *texts)
{
    size_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = strlen(texts[i]) > most ? strlen(texts[i]) : most;
    return most;
}

// A dataset of texts, all with the room of the longest.
static void put_texts(store *it, const char *path, size_t count, const char *const *texts)
{
    const size_t width = longest(count, texts) + 1;
    char *padded = it->failed ? NULL : calloc(count, width);
    it->failed |= !padded;
    if (it->failed)
        return;
    for (size_t i = 0; i < count; i++)
        memcpy(padded + i * width, texts[i], strlen(texts[i]));
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width);
    H5Tset_cset(type, H5T_CSET_UTF8);
    put_array(it, path, type, "", count, 0, padded);
    H5Tclose(type);
    free(padded);
}

// What an axis has at each point.
static void put_axis_values(store *it, const lab_sweep *sweep, int axis)
{
    const lab_axis *of = &sweep->grid->axes[axis];
    const size_t points = (size_t)sweep->points;
    char path[256];
    snprintf(path, sizeof path, "/keys/%s", of->key);
    double *numbers = calloc(points, sizeof *numbers);
    const char **texts = calloc(points, sizeof *texts);
    it->failed |= !numbers || !texts;
    for (size_t p = 0; !it->failed && p < points; p++) {
        const int value = lab_grid_index(sweep->grid, axis, (int)p);
        texts[p] = of->texts[value];
        numbers[p] = of->numbers ? of->numbers[value] : 0;
    }
    if (!it->failed && of->numbers)
        put(it, path, lab_key_unit(of->key), points, 0, numbers);
    else if (!it->failed)
        put_texts(it, path, points, texts);
    free(numbers);
    free(texts);
}

static void put_status(store *it, const lab_sweep *sweep)
{
    const size_t points = (size_t)sweep->points;
    const char **texts = calloc(points, sizeof *texts);
    it->failed |= !texts;
    for (size_t p = 0; texts && p < points; p++)
        texts[p] = lab_point_status(&sweep->point[p]);
    if (texts)
        put_texts(it, "/status", points, texts);
    for (size_t p = 0; texts && p < points; p++)
        texts[p] = sweep->point[p].why;
    if (texts)
        put_texts(it, "/why", points, texts);
    free(texts);
}

static void put_sweep(store *it, const void *context)
{
    const lab_swept *swept = context;
    const lab_sweep *sweep = swept->sweep;
    put_about(it, sweep->spec, swept->origin);
    for (int i = 0; i < sweep->grid->count; i++)
        put_axis_values(it, sweep, i);
    put_status(it, sweep);
    for (int i = 0; i < swept->columns; i++)
        put_measure(it, "measures", swept->names[i], (size_t)sweep->points,
                    lab_swept_column(swept, i));
}

lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why)
{
    return write_file(folder, "sweep.h5", put_sweep, swept, why);
}

#else

bool lab_has_hdf5(void)
{
    return false;
}

lab_outcome lab_write_hdf5(lab_folder *folder, const lab_result *result, lab_why *why)
{
    (void)folder;
    (void)result;
    (void)why;
    return LAB_DONE;
}

lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why)
{
    (void)folder;
    (void)swept;
    (void)why;
    return LAB_DONE;
}

#endif
