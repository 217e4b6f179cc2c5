// SPDX-License-Identifier: Apache-2.0
#include "spec/model_files.h"

#include <stdlib.h>
#include <string.h>

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

static void model_files_fill(lab_known_model *model, const char *path, const lab_known_model *known)
{
    if (!known) {
        model->outcome = lab_model_file_read(&model->model, path, &model->why);
        return;
    }
    model->outcome = known->outcome;
    model->why = known->why;
    if (known->outcome == LAB_DONE && !lab_model_file_copy(&model->model, &known->model))
        model->outcome = lab_no_memory(&model->why, path);
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
    model_files_fill(model, path, lab_model_files_find(known, path));
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
