// SPDX-License-Identifier: Apache-2.0
// port: what a program asks of the board, or of QEMU in its place: to print, to end, to count
// instructions, to say how much of the stack was used. A cell needs none of it.
#ifndef CFPC_PORT_H
#define CFPC_PORT_H

#include <stdint.h>

void port_print(const char *text);
void port_print_integer(uint32_t value);

void port_exit(int code); // ends the emulator, with this code: 0 is success

// Instructions executed since the start, in multiples of 40, if QEMU runs with -icount shift=0.
// Wraps after 171 seconds of that time; take differences.
uint64_t port_instructions(void);

// The most of the stack, in bytes, that was used since it was painted: by the functions that the
// one that painted it has called since. A stack that was never painted counts as used.
void port_stack_paint(void);
uint32_t port_stack_used(void);

#endif
