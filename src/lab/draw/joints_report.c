// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/number.h"
#include "draw/gnuplot.h"
#include "draw/zone_report.h"

static const lab_joints *joints_of(const void *context)
{
    return &((const lab_result *)context)->record->zone.joints;
}

static void joints_report_put_score(FILE *file, const lab_joint_score *score)
{
    const double values[] = {score->rrmse_last, score->rrmse_10, score->rate_fraction,
                             score->failed,     score->slowest,  score->definite};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        fprintf(file, ",%s", isnan(values[i]) ? "" : lab_number(values[i]).text);
}

static void joints_report_put_joints(FILE *file, const void *context)
{
    const lab_joints *joints = joints_of(context);
    static const char *const columns[] = {"rrmse_last", "rrmse_10", "rate_fraction",
                                          "failed",     "slowest",  "definite"};
    fputs("coupling,reactive", file);
    for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
            fprintf(file, ",%s_%s", lab_joint_rule_name((lab_joint_rule)rule), columns[i]);
    fputc('\n', file);
    for (int i = 0; i < joints->count; i++) {
        fprintf(file, "%s", lab_number(joints->joint[i].coupling).text);
        fprintf(file, ",%s", lab_number(joints->joint[i].reactive).text);
        for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
            joints_report_put_score(file, &joints->joint[i].score[rule]);
        fputc('\n', file);
    }
}

lab_outcome lab_write_joints(lab_folder *folder, const lab_result *result, lab_why *why)
{
    FILE *file;
    lab_outcome outcome = lab_folder_create(folder, "joints.csv", &file, why);
    if (outcome != LAB_DONE)
        return outcome;
    joints_report_put_joints(file, result);
    return lab_folder_close(folder, file, why);
}

// ---- the figure ------------------------------------------------------------------------------

enum { COLUMNS = 6 }; // of each rule in joints.csv, from column 3 on

static int joints_report_column_of(lab_joint_rule rule, int which)
{
    return 3 + (int)rule * COLUMNS + which;
}

// A coupling as a vertical line with its meaning along it.
static void put_mark(FILE *file, int number, double at, const char *says)
{
    if (isnan(at))
        return;
    fprintf(file,
            "set arrow %d from first %g, graph 0 to first %g, graph 1 nohead linetype 9\n"
            "set label %d \"%s\" at first %g, graph 0.03 left rotate by 90 offset -1.1,0\n",
            number, at, at, number, says, at);
}

static void error_panel(FILE *file, const lab_result *result)
{
    const lab_joints *joints = joints_of(result);
    fprintf(
        file,
        "set title \"error of both joints at trial %d, each rule at its best rate\"\n"
        "set ylabel \"rRMSE\"\nset logscale y\nset format y \"%%g\"\nset yrange [*<0.02:1<*]\nset "
        "ytics (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 100)\n"
        "set key top left reverse Left\n",
        result->spec->zone.trials);
    put_mark(file, 1, joints->definite_until, "may rise");
    put_mark(file, 2, joints->diverges_from, "diverges");
    fprintf(file,
            "plot \"fig-joints.csv\" skip 1 using 1:%d with linespoints linetype 2 pointtype 6 "
            "title \"own error, model without coupling\", \\\n"
            "     \"fig-joints.csv\" skip 1 using 1:%d with linespoints linetype 3 pointtype 4 "
            "title \"own error, right model\", \\\n"
            "     \"fig-joints.csv\" skip 1 using 1:%d with linespoints linetype 1 pointtype 7 "
            "title \"both errors\"\n"
            "unset arrow\nunset label\n",
            joints_report_column_of(LAB_JOINT_PER_ZONE, 0),
            joints_report_column_of(LAB_JOINT_OWN, 0), joints_report_column_of(LAB_JOINT_FULL, 0));
}

static void eigenvalue_panel(FILE *file, const lab_result *result)
{
    const lab_joints *joints = joints_of(result);
    fputs("set title \"model without coupling: smallest eigenvalue\"\nset ylabel \"relative to "
          "‖ZᵀH‖\"\n"
          "unset logscale\nset autoscale y\nset ytics autofreq\nset key bottom left reverse Left\n",
          file);
    put_mark(file, 1, joints->definite_until, "");
    put_mark(file, 2, joints->diverges_from, "");
    fprintf(file,
            "plot 0 linetype 8 notitle, \"fig-joints.csv\" skip 1 using 1:%d with linespoints "
            "linetype 4 pointtype 6 title \"of its symmetric part\", \\\n"
            "     \"fig-joints.csv\" skip 1 using 1:%d with linespoints linetype 3 pointtype 7 "
            "title \"of ZᵀH, real part\"\nunset arrow\nunset label\n",
            joints_report_column_of(LAB_JOINT_PER_ZONE, 5),
            joints_report_column_of(LAB_JOINT_PER_ZONE, 4));
}

static void joints_script(FILE *file, const void *context)
{
    fputs("set multiplot layout 1,2\nset xlabel \"coupling κ\"\n", file);
    error_panel(file, context);
    eigenvalue_panel(file, context);
    fputs("unset multiplot\n", file);
}

lab_outcome lab_draw_joints(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why)
{
    const lab_figure figure = {.name = "fig-joints",
                               .width = 1100,
                               .height = 440,
                               .data = joints_report_put_joints,
                               .script = joints_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
