// SPDX-License-Identifier: Apache-2.0
// hdf5: result.h5 and sweep.h5, and the only place that names HDF5. A file is made in memory and
// written like every other, so that a disk that is full is noticed in the one way there is.
#include <math.h>

#include "base/apart.h"
#include "write/about.h"
#include "write/datasets.h"

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

// Texts of this many bytes each, in UTF-8.
static hid_t text_type(size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static void put_attribute(store *store, hid_t object, const char *name, hid_t type,
                          const void *value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    store->failed |= attribute < 0 || H5Awrite(attribute, type, value) < 0;
    H5Aclose(attribute);
    H5Sclose(space);
}

static void put_attribute_text(store *store, hid_t object, const char *name, const char *text)
{
    const hid_t type = text_type(strlen(text) + 1);
    put_attribute(store, object, name, type, text);
    H5Tclose(type);
}

static void put_attribute_number(store *store, hid_t object, const char *name, double value)
{
    put_attribute(store, object, name, H5T_NATIVE_DOUBLE, &value);
}

// A dataset of rows x columns (rows 0: one value, columns 0: one dimension), with its unit if it
// has one. Groups in the path are made on the way.
static void hdf5_put_array(store *store, const char *path, hid_t type, const char *unit,
                           size_t rows, size_t columns, const void *values)
{
    if (store->failed)
        return;
    const hsize_t sizes[] = {rows, columns};
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space =
        rows == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(columns > 0 ? 2 : 1, sizes, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0); // the same run leaves the same bytes
    const hid_t set = H5Dcreate2(store->file, path, type, space, links, creation, H5P_DEFAULT);
    store->failed |= set < 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    if (set >= 0 && *unit)
        put_attribute_text(store, set, "unit", unit);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Pclose(links);
}

static void hdf5_put(store *store, const char *path, const char *unit, size_t rows, size_t columns,
                     const double *values)
{
    hdf5_put_array(store, path, H5T_NATIVE_DOUBLE, unit, rows, columns, values);
}

static void put_dataset(store *store, const lab_dataset *dataset)
{
    const lab_claim *claim = dataset->claim;
    char path[512];
    snprintf(path, sizeof path, "/%s", dataset->name);
    hdf5_put(store, path, dataset->unit, dataset->shape[0], dataset->shape[1], dataset->values);
    if (!claim || store->failed)
        return;
    const hid_t set = H5Dopen2(store->file, path, H5P_DEFAULT);
    put_attribute_text(store, set, "says", claim->spec->says);
    put_attribute_text(store, set, "measure", claim->spec->measure);
    put_attribute_number(store, set, "low", claim->spec->low);
    put_attribute_number(store, set, "high", claim->spec->high);
    put_attribute_number(store, set, "pass", claim->applies ? claim->pass : NAN);
    H5Dclose(set);
}

// The spec as it was run, and the settings that made it so. A spec that is longer than an attribute
// can be is a dataset.
static void put_about(store *store, const lab_spec *spec, const lab_origin *origin)
{
    static const char *const names[] = {"name",     "title", "version", "spec",
                                        "settings", "mode",  "rule"};
    lab_about about;
    store->failed |= !lab_about_make(&about, spec, origin);
    for (size_t i = 0; !store->failed && i < sizeof names / sizeof names[0]; i++) {
        const char *text = lab_about_text(&about, names[i]);
        if (strcmp(names[i], "spec") == 0 && strlen(text) >= LONGEST_ATTRIBUTE) {
            const hid_t type = text_type(strlen(text) + 1);
            hdf5_put_array(store, "/spec", type, "", 0, 0, text);
            H5Tclose(type);
        } else
            put_attribute_text(store, store->file, names[i], text);
    }
    put_attribute_number(store, store->file, "modified", spec->modified);
    lab_about_free(&about);
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
    const contents *contents = context;
    errno = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const bool in_memory = H5Pset_fapl_core(access, 1 << 20, 0) >= 0; // no file behind it
    store store = {.file = in_memory ? H5Fcreate(contents->name, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                                     : H5I_INVALID_HID};
    store.failed = store.file < 0;
    if (!store.failed)
        contents->fill(&store, contents->context);
    if (!store.failed)
        store.failed = H5Fflush(store.file, H5F_SCOPE_GLOBAL) < 0;
    const ssize_t length = store.failed ? 0 : H5Fget_file_image(store.file, NULL, 0);
    void *image = length > 0 ? malloc((size_t)length) : NULL;
    store.failed |= !image || H5Fget_file_image(store.file, image, (size_t)length) != length;
    lab_outcome outcome = LAB_DONE;
    if (errno == ENOMEM)
        outcome = lab_no_memory(why, NULL);
    else if (store.failed)
        outcome = lab_fail(why, "HDF5 could not write it; most likely memory ran out");
    else
        lab_bytes_add(bytes, image, (size_t)length);
    free(image);
    H5Fclose(store.file);
    H5Pclose(access);
    return outcome;
}

static lab_outcome hdf5_write_file(lab_folder *folder, const char *name, filler *fill,
                                   const void *context, lab_why *why)
{
    const contents contents = {.name = name, .fill = fill, .context = context};
    lab_bytes image;
    lab_why reason = {0};
    FILE *file;
    lab_outcome outcome = lab_apart(make_image, &contents, &image, &reason);
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

// A result and its numbers as a table.
typedef struct tabled {
    const lab_result *result;
    lab_datasets sets;
} tabled;

static void put_result(store *store, const void *context)
{
    const tabled *tabled = context;
    const lab_record *record = tabled->result->record;
    put_about(store, tabled->result->spec, tabled->result->origin);
    put_attribute_text(store, store->file, "taught_by",
                       lab_teacher_name(record->rule[record->main_rule].teacher));
    for (int i = 0; i < tabled->sets.count; i++)
        put_dataset(store, &tabled->sets.set[i]);
}

lab_outcome lab_write_hdf5(lab_folder *folder, const lab_result *result, lab_why *why)
{
    tabled tabled = {.result = result};
    lab_outcome outcome = lab_datasets_make(&tabled.sets, result, why);
    if (outcome == LAB_DONE)
        outcome = hdf5_write_file(folder, "result.h5", put_result, &tabled, why);
    lab_datasets_free(&tabled.sets);
    return outcome;
}

// ---- sweep.h5 --------------------------------------------------------------------------------

// A dataset of texts, all with the room of the longest.
static void hdf5_put_texts(store *store, const char *path, size_t count, const char *const *texts)
{
    size_t width = 1;
    for (size_t i = 0; !store->failed && i < count; i++)
        width = strlen(texts[i]) >= width ? strlen(texts[i]) + 1 : width;
    char *padded = store->failed ? NULL : calloc(count, width);
    store->failed |= !padded;
    if (store->failed)
        return;
    for (size_t i = 0; i < count; i++)
        memcpy(padded + i * width, texts[i], strlen(texts[i]));
    const hid_t type = text_type(width);
    hdf5_put_array(store, path, type, "", count, 0, padded);
    H5Tclose(type);
    free(padded);
}

static void put_sweep(store *store, const void *context)
{
    const lab_swept *swept = context;
    const lab_sweep *sweep = swept->sweep;
    const size_t points = (size_t)sweep->points;
    char path[256];
    double *numbers = calloc(points, sizeof *numbers);
    const char **texts = calloc(points, sizeof *texts);
    if (!numbers || !texts) {
        store->failed = true;
        free(numbers);
        free(texts);
        return;
    }
    put_about(store, sweep->spec, swept->origin);

    // What each axis has at each point: numbers, if all its values are.
    for (int i = 0; !store->failed && i < sweep->grid->count; i++) {
        const lab_axis *axis = &sweep->grid->axes[i];
        snprintf(path, sizeof path, "/keys/%s", axis->key);
        for (size_t p = 0; p < points; p++) {
            const int value = lab_grid_index(sweep->grid, i, (int)p);
            texts[p] = axis->texts[value];
            numbers[p] = axis->numbers ? axis->numbers[value] : 0;
        }
        if (axis->numbers)
            hdf5_put(store, path, lab_key_unit(axis->key), points, 0, numbers);
        else
            hdf5_put_texts(store, path, points, texts);
    }

    // How each point ended.
    for (size_t p = 0; !store->failed && p < points; p++)
        texts[p] = lab_point_status(&sweep->point[p]);
    hdf5_put_texts(store, "/status", points, texts);
    for (size_t p = 0; !store->failed && p < points; p++)
        texts[p] = sweep->point[p].why;
    hdf5_put_texts(store, "/why", points, texts);

    // The measures: a dotted name becomes a path.
    for (int i = 0; i < swept->columns; i++) {
        snprintf(path, sizeof path, "/measures/%s", swept->names[i]);
        for (char *dot; (dot = strchr(path, '.'));)
            *dot = '/';
        hdf5_put(store, path, lab_unit(swept->names[i]), points, 0, lab_swept_column(swept, i));
    }
    free(numbers);
    free(texts);
}

lab_outcome lab_write_sweep_hdf5(lab_folder *folder, const lab_swept *swept, lab_why *why)
{
    return hdf5_write_file(folder, "sweep.h5", put_sweep, swept, why);
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
