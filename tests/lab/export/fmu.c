// SPDX-License-Identifier: Apache-2.0
// fmu: what is in an FMU of each kind of cell, and when there is none. The compiler and the core
// are stand-ins: apps.fmu and tools/check-peers fmu compile and run FMUs.
#include "export/fmu.h"
#include "export/make_target.h"

#include "lab/small_lab.h"
#include "lab/temporary.h"

#define COMPILES "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\necho library >\"$2\"\n"
#define FAILS "#!/bin/sh\necho 'fmu.c:1: too old' >&2\nexit 1\n"

typedef struct unit {
    lab_plan plan;
    lab_spec spec;
    lab_target target;
    temporary here;
    temporary_path path, firmware;
    char *search_path;
} unit;

static void put_firmware(unit *it)
{
    static const char *const files[] = {"firmware/cfpc.h", "firmware/cfpc.c", "firmware/fmi/fmi3.h",
                                        "firmware/fmi/fmu.c"};
    it->firmware = temporary_below(&it->here, "firmware");
    assert_ok(mkdir(it->firmware.text, 0700));
    assert_ok(mkdir(temporary_below(&it->here, "firmware/fmi").text, 0700));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        write_file(temporary_below(&it->here, files[i]).text, "// core\n");
}

// A cell, and a machine whose compiler is this script; NULL: it has none.
static void unit_make(unit *it, const char *const *set, size_t real_bytes, const char *compiler)
{
    lab_why why;
    const lab_target_options how = {.real_bytes = real_bytes};
    must_plan(&it->plan, &it->spec, SMALL_SPEC, set);
    must(lab_target_make(&it->target, &it->plan, &how, &why), &why);
    temporary_make(&it->here);
    put_firmware(it);
    it->path = temporary_below(&it->here, "out/cell.fmu");
    assert_ok(mkdir(temporary_below(&it->here, "out").text, 0700));
    const temporary_path bin = temporary_below(&it->here, "bin"),
                         cc = temporary_below(&it->here, "bin/cc");
    assert_ok(mkdir(bin.text, 0700));
    if (compiler) {
        write_file(cc.text, compiler);
        assert_ok(chmod(cc.text, 0700));
    }
    it->search_path = strdup(getenv("PATH") ? getenv("PATH") : "");
    assert_non_null(it->search_path);
    assert_ok(setenv("PATH", bin.text, 1));
}

static void unit_free(unit *it)
{
    setenv("PATH", it->search_path, 1);
    free(it->search_path);
    temporary_remove(&it->here);
    lab_target_free(&it->target);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

// Whether the archive, whose files are not compressed, holds this text.
static bool holds(const unit *it, const char *text)
{
    static char bytes[1 << 20];
    FILE *file = fopen(it->path.text, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file), length = strlen(text);
    fclose(file);
    for (size_t at = 0; at + length <= count; at++)
        if (memcmp(bytes + at, text, length) == 0)
            return true;
    return false;
}

static void every_kind_of_cell_has_its_variables(void **state)
{
    (void)state;
    static const struct {
        const char *set[4];
        const char *holds[4], *lacks[2];
    } cases[] = {
        {{NULL},
         {"name=\"next_trial\"", "fm_next_trial();", "dependencies=\"4\"",
          "name=\"guard_pauses\" valueReference=\"16\""},
         {"name=\"teaching\"", "it->now"}},
        {{"task.reset=no", "learning.mode=online", NULL},
         {"it->now >= FM_TRIAL_STEPS", "int32_t now;", "dependencies=\"\"",
          "<Output valueReference=\"19\" dependencies=\"\"/>"},
         {"name=\"next_trial\"", "fm_next_trial();"}},
        {{"basis={kind: periodic, count: 4, input: angle}", "angle={turns: 1}", NULL},
         {"name=\"turns\" valueReference=\"16\"", "fm_act(signals[0])", "dependencies=\"4 16\"",
          "name=\"paused\" valueReference=\"18\""},
         {"name=\"x\"", "it->now"}},
        {{"basis={kind: laguerre, count: 3, time_constant_ms: 100, input: reference}", NULL},
         {"name=\"reference\" valueReference=\"16\"", "cfpci_bank_valid(", "bank_1[",
          "name=\"alone\" valueReference=\"20\""},
         {"name=\"x\"", "it->now"}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unit it;
        lab_why said, why;
        unit_make(&it, cases[i].set, i % 2 ? 4 : 8, COMPILES);
        must(lab_export_fmu(it.path.text, &it.target, it.firmware.text, false, &said, &why), &why);
        assert_string_equal(said.text, "");
        assert_true(holds(&it, "library\n"));
        for (size_t k = 0; k < 4; k++)
            if (!holds(&it, cases[i].holds[k]))
                fail_msg("case %zu lacks '%s'", i, cases[i].holds[k]);
        for (size_t k = 0; k < 2; k++)
            if (holds(&it, cases[i].lacks[k]))
                fail_msg("case %zu holds '%s'", i, cases[i].lacks[k]);
        unit_free(&it);
    }
}

static void without_a_compiler_it_has_its_sources(void **state)
{
    (void)state;
    unit it;
    lab_why said, why;
    unit_make(&it, SET_NOTHING, 8, NULL);
    must(lab_export_fmu(it.path.text, &it.target, it.firmware.text, false, &said, &why), &why);
    assert_string_equal(said.text, "there is no compiler (cc)");
    assert_true(holds(&it, "sources/fmu_cell.c"));
    assert_false(holds(&it, "binaries/"));
    assert_int_equal(lab_export_fmu(it.path.text, &it.target, it.firmware.text, false, &said, &why),
                     LAB_REFUSED); // it is there
    must(lab_export_fmu(it.path.text, &it.target, it.firmware.text, true, &said, &why), &why);
    unit_free(&it);
}

static void what_fails_leaves_nothing(void **state)
{
    (void)state;
    unit it;
    lab_why said, why;
    unit_make(&it, SET_NOTHING, 8, FAILS);
    assert_int_equal(lab_export_fmu(it.path.text, &it.target, it.firmware.text, false, &said, &why),
                     LAB_FAILED);
    assert_non_null(strstr(why.text, "the compiler (cc) failed: fmu.c:1: too old"));
    assert_int_equal(lab_export_fmu(it.path.text, &it.target, "/nonexistent", false, &said, &why),
                     LAB_REFUSED);
    assert_int_equal(lab_export_fmu(temporary_below(&it.here, "out/cell").text, &it.target,
                                    it.firmware.text, false, &said, &why),
                     LAB_REFUSED);
    assert_int_equal(entries_of(temporary_below(&it.here, "out").text), 0);
    unit_free(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_cell_has_its_variables),
        cmocka_unit_test(without_a_compiler_it_has_its_sources),
        cmocka_unit_test(what_fails_leaves_nothing),
    };
    return cmocka_run_group_tests_name("lab.fmu", tests, NULL, NULL);
}
