// SPDX-License-Identifier: Apache-2.0
// Status: what a set-up function answers. Name and sentence stand together, here only.
//
// Pointers, for all headers. A set-up function (one that returns a status, or the size of what is
// to be made) may be handed NULL or a zeroed struct for what it reads: a definition, a system, a
// model, data, and the pointers inside a definition. It answers with a status that says what is
// missing, or with size 0. Three things are the caller's promise and are not checked: the place for
// a result; an array or a string that is an argument of its own, unless its comment allows NULL;
// and every argument of what runs at each step (cfpc_step, cfpc_act, cfpc_learn, cfpc_bank_step,
// ...) or tells about a thing that was made (cfpc_weights, cfpc_model_bytes, ...). Functions that
// free take NULL.
#ifndef CFPC_STATUS_H
#define CFPC_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CFPC_STATUS_LIST(X)                                                                        \
    X(CFPC_OK, "all is well")                                                                      \
    X(CFPC_NO_MEMORY, "memory ran out")                                                            \
    X(CFPC_MEMORY_TOO_SMALL, "the memory handed over is smaller than the size function said")      \
    X(CFPC_MEMORY_UNALIGNED, "the memory handed over is not aligned to 8 bytes")                   \
    X(CFPC_BAD_SIZE, "a count or a length is out of range")                                        \
    X(CFPC_BAD_VALUE, "a number is not finite or out of range")                                    \
    X(CFPC_BAD_SHAPE, "two systems do not fit: their inputs, outputs or steps differ")             \
    X(CFPC_BAD_DELAY, "a delay is negative or not a whole number of steps")                        \
    X(CFPC_IMPROPER, "the transfer function has more zeros than poles")                            \
    X(CFPC_NOT_CONTINUOUS, "only a continuous system can be discretised")                          \
    X(CFPC_ALGEBRAIC_LOOP, "the loop feeds itself at once; it needs a delay or a lag")             \
    X(CFPC_UNSTABLE, "the closed loop is unstable")                                                \
    X(CFPC_TOO_LARGE, "the system is too large for this computation")                              \
    X(CFPC_NO_CONVERGENCE, "a matrix factorisation did not converge")                              \
    X(CFPC_NO_FILE, "the file cannot be opened")                                                   \
    X(CFPC_NO_READ, "the file cannot be read")                                                     \
    X(CFPC_NO_WRITE, "the file cannot be written")                                                 \
    X(CFPC_NOT_OURS, "this is no cfpc image of the expected kind: a model, or data")               \
    X(CFPC_OTHER_VERSION, "the image was written by another version of cfpc")                      \
    X(CFPC_OTHER_REAL, "the image was written for another precision (float or double)")            \
    X(CFPC_OTHER_BYTE_ORDER, "the image was written on a machine of the other byte order")         \
    X(CFPC_TRUNCATED, "the image is cut short")                                                    \
    X(CFPC_ALTERED, "the image's checksum is wrong: it was altered or damaged")                    \
    X(CFPC_OTHER_MODEL, "the data belongs to another model")                                       \
    X(CFPC_BLOCK_TOO_LONG, "the block of steps is longer than the model's dead time")              \
    X(CFPC_ILL_CONDITIONED, "the system's modes lie too close together to be told apart")          \
    X(CFPC_MISSING, "a definition, or a part that it needs, is missing: its pointer is NULL")

typedef enum cfpc_status {
#define CFPC_STATUS_NAME(name, sentence) name,
    CFPC_STATUS_LIST(CFPC_STATUS_NAME)
#undef CFPC_STATUS_NAME
} cfpc_status;

// The sentence of a status; never NULL.
const char *cfpc_sentence(cfpc_status status);

#ifdef __cplusplus
}
#endif

#endif
