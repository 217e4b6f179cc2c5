// SPDX-License-Identifier: Apache-2.0
// hdf5: result.h5, and the only place that names HDF5. The file is made in memory and written like
// every other, so that a disk that is full is noticed in the one way there is.
#include "results.h"

#ifdef CFPC_HAS_HDF5

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

bool lab_has_hdf5(void)
{
    return true;
}

// A file in the making. After the first failure nothing more is done.
typedef struct store {
    hid_t file;
    bool failed;
} store;

static void put_attribute_text(store *it, hid_t object, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const hid_t space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
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

// A dataset of rows x columns (columns 0: one dimension), with its unit. Groups in the path are
// made on the way.
static void put(store *it, const char *path, const char *unit, size_t rows, size_t columns,
                const double *values)
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
    const hid_t set =
        H5Dcreate2(it->file, path, H5T_NATIVE_DOUBLE, space, links, creation, H5P_DEFAULT);
    it->failed |=
        set < 0 || H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    if (set >= 0)
        put_attribute_text(it, set, "unit", unit);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_named(store *it, const char *folder, const char *name, const char *unit,
                      size_t rows, size_t columns, const double *values)
{
    char path[192];
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
        put_named(it, "weights", rule->name, "1", (size_t)result->setup->bases, 0, rule->weights);
    }
    put(it, "/curves/optimum", "rRMSE", 0, 0, &result->setup->problem.rrmse_optimum);
    put(it, "/weights/optimum", "1", (size_t)result->setup->bases, 0,
        result->setup->problem.optimum);
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
    const lab_setup *setup = result->setup;
    const lab_record *record = result->record;
    const size_t n = (size_t)setup->steps, g = (size_t)setup->bases;
    put_axis(it, "/curves/trial", "trial", (size_t)record->trials, 1, 1);
    put_axis(it, "/signals/time_s", "s", n, 0, setup->step_s);
    put(it, "/signals/r", "task units", n, 0, setup->r);
    put(it, "/signals/y_first", "task units", n, 0, record->y_first);
    put(it, "/signals/y_last", "task units", n, 0, record->y_last);
    put(it, "/signals/e_first", "task units", n, 0, record->e_first);
    put(it, "/signals/e_last", "task units", n, 0, record->e_last);
    put(it, "/signals/o_last", "task units", n, 0, record->o_last);
    put(it, "/signals/response", "task units per unit pulse", n, 0, record->response);
    put(it, "/traces/basis", "1", n, g, setup->basis);
    put(it, "/traces/trace", "1", n, g, record->traces);
    put(it, "/delays/delay_ms", "ms", (size_t)record->scan_count, 0, record->scan_delay_ms);
    put(it, "/delays/rrmse", "rRMSE", (size_t)record->scan_count, 0, record->scan_rrmse);
}

static void put_summary(store *it, const lab_measures *measures)
{
    for (int i = 0; i < measures->count; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s", measures->measure[i].name);
        for (char *dot; (dot = strchr(path, '.'));)
            *dot = '/';
        put_named(it, "summary", path, lab_unit(path), 0, 0, &measures->measure[i].value);
    }
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
        put_attribute_number(it, set, "pass", claim->pass);
        H5Dclose(set);
    }
}

static void put_about(store *it, const lab_spec *spec)
{
    put_attribute_text(it, it->file, "name", spec->name);
    put_attribute_text(it, it->file, "title", spec->title);
    put_attribute_text(it, it->file, "version", CFPC_VERSION);
    put_attribute_text(it, it->file, "spec", spec->text);
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

static void *make_image(const lab_result *result, size_t *bytes)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 20, 0); // in memory, no file behind it
    store it = {.file = H5Fcreate("result.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access)};
    it.failed = it.file < 0;
    if (!it.failed) {
        put_about(&it, result->spec);
        put_curves(&it, result);
        put_signals(&it, result);
        put_summary(&it, result->measures);
    }
    void *image = take_image(&it, bytes);
    H5Fclose(it.file);
    H5Pclose(access);
    return image;
}

lab_outcome lab_write_hdf5(lab_folder *folder, const lab_result *result, lab_why *why)
{
    size_t bytes = 0;
    void *image = make_image(result, &bytes);
    if (!image)
        return lab_fail(why, "%s/result.h5: HDF5 could not make it", folder->path);
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "result.h5", &file, why);
    if (outcome == LAB_DONE) {
        fwrite(image, 1, bytes, file);
        outcome = lab_folder_close(folder, file, why);
    }
    free(image);
    return outcome;
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

#endif
