// SPDX-License-Identifier: Apache-2.0
// figures: all that is drawn, each with its script and its data, and the tables that a figure of a
// run is drawn from. Where the caller cannot draw, only scripts and data are written.
#ifndef CFPC_LAB_FIGURES_H
#define CFPC_LAB_FIGURES_H

#include "analyse/analysis.h"
#include "analyse/excite.h"
#include "identify/identification.h"
#include "sweep/swept.h"
#include "write/results.h"

// ---- a run -----------------------------------------------------------------------------------

// Draws all figures of a run into the folder; without gnuplot, only their scripts and data.
lab_outcome lab_draw_figures(lab_folder *folder, const lab_result *result, lab_why *why);

// Whether the first and the last trial have the same task, so that fig-behaviour can compare them.
bool lab_shows_behaviour(const lab_record *record);

// The picture that the spec describes, with the data of each panel (fig-story-a.csv for panel A).
lab_outcome lab_draw_story(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why);

// The rules side by side: one panel per column of the table.
lab_outcome lab_draw_standings(lab_folder *folder, const lab_result *result, bool can_draw,
                               lab_why *why);

// What was tried for each rule that was tuned, and what was chosen: tuning.csv, fig-tuning.
lab_outcome lab_write_tuning(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_draw_tuning(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why);

// Learning with different numbers of synapses: scale.csv, and speed.csv with the figures that vary
// from run to run; fig-scale: error, curves and rate.
lab_outcome lab_write_scale(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_draw_scale(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why);

// Traces on random loops: population.csv, one row per loop, basis and trace; fig-population: which
// share of the loops is learned after how many trials; fig-wrong: what is left of that where the
// loop is not what was believed.
lab_outcome lab_write_population(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_draw_population(lab_folder *folder, const lab_result *result, bool can_draw,
                                lab_why *why);

// A zone: zone.csv, one row per cell; fig-zone: what is left of every cell's error with its own and
// with a common model, with noise, and with other numbers of cells and synapses.
lab_outcome lab_write_zone(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_draw_zone(lab_folder *folder, const lab_result *result, bool can_draw,
                          lab_why *why);

// Coupled joints: joints.csv, one row per coupling; fig-joints: what coupling does to both rules,
// and what their eigenvalues predict.
lab_outcome lab_write_joints(lab_folder *folder, const lab_result *result, lab_why *why);
lab_outcome lab_draw_joints(lab_folder *folder, const lab_result *result, bool can_draw,
                            lab_why *why);

// ---- other findings --------------------------------------------------------------------------

// fig-prediction, if learning could be analysed, fig-tolerance, if delays were varied, and
// fig-band, if there is one.
lab_outcome lab_draw_certificate(lab_folder *folder, const lab_analysis *analysis, bool can_draw,
                                 lab_why *why);

// fig-probe, beside probe.csv: a probe, its spectrum, and how accurately the path will be known.
lab_outcome lab_draw_excitation(lab_folder *folder, const lab_excitation *excitation, bool can_draw,
                                lab_why *why);

// fig-identify, from the tables that lab_write_identification wrote: simulation, impulse response,
// frequency response and residuals.
lab_outcome lab_draw_identification(lab_folder *folder, const lab_identification *identification,
                                    bool can_draw, lab_why *why);

// fig-sweep: curves over one axis of numbers, or a map over two.
lab_outcome lab_draw_sweep(lab_folder *folder, const lab_swept *swept, bool can_draw, lab_why *why);

// Why there is nothing to draw of a sweep; NULL if there is.
const char *lab_sweep_undrawn(const lab_swept *swept);

#endif
