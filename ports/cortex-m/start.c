// SPDX-License-Identifier: Apache-2.0
// start: from reset to main on a Cortex-M4F. Nothing here is special to cfpc; a project with a
// start-up file of its own keeps that. What a cell needs of it is the FPU, switched on before the
// first floating-point instruction.
#include <stdint.h>
#include <string.h>

#include "port.h"

extern uint32_t port_stack_top[];
extern unsigned char port_data_begin[], port_data_end[], port_data_load[];
extern unsigned char port_bss_begin[], port_bss_end[];

int main(void);
void port_reset(void);

static volatile uint32_t *const CPACR = (volatile uint32_t *)0xE000ED88;
enum { FPU_FULL_ACCESS = 0xF << 20 }; // coprocessors 10 and 11

// A fault ends the program instead of hanging it.
static void fault(void)
{
    port_print("fault\n");
    port_exit(3);
}

void port_reset(void)
{
    *CPACR |= FPU_FULL_ACCESS;
    __asm__ volatile("dsb\n\tisb");
    memcpy(port_data_begin, port_data_load, (size_t)(port_data_end - port_data_begin));
    memset(port_bss_begin, 0, (size_t)(port_bss_end - port_bss_begin));
    port_exit(main());
}

// The first entries of the vector table: where the stack begins, and what runs at reset and at
// faults. A program with interrupts adds theirs.
typedef void (*handler)(void);
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    handler reset, nmi, hard_fault, memory_fault, bus_fault, usage_fault;
    handler rest[9];
} vectors = {port_stack_top, port_reset, fault, fault, fault, fault, fault, {0}};
