// SPDX-License-Identifier: Apache-2.0
// excitation: the files of a probe hold it, with and without noise, and its figure draws it.
#include "write/excitation.h"

#include "draw/figures.h"
#include "lab/small_lab.h"
#include "lab/strict_json.h"
#include "lab/written.h"

#define SPEC SMALL_HEAD SMALL_LOOP SMALL_TASK SMALL_BASIS SMALL_LEARNING SMALL_RULES

typedef struct excited {
    lab_spec spec;
    lab_plan plan;
    lab_excitation found;
    written out;
} excited;

static void must_write(excited *it, const char *const *set, double noise)
{
    const lab_excite_options options = {5, 0.02, noise, NAN, NAN, 0};
    lab_why why;
    must_plan(&it->plan, &it->spec, SPEC, set);
    must(lab_excite(&it->found, &it->plan, &options, &why), &why);
    written_make(&it->out);
    must(lab_write_excitation(&it->out.folder, &it->found, &why), &why);
    must(lab_draw_excitation(&it->out.folder, &it->found, false, &why), &why);
}

static void excited_free(excited *it)
{
    written_free(&it->out);
    lab_excitation_free(&it->found);
    lab_plan_free(&it->plan);
    lab_spec_free(&it->spec);
}

static void the_table_is_a_log_of_the_believed_loop(void **state)
{
    (void)state;
    for (int at_plant = 0; at_plant <= 1; at_plant++) {
        excited it;
        must_write(&it, at_plant ? SET("enters=plant-input") : SET_NOTHING, NAN);
        const lab_excitation *found = &it.found;
        sheet table = read_sheet(&it.out.folder, "probe.csv", "time_s,probe,r,y,u");
        assert_int_equal(table.rows, found->steps);
        for (int n = 0; n < table.rows; n++) {
            assert_near(cell_of(&table, n, 0), n * 0.01, 1e-12);
            assert_near(cell_of(&table, n, 1), lab_probe_at(found, n), 0);
            assert_near(cell_of(&table, n, 2), at_plant ? 0 : lab_probe_at(found, n), 0);
            assert_near(cell_of(&table, n, 3), found->y[n], 0);
            assert_near(cell_of(&table, n, 4), found->u[n], 0);
        }
        sheet_free(&table);
        expect_written(&it.out.folder, "probe.h",
                       "static const float cfpc_probe[CFPC_PROBE_STEPS] = {",
                       at_plant ? "command, starting again" : "reference, starting again");
        expect_written(&it.out.folder, "fig-probe.gp",
                       at_plant ? "probe, added to the command" : "probe, added to the reference");
        excited_free(&it);
    }
}

static void what_is_not_known_is_null(void **state)
{
    (void)state;
    for (int noisy = 0; noisy <= 1; noisy++) {
        excited it;
        must_write(&it, SET_NOTHING, noisy ? 0.01 : NAN);
        char *text = written_text(&it.out.folder, "probe.json");
        assert_non_null(text);
        expect_json_number(text, "steps", it.found.steps);
        expect_json_number(text, "lines.count", it.found.design.lines);
        free(text);
        const lab_folder *folder = &it.out.folder;
        assert_int_equal(count_written(folder, "probe.json", "\"error\": null"), !noisy);
        assert_int_equal(count_written(folder, "probe.json", "\"noise_from\": null"), !noisy);
        assert_int_equal(count_written(folder, "fig-probe.gp", "± 2 σ"), noisy);
        expect_written(folder, "probe.json", "\"enters\": \"controller-input\"",
                       "\"crest_factor\": ");
        excited_free(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_a_log_of_the_believed_loop),
        cmocka_unit_test(what_is_not_known_is_null),
    };
    return cmocka_run_group_tests_name("lab.excitation", tests, NULL, NULL);
}
