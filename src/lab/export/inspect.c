// SPDX-License-Identifier: Apache-2.0
#include "export/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/image.h"

enum { MAX_BYTES = 1 << 30 }; // of a file

static lab_outcome read_image(void **bytes, size_t *count, const char *path, lab_why *why)
{
    FILE *file = fopen(path, "rb");
    struct stat about;
    lab_outcome outcome = LAB_DONE;
    *bytes = NULL;
    if (!file || fstat(fileno(file), &about) != 0)
        outcome = lab_refuse_errno(why, "%s", path);
    else if (!S_ISREG(about.st_mode))
        outcome = lab_refuse(why, "%s: is not a file", path);
    else if (about.st_size > MAX_BYTES)
        outcome = lab_refuse(why, "%s: is longer than %d bytes", path, MAX_BYTES);
    else {
        *count = (size_t)about.st_size;
        *bytes = malloc(*count + 1);
        if (!*bytes)
            outcome = lab_no_memory(why, path);
        else if (fread(*bytes, 1, *count, file) != *count)
            outcome = lab_refuse(why, "%s: cannot be read", path);
    }
    if (file)
        fclose(file);
    return outcome;
}

static lab_outcome inspect_look(lab_inspected *inspected, const void *bytes, size_t count,
                                const char *path, lab_why *why)
{
    const cfpci_header *header = bytes;
    if (count < sizeof header->magic ||
        (header->magic != CFPC_MAGIC_MODEL && header->magic != CFPC_MAGIC_DATA))
        return lab_refuse(why, "%s: is not a model or data file of cfpc", path);
    if (count < sizeof *header)
        return lab_from_status(why, CFPC_TRUNCATED, path);
    if (header->version == CFPC_IMAGE_VERSION && count > header->bytes)
        return lab_refuse(why, "%s: has %zu bytes too many: %" PRIu64 " are the image's", path,
                          count - (size_t)header->bytes, header->bytes);
    *inspected = (lab_inspected){.is_model = header->magic == CFPC_MAGIC_MODEL,
                                 .version = header->version,
                                 .real = lab_precision_of(header->real_bytes),
                                 .bytes = header->bytes,
                                 .checksum = header->checksum};
    const lab_precision *real =
        inspected->real ? inspected->real : &lab_own_precision; // it says what is wrong
    return lab_from_status(why,
                           inspected->is_model ? real->read_model(bytes, count, &inspected->model)
                                               : real->read_data(bytes, count, &inspected->data),
                           path);
}

lab_outcome lab_inspect(lab_inspected *inspected, const char *path, lab_why *why)
{
    void *bytes;
    size_t count = 0;
    lab_outcome outcome = read_image(&bytes, &count, path, why);
    if (outcome == LAB_DONE)
        outcome = inspect_look(inspected, bytes, count, path, why);
    free(bytes);
    return outcome;
}
