// SPDX-License-Identifier: Apache-2.0
#include "write/hashed.h"

#include <stdlib.h>
#include <string.h>

#include "write/finished.h"

void lab_hashed_free(lab_hashed *hashed)
{
    for (int i = 0; i < hashed->count; i++) {
        free(hashed->row[i].shape);
        free(hashed->row[i].name);
    }
    free(hashed->row);
    free(hashed->name);
    free(hashed->version);
    free(hashed->real);
    *hashed = (lab_hashed){0};
}

// ---- summary.json ----------------------------------------------------------------------------

static lab_outcome hashed_read_summary(lab_hashed *hashed, const char *file, const lab_node *root,
                                       lab_why *why)
{
    const char *name = lab_summary_text(root, "name"), *version = lab_summary_text(root, "version"),
               *real = lab_summary_text(root, "real"), *hash = lab_summary_text(root, "hash");
    if (!name || !version || !real)
        return lab_refuse(why, "%s: this is not the summary of a run", file);
    if (!hash)
        return lab_refuse(why,
                          "%s: has no hash; an older version wrote it: 'cfpc run "
                          "FOLDER/spec.yaml' makes the result again",
                          file);
    if (!lab_is_hash(hash, strlen(hash)))
        return lab_refuse(why, "%s: its hash is not %d hexadecimal digits: '%.40s'", file,
                          LAB_HASH_DIGITS, hash);
    memcpy(hashed->hash.text, hash, sizeof hashed->hash.text);
    hashed->name = strdup(name);
    hashed->version = strdup(version);
    hashed->real = strdup(real);
    return hashed->name && hashed->version && hashed->real ? LAB_DONE : lab_no_memory(why, file);
}

// ---- hashes.csv ------------------------------------------------------------------------------

// Adds a row: the hash, or nothing; the shape; the name.
static lab_outcome hashed_add_row(lab_hashed *hashed, const char *file, int number,
                                  const char *line, size_t length, lab_why *why)
{
    const char *shape = memchr(line, ',', length);
    const char *name = shape ? memchr(shape + 1, ',', length - (size_t)(shape + 1 - line)) : NULL;
    bool good = name && name + 1 < line + length &&
                (shape == line || lab_is_hash(line, (size_t)(shape - line)));
    for (size_t i = 0; i < length; i++)
        good &= (unsigned char)line[i] >= ' ' && line[i] != 0x7f;
    if (!good)
        return lab_refuse(why, "%s:%d: this is not a row of hashes", file, number);
    lab_hashed_row *row = realloc(hashed->row, ((size_t)hashed->count + 1) * sizeof *row);
    if (!row)
        return lab_no_memory(why, NULL);
    hashed->row = row;
    row += hashed->count++;
    *row = (lab_hashed_row){.shape = strndup(shape + 1, (size_t)(name - shape - 1)),
                            .name = strndup(name + 1, (size_t)(line + length - name - 1))};
    memcpy(row->hash.text, line, (size_t)(shape - line));
    return row->shape && row->name ? LAB_DONE : lab_no_memory(why, NULL);
}

static lab_outcome read_hashes(lab_hashed *hashed, const char *file, const char *text, lab_why *why)
{
    static const char header[] = LAB_HASHES_HEADER "\n";
    const size_t begin = strcspn(text, "\n") + 1;
    lab_outcome outcome = LAB_DONE;
    if (*text && strncmp(text, header, begin) != 0)
        return lab_refuse(why, "%s:1: this is not a row of hashes", file);
    const char *line = *text ? text + strlen(header) : text;
    for (int number = 2; outcome == LAB_DONE && *line; number++) {
        const size_t length = strcspn(line, "\n");
        outcome = hashed_add_row(hashed, file, number, line, length, why);
        line += length + (line[length] == '\n');
    }
    if (outcome == LAB_DONE && hashed->count == 0)
        outcome = lab_refuse(why, "%s: holds no hashes", file);
    return outcome;
}

// ---- both ------------------------------------------------------------------------------------

lab_outcome lab_hashed_read(lab_hashed *hashed, const char *folder, lab_why *why)
{
    static const char takes[] = "a result is a folder";
    char *file, *text;
    lab_node *root;
    *hashed = (lab_hashed){0};
    lab_outcome outcome = lab_result_summary(&file, &root, folder, takes, why);
    if (outcome == LAB_DONE)
        outcome = hashed_read_summary(hashed, file, root, why);
    lab_node_free(root);
    free(file);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_result_text(&file, &text, folder, LAB_HASHES_FILE, takes, why);
    if (outcome == LAB_DONE)
        outcome = read_hashes(hashed, file, text, why);
    free(text);
    free(file);

    // The hash of the result is made again.
    uint64_t hash = LAB_HASH_START;
    for (int i = 0; i < hashed->count; i++)
        if (*hashed->row[i].hash.text)
            hash = lab_hash_next(hash, strtoull(hashed->row[i].hash.text, NULL, 16));
    if (outcome == LAB_DONE && strcmp(lab_hash_in_hex(hash).text, hashed->hash.text) != 0)
        outcome = lab_refuse(why,
                             "%s: its hash is not that of its datasets in " LAB_HASHES_FILE
                             ": a file was altered or damaged; 'cfpc run FOLDER/spec.yaml' makes "
                             "the result again",
                             folder);
    return outcome;
}
