// SPDX-License-Identifier: Apache-2.0
// sweep_figure: fig-sweep.csv holds the sweep's values and fig-sweep.gp draws them: as curves over
// one key, as a map over two, with marks where a rule diverged.
#include "draw/figures.h"

#include "lab/written.h"

enum { MAX_POINTS = 16, MEASURES = 3 };

// A finished sweep of which nothing is known but its grid and one measure.
typedef struct made_up {
    lab_spec spec;
    lab_grid grid;
    lab_point point[MAX_POINTS];
    lab_measure measure[MAX_POINTS][MEASURES];
    lab_sweep sweep;
    lab_swept swept;
    written out;
} made_up;

// What is added to a measure's name for half the width of its interval; "?": there are none.
static const char *intervals = "?";

// Axes end with NULL. A value that is -INFINITY is that of a point that was refused; at one that is
// INFINITY the rule diverged in trial 3.
static void make_up(made_up *it, const char *measure, const char *const *axes, const double *values)
{
    static char nothing[] = "", diverged[] = "rule 'a' diverged at trial 3",
                bad[] = "it is refused";
    lab_why why = {0};
    *it = (made_up){.sweep = {.spec = &it->spec, .grid = &it->grid, .point = it->point}};
    for (; *axes; axes++)
        if (lab_grid_add(&it->grid, *axes, &why) != LAB_DONE)
            fail_msg("%s", why.text);
    it->sweep.points = it->grid.points;
    assert_in_range(it->sweep.points, 1, MAX_POINTS);
    for (int p = 0; p < it->sweep.points; p++) {
        const bool refused = values[p] == -INFINITY;
        it->point[p] = (lab_point){.finished = true,
                                   .outcome = refused ? LAB_REFUSED : LAB_DONE,
                                   .why = refused                 ? bad
                                          : values[p] == INFINITY ? diverged
                                                                  : nothing,
                                   .count = refused ? 0 : MEASURES,
                                   .measure = it->measure[p]};
        lab_measure *to = it->measure[p];
        snprintf(to[0].name, sizeof to[0].name, "%s", measure);
        to[0].value = values[p];
        snprintf(to[1].name, sizeof to[1].name, "rules.a.diverged_at_trial");
        to[1].value = values[p] == INFINITY ? 3 : 0;
        snprintf(to[2].name, sizeof to[2].name, "%.100s%s", measure, intervals);
        to[2].value = values[p] / 10;
    }
    if (lab_swept_make(&it->swept, &it->sweep, measure, &why) != LAB_DONE)
        fail_msg("%s", why.text);
    written_make(&it->out);
    if (lab_draw_sweep(&it->out.folder, &it->swept, false, &why) != LAB_DONE)
        fail_msg("%s", why.text);
}

static void made_up_free(made_up *it)
{
    written_free(&it->out);
    lab_swept_free(&it->swept);
    lab_grid_free(&it->grid);
}

#define AXES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define VALUES(...) ((const double[]){__VA_ARGS__})
#define EXPECT(it, ...) expect_written(&(it)->out.folder, "fig-sweep.gp", __VA_ARGS__)
#define EXPECT_DATA(it, header, ...)                                                               \
    expect_sheet(&(it)->out.folder, "fig-sweep.csv", header, __VA_ARGS__)
#define EXPECT_NONE(it, words)                                                                     \
    assert_int_equal(count_written(&(it)->out.folder, "fig-sweep.gp", (words)), 0)

// ---- curves ----------------------------------------------------------------------------------

// Whatever the order in which they were asked for: a line goes through its points from left to
// right.
static void one_key_is_one_curve_in_rising_order(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("loop.delay_ms=30,10,20"), VALUES(0.3, 0.1, 1. / 3));
    EXPECT_DATA(it, "# value,curve_1", 10, 0.1, 20, 1. / 3, 30, 0.3);
    EXPECT(it, "set xlabel 'loop.delay_ms' noenhanced\n", "set ylabel 'lambda_max' noenhanced\n",
           "set xrange [10:30]\n", "set offsets 0, 0, graph 0.05, graph 0.05\n",
           "\"fig-sweep.csv\" using 1:2 with linespoints linetype 1 pointtype 5 pointsize 0.8 "
           "notitle\n");
    EXPECT_NONE(it, "logscale");
    EXPECT_NONE(it, "diverged");
    made_up_free(it);
}

static void intervals_are_bars_under_the_curves(void **state)
{
    made_up *it = *state;
    intervals = "_half_width";
    make_up(it, "lambda_max", AXES("enters=a,b", "loop.delay_ms=10,20"), VALUES(1, 2, 3, 4));
    intervals = "?";
    EXPECT_DATA(it, "# value,curve_1,curve_2,half_width_1,half_width_2", //
                10, 1, 3, 0.1, 0.3,                                      //
                20, 2, 4, 0.2, 0.4);
    EXPECT(it,
           "plot \"fig-sweep.csv\" using 1:2:4 with yerrorbars linetype 1 pointtype -1 linewidth "
           "1.5 title \"95 % interval of the mean\", \\\n",
           "\"fig-sweep.csv\" using 1:3:5 with yerrorbars linetype 2 pointtype -1 linewidth 1.5 "
           "notitle, \\\n");
    made_up_free(it);
}

