// SPDX-License-Identifier: Apache-2.0
// story: fig-story, the one picture that a spec describes panel by panel.
#ifndef CFPC_LAB_STORY_H
#define CFPC_LAB_STORY_H

#include "write/results.h"

// Leaves the script, the data of each panel that no other file has (fig-story-a.csv for panel A),
// and the pictures if it can draw.
lab_outcome lab_draw_story(lab_folder *folder, const lab_result *result, bool can_draw,
                           lab_why *why);

#endif
