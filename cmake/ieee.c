// SPDX-License-Identifier: Apache-2.0
// Compiled when the build is configured: ieee.cmake.
#include "math/double_double.h"

int main(void)
{
    return 0;
}
