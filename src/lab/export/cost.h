// SPDX-License-Identifier: Apache-2.0
// cost: what an exported cell needs of a microcontroller. The bytes of models and data are exact;
// code, stack and instructions are what a Cortex-M4F needs, by formulas whose constants were
// measured (cost.c).
#ifndef CFPC_LAB_COST_H
#define CFPC_LAB_COST_H

#include <stdbool.h>
#include <stddef.h>

// What a cell is, as far as its cost depends on it.
typedef struct lab_cost_of {
    size_t real_bytes;
    int synapses;
    int trace_entries; // of the trace's matrix that are not 0, its lines' included
    int trace_rows;    // of the trace's matrix
    int taps;          // of the teaching filter; 0: by traces
    bool guarded;      //
    bool batch;        //
    bool learns;       // not frozen
    bool in_time;      // the basis signals are shapes
    bool interpolated; // they are shifted by parts of a step
    double active;     // mean number of them that are not 0
    int bank_entries;  // of the matrices of driven banks that are not 0
    int bank_rows;     //
    int banks;         //
} lab_cost_of;

typedef struct lab_cost {
    size_t code;         // bytes of flash, cfpc.c and the cell's own
    size_t stack;        // bytes
    double instructions; // per step, act and learn together
} lab_cost;

lab_cost lab_cost_estimate(const lab_cost_of *of);

#endif
