// SPDX-License-Identifier: Apache-2.0
#include "write/hashed.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/reader.h"

static const char not_whole[] =
    "its hash is not that of its datasets in " LAB_HASHES_FILE
    ": a file was altered or damaged; 'cfpc run FOLDER/spec.yaml' makes the result again";

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

// A copy of the text under this key; false without memory, NULL if there is none.
static bool take_text(char **to, const lab_node *root, const char *key)
{
    const lab_node *node = lab_node_find(root, key);
    *to = node && node->kind == LAB_SCALAR ? strdup(node->text) : NULL;
    return *to || !node || node->kind != LAB_SCALAR;
}

static lab_outcome read_root(lab_hashed *hashed, const char *file, const lab_node *root,
                             lab_why *why)
{
    char *hash = NULL;
    const bool whole = take_text(&hashed->name, root, "name") &&
                       take_text(&hashed->version, root, "version") &&
                       take_text(&hashed->real, root, "real") && take_text(&hash, root, "hash");
    lab_outcome outcome = LAB_DONE;
    if (!whole)
        outcome = lab_no_memory(why, file);
    else if (!hashed->name || !hashed->version || !hashed->real)
        outcome = lab_refuse(why, "%s: this is not the summary of a run", file);
    else if (!hash)
        outcome = lab_refuse(why,
                             "%s: has no hash; an older version wrote it: 'cfpc run "
                             "FOLDER/spec.yaml' makes the result again",
                             file);
    else if (!lab_is_hash(hash, strlen(hash)))
        outcome = lab_refuse(why, "%s: its hash is not %d hexadecimal digits: '%.40s'", file,
                             LAB_HASH_DIGITS, hash);
    else
        memcpy(hashed->hash.text, hash, sizeof hashed->hash.text);
    free(hash);
    return outcome;
}

static lab_outcome hashed_read_summary(lab_hashed *hashed, const char *file, const char *text,
                                       lab_why *why)
{
    lab_node *root;
    lab_why reason;
    lab_outcome outcome = lab_parse(&root, file, text, strlen(text), &reason);
    if (outcome == LAB_REFUSED)
        return lab_refuse(why, "%s: this is not the summary of a run", file);
    if (outcome != LAB_DONE) {
        *why = reason;
        return outcome;
    }
    outcome = read_root(hashed, file, root, why);
    lab_node_free(root);
    return outcome;
}

// ---- hashes.csv ------------------------------------------------------------------------------

static bool hashed_is_plain(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && (unsigned char)line[i] >= ' ' && line[i] != 0x7f)
        i++;
    return i == length;
}

// The hash, or nothing; the shape; the name.
static bool is_row(const char *line, size_t length)
{
    const char *shape = memchr(line, ',', length);
    const char *name = shape ? memchr(shape + 1, ',', length - (size_t)(shape + 1 - line)) : NULL;
    return name && name + 1 < line + length && hashed_is_plain(line, length) &&
           (shape == line || lab_is_hash(line, (size_t)(shape - line)));
}

static lab_outcome hashed_add_row(lab_hashed *hashed, const char *line, size_t length, lab_why *why)
{
    lab_hashed_row *row = realloc(hashed->row, ((size_t)hashed->count + 1) * sizeof *row);
    if (!row)
        return lab_no_memory(why, NULL);
    hashed->row = row;
    row += hashed->count++;
    const char *shape = strchr(line, ','), *name = strchr(shape + 1, ',');
    *row = (lab_hashed_row){
        .shape = strndup(shape + 1, (size_t)(name - shape - 1)),
        .name = strndup(name + 1, (size_t)(line + length - name - 1)),
    };
    memcpy(row->hash.text, line, (size_t)(shape - line));
    return row->shape && row->name ? LAB_DONE : lab_no_memory(why, NULL);
}

static lab_outcome read_hashes(lab_hashed *hashed, const char *file, const char *text, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    int number = 1;
    for (const char *line = text; outcome == LAB_DONE && *line; number++) {
        const size_t length = strcspn(line, "\n");
        if (number == 1 ? strncmp(line, LAB_HASHES_HEADER "\n", length + 1) != 0
                        : !is_row(line, length))
            outcome = lab_refuse(why, "%s:%d: this is not a row of hashes", file, number);
        else if (number > 1)
            outcome = hashed_add_row(hashed, line, length, why);
        line += length + (line[length] == '\n');
    }
    if (outcome == LAB_DONE && hashed->count == 0)
        outcome = lab_refuse(why, "%s: holds no hashes", file);
    return outcome;
}

// ---- both ------------------------------------------------------------------------------------

typedef lab_outcome taking(lab_hashed *it, const char *file, const char *text, lab_why *why);

static lab_outcome hashed_read_file(lab_hashed *hashed, const char *folder, const char *name,
                                    taking *take, lab_why *why)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *file = malloc(size), *text = NULL;
    if (!file)
        return lab_no_memory(why, NULL);
    snprintf(file, size, "%s/%s", folder, name);
    lab_why reason;
    lab_outcome outcome = lab_read_regular(&text, file, LAB_CSV_BYTES, &reason);
    if (outcome == LAB_DONE)
        outcome = take(hashed, file, text, why);
    else if (outcome == LAB_REFUSED)
        outcome =
            lab_refuse(why, "%.900s; a result is a folder that 'cfpc run' has left", reason.text);
    else
        *why = reason;
    free(text);
    free(file);
    return outcome;
}

static lab_outcome check_hash(const lab_hashed *hashed, const char *folder, lab_why *why)
{
    uint64_t hash = LAB_HASH_START;
    for (int i = 0; i < hashed->count; i++)
        if (*hashed->row[i].hash.text)
            hash = lab_hash_next(hash, strtoull(hashed->row[i].hash.text, NULL, 16));
    return strcmp(lab_hash_in_hex(hash).text, hashed->hash.text) == 0
               ? LAB_DONE
               : lab_refuse(why, "%s: %s", folder, not_whole);
}

lab_outcome lab_hashed_read(lab_hashed *hashed, const char *folder, lab_why *why)
{
    *hashed = (lab_hashed){0};
    lab_outcome outcome =
        hashed_read_file(hashed, folder, "summary.json", hashed_read_summary, why);
    if (outcome == LAB_DONE)
        outcome = hashed_read_file(hashed, folder, LAB_HASHES_FILE, read_hashes, why);
    return outcome == LAB_DONE ? check_hash(hashed, folder, why) : outcome;
}
