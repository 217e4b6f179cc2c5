// SPDX-License-Identifier: Apache-2.0
// port: what a program asks of the board, or of the emulator that plays it: to print, to end, to
// count instructions, to say how much of the stack was used. board.c implements it for a Cortex-M
// under QEMU; host.c for this computer, so that one program runs on both and can be compared.
#ifndef CFPC_PORT_H
#define CFPC_PORT_H

#include <stdint.h>

void port_print(const char *text);
void port_print_integer(uint32_t value);
void port_print_bits(float value);    // its bits as 8 hexadecimal digits: equal on all processors
void port_print_decimal(float value); // with 6 decimals; without printf, which computes in double

void port_exit(int code); // ends the emulator, with this code: 0 is success

// Instructions executed since the start, in multiples of 40, if QEMU runs with -icount shift=0.
// Wraps after 171 seconds of that time; take differences. On the host always 0.
uint64_t port_instructions(void);

// The most of the stack that was used since the start, in bytes. On the host always 0.
uint32_t port_stack_used(void);

#endif
