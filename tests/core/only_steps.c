// SPDX-License-Identifier: Apache-2.0
// Firmware that only steps: a model in flash, static memory, no blocks. only_steps.sh looks at what
// it links; tools/check-size at how much.
#include "cfpc/core.h"

extern const unsigned char model_in_flash[];
_Alignas(8) const unsigned char model_in_flash[64] = {0};
static _Alignas(8) unsigned char data_memory[4096];
static volatile cfpc_real error, output;

int main(void)
{
    const cfpc_model *model;
    cfpc_data *cell;
    if (cfpc_model_check(&model, model_in_flash, sizeof model_in_flash) != CFPC_OK ||
        cfpc_data_init(&cell, data_memory, sizeof data_memory, model) != CFPC_OK)
        return 1;
    for (int trial = 0; trial < 10; trial++) {
        for (int n = 0; n < 100; n++)
            output = cfpc_step(model, cell, NULL, error);
        cfpc_next_trial(model, cell);
    }
    return 0;
}
