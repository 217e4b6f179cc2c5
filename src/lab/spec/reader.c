// SPDX-License-Identifier: Apache-2.0
// The part of YAML that specs and model files are written in (docs/lab.md). What is accepted means
// the same to every YAML parser; anything else is refused, with what to write instead.
#include "spec/reader.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "spec/tree.h"

// A text as it is read. It is UTF-8, ends in a NUL, and holds no other.
typedef struct reading {
    cfpc_tree *tree;
    const char *at;         // what is left
    const char *line_begin; //
    int line;               // from 1
    const char *counted;    // up to here, the letters of the line are counted
    int letters;            //
    char *text;             // of a key or scalar, without quotes; room for all that is read
    size_t length;          //
    int text_line, column;  // where it begins, behind a quote
    long outside;           // indent of what it is a value of
    bool is_begun;          // the document: --- would be a second one
} reading;

enum {
    MAX_KEY_LETTERS = 1000, // 1,024 in YAML, of which parsers have their own opinions
    NO_FURTHER = -2         // instead of an indent: a key is in one line
};

// ---- places and complaints -------------------------------------------------------------------

// In letters, from 1. A line is read forwards, so each letter of it is counted once.
static int column_at(reading *yaml, const char *at)
{
    if (at < yaml->counted || yaml->counted < yaml->line_begin) {
        yaml->counted = yaml->line_begin;
        yaml->letters = 0;
    }
    for (; yaml->counted < at; yaml->counted++)
        yaml->letters += (*yaml->counted & 0xc0) != 0x80; // the first byte of a letter
    return yaml->letters + 1;
}

static bool refuse_at(reading *yaml, const char *at, const char *sentence)
{
    lab_tree_refuse(yaml->tree, yaml->line, column_at(yaml, at), sentence);
    return false;
}

static bool yaml_refuse(reading *yaml, const char *sentence)
{
    return refuse_at(yaml, yaml->at, sentence);
}

// ---- letters ---------------------------------------------------------------------------------