// The key with the most numbers is along the axis, wherever it stands; the others name the curves.
static void other_keys_make_more_curves_that_are_named(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("enters=\"it's\",b", "a=1,2,3", "name=\"x, y\",z"),
            VALUES(1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60));
    EXPECT_DATA(it, "# value,curve_1,curve_2,curve_3,curve_4", //
                1, 1, 10, 4, 40,                               //
                2, 2, 20, 5, 50,                               //
                3, 3, 30, 6, 60);
    EXPECT(it,
           "using 1:2 with linespoints linetype 1 pointtype 5 pointsize 0.8 title 'enters = "
           "\"it''s\", "
           "name = \"x, y\"', \\\n",
           "using 1:3 with linespoints linetype 2 pointtype 7 pointsize 0.8 title 'enters = "
           "\"it''s\", "
           "name = z', \\\n",
           "title 'enters = b, name = \"x, y\"', \\\n", "title 'enters = b, name = z'\n");
    made_up_free(it);
}

// A name that would not fit is cut, and the figure is wider.
static void a_long_value_is_cut_and_gets_room(void **state)
{
    made_up *it = *state;
    char axis[200] = "task.points=[[0,0],";
    for (int i = 0; i < 12; i++)
        strcat(axis, "[0.1,0.2],");
    strcat(axis, "[1,1]],b");
    make_up(it, "lambda_max", AXES("a=1,2,3", axis), VALUES(1, 2, 3, 4, 5, 6));
    EXPECT(it, "…'", "title 'task.points = b'");
    EXPECT(it, "set terminal svg size 909,480 "); // 180 and 9 for each of 14 + 64 + 3 bytes
    made_up_free(it);
}

static void what_spans_decades_is_logarithmic(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("rate=1,10,1000"), VALUES(1e-3, 1, 1e4));
    EXPECT(it, "set logscale x\n", "set logscale y\n");
    made_up_free(it);
    make_up(it, "lambda_max", AXES("rate=-1,10,1000"), VALUES(-1e-3, 1, 1e4));
    EXPECT_NONE(it, "logscale");
    made_up_free(it);
}

// How much worse than 100 times the reactive loop is not shown: it would press all else flat.
static void an_rrmse_is_drawn_up_to_a_hundred(void **state)
{
    made_up *it = *state;
    make_up(it, "rules.a.rrmse_last", AXES("a=1,2,3"), VALUES(0.5, 7e9, 80));
    EXPECT(it, "set yrange [*:100]\n", "set ylabel 'rules.a.rrmse_last (up to 100)' noenhanced\n",
           "set logscale y\n");
    EXPECT_DATA(it, "# value,curve_1", 1, 0.5, 2, 7e9, 3, 80); // the data are whole
    made_up_free(it);
    make_up(it, "rules.a.rrmse_last", AXES("a=1,2"), VALUES(200, 300)); // or else nothing is drawn
    EXPECT(it, "set ylabel 'rules.a.rrmse_last' noenhanced\n");
    EXPECT_NONE(it, "yrange");
    made_up_free(it);
}

// A cross where a rule diverged; a point that was refused has no mark.
static void a_curve_marks_where_a_rule_diverged(void **state)
{
    made_up *it = *state;
    make_up(it, "rules.a.rrmse_last", AXES("a=1,2,3,4"), VALUES(0.5, INFINITY, -INFINITY, 0.25));
    EXPECT(it, "set label \"\" at 2,graph 0.97 point pointtype 2 ", "title \"diverged\"\n");
    EXPECT_DATA(it, "# value,curve_1", 1, 0.5, 2, INFINITY, 3, NAN, 4, 0.25);
    made_up_free(it);
}

// ---- maps ------------------------------------------------------------------------------------

static void two_keys_make_a_map_whose_cells_meet_half_way(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("a=1,2,4", "b=30,10"), VALUES(6, 5, 4, 3, 2, 1));
    EXPECT_DATA(it, "# x,y,x_from,x_to,y_from,y_to,value", //
                1, 30, 0.5, 1.5, 20, 40, 6,                //
                1, 10, 0.5, 1.5, 0, 20, 5,                 //
                2, 30, 1.5, 3, 20, 40, 4,                  //
                2, 10, 1.5, 3, 0, 20, 3,                   //
                4, 30, 3, 5, 20, 40, 2,                    //
                4, 10, 3, 5, 0, 20, 1);
    EXPECT(it, "set xlabel 'a' noenhanced\n", "set ylabel 'b' noenhanced\n", "set xrange [0.5:5]\n",
           "set yrange [0:40]\n", "set cbrange [1:6]\n",
           "set cblabel 'lambda_max' noenhanced offset 1, 0\n",
           "at 4,10 point pointtype 6 pointsize 2.5 linewidth 4 ", "title \"lowest\"\n");
    EXPECT_NONE(it, "logscale");
    EXPECT_NONE(it, "no result");
    made_up_free(it);
}

