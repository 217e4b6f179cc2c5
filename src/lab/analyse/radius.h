// SPDX-License-Identifier: Apache-2.0
// radius: the band around the believed path from o to the teaching signal, as far as it is no
// envelope of variants: a fraction of the response, or what a model file says.
#ifndef CFPC_LAB_RADIUS_H
#define CFPC_LAB_RADIUS_H

#include "cfpc/certificate.h"
#include "run/setup.h"

// Whether the believed model has a band: the spec's, or that of the model file which it is, or
// which its plant is.
bool lab_has_band(const lab_spec *spec);

// The model file that brings a band, NULL if none does.
const lab_model_file *lab_band_file(const lab_spec *spec);

// The band, with the frequencies that a robust bound sees; all zero if it is given by variants
// only. path: as believed; its magnitude at these frequencies is taken from the arena. unsafe_hz:
// where a plant inside its band may make the loop unstable, so that nothing holds for all of them;
// NAN: nowhere. Free the band in either case.
cfpc_status lab_radius_make(cfpc_band *edge, double **magnitude, double *unsafe_hz,
                            lab_arena *arena, const lab_setup *setup, const cfpc_system *path);

// Widens a radius (count) where a path is farther from the response re + i im (each count, NULL: 0)
// at the frequencies of a band.
cfpc_status lab_radius_widen(const cfpc_band *band, const cfpc_system *path, const double *re,
                             const double *im, double *radius);

#endif
