// SPDX-License-Identifier: Apache-2.0
#include "spec/model_file.h"

#include <math.h>
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

static const lab_field model_fields[] = {
    COUNT(lab_model_file, version, REQUIRED, FROM(1, 1e6), "version of this file's format"),
    TEXT(lab_model_file, made_by, NONE, "the program that wrote it"),
    TEXT(lab_model_file, log, NONE, "the log it was identified from"),
    TEXT(lab_model_file, input, NONE, "column of the log: the input"),
    TEXT(lab_model_file, output, NONE, "column of the log: the output"),
    COUNT(lab_model_file, rows, OR("0"), FROM(0, 2e9), "rows of the log"),
    NUMBER(lab_model_file, step_ms, REQUIRED, ABOVE(0, 1e6), "sampling step"),
    CHOICE(lab_model_file, method, LAB_IDENTIFY_METHODS, REQUIRED,
           "how it was found; with open-path, a, b, c, d are those of L = T/(1 - T), and the model "
           "is T = L/(1 + L)"),
    NUMBER(lab_model_file, dead_time_ms, REQUIRED, FROM(0, LONG_MS),
           "delay of the input, before a, b, c, d"),
    ROWS(lab_model_file, a, NONE, "A, a list of rows, per step"),
    NUMBERS(lab_model_file, b, NONE, ANY, "B, one number per state"),
    NUMBERS(lab_model_file, c, NONE, ANY, "C, one number per state"),
    NUMBER(lab_model_file, d, OR("0"), ANY, "D, the feed-through"),
    NUMBER(lab_model_file, fit, NONE, ANY,
           "in %, of a free simulation of held-back data: 100 (1 - |y - y'| / |y - mean y|)"),
    NUMBER(lab_model_file, fit_estimation, NONE, ANY,
           "likewise of the data that it was estimated from"),
    NUMBER(lab_model_file, noise, NONE, FROM(0, HUGE_NUMBER),
           "standard deviation of what the model does not explain"),
    NUMBER(lab_model_file, low_hz, NONE, FROM(0, 1e9), "the input excites frequencies from here"),
    NUMBER(lab_model_file, high_hz, NONE, FROM(0, 1e9),
           "to here; outside, the band is what smoothness suggests"),
    NUMBER(lab_model_file, whiteness, NONE, FROM(0, 1),
           "probability of such residuals if they are white"),
    NUMBER(lab_model_file, unexplained, NONE, FROM(0, 1),
           "probability of such residuals if the input explains no more of the output"),
    NUMBER(lab_model_file, feedback, NONE, FROM(0, 1),
           "probability of such an input if it does not react to the output"),
    SWITCH(lab_model_file, feedback_allowed, OR("no"),
           "yes: the input reacts to the output, so the model may be wrong (--allow-feedback)"),
    NUMBER(lab_model_file, confidence, NONE, FROM(0, 1), "of the band, at all frequencies at once"),
    ROWS(lab_model_file, band, REQUIRED,
         "uncertainty: frequency in Hz, and radius of the disc around the model's frequency "
         "response that holds the true one"),
    {0}};
TABLE(model, "the model", lab_model_file, NULL);

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
    lab_print_table(file, &model_table, model, NULL);
}