static bool is_break(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

static bool yaml_is_blank(char c)
{
    return c == ' ' || is_break(c);
}

static bool is_quote(char c)
{
    return c == '"' || c == '\'';
}

static bool is_bracket_or_comma(char c)
{
    return c != '\0' && strchr(",[]{}", c);
}

static bool check_letters(reading *yaml)
{
    const char *const begin = yaml->at;
    for (int bytes; *yaml->at; yaml->at += bytes) {
        const uint32_t letter = lab_letter_at(yaml->at, &bytes);
        if (!lab_is_printable(letter) && !(letter == '\r' && yaml->at[1] == '\n'))
            return yaml_refuse(yaml,
                               "a control letter, or one that some programs take for the end of a "
                               "line; remove it, or write it in double quotes as \\x85, \\u2028");
        if (letter == '\n') {
            yaml->line++;
            yaml->line_begin = yaml->at + 1;
        }
    }
    yaml->at = yaml->line_begin = yaml->counted = begin;
    yaml->line = 1;
    yaml->letters = 0;
    return true;
}

// ---- between the parts ----------------------------------------------------------------------

static long indent_of(const reading *yaml)
{
    return yaml->at - yaml->line_begin;
}

static bool pass_comment(reading *yaml)
{
    if (*yaml->at != '#')
        return true;
    if (yaml->at > yaml->line_begin && yaml->at[-1] != ' ')
        return yaml_refuse(yaml, "a comment needs a space before its #");
    while (!is_break(*yaml->at))
        yaml->at++;
    return true;
}

static void pass_blanks(reading *yaml)
{
    while (*yaml->at == ' ')
        yaml->at++;
}

static bool is_marker(const reading *yaml, const char *marker)
{
    return yaml->at == yaml->line_begin && strncmp(yaml->at, marker, 3) == 0 &&
           yaml_is_blank(yaml->at[3]);
}

// On to what is neither blank nor a comment, in this line or a later one.
static bool pass_to_content(reading *yaml)
{
    pass_blanks(yaml);
    if (!pass_comment(yaml))
        return false;
    while (is_break(*yaml->at) && *yaml->at != '\0') {
        yaml->at += *yaml->at == '\r' ? 2 : 1;
        yaml->line++;
        yaml->line_begin = yaml->at;
        pass_blanks(yaml);
        if (!pass_comment(yaml))
            return false;
    }
    if (*yaml->at == '\t')
        return yaml_refuse(yaml, "a tab: indent and separate with spaces");
    if (is_marker(yaml, "..."))
        return yaml_refuse(
            yaml, "the end of a document (...) is not supported in a spec file; remove it");
    if (is_marker(yaml, "---") && yaml->is_begun)
        return yaml_refuse(yaml, "a second document (---) begins here; a spec file holds one");
    return true;
}

// On to the next line that holds something; nothing may be left of this one.
static bool pass_line(reading *yaml, const char *or_else)
{
    pass_blanks(yaml);
    if (!pass_comment(yaml))
        return false;
    return is_break(*yaml->at) ? pass_to_content(yaml) : yaml_refuse(yaml, or_else);
}

// ---- what begins here ------------------------------------------------------------------------

// A colon that ends a key. One that a bracket or comma follows is refused by read_plain.
static bool ends_key(const char *at)
{
    return *at == ':' && yaml_is_blank(at[1]);
}

// Behind the closing quote of this line, or NULL.
static const char *past_quoted(const char *at)
{
    const char quote = *at++;
    while (*at != quote || (quote == '\'' && at[1] == quote)) {
        at += (*at == '\\' && quote == '"') || *at == quote;
        if (is_break(*at))
            return NULL;
        at++;
    }
    return at + 1;
}

// Whether what begins here is a key of a map that is written line by line, be it right or wrong.
static bool is_key(const char *at)
{
    if (*at == '[' || *at == '{')
        return false;
    if (is_quote(*at)) {
        at = past_quoted(at);
        return at && ends_key(at + strspn(at, " "));
    }
    while (!is_break(*at) && !ends_key(at) && !(*at == '#' && at[-1] == ' '))
        at++;
    return ends_key(at);
}

// ---- texts of several lines ------------------------------------------------------------------

// A text goes on in the next line, if that is indented further than what it is a value of, and
// nothing else can begin there. The end of the line and the spaces around it are one space of the
// text. (An empty line would be a line end; here it ends the text.)
static bool yaml_goes_on(reading *yaml, char quote)
{
    static const char indicators[] = "-?:,[]{}#&*!|>'\"%@`";
    const char *end = yaml->at;
    while (end[-1] == ' ')
        end--;
    if (*yaml->at == '\0' || yaml->outside == NO_FURTHER || end[-1] == '\t' ||
        (quote == '"' && end[-1] == '\\'))
        return false;
    const char *begin = yaml->at + (*yaml->at == '\r' ? 2 : 1), *at = begin + strspn(begin, " ");
    if (at - begin <= yaml->outside || at == begin || is_break(*at) || *at == '\t' ||
        (quote == '\0' && (strchr(indicators, *at) || is_key(at))))
        return false;
    yaml->length -= (size_t)(yaml->at - end);
    yaml->text[yaml->length++] = ' ';
    yaml->line++;
    yaml->line_begin = begin;
    yaml->at = at;
    return true;
}

// ---- texts in quotes -------------------------------------------------------------------------

static void add_byte(reading *yaml, uint32_t byte)
{
    yaml->text[yaml->length++] = (char)(unsigned char)byte;
}

// Never longer than the escape that says it.
static void add_letter(reading *yaml, uint32_t letter)
{
    static const uint32_t first[] = {0, 0xc0, 0xe0, 0xf0};
    const int more = letter < 0x80 ? 0 : letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
    add_byte(yaml, first[more] | letter >> 6 * more);
    for (int k = more - 1; k >= 0; k--)
        add_byte(yaml, 0x80 | (letter >> 6 * k & 0x3f));
}

// \x, \u or \U with as many digits.
static bool read_number_escape(reading *yaml, const char *escape, int digits)
{
    static const char hexadecimal[] = "0123456789abcdef0123456789ABCDEF";
    uint32_t letter = 0;
    for (int k = 0; k < digits; k++) {
        const char c = *yaml->at++, *digit = c != '\0' ? strchr(hexadecimal, c) : NULL;
        if (!digit)
            return refuse_at(yaml, escape,
                             "an escape needs hexadecimal digits: \\x two, \\u four, "
                             "\\U eight");
        letter = letter << 4 | (uint32_t)((digit - hexadecimal) % 16);
    }
    if (letter == 0)
        return refuse_at(yaml, escape, "a text must not hold a NUL (\\0)");
    if (letter > 0x10ffff || (letter >= 0xd800 && letter < 0xe000))
        return refuse_at(yaml, escape, "there is no letter of this number");
    add_letter(yaml, letter);
    return true;
}

static bool read_escape(reading *yaml)
{
    static const char named[] = "\"\\/ abefnrtv", meant[] = "\"\\/ \a\b\033\f\n\r\t\v";
    const char *escape = yaml->at - 1, c = *yaml->at++;
    const char *name = c != '\0' ? strchr(named, c) : NULL;
    if (name)
        add_byte(yaml, (unsigned char)meant[name - named]);
    else if (c == 'x' || c == 'u' || c == 'U')
        return read_number_escape(yaml, escape, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    else if (c == '0')
        return refuse_at(yaml, escape, "a text must not hold a NUL (\\0)");
    else
        return refuse_at(yaml, escape, "an unknown escape; a backslash itself is written \\\\");
    return true;
}

static bool read_quoted(reading *yaml)
{
    const char quote = *yaml->at, *line_begin = yaml->line_begin, *begin = yaml->at++;
    for (;;) {
        const char c = *yaml->at;
        if (is_break(c)) {
            if (yaml_goes_on(yaml, quote))
                continue;
            yaml->line = yaml->text_line;
            yaml->line_begin = line_begin;
            return refuse_at(yaml, begin,
                             "this quote is not closed; where a text goes on in the "
                             "next line, that is indented and not empty");
        }
        yaml->at++;
        if (c == '\\' && quote == '"') {
            if (!read_escape(yaml))
                return false;
        } else if (c != quote || (quote == '\'' && *yaml->at == '\'')) {
            yaml->at += c == quote; // '' stands for one
            add_byte(yaml, (unsigned char)c);
            if (c == quote && strncmp(yaml->at, "''", 2) == 0) // libfyaml 0.7 loses a letter
                return yaml_refuse(yaml,
                                   "single quotes beside each other: write the text in double "
                                   "quotes");
        } else
            return true;
    }
}

// ---- plain texts -----------------------------------------------------------------------------

// What a text without quotes must not begin with, as it means something else in YAML.
static const struct {
    const char *signs, *sentence;
} not_first[] = {
    {"&", "anchors (&name) are not supported in a spec file; write the value where it is needed, "
          "or the text in quotes"},
    {"*", "aliases (*name) are not supported in a spec file; write the value again, or the text in "
          "quotes"},
    {"!", "tags (!name) are not supported in a spec file; leave it out, or write the text in "
          "quotes"},
    {"|>", "blocks of text (| and >) are not supported in a spec file; write one line, in double "
           "quotes with \\n"},
    {"%", "directives (%NAME) are not supported in a spec file; remove it, or write the text in "
          "quotes"},
    {"?", "keys with ? are not supported in a spec file; write KEY: VALUE, or the text in quotes"},
    {"@`:\"'#", "a text that begins so must be in quotes"},
    {",]}", "a value is missing"}};

static bool check_first(reading *yaml, bool in_brackets)
{
    const char *at = yaml->at;
    if (*at == '\0')
        return yaml_refuse(yaml, "a value is missing");
    for (size_t i = 0; i < sizeof not_first / sizeof not_first[0]; i++)
        if (strchr(not_first[i].signs, *at))
            return yaml_refuse(yaml, not_first[i].sentence);
    if (*at == '-' && (yaml_is_blank(at[1]) || (in_brackets && is_bracket_or_comma(at[1]))))
        return yaml_refuse(yaml, "a list cannot begin here; begin it in the next line, or write it "
                                 "in brackets");
    if (strncmp(at, "<<", 2) == 0 && (yaml_is_blank(at[2]) || at[2] == ':'))
        return yaml_refuse(yaml,
                           "merged maps (<<) are not supported in a spec file; write their keys");
    return true;
}

// Up to a colon that ends a key, a comment or the end of the line; in brackets also up to a bracket
// or comma.
static bool read_plain(reading *yaml, bool in_brackets)
{
    size_t end = 0; // of the text without the blanks that follow it
    if (!check_first(yaml, in_brackets))
        return false;
    for (;; yaml->at++) {
        if (is_break(*yaml->at))
            yaml_goes_on(yaml, '\0');
        const char *at = yaml->at;
        if (is_break(*at) || ends_key(at) || (*at == '#' && at[-1] == ' ') ||
            (in_brackets && is_bracket_or_comma(*at)))
            break;
        if (*at == '\t')
            return yaml_refuse(yaml, "a tab: separate with spaces, or write the text in quotes");
        if (in_brackets && (*at == '?' || (*at == ':' && is_bracket_or_comma(at[1]))))
            return yaml_refuse(yaml, "within brackets, a text with this sign must be in quotes");
        add_byte(yaml, (unsigned char)*at);
        if (*at != ' ')
            end = yaml->length;
    }
    yaml->length = end;
    return true;
}

// A scalar, in lines that are indented further than `outside`, or, with NO_FURTHER, in this line.
static bool yaml_read_text(reading *yaml, bool in_brackets, long outside)
{
    yaml->length = 0;
    yaml->text_line = yaml->line;
    yaml->column = column_at(yaml, yaml->at + is_quote(*yaml->at));
    yaml->outside = outside;
    const bool is_read = is_quote(*yaml->at) ? read_quoted(yaml) : read_plain(yaml, in_brackets);
    yaml->text[yaml->length] = '\0';
    return is_read;
}

// ---- keys ------------------------------------------------------------------------------------

static bool read_key(reading *yaml, bool in_brackets)
{
    const char *begin = yaml->at;
    const int column = column_at(yaml, begin);
    if (*begin == '[' || *begin == '{')
        return yaml_refuse(yaml, "a key must be plain text");
    if (!yaml_read_text(yaml, in_brackets, NO_FURTHER))
        return false;
    if (column_at(yaml, yaml->at) - column > MAX_KEY_LETTERS)
        return refuse_at(yaml, begin, "this key has more than 1000 letters");
    pass_blanks(yaml);
    if (!ends_key(yaml->at) && !(in_brackets && is_quote(*begin) && *yaml->at == ':'))
        return yaml_refuse(yaml, in_brackets
                                     ? "a key must be followed by a colon and a space: {KEY: VALUE}"
                                     : "a key must be followed by a colon and a space: KEY: VALUE");
    yaml->at++;
    cfpc_tree_key(yaml->tree, yaml->text, yaml->text_line, yaml->column);
    return lab_tree_is_good(yaml->tree);
}

// ---- in brackets -----------------------------------------------------------------------------

static bool read_in_brackets(reading *yaml, long outside);

// What is in brackets is further to the right than what the brackets are the value of.
static bool pass_in_brackets(reading *yaml, long outside)
{
    const int line = yaml->line;
    if (!pass_to_content(yaml))
        return false;
    return *yaml->at == '\0' || yaml->line == line || indent_of(yaml) > outside ||
           yaml_refuse(yaml,
                       "brackets are still open here: close them, or indent this line further "
                       "than their key");
}

// A text, or something in brackets itself.
static bool read_scalar_or_brackets(reading *yaml, bool in_brackets, long outside)
{
    if (*yaml->at == '[' || *yaml->at == '{')
        return read_in_brackets(yaml, outside);
    if (!yaml_read_text(yaml, in_brackets, outside))
        return false;
    cfpc_tree_scalar(yaml->tree, yaml->text, yaml->text_line, yaml->column);
    return lab_tree_is_good(yaml->tree);
}

// A value, after its key in a map, and the comma that follows.
static bool read_entry(reading *yaml, long outside, char close)
{
    const bool is_map = close == '}';
    if (is_map && !(read_key(yaml, true) && pass_in_brackets(yaml, outside)))
        return false;
    if (!read_scalar_or_brackets(yaml, true, outside) || !pass_in_brackets(yaml, outside))
        return false;
    if (!is_map && *yaml->at == ':')
        return yaml_refuse(yaml, "a key in a list needs braces: [{KEY: VALUE}]");
    if (*yaml->at == close || *yaml->at == '\0')
        return true;
    if (*yaml->at != ',')
        return yaml_refuse(yaml, is_map ? "a comma or the map's closing } is missing here"
                                        : "a comma or the list's closing ] is missing here");
    yaml->at++;
    return pass_in_brackets(yaml, outside);
}

static bool read_in_brackets(reading *yaml, long outside)
{
    const bool is_map = *yaml->at == '{';
    const char close = is_map ? '}' : ']';
    const int line = yaml->line, column = column_at(yaml, yaml->at);
    (is_map ? cfpc_tree_map : cfpc_tree_list)(yaml->tree, line, column);
    yaml->at++;
    if (!lab_tree_is_good(yaml->tree) || !pass_in_brackets(yaml, outside))
        return false;
    while (*yaml->at != close) {
        if (*yaml->at == '\0')
            lab_tree_refuse(yaml->tree, line, column, "this bracket is not closed");
        if (*yaml->at == '\0' || !read_entry(yaml, outside, close))
            return false;
    }
    yaml->at++;
    cfpc_tree_end(yaml->tree);
    return true;
}

// ---- line by line ----------------------------------------------------------------------------

static bool read_node(reading *yaml, long outside);

static bool is_item(const reading *yaml)
{
    return *yaml->at == '-' && yaml_is_blank(yaml->at[1]);
}

static bool is_done(const reading *yaml, long indent)
{
    return *yaml->at == '\0' || indent_of(yaml) < indent;
}

// After what began at `indent`: the next line must not be further to the right.
static bool check_indent(reading *yaml, long indent)
{
    return is_done(yaml, indent) || indent_of(yaml) == indent ||
           yaml_refuse(yaml, "this line is indented further than what it follows");
}

// A text, or something in brackets, up to the end of its line.
static bool read_in_line(reading *yaml, long outside)
{
    const bool is_bracket = *yaml->at == '[' || *yaml->at == '{';
    if (!read_scalar_or_brackets(yaml, false, outside))
        return false;
    return pass_line(yaml, is_bracket
                               ? "nothing may follow a closing bracket; a key must be plain text"
                           : *yaml->at == ':' ? "a text with a colon and a space must be in quotes"
                                              : "nothing may follow a text in quotes");
}

// What follows a key and its colon.
static bool yaml_read_value(reading *yaml, long indent)
{
    const int line = yaml->line;
    if (!pass_to_content(yaml))
        return false;
    if (yaml->line == line && *yaml->at != '\0')
        return is_key(yaml->at)
                   ? yaml_refuse(
                         yaml,
                         "a key cannot follow another in the same line; write it in a line of its "
                         "own, or a text with a colon in quotes")
                   : read_in_line(yaml, indent);
    if (is_done(yaml, indent) || (indent_of(yaml) == indent && !is_item(yaml))) {
        cfpc_tree_scalar(yaml->tree, "", 0, 0);
        return true;
    }
    return read_node(yaml, indent);
}

static bool yaml_read_map(reading *yaml)
{
    const long indent = indent_of(yaml);
    cfpc_tree_map(yaml->tree, yaml->line, column_at(yaml, yaml->at));
    if (!lab_tree_is_good(yaml->tree))
        return false;
    do
        if (!read_key(yaml, false) || !yaml_read_value(yaml, indent) || !check_indent(yaml, indent))
            return false;
    while (!is_done(yaml, indent));
    cfpc_tree_end(yaml->tree);
    return true;
}

static bool yaml_read_list(reading *yaml)
{
    const long indent = indent_of(yaml);
    cfpc_tree_list(yaml->tree, yaml->line, column_at(yaml, yaml->at));
    if (!lab_tree_is_good(yaml->tree))
        return false;
    do {
        yaml->at++;
        if (!pass_to_content(yaml))
            return false;
        if (is_done(yaml, indent + 1))
            return yaml_refuse(yaml, "an item of the list before this is empty");
        if (!read_node(yaml, indent) || !check_indent(yaml, indent))
            return false;
    } while (!is_done(yaml, indent) && is_item(yaml));
    cfpc_tree_end(yaml->tree);
    return true;
}

// A value that is further to the right than `outside`, or a list as far.
static bool read_node(reading *yaml, long outside)
{
    if (is_item(yaml))
        return yaml_read_list(yaml);
    return is_key(yaml->at) ? yaml_read_map(yaml) : read_in_line(yaml, outside);
}

// ---- the whole -------------------------------------------------------------------------------

static bool read_document(reading *yaml)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (strncmp(yaml->at, byte_order_mark, 3) == 0)
        yaml->at += 3;
    if (!check_letters(yaml) || !pass_to_content(yaml))
        return false;
    yaml->is_begun = true;
    if (is_marker(yaml, "---")) {
        yaml->at += 3;
        if (!pass_line(yaml, "what follows --- must begin in the next line"))
            return false;
    }
    if (*yaml->at == '\0')
        return true;
    return read_node(yaml, -1) &&
           (*yaml->at == '\0' ||
            yaml_refuse(yaml, "this line does not go with those before it; is it "
                              "indented as they are?"));
}

// A text of some length need not end in a NUL.
void cfpc_tree_read(cfpc_tree *tree, const char *text, size_t length)
{
    if (!tree)
        return;
    // What no YAML is, before it is read.
    const bool has_nul = !text || memchr(text, '\0', length);
    const int line = has_nul ? 0 : lab_line_not_utf8(text, length);
    if (has_nul)
        lab_tree_refuse(tree, 1, 1, "this is not a text file: it holds a NUL");
    else if (line > 0)
        lab_tree_refuse(tree, line, 1, "this is not UTF-8 text");
    if (!lab_tree_is_good(tree))
        return;
    lab_tree_expect_map(tree);
    char *copy = malloc(length + 1), *room = malloc(length + 1);
    if (copy && room) {
        memcpy(copy, text, length);
        copy[length] = '\0';
        reading yaml = {
            .tree = tree, .at = copy, .line_begin = copy, .line = 1, .counted = copy, .text = room};
        read_document(&yaml);
    } else
        lab_tree_stop_memory(tree);
    free(copy);
    free(room);
}

lab_outcome lab_parse(lab_node **root, const char *file, const char *text, size_t length,
                      lab_why *why)
{
    *root = NULL;
    cfpc_tree *tree = cfpc_tree_create(file);
    if (!tree)
        return lab_no_memory(why, file);
    cfpc_tree_read(tree, text, length);
    const lab_outcome outcome = lab_tree_take(tree, root, why);
    cfpc_tree_free(tree);
    return outcome;
}

// ---- a value by itself -----------------------------------------------------------------------

// A number or a name, which needs no parser.
static bool is_word(const char *text)
{
    if (*text == '-' || *text == '+')
        text++;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && (c == text || !strchr("+-._/", *c)))
            return false;
    return *text;
}

lab_outcome lab_parse_value(lab_node **value, const char *name, const char *text, lab_why *why)
{
    *value = NULL;
    if (is_word(text)) {
        *value = lab_node_create(LAB_SCALAR);
        if (*value && ((*value)->text = strdup(text)))
            return LAB_DONE;
        lab_node_free(*value);
        *value = NULL;
        return lab_no_memory(why, NULL);
    }
    // In a map of its own, as a parser wants it.
    char *map = lab_text_of("value: %s\n", text);
    if (!map)
        return lab_no_memory(why, NULL);
    lab_node *root = NULL;
    lab_outcome outcome = lab_parse(&root, name, map, strlen(map), why);
    free(map);
    if (outcome == LAB_DONE) {
        *value = root->child;
        root->child = NULL; // it changes hands
    }
    lab_node_free(root);
    return outcome;
}
