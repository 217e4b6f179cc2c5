// SPDX-License-Identifier: Apache-2.0
// guard_judge: what the guard makes of a round: whether the cell is suspected, what is found when
// it is paused, and what follows. The rounds themselves are measured in guard.c.
#ifndef CFPC_CORE_GUARD_JUDGE_H
#define CFPC_CORE_GUARD_JUDGE_H

#include "data_image.h"

// A round with the cell at work has ended.
void cfpci_guard_judge(const cfpc_model *model, cfpc_data *data, const cfpci_round *now);

// A round without output has ended: it tells what the loop alone does, and ends a pause.
void cfpci_guard_see(const cfpc_model *model, cfpc_data *data, const cfpci_round *now);

// The same in the middle of a round at work, its mean squares taken over the whole of it.
void cfpci_guard_judge_so_far(const cfpc_model *model, cfpc_data *data, cfpci_round so_far);

// The energy of a round at which the cell is suspected at once.
cfpc_real cfpci_guard_limit(const cfpc_model *model, const cfpci_guard_state *g);

// The o² that makes such a round by itself.
cfpc_real cfpci_guard_loudest(const cfpc_model *model, const cfpci_guard_state *g);

// The cell's output is 0 until the loop alone was measured in one round.
void cfpci_guard_pause(cfpc_data *data);

// Acts in the middle of a round, which is then not judged.
void cfpci_guard_act_now(const cfpc_model *model, cfpc_data *data, cfpc_guard_reason reason);

// Steps since reset.
static inline int64_t cfpci_guard_step(const cfpci_guard_state *g)
{
    return g->step + g->steps + g->held;
}

// Whether the guard has frozen the cell.
static inline bool cfpci_guard_has_frozen(const cfpc_data *data)
{
    const uint32_t both = CFPC_FLAG_GUARDED | CFPC_FLAG_FROZEN;
    return (data->flags & both) == both;
}

#endif
