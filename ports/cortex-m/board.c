// SPDX-License-Identifier: Apache-2.0
// board: the port on ARM's MPS2 under QEMU. Text and the end go to the emulator by semihosting: a
// breakpoint that a debugger on a real board would serve. Instructions are counted by the board's
// timer, whose clock under -icount shift=0 is the number of instructions: one is one nanosecond.
#include "port.h"

#include <stddef.h>

enum { SYS_WRITE0 = 0x04, SYS_EXIT_EXTENDED = 0x20 };
enum { APPLICATION_EXIT = 0x20026, TIMER_ENABLE = 1, NS_PER_TICK = 40 }; // the timer has 25 MHz

// Timer 0 of ARM's Cortex-M system design kit counts down.
static volatile uint32_t *const timer = (volatile uint32_t *)0x40000000;
enum { TIMER_CTRL, TIMER_VALUE, TIMER_RELOAD };

extern uint32_t port_stack_limit[];
enum { PAINT = 0x5AFEC0DE };

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void port_print(const char *text)
{
    semihost(SYS_WRITE0, text);
}

void port_print_integer(uint32_t value)
{
    char text[11], *at = text + sizeof text;
    *--at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    port_print(at);
}

void port_exit(int code)
{
    const uint32_t reason[] = {APPLICATION_EXIT, (uint32_t)code};
    semihost(SYS_EXIT_EXTENDED, reason);
    for (;;)
        ;
}

uint64_t port_instructions(void)
{
    if (!(timer[TIMER_CTRL] & TIMER_ENABLE)) {
        timer[TIMER_RELOAD] = timer[TIMER_VALUE] = UINT32_MAX;
        timer[TIMER_CTRL] = TIMER_ENABLE;
    }
    return (uint64_t)(UINT32_MAX - timer[TIMER_VALUE]) * NS_PER_TICK;
}

// Bytes below this one's own frame may be in use.
enum { MARGIN = 16 };
static uint32_t *mark;

void port_stack_paint(void)
{
    mark = __builtin_frame_address(0);
    for (uint32_t *at = port_stack_limit; at < mark - MARGIN; at++)
        *at = PAINT;
}

uint32_t port_stack_used(void)
{
    const uint32_t *at = port_stack_limit;
    while (at < mark && *at == PAINT)
        at++;
    return (uint32_t)((size_t)(mark - at) * sizeof *at);
}