// On a logarithmic axis half-way is the geometric mean.
static void cells_of_a_logarithmic_axis_meet_at_the_geometric_mean(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("a=1,4,1024", "b=1,2"), VALUES(1, 1, 1, 1, 1, 1));
    EXPECT_DATA(it, "# x,y,x_from,x_to,y_from,y_to,value", //
                1, 1, 0.5, 2, 0.5, 1.5, 1,                 //
                1, 2, 0.5, 2, 1.5, 2.5, 1,                 //
                4, 1, 2, 64, 0.5, 1.5, 1,                  //
                4, 2, 2, 64, 1.5, 2.5, 1,                  //
                1024, 1, 64, 16384, 0.5, 1.5, 1,           //
                1024, 2, 64, 16384, 1.5, 2.5, 1);
    EXPECT(it, "set logscale x\n", "set cbrange [0.99:1.01]\n"); // gnuplot wants a range
    made_up_free(it);
}

// Grey where there is no result, a cross where the rule diverged.
static void a_map_marks_what_is_not_there(void **state)
{
    made_up *it = *state;
    make_up(it, "rules.a.rrmse_last", AXES("a=1,2", "b=3,4", "c=7"),
            VALUES(200, INFINITY, -INFINITY, 0.5));
    EXPECT_DATA(it, "# x,y,x_from,x_to,y_from,y_to,value", //
                1, 3, 0.5, 1.5, 2.5, 3.5, 200,             //
                1, 4, 0.5, 1.5, 3.5, 4.5, NAN,             //
                2, 3, 1.5, 2.5, 2.5, 3.5, NAN,             //
                2, 4, 1.5, 2.5, 3.5, 4.5, 0.5);
    EXPECT(it, "set label \"\" at 1,4 point pointtype 2 ", "title \"diverged\"\n",
           "title \"no result\"", "(up to 100)", "set cbrange [0.5:100]\n", "set logscale cb\n");
    made_up_free(it);
}

// ---- no figure -------------------------------------------------------------------------------

static void expect_undrawn(made_up *it, const char *const *axes, const double *values,
                           const char *why)
{
    make_up(it, "lambda_max", axes, values);
    assert_string_equal(lab_sweep_undrawn(&it->swept), why);
    assert_false(is_written(&it->out.folder, "fig-sweep.gp"));
    assert_false(is_written(&it->out.folder, "fig-sweep.csv"));
    made_up_free(it);
}

static void what_cannot_be_drawn_is_told_and_leaves_nothing(void **state)
{
    const double same[MAX_POINTS] = {0};
    expect_undrawn(*state, AXES("enters=a,b"), same, "no key has two or more numbers");
    expect_undrawn(*state, AXES("a=1"), same, "no key has two or more numbers");
    expect_undrawn(*state, AXES("a=1,2", "b=x,y,z,u,v,w,r"), same,
                   "it can show two numeric keys, or at most 6 curves over one");
    expect_undrawn(*state, AXES("a=1,2"), VALUES(INFINITY, NAN),
                   "no value of the measure is finite");
    expect_undrawn(*state, AXES("a=1,2", "b=1,2"), VALUES(NAN, NAN, INFINITY, -INFINITY),
                   "no value of the measure is finite");
}

static void three_keys_of_numbers_are_curves(void **state)
{
    made_up *it = *state;
    make_up(it, "lambda_max", AXES("a=1,2", "b=3,4", "c=5,6"), VALUES(1, 2, 3, 4, 5, 6, 7, 8));
    assert_null(lab_sweep_undrawn(&it->swept));
    EXPECT_DATA(it, "# value,curve_1,curve_2,curve_3,curve_4", 1, 1, 2, 3, 4, 2, 5, 6, 7, 8);
    EXPECT(it, "title 'b = 3, c = 5'", "title 'b = 4, c = 6'");
    made_up_free(it);
}

static int set_up(void **state)
{
    *state = must_calloc(1, sizeof(made_up));
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_key_is_one_curve_in_rising_order),
        cmocka_unit_test(intervals_are_bars_under_the_curves),
        cmocka_unit_test(other_keys_make_more_curves_that_are_named),
        cmocka_unit_test(a_long_value_is_cut_and_gets_room),
        cmocka_unit_test(what_spans_decades_is_logarithmic),
        cmocka_unit_test(an_rrmse_is_drawn_up_to_a_hundred),
        cmocka_unit_test(a_curve_marks_where_a_rule_diverged),
        cmocka_unit_test(two_keys_make_a_map_whose_cells_meet_half_way),
        cmocka_unit_test(cells_of_a_logarithmic_axis_meet_at_the_geometric_mean),
        cmocka_unit_test(a_map_marks_what_is_not_there),
        cmocka_unit_test(what_cannot_be_drawn_is_told_and_leaves_nothing),
        cmocka_unit_test(three_keys_of_numbers_are_curves),
    };
    return cmocka_run_group_tests_name("lab.sweep_figure", tests, set_up, tear_down);
}
