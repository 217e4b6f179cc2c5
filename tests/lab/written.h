// SPDX-License-Identifier: Apache-2.0
// written: a result folder in the making, and what writers leave in it: texts, and tables read back
// as numbers.
#ifndef CFPC_TESTS_WRITTEN_H
#define CFPC_TESTS_WRITTEN_H

#include "base/folder.h"
#include "lab/temporary.h"

typedef struct written {
    temporary here;
    lab_folder folder;
} written;

static inline void written_make(written *it)
{
    lab_why why = {0};
    temporary_make(&it->here);
    if (lab_folder_begin(&it->folder, temporary_below(&it->here, "x").text, false, &why) !=
        LAB_DONE)
        fail_msg("%s", why.text);
}

static inline void written_free(written *it)
{
    lab_folder_abandon(&it->folder);
    temporary_remove(&it->here);
}

// A file of the folder, NULL if there is none; the caller frees it.
static inline char *written_text(const lab_folder *folder, const char *name)
{
    char *path = lab_folder_path(folder, name);
    char *text = file_text(path);
    free(path);
    return text;
}

static inline bool is_written(const lab_folder *folder, const char *name)
{
    char *text = written_text(folder, name);
    free(text);
    return text != NULL;
}

// How often a file holds these words.
static inline int count_written(const lab_folder *folder, const char *name, const char *words)
{
    int count = 0;
    char *text = written_text(folder, name);
    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        count++;
    free(text);
    return count;
}

// The file holds each of these words, a list that NULL ends, once.
#define expect_written(folder, name, ...)                                                          \
    expect_each_once((folder), (name), (const char *const[]){__VA_ARGS__, NULL})

static inline void expect_each_once(const lab_folder *folder, const char *name,
                                    const char *const *words)
{
    for (; *words; words++)
        if (count_written(folder, name, *words) != 1)
            fail_msg("%s holds '%s' %d times:\n%s", name, *words,
                     count_written(folder, name, *words), written_text(folder, name));
}

// ---- tables ----------------------------------------------------------------------------------

// The numbers of a table; what is no number is NAN.
typedef struct sheet {
    int rows, columns;
    double *at; // (rows x columns)
} sheet;

static inline double cell_of(const sheet *it, int row, int column)
{
    assert_in_range(row, 0, it->rows - 1);
    assert_in_range(column, 0, it->columns - 1);
    return it->at[row * it->columns + column];
}

// A table whose first line is this header.
static inline sheet read_sheet(const lab_folder *folder, const char *name, const char *header)
{
    char *text = written_text(folder, name);
    assert_non_null(text);
    char *rest = strchr(text, '\n');
    assert_non_null(rest);
    *rest++ = '\0';
    assert_string_equal(text, header);
    sheet it = {.columns = 1};
    for (const char *c = header; *c; c++)
        it.columns += *c == ',';
    for (const char *c = rest; *c; c++)
        it.rows += *c == '\n';
    it.at = must_calloc((size_t)(it.rows * it.columns), sizeof *it.at);
    for (int i = 0; i < it.rows * it.columns; i++) {
        const char *end = rest + strcspn(rest, ",\n");
        assert_int_equal(*end, (i + 1) % it.columns ? ',' : '\n');
        char *stop;
        it.at[i] = strtod(rest, &stop);
        if (stop != end)
            it.at[i] = NAN;
        rest += end + 1 - rest;
    }
    assert_int_equal(*rest, '\0');
    free(text);
    return it;
}

static inline void sheet_free(sheet *it)
{
    free(it->at);
}

// The table holds these numbers, bit for bit, row by row; NAN for NAN.
#define expect_sheet(folder, name, header, ...)                                                    \
    expect_numbers((folder), (name), (header), (const double[]){__VA_ARGS__},                      \
                   (int)(sizeof(const double[]){__VA_ARGS__} / sizeof(double)))

static inline void expect_numbers(const lab_folder *folder, const char *name, const char *header,
                                  const double *numbers, int count)
{
    sheet it = read_sheet(folder, name, header);
    assert_int_equal(it.rows * it.columns, count);
    for (int i = 0; i < count; i++)
        if (!(it.at[i] == numbers[i] || (isnan(it.at[i]) && isnan(numbers[i]))))
            fail_msg("%s, row %d, column %d: %.17g, not %.17g", name, i / it.columns + 1,
                     i % it.columns + 1, it.at[i], numbers[i]);
    sheet_free(&it);
}

#endif
