// SPDX-License-Identifier: Apache-2.0
#include "spec/model_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "math/order.h"
#include "spec/fields.h"
#include "spec/reader.h"
#include "spec/table_print.h"
#include "spec/validate.h"

const char lab_model_file_title[] = "# A model that `cfpc identify` found in a log";

enum { MAX_MODEL_STATES = 200 };

static const lab_field fields[] = {
    {AT(lab_model_file, version), .kind = LAB_COUNT, .required = true, FROM(1, 1e6),
     .meaning = "version of this file's format"},
    {AT(lab_model_file, made_by), .kind = LAB_TEXT, .meaning = "the program that wrote it"},
    {AT(lab_model_file, log), .kind = LAB_TEXT, .meaning = "the log it was identified from"},
    {AT(lab_model_file, input), .kind = LAB_TEXT, .meaning = "column of the log: the input"},
    {AT(lab_model_file, output), .kind = LAB_TEXT, .meaning = "column of the log: the output"},
    {AT(lab_model_file, rows), .kind = LAB_COUNT, .standard = "0", FROM(0, 2e9),
     .meaning = "rows of the log"},
    {AT(lab_model_file, step_ms), .kind = LAB_NUMBER, .required = true, ABOVE(0, 1e6),
     .meaning = "sampling step"},
    {AT(lab_model_file, method), ONE_OF(LAB_IDENTIFY_METHODS), .required = true,
     .meaning = "how it was found; with open-path, a, b, c, d are those of L = T/(1 - T), and the "
                "model is T = L/(1 + L)"},
    {AT(lab_model_file, dead_time_ms), .kind = LAB_NUMBER, .required = true, FROM(0, LONG_MS),
     .meaning = "delay of the input, before a, b, c, d"},
    {AT(lab_model_file, a), .kind = LAB_ROWS, .meaning = "A, a list of rows, per step"},
    {AT(lab_model_file, b), .kind = LAB_NUMBERS, .meaning = "B, one number per state"},
    {AT(lab_model_file, c), .kind = LAB_NUMBERS, .meaning = "C, one number per state"},
    {AT(lab_model_file, d), .kind = LAB_NUMBER, .standard = "0", .meaning = "D, the feed-through"},
    {AT(lab_model_file, fit), .kind = LAB_NUMBER,
     .meaning = "in %, of a free simulation of held-back data: 100 (1 - |y - y'| / |y - mean y|)"},
    {AT(lab_model_file, fit_estimation), .kind = LAB_NUMBER,
     .meaning = "likewise of the data that it was estimated from"},
    {AT(lab_model_file, noise), .kind = LAB_NUMBER, FROM(0, HUGE_NUMBER),
     .meaning = "standard deviation of what the model does not explain"},
    {AT(lab_model_file, low_hz), .kind = LAB_NUMBER, FROM(0, 1e9),
     .meaning = "the input excites frequencies from here"},
    {AT(lab_model_file, high_hz), .kind = LAB_NUMBER, FROM(0, 1e9),
     .meaning = "to here; outside, the band is what smoothness suggests"},
    {AT(lab_model_file, whiteness), .kind = LAB_NUMBER, FROM(0, 1),
     .meaning = "probability of such residuals if they are white"},
    {AT(lab_model_file, unexplained), .kind = LAB_NUMBER, FROM(0, 1),
     .meaning = "probability of such residuals if the input explains no more of the output"},
    {AT(lab_model_file, feedback), .kind = LAB_NUMBER, FROM(0, 1),
     .meaning = "probability of such an input if it does not react to the output"},
    {AT(lab_model_file, feedback_allowed), .kind = LAB_SWITCH, .standard = "no",
     .meaning =
         "yes: the input reacts to the output, so the model may be wrong (--allow-feedback)"},
    {AT(lab_model_file, confidence), .kind = LAB_NUMBER, FROM(0, 1),
     .meaning = "of the band, at all frequencies at once"},
    {AT(lab_model_file, band), .kind = LAB_ROWS, .required = true,
     .meaning = "uncertainty: frequency in Hz, and radius of the disc around the model's frequency "
                "response that holds the true one"},
    {0}};
static const lab_table table = {"the model", sizeof(lab_model_file), NULL, .fields = fields};

const char *lab_identify_method_name(cfpc_identify_method method)
{
    static const char *const names[] = {LAB_IDENTIFY_METHODS(LAB_NAME)};
    return names[method];
}

bool lab_is_open_path(cfpc_identify_method method)
{
    switch (method) {
    case CFPC_IDENTIFY_OPEN_PATH:
    case CFPC_IDENTIFY_LEAST_SQUARES_OPEN_PATH:
        return true;
    case CFPC_IDENTIFY_DIRECT:
    case CFPC_IDENTIFY_LEAST_SQUARES:
        break;
    }
    return false;
}

void lab_model_file_print(FILE *file, const lab_model_file *model)
{
    fprintf(file, "%s. docs/identify.md explains it.\n", lab_model_file_title);
    lab_print_table(file, &table, model, NULL);
}

void lab_model_file_free(lab_model_file *model)
{
    lab_validated_free(&table, model);
    *model = (lab_model_file){0};
}

// ---- checks ----------------------------------------------------------------------------------

// What is checked, and where it is.
typedef struct reading {
    const lab_model_file *model;
    const char *file;
    const lab_node *root;
    lab_why *why;
} reading;

