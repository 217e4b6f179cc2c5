// SPDX-License-Identifier: Apache-2.0
// strict_json: a JSON text (RFC 8259) checked by the letter, and its values by their path, as
// "learning.curve.0". It shares nothing with the library.
#ifndef CFPC_TESTS_STRICT_JSON_H
#define CFPC_TESTS_STRICT_JSON_H

#include <ctype.h>

#include "harness.h"

static inline const char *json_space(const char *c)
{
    return c + strspn(c, " \t\r\n");
}

// Fails the test where the text breaks the grammar.
static inline const char *json_want(const char *c, const char *word)
{
    if (strncmp(c, word, strlen(word)) != 0)
        fail_msg("no JSON: '%s' is missing before: %.60s", word, c);
    return c + strlen(word);
}

// Past a string.
static inline const char *json_string(const char *c)
{
    for (c = json_want(c, "\""); *c != '"'; c++) {
        if ((unsigned char)*c < 0x20)
            fail_msg("no JSON: a control character, or no end, in a string: %.60s", c);
        if (*c != '\\')
            continue;
        c++;
        if (!*c || !strchr("\"\\/bfnrtu", *c))
            fail_msg("no JSON: an escape that there is not: %.60s", c - 1);
        for (int i = 0; *c == 'u' && i < 4; i++)
            if (!isxdigit((unsigned char)c[1 + i]))
                fail_msg("no JSON: \\u without four digits: %.60s", c - 1);
    }
    return c + 1;
}

static inline const char *json_digits(const char *c)
{
    if (!isdigit((unsigned char)*c))
        fail_msg("no JSON: a digit is missing before: %.60s", c);
    while (isdigit((unsigned char)*c))
        c++;
    return c;
}

static inline const char *json_number_end(const char *c)
{
    c += *c == '-';
    c = *c == '0' ? c + 1 : json_digits(c);
    if (*c == '.')
        c = json_digits(c + 1);
    if (*c == 'e' || *c == 'E')
        c = json_digits(c + 1 + (c[1] == '+' || c[1] == '-'));
    return c;
}

static inline const char *json_value(const char *c, const char *path, const char **found);

// Whether a path begins with this part; if so, what follows it.
static inline const char *json_rest(const char *path, const char *part, size_t length)
{
    if (!path || strncmp(path, part, length) != 0)
        return NULL;
    return path[length] == '.' ? path + length + 1 : path[length] ? NULL : path + length;
}

// Past a list or a map.
static inline const char *json_many(const char *c, const char *path, const char **found)
{
    const bool is_map = *c == '{';
    const char *end = is_map ? "}" : "]";
    c = json_space(c + 1);
    for (int i = 0; *c != *end; i++) {
        char index[16];
        const char *part = index, *below;
        size_t length = (size_t)snprintf(index, sizeof index, "%d", i);
        c = i ? json_space(json_want(c, ",")) : c;
        if (is_map) {
            part = c + 1;
            c = json_string(c);
            length = (size_t)(c - 1 - part);
            c = json_space(json_want(json_space(c), ":"));
        }
        below = json_rest(path, part, length);
        c = json_space(json_value(c, below, found));
    }
    return c + 1;
}

// Past a value; `found` is where the path ends, if it does.
static inline const char *json_value(const char *c, const char *path, const char **found)
{
    if (path && !*path) {
        if (*found)
            fail_msg("no JSON: a key stands twice: %.60s", c);
        *found = c;
        path = NULL;
    }
    switch (*c) {
    case '{':
    case '[':
        return json_many(c, path, found);
    case '"':
        return json_string(c);
    case 't':
        return json_want(c, "true");
    case 'f':
        return json_want(c, "false");
    case 'n':
        return json_want(c, "null");
    default:
        return json_number_end(c);
    }
}

// Where the value of a path begins; the whole text must be JSON.
static inline const char *json_at(const char *text, const char *path)
{
    const char *found = NULL;
    const char *end = json_space(json_value(json_space(text), path, &found));
    if (*end)
        fail_msg("no JSON: more after its end: %.60s", end);
    if (!found)
        fail_msg("the JSON has no '%s'", path);
    return found;
}

// A number; NAN for null.
static inline double json_number(const char *text, const char *path)
{
    const char *at = json_at(text, path);
    if (strncmp(at, "null", 4) == 0)
        return NAN;
    if (*at != '-' && !isdigit((unsigned char)*at))
        fail_msg("'%s' is no number: %.60s", path, at);
    return strtod(at, NULL);
}

// The value is this, as it is written: "true", "null", "[]", "\"text\"".
static inline void expect_json(const char *text, const char *path, const char *value)
{
    const char *at = json_at(text, path), *none = NULL;
    const size_t length = (size_t)(json_value(at, NULL, &none) - at);
    if (length != strlen(value) || strncmp(at, value, length) != 0)
        fail_msg("'%s' is %.*s, not %s", path, (int)length, at, value);
}

// The number is this one, bit for bit; null for NAN.
static inline void expect_json_number(const char *text, const char *path, double value)
{
    const double found = json_number(text, path);
    if (!(found == value || (isnan(found) && isnan(value))))
        fail_msg("'%s' is %.17g, not %.17g", path, found, value);
}

#endif
