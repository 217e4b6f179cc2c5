// SPDX-License-Identifier: Apache-2.0
// store: models and data in files. The file is the image, byte for byte.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfpc/compile.h"

// Writes a file completely or not at all: to a temporary name first, then renamed.
static cfpc_status store_write_file(const char *path, const void *bytes, size_t count)
{
    const size_t length = strlen(path);
    char *beside = malloc(length + sizeof ".new");
    if (!beside)
        return CFPC_NO_MEMORY;
    memcpy(beside, path, length);
    memcpy(beside + length, ".new", sizeof ".new");
    FILE *file = fopen(beside, "wb");
    cfpc_status status = file ? CFPC_OK : CFPC_NO_WRITE;
    if (file) {
        const bool written = fwrite(bytes, 1, count, file) == count;
        const bool closed = fclose(file) == 0;
        if (!written || !closed || rename(beside, path) != 0) {
            remove(beside);
            status = CFPC_NO_WRITE;
        }
    }
    free(beside);
    return status;
}

static cfpc_status store_read_file(const char *path, void **bytes, size_t *count)
{
    *bytes = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return CFPC_NO_FILE;
    (void)fgetc(file); // a folder can be opened, but not read
    const bool is_sought = !ferror(file) && fseek(file, 0, SEEK_END) == 0;
    const long length = is_sought ? ftell(file) : -1;
    cfpc_status status = length >= 0 && fseek(file, 0, SEEK_SET) == 0 ? CFPC_OK : CFPC_NO_READ;
    if (status == CFPC_OK) {
        *count = (size_t)length;
        *bytes = malloc(*count + 1);
        status = *bytes ? CFPC_OK : CFPC_NO_MEMORY;
    }
    if (status == CFPC_OK && fread(*bytes, 1, *count, file) != *count)
        status = CFPC_NO_READ;
    fclose(file);
    if (status != CFPC_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

cfpc_status cfpc_model_save(const cfpc_model *model, const char *path)
{
    return model ? store_write_file(path, model, cfpc_model_bytes(model)) : CFPC_MISSING;
}

cfpc_status cfpc_model_load(const cfpc_model **model, const char *path)
{
    void *bytes;
    size_t count;
    *model = NULL;
    cfpc_status status = store_read_file(path, &bytes, &count);
    if (status == CFPC_OK)
        status = cfpc_model_check(model, bytes, count);
    if (status != CFPC_OK)
        free(bytes);
    return status;
}

cfpc_status cfpc_data_save(cfpc_data *data, const char *path)
{
    if (!data)
        return CFPC_MISSING;
    cfpc_data_seal(data);
    return store_write_file(path, data, cfpc_data_bytes(data));
}

cfpc_status cfpc_data_load(const cfpc_model *model, cfpc_data *data, const char *path)
{
    void *bytes;
    size_t count;
    cfpc_status status = store_read_file(path, &bytes, &count);
    if (status == CFPC_OK)
        status = cfpc_data_restore(model, data, bytes, count);
    free(bytes);
    return status;
}
