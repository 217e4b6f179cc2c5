// SPDX-License-Identifier: Apache-2.0
// pieces: the pieces of an analysis, each of which is found in a file of its own, in the order in
// which they are found. Their arrays are the arena's.
#ifndef CFPC_LAB_ANALYSIS_PIECES_H
#define CFPC_LAB_ANALYSIS_PIECES_H

#include <string.h>

#include "analyse/analysis.h"
#include "analyse/learner.h"

// analyse_loop: the loop by itself: its poles, margins, bandwidth, lag and dead time.
lab_outcome lab_analyse_loop(lab_loop_analysis *loop, lab_arena *arena, const lab_spec *spec,
                             lab_why *why);

// analyse_learning: where learning leads, at the rate of the spec. Of one rule of a setup.
lab_outcome lab_analyse_learning(lab_learning_analysis *learning, lab_arena *arena,
                                 const lab_setup *setup, int rule, lab_why *why);

// Of any rule for this setup, to compare it: without what concerns the bases, the curve and other
// rates; in batch without the bound on line, and on line without that of monotone learning. near >
// 0: a rate near its bound on line, from which that is searched where trials do not repeat.
lab_outcome lab_analyse_briefly(lab_learning_analysis *learning, lab_arena *arena,
                                const lab_setup *setup, const lab_rule *rule, double near,
                                lab_why *why);

// forms: the main rule by traces, in adjoint form and whitened: what each needs, and where it
// leads. Needs the analysis of learning. Nothing is compared if nothing is learned.
lab_outcome lab_compare_forms(lab_analysis *analysis, const lab_setup *setup, lab_why *why);

// tolerance: how far the loop may be from what the cell believes before the verdict is lost.
// Nothing of it is found where the verdict is "diverges" already, except the phase error. With
// `region` the plane of delay and gain is filled as well.
lab_outcome lab_tolerate(lab_tolerance *tolerance, lab_arena *arena, const lab_learner *learner,
                         bool region, lab_why *why);

// band: what the band of the believed model means for learning: a bound that holds for every
// model inside, how some of them learn, and settings for the worst of these. Does nothing for a
// spec without a band.
lab_outcome lab_analyse_band(lab_band_analysis *band, lab_arena *arena, const lab_plan *plan,
                             const lab_setup *setup, lab_why *why);

// advise: the one sentence at the end, which says what to do. What it proposes was tried before.
// Without a setup the loop is not stable.
lab_outcome lab_advise(lab_analysis *analysis, const lab_setup *setup, lab_why *why);

// The same for the worst model of a band that was analysed; false: there is no such.
bool lab_advise_band(lab_analysis *analysis);

// A copy of a text; NULL without memory.
static inline const char *lab_kept_text(lab_arena *arena, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *kept = lab_take(arena, bytes, 1);
    return kept ? memcpy(kept, text, bytes) : NULL;
}

#endif
