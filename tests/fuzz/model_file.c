// SPDX-License-Identifier: Apache-2.0
// Fuzzing of model files: whatever the text is, it is refused on one line, or it is a model that is
// printed and read again to the same, and becomes a system or is refused.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plant/identified.h"
#include "spec/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds)
{
    if (!holds)
        abort();
}

static char *print_of(const lab_model_file *model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    must(stream != NULL);
    lab_model_file_print(stream, model);
    must(fclose(stream) == 0);
    return text;
}

static void expect_rereads(const lab_model_file *model)
{
    lab_model_file again;
    lab_why why = {0};
    char *first = print_of(model), *second = NULL;
    if (lab_model_file_parse(&again, "fuzz.yaml", first, &why) != LAB_DONE) {
        fprintf(stderr, "%s in\n%s", why.text, first);
        abort();
    }
    second = print_of(&again);
    must(strcmp(first, second) == 0);
    lab_model_file_free(&again);
    free(first);
    free(second);
}

static void build(const lab_model_file *model)
{
    cfpc_system sys = {0}, open = {0};
    if (model->a.rows > 8 || model->dead_time_ms / model->step_ms > 1000)
        return;
    if (lab_identified_system(&sys, model) == CFPC_OK)
        must(sys.inputs == 1 && sys.outputs == 1);
    if (lab_identified_open_path(&open, model) == CFPC_OK)
        must(open.inputs == 1 && open.outputs == 1);
    cfpc_system_free(&sys);
    cfpc_system_free(&open);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    lab_model_file model = {0};
    lab_why why = {0};
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    if (lab_model_file_parse(&model, "fuzz.yaml", text, &why) == LAB_DONE) {
        expect_rereads(&model);
        build(&model);
    } else
        must(*why.text && strlen(why.text) < sizeof why.text && !strpbrk(why.text, "\r\n"));
    lab_model_file_free(&model);
    free(text);
    return 0;
}
