// SPDX-License-Identifier: Apache-2.0
// standings_figure: fig-standings.csv holds the figures of the rules within their panels and says
// which lie beyond; fig-standings.gp has one panel per column, one row per rule, one mark per case.
#include "draw/figures.h"

#include "lab/standings_made_up.h"
#include "lab/written.h"

static void draw(written *out, const made_up *it)
{
    lab_why why;
    written_make(out);
    must(lab_draw_standings(&out->folder, &it->result, false, &why), &why);
}

#define HEADER "row,case,rule,rrmse_last,beyond,gain,beyond,parameters,beyond"

// A panel goes from a power of ten to a power of ten.
static void the_data_hold_the_figures_of_every_rule(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{0.5, 1, 20}, {0.3, 0.9, 3}, {0.02, 2, 500}};
    static made_up it;
    written out;
    make_up(&it, HEAD THREE_RULES COLUMNS, values);
    draw(&out, &it);
    expect_sheet(&out.folder, "fig-standings.csv", HEADER, //
                 0, 0, NAN, 0.5, 0, 1, 0, 20, 0,           //
                 1, 0, NAN, 0.3, 0, 0.9, 0, 3, 0,          //
                 2, 0, NAN, 0.02, 0, 2, 0, 500, 0);
    expect_written(&out.folder, "fig-standings.csv", "\n0,0,x,", "\n1,0,y,", "\n2,0,z,");
    expect_written(
        &out.folder, "fig-standings.gp",
        "set xrange [0.01:1]\nset xtics (\"0.01\" 1.000001e-2, \"0.1\" 1e-1, \"1\" 1e0)\n",
        "set xrange [0.1:10]\nset xtics (\"0.1\" 1.000001e-1, \"1\" 1e0, \"10\" 1e1)\n",
        "set xrange [1:1000]\nset xtics (\"1\" 1.000001e0, \"100\" 1e2)\n",
        "set yrange [2.5:-0.5]\n", "('x' 0, 'y' 1, 'z' 2)\n", "set terminal svg size 550,182 ");
    assert_int_equal(count_written(&out.folder, "fig-standings.gp", "('' 0, '' 1, '' 2)\n"), 2);
    assert_int_equal(count_written(&out.folder, "fig-standings.gp", "\nplot "), 3);
    written_free(&out);
    lab_spec_free(&it.spec);
}

// What lies beyond its panel or diverged is drawn at the edge, and marked; what lies below, at the
// other edge; what is not there, nowhere.
static void what_lies_beyond_is_marked_at_the_edge(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {
        {0.5, INFINITY, -3}, {1e-9, NAN, 0}, {7, -1, NAN}};
    static made_up it;
    written out;
    make_up(&it,
            HEAD THREE_RULES "table:\n"
                             "  - {title: a, measure: rrmse_last, low: 0.1, high: 1}\n"
                             "  - {title: b, measure: gain, better: high}\n"
                             "  - {title: c, measure: parameters, better: neither}\n",
            values);
    draw(&out, &it);
    expect_sheet(&out.folder, "fig-standings.csv", HEADER, //
                 0, 0, NAN, 0.5, 0, 10, 1, 0.1, 0,         //
                 1, 0, NAN, 0.1, 0, NAN, 0, 0.1, 0,        //
                 2, 0, NAN, 1, 1, 0.1, 0, NAN, 0);
    assert_int_equal(count_written(&out.folder, "fig-standings.gp", "set xrange [0.1:10]\n"), 2);
    expect_written(&out.folder, "fig-standings.gp", "set xrange [0.1:1]\n",
                   "▶ off scale, or never");
    written_free(&out);
    lab_spec_free(&it.spec);
}

