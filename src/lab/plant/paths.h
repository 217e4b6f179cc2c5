// SPDX-License-Identifier: Apache-2.0
// paths: what leads from o to the output and to what teaches, and the traces made from it.
#ifndef CFPC_LAB_PATHS_H
#define CFPC_LAB_PATHS_H

#include "plant/systems.h"

// H's path: minus the change of the teaching signal by o, without the teacher's delay.
lab_outcome lab_teaching_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                              lab_why *why);

// The same with all that lies between o and what arrives as a lesson: the teacher's delay, and the
// olive's inhibition.
lab_outcome lab_lesson_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why);

// The path from o to y.
lab_outcome lab_output_path(cfpc_system *path, const lab_spec *spec, const lab_loop *loop,
                            lab_why *why);

// A rule's trace. `response` (steps) is the measured response from o to minus the teaching signal.
lab_outcome lab_trace_make(cfpc_system *trace, const lab_spec *spec, const lab_rule_spec *rule,
                           const lab_loop *believed, int steps, const double *response,
                           lab_why *why);

#endif