void lab_model_file_free(lab_model_file *model)
{
    lab_validated_free(&model_table, model);
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

// The place of a key; that of the whole if it is not there.
static const lab_node *place_of(const reading *in, const char *key)
{
    const lab_node *node = lab_node_find(in->root, key);
    return node ? node : in->root;
}

#define REFUSE(in, key, ...)                                                                       \
    lab_refuse_at((in)->why, (in)->file, place_of(in, key)->line, place_of(in, key)->column,       \
                  __VA_ARGS__)

static lab_outcome check_matrices(const reading *in)
{
    const lab_model_file *m = in->model;
    const int states = m->a.rows;
    if (states > MAX_MODEL_STATES)
        return REFUSE(in, "a", "the model has %d states; the maximum is %d", states,
                      MAX_MODEL_STATES);
    if (m->a.columns != states || m->b.columns != states || m->c.columns != states)
        return REFUSE(in, "a",
                      "'a' is %d x %d, 'b' has %d and 'c' %d numbers; 'a' must be square, and 'b' "
                      "and 'c' need one number per state",
                      states, m->a.columns, m->b.columns, m->c.columns);
    const double steps = m->dead_time_ms / m->step_ms;
    if (fabs(steps - round(steps)) > 1e-6 * cfpci_max(1, steps) || steps > 1e7)
        return REFUSE(in, "dead_time_ms",
                      "'dead_time_ms' of %g is not a whole number of steps of %g ms, or too long",
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
        return REFUSE(in, "band",
                      "'band' ends at %g Hz, before half the sampling rate (%g Hz): the file is "
                      "cut off; identify it again",
                      last, half);
    return LAB_DONE;
}

// ---- reading ---------------------------------------------------------------------------------

lab_outcome lab_model_file_parse(lab_model_file *model, const char *file, const char *text,
                                 lab_why *why)
{
    lab_node *root = NULL;
    *model = (lab_model_file){0};
    lab_outcome outcome = lab_parse(&root, file, text, strlen(text), why);
    if (outcome == LAB_DONE)
        outcome = lab_validate(&model_table, file, root, model, why);
    const reading in = {.model = model, .file = file, .root = root, .why = why};
    if (outcome == LAB_DONE && model->version != LAB_MODEL_VERSION)
        outcome = REFUSE(&in, "version",
                         "this model has version %d of the format, which this cfpc does not read "
                         "(%d): identify it again",
                         model->version, LAB_MODEL_VERSION);
    if (outcome == LAB_DONE)
        outcome = check_matrices(&in);
    if (outcome == LAB_DONE)
        outcome = model_file_check_band(&in);
    lab_node_free(root);
    return outcome;
}

lab_outcome lab_model_file_read(lab_model_file *model, const char *file, lab_why *why)
{
    char *text;
    *model = (lab_model_file){0};
    lab_outcome outcome = lab_read_regular(&text, file, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_model_file_parse(model, file, text, why);
    free(text);
    return outcome;
}

// ---- copying ---------------------------------------------------------------------------------

// Every member of its own kind, as the table says.
bool lab_model_file_copy(lab_model_file *copy, const lab_model_file *model)
{
    bool whole = true;
    *copy = *model;
    for (const lab_field *field = model_fields; field->key; field++) {
        void *to = (char *)copy + field->offset;
        const void *from = (const char *)model + field->offset;
        if (field->kind == LAB_TEXT)
            whole &= (*(char **)to = strdup(*(char *const *)from)) != NULL;
        if (field->kind == LAB_NUMBERS || field->kind == LAB_ROWS) {
            const lab_numbers *numbers = from;
            const size_t count = (size_t)numbers->rows * (size_t)numbers->columns;
            double *values = calloc(count + 1, sizeof *values);
            if (values && count > 0)
                memcpy(values, numbers->values, count * sizeof *values);
            ((lab_numbers *)to)->values = values;
            whole &= values != NULL;
        }
    }
    return whole;
}

// ---- those that a spec names -----------------------------------------------------------------

bool lab_is_model_name(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

const lab_known_model *lab_model_files_find(const lab_model_files *models, const char *path)
{
    for (int i = 0; models && i < models->count; i++)
        if (strcmp(models->items[i].path, path) == 0)
            return &models->items[i];
    return NULL;
}

const lab_known_model *lab_model_files_add(lab_model_files *models, const char *path,
                                           const lab_model_files *known)
{
    const lab_known_model *there = lab_model_files_find(models, path);
    if (there)
        return there;
    lab_known_model *items =
        realloc(models->items, ((size_t)models->count + 1) * sizeof *models->items);
    if (!items)
        return NULL;
    models->items = items;
    lab_known_model *model = &items[models->count];
    *model = (lab_known_model){.path = strdup(path)};
    if (!model->path)
        return NULL;
    models->count++;
    const lab_known_model *before = lab_model_files_find(known, path);
    if (!before) {
        model->outcome = lab_model_file_read(&model->model, path, &model->why);
        return model;
    }
    model->outcome = before->outcome;
    model->why = before->why;
    if (before->outcome == LAB_DONE && !lab_model_file_copy(&model->model, &before->model))
        model->outcome = lab_no_memory(&model->why, path);
    return model;
}

void lab_model_files_free(lab_model_files *models)
{
    for (int i = 0; i < models->count; i++) {
        free(models->items[i].path);
        lab_model_file_free(&models->items[i].model);
    }
    free(models->items);
    *models = (lab_model_files){0};
}
