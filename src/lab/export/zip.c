// SPDX-License-Identifier: Apache-2.0
#include "export/zip.h"

#include <string.h>

enum {
    VERSION = 20,        // of the format that a reader needs: folders in names
    UNIX = 3,            // the attributes below are those of Unix
    DATE = 1 << 5 | 1,   // the first day
    READABLE = 0100644,  // a file that everybody may read
    LOCAL_BYTES = 30,    // of the header before a file, without its name
    CENTRAL_BYTES = 46,  // of its entry in the directory
    LARGEST = 0x7fffffff // whole archive; readers disagree on more
};

// CRC-32 as in IEEE 802.3.
static uint32_t checksum_of(const unsigned char *bytes, size_t count)
{
    uint32_t sum = 0xffffffff;
    for (size_t k = 0; k < count; k++) {
        sum ^= bytes[k];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum;
}

// A number of this many bytes, the least significant first.
static void zip_put(FILE *file, uint32_t number, int bytes)
{
    for (int k = 0; k < bytes; k++)
        putc((int)(number >> 8 * k & 0xff), file);
}

// What the header of a file and its entry in the directory have in common.
static void put_facts(FILE *file, const lab_zip_entry *zip_entry)
{
    zip_put(file, VERSION, 2);
    zip_put(file, 0, 2); // flags
    zip_put(file, 0, 2); // not compressed
    zip_put(file, 0, 2); // midnight
    zip_put(file, DATE, 2);
    zip_put(file, zip_entry->checksum, 4);
    zip_put(file, zip_entry->bytes, 4); // compressed
    zip_put(file, zip_entry->bytes, 4);
    zip_put(file, (uint32_t)strlen(zip_entry->name), 2);
    zip_put(file, 0, 2); // no extra field
}

void lab_zip_add(lab_zip *zip, const char *name, const void *bytes, size_t count)
{
    const uint64_t end = zip->used + LOCAL_BYTES + strlen(name) + count;
    zip->too_large |= zip->count == LAB_ZIP_FILES || strlen(name) >= LAB_ZIP_NAME || end > LARGEST;
    if (zip->too_large)
        return;
    lab_zip_entry *zip_entry = &zip->entry[zip->count++];
    snprintf(zip_entry->name, sizeof zip_entry->name, "%s", name);
    zip_entry->checksum = checksum_of(bytes, count);
    zip_entry->bytes = (uint32_t)count;
    zip_entry->at = (uint32_t)zip->used;
    fputs("PK\3\4", zip->file);
    put_facts(zip->file, zip_entry);
    fputs(zip_entry->name, zip->file);
    fwrite(bytes, 1, count, zip->file);
    zip->used = end;
}

static void put_entry(FILE *file, const lab_zip_entry *zip_entry)
{
    fputs("PK\1\2", file);
    zip_put(file, UNIX << 8 | VERSION, 2);
    put_facts(file, zip_entry);
    zip_put(file, 0, 2); // no comment
    zip_put(file, 0, 2); // on the first disk
    zip_put(file, 0, 2); // no text
    zip_put(file, (uint32_t)READABLE << 16, 4);
    zip_put(file, zip_entry->at, 4);
    fputs(zip_entry->name, file);
}

bool lab_zip_end(lab_zip *zip)
{
    uint32_t bytes = 0;
    for (int i = 0; i < zip->count; i++) {
        put_entry(zip->file, &zip->entry[i]);
        bytes += CENTRAL_BYTES + (uint32_t)strlen(zip->entry[i].name);
    }
    fputs("PK\5\6", zip->file);
    zip_put(zip->file, 0, 4); // one disk
    zip_put(zip->file, (uint32_t)zip->count, 2);
    zip_put(zip->file, (uint32_t)zip->count, 2);
    zip_put(zip->file, bytes, 4);
    zip_put(zip->file, (uint32_t)zip->used, 4);
    zip_put(zip->file, 0, 2); // no comment
    return !zip->too_large;
}
