// SPDX-License-Identifier: Apache-2.0
// cost: what an exported cell needs of a microcontroller. The bytes of models and data are exact;
// code, stack and instructions are what a Cortex-M4F needs, by formulas whose constants were
// measured (cost.c).
#ifndef CFPC_LAB_COST_H
#define CFPC_LAB_COST_H

#include <stdbool.h>
#include <stddef.h>

// A linear system, as far as its cost depends on it.
typedef struct lab_cost_system {
    int cells;   // of its matrix
    int entries; // of them that are not 0
    int rows;    // of its matrix
} lab_cost_system;

// What a cell is, as far as its cost depends on it.
typedef struct lab_cost_of {
    size_t real_bytes;
    int synapses;
    lab_cost_system trace;
    int taps;                 // of the teaching filter; 0: by traces
    bool guarded;             //
    lab_cost_system response; // of the guard, if it has one
    bool learns;              // not frozen
    bool normalised;          //
    bool momentum;            // or an output penalty: another pass over the synapses
    int rows;                 // of basis signals in time or over an angle, made per step
    double active;            // mean number of signals that are not 0 in such a row
    int delayed;              // taps of delay lines
    lab_cost_system leaky;    // all leaky cascades together: rows and products (cells)
    lab_cost_system banks;    // all other driven banks together
} lab_cost_of;

typedef struct lab_cost {
    size_t code;         // bytes of flash, cfpc.c and the cell's own
    size_t stack;        // bytes
    double instructions; // per step, act and learn together
} lab_cost;

lab_cost lab_cost_estimate(const lab_cost_of *cost_of);

#endif
