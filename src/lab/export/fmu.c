// SPDX-License-Identifier: Apache-2.0
#include "export/fmu.h"

#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/folder.h"
#include "base/new_file.h"
#include "base/text.h"
#include "export/export.h"
#include "export/files.h"
#include "export/zip.h"

// The ending of a library, and the platform as FMI 3.0 names it; NULL: it has no name for it.
#if defined(__APPLE__)
#define SYSTEM "darwin"
#define LIBRARY ".dylib"
#else
#define SYSTEM "linux"
#define LIBRARY ".so"
#endif
#if defined(__x86_64__)
static const char *const platform = "x86_64-" SYSTEM;
#elif defined(__aarch64__)
static const char *const platform = "aarch64-" SYSTEM;
#elif defined(__i386__)
static const char *const platform = "x86-" SYSTEM;
#elif defined(__riscv) && __riscv_xlen == 64
static const char *const platform = "riscv64-" SYSTEM;
#else
static const char *const platform = NULL;
#endif

enum { LIBRARY_BYTES = 1 << 28 }; // of the largest library

static const char ending[] = ".fmu";
static const char archive_mark[] = "PK\3\4"; // what a zip archive begins with

// ---- library ---------------------------------------------------------------------------------

// Compiles NAME.so in the work folder. Without a compiler the FMU has its sources only; one that
// fails would leave an FMU that nothing can use.
static lab_outcome fmu_compile(lab_folder *folder, const char *path, const char *library,
                               lab_why *said, lab_why *why)
{
    const char *const arguments[] = {"cc",
                                     "-std=c11",
                                     "-O2",
                                     "-ffp-contract=off",
                                     "-fPIC",
                                     "-shared",
                                     "-fvisibility=hidden",
                                     "fmu.c",
                                     "fmu_cell.c",
                                     "cfpc.c",
                                     "-o",
                                     library,
                                     NULL};
    said->text[0] = '\0';
    if (!platform) {
        lab_say(said, "FMI has no name for this processor");
        return LAB_DONE;
    }
    const lab_child_end end = lab_child_run(folder->work, arguments);
    if (end.code == LAB_CHILD_MISSING) {
        lab_say(said, "there is no compiler (cc)");
        return LAB_DONE;
    }
    return end.code == 0 ? lab_folder_adopt(folder, library, why)
                         : lab_fail(why, "%s: the compiler (cc) failed: %s", path, end.complaint);
}

// ---- archive ---------------------------------------------------------------------------------

// The whole of a file of the work folder; the caller frees it.
static char *fmu_read_whole(const lab_folder *folder, const char *name, size_t *bytes)
{
    char *path = lab_folder_path(folder, name), *text = NULL;
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        text = end >= 0 && end < LIBRARY_BYTES ? malloc((size_t)end + 1) : NULL;
        rewind(file);
        *bytes = text ? fread(text, 1, (size_t)end, file) : 0;
        if (text && *bytes != (size_t)end) {
            free(text);
            text = NULL;
        }
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

// Packs the files of the work folder, each in its place in an FMU.
static lab_outcome fmu_pack(const char *path, const lab_folder *folder, const char *library,
                            bool force, lab_why *why)
{
    lab_new_file file;
    lab_outcome outcome = lab_new_file_begin(&file, path, archive_mark, force, why);
    if (outcome != LAB_DONE)
        return outcome;
    lab_zip zip = {.file = file.file};
    for (int i = 0; outcome == LAB_DONE && i < folder->count; i++) {
        const char *name = folder->names[i];
        char place[LAB_ZIP_NAME];
        size_t bytes;
        char *text = fmu_read_whole(folder, name, &bytes);
        if (platform && strcmp(name, library) == 0)
            snprintf(place, sizeof place, "binaries/%s/%s", platform, name);
        else
            snprintf(place, sizeof place, "%s%s",
                     strcmp(name, "modelDescription.xml") == 0 ? "" : "sources/", name);
        if (text)
            lab_zip_add(&zip, place, text, bytes);
        else
            outcome = lab_fail(why, "%s: %s cannot be read back", folder->path, name);
        free(text);
    }
    if (outcome == LAB_DONE && !lab_zip_end(&zip))
        outcome = lab_refuse(why, "%s: the FMU would have more than 2 GB", folder->path);
    if (outcome == LAB_DONE)
        outcome = lab_new_file_close(&file, why);
    if (outcome == LAB_DONE)
        return lab_new_file_commit(&file, why);
    lab_new_file_abandon(&file);
    return outcome;
}

// The folder holds the files while they are compiled and packed; it never takes its place.
static lab_outcome export_by(lab_folder *folder, const char *path, const lab_target *target,
                             const char *firmware, bool force, lab_why *compiler_said, lab_why *why)
{
    static const char *const copies[] = {"cfpc.h", "cfpc.c", "fmi/fmi3.h", "fmi/fmu.c"};
    char library[LAB_NAME_BYTES + 16];
    snprintf(library, sizeof library, "%s%s", target->name, LIBRARY);
    lab_outcome outcome = lab_write_fmu_texts(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_model_header(folder, target, why);
    if (outcome == LAB_DONE)
        outcome = lab_write_model_source(folder, target, why);
    for (size_t i = 0; outcome == LAB_DONE && i < sizeof copies / sizeof copies[0]; i++)
        outcome = lab_copy_source(folder, target, firmware, copies[i], why);
    if (outcome == LAB_DONE)
        outcome = fmu_compile(folder, path, library, compiler_said, why);
    return outcome == LAB_DONE ? fmu_pack(path, folder, library, force, why) : outcome;
}

lab_outcome lab_export_fmu(const char *path, const lab_target *target, const char *firmware,
                           bool force, lab_why *compiler_said, lab_why *why)
{
    lab_folder folder;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), tail = strlen(ending);
    if (length <= tail || strcmp(name + length - tail, ending) != 0)
        return lab_refuse(why, "--out must name a file that ends in .fmu; this is '%.200s'", path);
    lab_outcome outcome = lab_new_file_check(path, archive_mark, force, why);
    char *beside = malloc(strlen(path) + sizeof ".work");
    if (!beside)
        outcome = lab_no_memory(why, NULL);
    if (outcome == LAB_DONE) {
        sprintf(beside, "%s.work", path);
        outcome = lab_folder_begin(&folder, beside, false, why);
    }
    if (outcome == LAB_DONE) {
        outcome = export_by(&folder, path, target, firmware, force, compiler_said, why);
        lab_folder_abandon(&folder);
    }
    free(beside);
    return outcome;
}
