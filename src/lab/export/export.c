// SPDX-License-Identifier: Apache-2.0
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "export/files.h"

// ---- C source --------------------------------------------------------------------------------

// Sets a switch of the core, where the text has its line: "#define SWITCH 0" or 1.
static void set_switch(char *text, const char *line, bool is_on)
{
    char *at = strstr(text, line);
    if (at)
        at[strlen(line)] = is_on ? '1' : '0';
}

lab_outcome lab_copy_source(lab_folder *folder, const lab_target *target, const char *firmware,
                            const char *name, lab_why *why)
{
    char path[4096], *text = NULL;
    const char *slash = strrchr(name, '/');
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", firmware, name);
    lab_outcome outcome = lab_read_text(&text, path, LAB_SPEC_BYTES, why);
    if (outcome == LAB_DONE)
        outcome = lab_folder_create(folder, slash ? slash + 1 : name, &file, why);
    if (outcome == LAB_DONE) {
        set_switch(text, "\n#define CFPC_REAL_IS_FLOAT ",
                   target->real->real_bytes == sizeof(float));
        set_switch(text, "\n#define CFPC_ADJOINT ", target->horizon >= 0);
        fputs(text, file);
        outcome = lab_folder_close(folder, file, why);
    }
    free(text);
    return outcome;
}

lab_outcome lab_export_c(lab_folder *folder, const lab_target *target, const char *firmware,
                         lab_why *why)
{
    lab_outcome outcome = lab_write_model_header(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_model_source(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_example(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_loop(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_copy_source(folder, target, firmware, "cfpc.h", why);
    if (outcome == LAB_DONE)
        outcome = lab_copy_source(folder, target, firmware, "cfpc.c", why);
    return outcome == LAB_DONE ? lab_write_readme(folder, target, why) : outcome;
}

// ---- files of the library --------------------------------------------------------------------

static lab_outcome write_image(lab_folder *folder, const lab_target *target, const char *ending,
                               const void *image, size_t bytes, lab_why *why)
{
    FILE *file;
    const lab_outcome outcome = lab_create_of_target(folder, target, ending, &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    fwrite(image, 1, bytes, file);
    return lab_folder_close(folder, file, why);
}

lab_outcome lab_export_bin(lab_folder *folder, const lab_target *target, lab_why *why)
{
    const lab_cell_numbers cell = lab_target_cell(target, true);
    lab_images images;
    lab_outcome outcome =
        lab_from_status(why, target->real->make(&images, &cell), target->spec->file);
    if (outcome == LAB_DONE)
        outcome = write_image(folder, target, ".model", images.model, images.model_bytes, why);
    if (outcome == LAB_DONE)
        outcome = write_image(folder, target, ".data", images.data, images.data_bytes, why);
    lab_images_free(&images);
    return outcome;
}
