// SPDX-License-Identifier: Apache-2.0
// print: numbers as text, without printf.
#include <string.h>

#include "port.h"

static char *digits(char *end, uint32_t value, uint32_t base, int least)
{
    for (*--end = 0; value || least > 0; value /= base, least--)
        *--end = "0123456789abcdef"[value % base];
    return end;
}

void port_print_integer(uint32_t value)
{
    char text[12];
    port_print(digits(text + sizeof text, value, 10, 1));
}

void port_print_bits(float value)
{
    uint32_t bits;
    char text[9];
    memcpy(&bits, &value, sizeof bits);
    port_print(digits(text + sizeof text, bits, 16, 8));
}

void port_print_decimal(float value)
{
    char text[8];
    if (value < 0) {
        port_print("-");
        value = -value;
    }
    if (!(value < 4e9f)) {
        port_print(value >= 4e9f ? "large" : "nan");
        return;
    }
    uint32_t whole = (uint32_t)value;
    uint32_t millionths = (uint32_t)((value - (float)whole) * 1e6f + 0.5f);
    if (millionths == 1000000)
        whole++, millionths = 0;
    port_print_integer(whole);
    port_print(".");
    port_print(digits(text + sizeof text, millionths, 10, 6));
}
