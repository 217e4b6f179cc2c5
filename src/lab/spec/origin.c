// SPDX-License-Identifier: Apache-2.0
#include "spec/origin.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "spec/table_print.h"

static const char prefix[] = "input-"; // no file of a result begins so

void lab_origin_free(lab_origin *origin)
{
    for (int i = 0; i < origin->count; i++) {
        free(origin->input[i].path);
        free(origin->input[i].copy);
        free(origin->input[i].text);
    }
    free(origin->input);
    free(origin->text);
    *origin = (lab_origin){0};
}

// ---- the copies' names -----------------------------------------------------------------------

static bool origin_is_taken(const lab_origin *origin, const char *copy)
{
    for (int i = 0; i < origin->count; i++)
        if (strcmp(origin->input[i].copy, copy) == 0)
            return true;
    return false;
}

// The last part of the path after the prefix, which a copy of a copy has already; a second file of
// that name gets a -2 before its ending. NULL without memory.
static char *copy_name(const lab_origin *origin, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const bool has_prefix = strncmp(name, prefix, strlen(prefix)) == 0;
    const char *dot = strrchr(name, '.');
    const int stem = dot ? (int)(dot - name) : (int)strlen(name);
    for (int i = 1;; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        char *copy =
            lab_text_of("%s%.*s%s%s", has_prefix ? "" : prefix, stem, name, number, dot ? dot : "");
        for (char *c = copy; c && *c; c++) // the list of a result's files has one per line
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                *c = '_';
        if (!copy || !origin_is_taken(origin, copy))
            return copy;
        free(copy);
    }
}

// What the copy of a file is called that the spec calls so.
static const char *name_of_copy(void *context, const char *name)
{
    lab_origin *origin = context;
    char *path = lab_spec_path(origin->spec, name);
    for (int i = 0; path && i < origin->count; i++)
        if (strcmp(origin->input[i].path, path) == 0) {
            free(path);
            return origin->input[i].copy;
        }
    lab_input *input =
        path ? realloc(origin->input, ((size_t)origin->count + 1) * sizeof *input) : NULL;
    if (input)
        origin->input = input;
    char *copy = input ? copy_name(origin, path) : NULL;
    if (!copy) {
        free(path);
        origin->failed = true;
        return name;
    }
    origin->input[origin->count++] = (lab_input){.path = path, .copy = copy};
    return copy;
}

lab_outcome lab_origin_update(lab_origin *origin, lab_why *why)
{
    const lab_renamer renamer = {.name = name_of_copy, .context = origin};
    lab_written to;
    lab_written_open(&to);
    if (to.file)
        lab_print_table(to.file, &lab_spec_table, origin->spec, &renamer);
    free(origin->text);
    origin->text = lab_written_close(&to);
    return origin->text && !origin->failed ? LAB_DONE : lab_no_memory(why, NULL);
}

lab_outcome lab_origin_make(lab_origin *origin, const lab_spec *spec, lab_why *why)
{
    *origin = (lab_origin){.spec = spec};
    return lab_origin_update(origin, why);
}

lab_outcome lab_origin_add(lab_origin *origin, const lab_settings *settings, lab_why *why)
{
    for (int i = 0; i < settings->count; i++) {
        const lab_setting *setting = &settings->items[i];
        if (lab_names_file(setting->path) && setting->value->text)
            name_of_copy(origin, setting->value->text);
    }
    return origin->failed ? lab_no_memory(why, NULL) : LAB_DONE;
}

// ---- written ---------------------------------------------------------------------------------

static lab_outcome origin_write_text(lab_folder *folder, const char *name, const char *text,
                                     lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, name, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fputs(text, file);
    return lab_folder_close(folder, file, why);
}

// What a file holds; NULL if it cannot be read.
static lab_outcome read_input(char **text, const lab_input *input, lab_why *why)
{
    const lab_outcome outcome = lab_read_regular(text, input->path, LAB_CSV_BYTES, why);
    return outcome == LAB_REFUSED ? LAB_DONE : outcome;
}

lab_outcome lab_origin_keep(lab_origin *origin, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < origin->count; i++)
        outcome = read_input(&origin->input[i].text, &origin->input[i], why);
    origin->kept = outcome == LAB_DONE;
    return outcome;
}

lab_outcome lab_write_inputs(lab_folder *folder, const lab_origin *origin, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (int i = 0; outcome == LAB_DONE && i < origin->count; i++) {
        const lab_input *input = &origin->input[i];
        char *read = NULL; // now, if it was not kept
        if (!origin->kept)
            outcome = read_input(&read, input, why);
        const char *text = origin->kept ? input->text : read;
        if (outcome == LAB_DONE && text)
            outcome = origin_write_text(folder, input->copy, text, why);
        free(read);
    }
    return outcome;
}

lab_outcome lab_write_spec(lab_folder *folder, const lab_origin *origin, lab_why *why)
{
    return origin_write_text(folder, "spec.yaml", origin->text, why);
}

lab_outcome lab_write_origin(lab_folder *folder, const lab_origin *origin, lab_why *why)
{
    const lab_outcome outcome = lab_write_spec(folder, origin, why);
    return outcome == LAB_DONE ? lab_write_inputs(folder, origin, why) : outcome;
}

char *lab_applied_text(const lab_spec *spec)
{
    lab_written to;
    lab_written_open(&to);
    for (int i = 0; to.file && i < spec->applied.count; i++)
        fprintf(to.file, "%s\n", spec->applied.items[i]);
    return lab_written_close(&to);
}
