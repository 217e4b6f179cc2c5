// SPDX-License-Identifier: Apache-2.0
// said: a text for a person, and the words that it must and must not hold.
#ifndef CFPC_TESTS_SAID_H
#define CFPC_TESTS_SAID_H

#include "base/text.h"
#include "harness.h"

// A text that is being written through `file`; it may not be moved while it is.
typedef struct said {
    lab_written to;
    char *text; // once it is whole
} said;

static inline FILE *said_begin(said *it)
{
    *it = (said){0};
    lab_written_open(&it->to);
    assert_non_null(it->to.file);
    return it->to.file;
}

static inline void said_end(said *it)
{
    it->text = lab_written_close(&it->to);
    assert_non_null(it->text);
}

static inline void said_free(said *it)
{
    free(it->text);
}

static inline int times_said(const char *text, const char *words)
{
    int count = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        count++;
    return count;
}

// The text holds each of these words, a list that NULL ends, once.
#define expect_said(text, ...) expect_all_said((text), (const char *const[]){__VA_ARGS__, NULL}, 1)

// And none of these.
#define expect_unsaid(text, ...)                                                                   \
    expect_all_said((text), (const char *const[]){__VA_ARGS__, NULL}, 0)

static inline void expect_all_said(const char *text, const char *const *words, int times)
{
    for (; *words; words++)
        if (times_said(text, *words) != times)
            fail_msg("'%s' is said %d times in:\n%s", *words, times_said(text, *words), text);
}

#endif
