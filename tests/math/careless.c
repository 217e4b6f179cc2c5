// SPDX-License-Identifier: Apache-2.0
// Says what is wrong with the arithmetic of the flags that this is compiled with.
#include <stdio.h>

#include "math/arithmetic.h"

int main(void)
{
    const char *fault = cfpci_arithmetic_fault();
    puts(fault ? fault : "nothing");
    return 0;
}
