// SPDX-License-Identifier: Apache-2.0
#include "microzone/arm.h"

#include <math.h>

// States q1, q2, q1', q2'; rows of the block matrix: those and both outputs; columns: those and
// both inputs.
enum { JOINTS = 2, STATES = 4, COLUMNS = STATES + JOINTS };

cfpc_status lab_arm_plant(cfpc_system *plant, const lab_joint_spec joint[2], double coupling,
                          double step_s)
{
    const double m1 = joint[0].inertia, m2 = joint[1].inertia, c = coupling * sqrt(m1 * m2);
    const double under = m1 * m2 - c * c;
    const double inverse[JOINTS][JOINTS] = {{m2 / under, -c / under}, {-c / under, m1 / under}};
    cfpc_system arm = {0};
    cfpc_status status = cfpc_system_make(&arm, 0, STATES, JOINTS, JOINTS, 0);
    for (int i = 0; status == CFPC_OK && i < JOINTS; i++) {
        double *speed = arm.matrix + i * COLUMNS, *force = speed + JOINTS * COLUMNS;
        speed[JOINTS + i] = 1;
        for (int k = 0; k < JOINTS; k++) {
            force[k] = -inverse[i][k] * joint[k].stiffness;
            force[JOINTS + k] = -inverse[i][k] * joint[k].viscosity;
            force[STATES + k] = inverse[i][k];
        }
        arm.matrix[(STATES + i) * COLUMNS + i] = 1;
    }
    if (status == CFPC_OK)
        status = cfpc_discretise(plant, &arm, step_s, CFPC_ZOH);
    cfpc_system_free(&arm);
    return status;
}

void lab_arm_alone(lab_spec *spec, const lab_joint_spec *joint, double numbers[LAB_ARM_NUMBERS])
{
    lab_system_spec *plant = &spec->loop.plant, *controller = &spec->loop.controller;
    numbers[0] = 1;
    numbers[1] = joint->inertia;
    numbers[2] = joint->viscosity;
    numbers[3] = joint->stiffness;
    plant->kind = LAB_TRANSFER_FUNCTION;
    plant->num = (lab_numbers){1, 1, numbers};
    plant->den = (lab_numbers){1, 3, numbers + 1};
    controller->kp = joint->viscosity;
    controller->ki_per_s = joint->stiffness;
    controller->kd_s = joint->inertia;
}
