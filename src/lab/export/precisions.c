// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "export/precision.h"

const lab_precision *lab_precision_of(size_t real_bytes)
{
    return real_bytes == lab_own_precision.real_bytes    ? &lab_own_precision
           : real_bytes == lab_twin_precision.real_bytes ? &lab_twin_precision
                                                         : NULL;
}

void lab_images_free(lab_images *images)
{
    free(images->model);
    free(images->data);
    *images = (lab_images){0};
}
