// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/number.h"
#include "draw/figures.h"
#include "draw/gnuplot.h"

static const lab_joints *joints_of(const void *context)
{
    return &((const lab_result *)context)->record->zone.joints;
}

// The columns of each rule, from the third column on.
enum { RRMSE_LAST, RRMSE_10, RATE_FRACTION, FAILED, SLOWEST, DEFINITE, COLUMNS };

static int joints_column(lab_joint_rule rule, int which)
{
    return 3 + (int)rule * COLUMNS + which;
}

// One row per coupling.
static void joints_data(FILE *file, const void *context)
{
    static const char *const columns[COLUMNS] = {"rrmse_last", "rrmse_10", "rate_fraction",
                                                 "failed",     "slowest",  "definite"};
    const lab_joints *joints = joints_of(context);
    fputs("coupling,reactive", file);
    for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++)
        for (int i = 0; i < COLUMNS; i++)
            fprintf(file, ",%s_%s", lab_joint_rule_name((lab_joint_rule)rule), columns[i]);
    fputc('\n', file);
    for (int i = 0; i < joints->count; i++) {
        fputs(lab_number(joints->joint[i].coupling).text, file);
        lab_put_number(file, joints->joint[i].reactive);
        for (int rule = 0; rule < LAB_JOINT_RULE_COUNT; rule++) {
            const lab_joint_score *score = &joints->joint[i].score[rule];
            const double values[COLUMNS] = {score->rrmse_last,    score->rrmse_10,
                                            score->rate_fraction, score->failed,
                                            score->slowest,       score->definite};
            for (int k = 0; k < COLUMNS; k++)
                lab_put_known(file, values[k]);
        }
        fputc('\n', file);
    }
}

lab_outcome lab_write_joints(lab_folder *folder, const lab_result *result, lab_why *why)
{
    return lab_put_file(folder, "joints.csv", joints_data, result, why);
}

// ---- the figure ------------------------------------------------------------------------------

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

static void joints_script(FILE *file, const void *context)
{
    const lab_result *result = context;
    const lab_joints *joints = joints_of(result);
    fprintf(
        file,
        "set multiplot layout 1,2\nset xlabel \"coupling κ\"\n"
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
            joints_column(LAB_JOINT_PER_ZONE, RRMSE_LAST), joints_column(LAB_JOINT_OWN, RRMSE_LAST),
            joints_column(LAB_JOINT_FULL, RRMSE_LAST));
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
            "title \"of ZᵀH, real part\"\nunset arrow\nunset label\nunset multiplot\n",
            joints_column(LAB_JOINT_PER_ZONE, DEFINITE),
            joints_column(LAB_JOINT_PER_ZONE, SLOWEST));
}

lab_outcome lab_draw_joints(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why)
{
    static const lab_figure figure = {"fig-joints", 1100, 440, joints_data, joints_script};
    return lab_gnuplot_figure(folder, &figure, result, can_draw, why);
}
