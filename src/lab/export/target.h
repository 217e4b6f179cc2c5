// SPDX-License-Identifier: Apache-2.0
// target: what firmware needs of a rule of a spec: the cell, its basis signals and its weights, in
// one precision; and what they cost. What cannot run outside the lab is refused.
#ifndef CFPC_LAB_TARGET_H
#define CFPC_LAB_TARGET_H

#include "base/folder.h"
#include "export/precision.h"
#include "export/shape_table.h"
#include "export/text.h"
#include "plant/banks.h"
#include "run/setup.h"

typedef struct lab_target_options {
    const char *name;    // a C identifier; NULL: made from the rule's name
    size_t real_bytes;   // 4: float, 8: double
    const char *weights; // result folder of a run; NULL: the cell starts at 0
    bool frozen;         // it does not learn
    double flash, ram;   // bytes that there are; 0: no limit
    double usual_flash;  // bytes that are refused where `flash` is 0; 0: no limit
} lab_target_options;

enum { LAB_NAME_BYTES = 64 };

// A signal that drives banks: an argument of the function that acts.
typedef struct lab_target_signal {
    char name[LAB_NAME_BYTES];
    lab_basis_input input;
    int source; // index of the cue or disturbance
    int ahead;  // steps that it is heard ahead of time
} lab_target_signal;

// What a bank is on the target.
typedef enum lab_bank_kind {
    LAB_BANK_OF_LTI,  // its system
    LAB_BANK_OF_TAPS, // x_j = u[n - j spacing]
    LAB_BANK_LEAKY    // a leaky cascade: y = s, and A_ij depends on i - j only, j <= i
} lab_bank_kind;

// A bank that a signal drives.
typedef struct lab_target_bank {
    lab_bank_kind kind;
    int32_t spacing;    // of taps
    int32_t length;     // of their ring
    int column;         // of its first basis signal
    int signal;         // which drives it
    size_t state_bytes; // of RAM
    cfpc_system system; // one input, as many outputs as it has basis signals
} lab_target_bank;

// What it needs of a microcontroller.
typedef struct lab_cost {
    size_t constants;    // bytes of flash: model, shapes, banks, weights
    size_t code;         // bytes of flash, cfpc.c and the cell's own
    size_t ram;          // bytes but the stack: data, row, banks
    size_t stack;        // bytes
    double instructions; // per step, act and learn together
} lab_cost;

enum { LAB_TARGET_WORDS = 34 };

typedef struct lab_target {
    lab_arena arena;
    lab_setup setup;
    const lab_spec *spec;                 // of the rule, in its first phase
    const lab_rule *rule;                 //
    const lab_rule_spec *of;              //
    const lab_precision *real;            //
    char name[LAB_NAME_BYTES];            // of files and functions
    char upper[LAB_NAME_BYTES];           // of macros
    int synapses;                         // G
    int trial_steps;                      // 0: nothing is known of trials
    bool resets;                          // trials begin at rest
    bool handed;                          // the caller hands in all basis signals
    bool in_time;                         // some of them are shapes in time
    const double *table;                  // those in time               (steps x G)
    lab_shape_table shapes;               //
    int turning_count;                    // banks over an angle: those of `basis`
    int bank_count, signals;              //
    lab_target_bank *bank;                // (bank_count)
    lab_target_signal *signal;            // (signals)
    const char *parameters;               // of the function that acts, in its declaration
    const char *arguments;                // where it is called
    bool two_lessons;                     // what teaches is not the error that the guard watches
    bool frozen;                          //
    double *weights;                      // NULL: 0
    cfpc_past past;                       // of the cell
    int32_t horizon;                      // M in adjoint form; -1: by traces
    lab_images images;                    //
    lab_basis basis;                      // of the lab
    cfpc_system no_trace;                 // trace of a frozen cell
    lab_cost cost;                        //
    lab_word words[LAB_TARGET_WORDS + 1]; // of its texts; NULL at the end
} lab_target;

// Whether all basis signals are functions of the time in the trial.
bool lab_target_in_time(const lab_target *target);

// The cell of the target, with these steps of basis table (0: none).
lab_cell_numbers lab_target_cell(const lab_target *target, bool with_table);

// Makes the words of its texts. They point into the target, which must not move from then on.
void lab_target_make_words(lab_target *target);

// Writes a text with its words filled in.
void lab_put_filled(FILE *file, const lab_target *target, const char *text);

// Creates the file that is named after the target: NAME and this ending, for example "_model.h".
lab_outcome lab_create_of_target(lab_folder *folder, const lab_target *target, const char *ending,
                                 FILE **file, lab_why *why);

void lab_target_free(lab_target *target);

#endif