// Refuses with the place of a key.
#define REFUSE(in, key, ...) (say_at((in), (key), __VA_ARGS__), LAB_REFUSED)

__attribute__((format(printf, 3, 4))) static void say_at(const reading *in, const char *key,
                                                         const char *format, ...)
{
    char sentence[512];
    const lab_node *node = lab_node_find(in->root, key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    lab_say_at(in->why, in->file, node ? node->line : in->root->line,
               node ? node->column : in->root->column, "%s", sentence);
}

static lab_outcome check_version(const reading *in)
{
    if (in->model->version == LAB_MODEL_VERSION)
        return LAB_DONE;
    return REFUSE(in, "version",
                  "this model has version %d of the format, which this cfpc does not read (%d): "
                  "identify it again",
                  in->model->version, LAB_MODEL_VERSION);
}

static lab_outcome check_matrices(const reading *in)
{
    const lab_model_file *m = in->model;
    const int states = m->a.rows;
    if (states > MAX_MODEL_STATES)
        return REFUSE(in, "a", "the model has %d states; the maximum is %d", states,
                      MAX_MODEL_STATES);
    if (m->a.columns != states || m->b.columns != states || m->c.columns != states)
        return REFUSE(in, "a",
                      "'a' is %d x %d, 'b' has %d and 'c' %d numbers; 'a' must be square, "
                      "and 'b' and 'c' need one number per state",
                      states, m->a.columns, m->b.columns, m->c.columns);
    const double steps = m->dead_time_ms / m->step_ms;
    if (fabs(steps - round(steps)) > 1e-6 * cfpci_max(1, steps) || steps > 1e7)
        return REFUSE(in, "dead_time_ms",
                      "'dead_time_ms' of %g is not a whole number of steps of %g ms, or "
                      "too long",
                      m->dead_time_ms, m->step_ms);
    return LAB_DONE;
}

static lab_outcome model_file_check_band(const reading *in)
{
    const lab_model_file *m = in->model;
    const lab_numbers *band = &m->band;
    if (band->columns != 2 || band->rows < 2)
        return REFUSE(in, "band",
                      "'band' must be at least two rows of two numbers, as [1.5, 0.02]");
    for (int i = 0; i < band->rows; i++) {
        const double hz = band->values[2 * i], radius = band->values[2 * i + 1];
        if (hz < 0 || radius < 0)
            return REFUSE(in, "band", "'band' has [%g, %g]; no number may be below 0", hz, radius);
        if (i > 0 && !(hz > band->values[2 * i - 2]))
            return REFUSE(in, "band", "the frequencies of 'band' must increase; %g Hz does not",
                          hz);
    }
    const double last = band->values[2 * (band->rows - 1)], half = 500 / m->step_ms;
    if (last < half * (1 - 1e-6))
        return REFUSE(
            in, "band",
            "'band' ends at %g Hz, before half the sampling rate (%g Hz): the file is cut "
            "off; identify it again",
            last, half);
    return LAB_DONE;
}

// ---- reading ---------------------------------------------------------------------------------

static lab_outcome model_file_read_model(lab_model_file *model, const char *file, const char *text,
                                         lab_why *why)
{
    lab_node *root = NULL;
    *model = (lab_model_file){0};
    lab_outcome outcome = lab_parse(&root, file, text, strlen(text), why);
    if (outcome == LAB_DONE)
        outcome = lab_validate(&table, file, root, model, why);
    const reading in = {.model = model, .file = file, .root = root, .why = why};
    if (outcome == LAB_DONE)
        outcome = check_version(&in);
    if (outcome == LAB_DONE)
        outcome = check_matrices(&in);
    if (outcome == LAB_DONE)
        outcome = model_file_check_band(&in);
    lab_node_free(root);
    return outcome;
}

lab_outcome lab_model_file_parse(lab_model_file *model, const char *file, const char *text,
                                 lab_why *why)
{
    return model_file_read_model(model, file, text, why);
}

lab_outcome lab_model_file_read(lab_model_file *model, const char *file, lab_why *why)
{
    char *text;
    *model = (lab_model_file){0};
    lab_outcome outcome = lab_read_regular(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = model_file_read_model(model, file, text, why);
    free(text);
    return outcome;
}

// ---- copying ---------------------------------------------------------------------------------

static bool copy_numbers(lab_numbers *copy, const lab_numbers *numbers)
{
    const size_t count = (size_t)numbers->rows * (size_t)numbers->columns;
    copy->values = calloc(count + 1, sizeof *copy->values);
    if (copy->values && count > 0)
        memcpy(copy->values, numbers->values, count * sizeof *copy->values);
    return copy->values;
}

// Every member of its own kind, as the table says.
bool lab_model_file_copy(lab_model_file *copy, const lab_model_file *model)
{
    bool whole = true;
    *copy = *model;
    for (const lab_field *field = fields; field->key; field++) {
        void *to = (char *)copy + field->offset;
        const void *from = (const char *)model + field->offset;
        if (field->kind == LAB_TEXT)
            whole &= (*(char **)to = strdup(*(char *const *)from)) != NULL;
        if (field->kind == LAB_NUMBERS || field->kind == LAB_ROWS)
            whole &= copy_numbers(to, from);
    }
    return whole;
}