// A number of trials that is missing was never reached, which is drawn as bad.
static void trials_that_never_come_are_at_the_edge(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{4, 1, 1}, {NAN, 1, 1}, {40, 1, 1}};
    static made_up it;
    written out;
    make_up(&it,
            HEAD THREE_RULES "table:\n"
                             "  - {title: a, measure: trials_to_5pc}\n"
                             "  - {title: b, measure: gain}\n"
                             "  - {title: c, measure: parameters}\n",
            values);
    draw(&out, &it);
    expect_sheet(&out.folder, "fig-standings.csv",
                 "row,case,rule,trials_to_5pc,beyond,gain,beyond,parameters,beyond", //
                 0, 0, NAN, 4, 0, 1, 0, 1, 0,                                        //
                 1, 0, NAN, 100, 1, 1, 0, 1, 0,                                      //
                 2, 0, NAN, 40, 0, 1, 0, 1, 0);
    written_free(&out);
    lab_spec_free(&it.spec);
}

// Rules of one name share a row; cases differ in mark and height, and the key names them.
static void cases_share_rows_and_have_their_own_marks(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {4, 4, 4},
                                                  {5, 5, 5}, {6, 6, 6}, {7, 7, 7}};
    static made_up it;
    written out;
    make_up(&it,
            HEAD THREE_RULES "  - {name: w, in_case: there, trace: none}\n" COLUMNS
                             "cases: [{name: here}, {name: there, set: {loop.delay_ms: 60}}]\n",
            values);
    draw(&out, &it);
    expect_sheet(&out.folder, "fig-standings.csv", HEADER, //
                 0, 0, NAN, 1, 0, 1, 0, 1, 0,              //
                 1, 0, NAN, 2, 0, 2, 0, 2, 0,              //
                 2, 0, NAN, 3, 0, 3, 0, 3, 0,              //
                 0, 1, NAN, 4, 0, 4, 0, 4, 0,              //
                 1, 1, NAN, 5, 0, 5, 0, 5, 0,              //
                 2, 1, NAN, 6, 0, 6, 0, 6, 0,              //
                 3, 1, NAN, 7, 0, 7, 0, 7, 0);
    expect_written(&out.folder, "fig-standings.gp", "('x' 0, 'y' 1, 'z' 2, 'w' 3)\n", "\"● here\"",
                   "\"■ there\"",
                   "using ($2 == 0 && $5 == 0 ? $4 : NaN):($1 + -0.15) with points linetype 1 "
                   "pointtype 7 ",
                   "using ($2 == 1 && $5 == 0 ? $4 : NaN):($1 + 0.15) with points linetype 2 "
                   "pointtype 5 ",
                   "using ($2 == 1 && $9 == 1 ? $8 : NaN):($1 + 0.15):(\"▶\")");
    written_free(&out);
    lab_spec_free(&it.spec);
}

// A title is parted at the space nearest to its middle; a quote in it is part of the text.
static void titles_stand_in_two_lines(void **state)
{
    (void)state;
    static const double values[][COLUMN_COUNT] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    static made_up it;
    written out;
    make_up(&it,
            HEAD THREE_RULES "table:\n"
                             "  - {title: \"it's a title of many words\", measure: rrmse_last}\n"
                             "  - {title: one, measure: gain}\n"
                             "  - {title: \"b c\", measure: parameters}\n",
            values);
    draw(&out, &it);
    expect_written(&out.folder, "fig-standings.gp", "set label 1 'it''s a title' at ",
                   "set label 2 'of many words' at ", "set label 1 '' at ", "set label 2 'one' at ",
                   "set label 1 'b' at ", "set label 2 'c' at ");
    written_free(&out);
    lab_spec_free(&it.spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_data_hold_the_figures_of_every_rule),
        cmocka_unit_test(what_lies_beyond_is_marked_at_the_edge),
        cmocka_unit_test(trials_that_never_come_are_at_the_edge),
        cmocka_unit_test(cases_share_rows_and_have_their_own_marks),
        cmocka_unit_test(titles_stand_in_two_lines),
    };
    return cmocka_run_group_tests_name("lab.standings_figure", tests, NULL, NULL);
}
