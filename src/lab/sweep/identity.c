// SPDX-License-Identifier: Apache-2.0
#include "sweep/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cfpc/config.h"
#include "core/image.h"
#include "spec/beside.h"

// ---- settings --------------------------------------------------------------------------------

static void put_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", to);
        else
            fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    fputc('"', to);
}

// As YAML in one line.
static void identity_put_node(FILE *to, const lab_node *node)
{
    if (node->kind == LAB_SCALAR) {
        put_quoted(to, node->text);
        return;
    }
    fputc(node->kind == LAB_MAP ? '{' : '[', to);
    for (const lab_node *child = node->child; child; child = child->next) {
        if (child->key) {
            put_quoted(to, child->key);
            fputs(": ", to);
        }
        identity_put_node(to, child);
        fputs(child->next ? ", " : "", to);
    }
    fputc(node->kind == LAB_MAP ? '}' : ']', to);
}

static void identity_put_settings(FILE *to, const lab_settings *settings)
{
    for (int i = 0; i < settings->count; i++) {
        fprintf(to, "%s = ", settings->items[i].path);
        identity_put_node(to, settings->items[i].value);
        fputc('\n', to);
    }
}

// ---- files that the spec reads ---------------------------------------------------------------

// A file that cannot be read is the point's to refuse.
static void put_file(void *to, const lab_spec *spec, const char *name)
{
    lab_why why;
    char *path = lab_spec_path(spec, name), *text = NULL;
    if (path && lab_read_regular(&text, path, LAB_CSV_BYTES, &why) == LAB_DONE)
        fprintf(to, "reads %s %016" PRIx64 "\n", name,
                cfpci_hash(CFPC_HASH_START, text, strlen(text)));
    free(text);
    free(path);
}

// ---- the whole -------------------------------------------------------------------------------

lab_outcome lab_identity_make(char **text, const lab_sweep *sweep, lab_why *why)
{
    const lab_spec *spec = sweep->spec;
    lab_written written;
    lab_written_open(&written);
    FILE *to = written.file;
    if (to) {
        fprintf(to, "version %s %s\nrule %s\nfile %s\n", CFPC_VERSION,
                CFPC_REAL_IS_FLOAT ? "float" : "double", lab_rules(spec)[spec->main_rule].name,
                spec->file);
        fputs("settings\n", to);
        identity_put_settings(to, sweep->settings);
        fputs("grid\n", to);
        for (int i = 0; i < sweep->grid->count; i++)
            identity_put_settings(to, &sweep->grid->axes[i].settings);
        lab_each_file(spec, put_file, to);
        for (int i = 0; i < sweep->grid->count; i++)
            lab_each_file_set(spec, &sweep->grid->axes[i].settings, put_file, to);
        fprintf(to, "spec\n%s\n", sweep->source->text);
    }
    *text = lab_written_close(&written);
    return *text ? LAB_DONE : lab_no_memory(why, NULL);
}

// ---- the difference between two --------------------------------------------------------------

// The word that begins a section, or a section of one line, and how another one is called.
static const struct {
    const char *word, *phrase;
} sections[] = {{"version ", "another version"},
                {"rule ", "another rule"},
                {"file ", "another path of the spec"},
                {"settings\n", "other settings"},
                {"grid\n", "another grid"},
                {"reads ", "another file that the spec reads"},
                {"spec\n", "another spec"}};

enum { SECTIONS = sizeof sections / sizeof sections[0] };

// The section that a line begins, or the one before it.
static int section_of(const char *line, int before)
{
    for (int i = before; i < SECTIONS; i++)
        if (strncmp(line, sections[i].word, strlen(sections[i].word)) == 0)
            return i;
    return before;
}

static const char *after_line(const char *text)
{
    text += strcspn(text, "\n");
    return *text ? text + 1 : text;
}

// Length of the first two words of a line.
static size_t two_words(const char *line)
{
    const size_t first = strcspn(line, " \n");
    return line[first] == ' ' ? first + 1 + strcspn(line + first + 1, " \n") : first;
}

static bool begin_same(const char *one, size_t length, const char *other, size_t other_length)
{
    return length == other_length && strncmp(one, other, length) == 0;
}

// Where one text has a line more than the other, the earlier section of the two differs.
const char *lab_identity_difference(const char *one, const char *other)
{
    // Both begin with "version NUMBER PRECISION".
    const bool same_version = begin_same(one, two_words(one), other, two_words(other));
    int section = 0;
    while (*one && *other && begin_same(one, strcspn(one, "\n"), other, strcspn(other, "\n"))) {
        section = section_of(one, section);
        one = after_line(one);
        other = after_line(other);
    }
    const int a = section_of(one, section), b = section_of(other, section);
    const int first = a < b ? a : b;
    return first == 0 && same_version ? "another precision" : sections[first].phrase;
}
