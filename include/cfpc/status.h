// SPDX-License-Identifier: Apache-2.0
// status: what set-up functions return. Each status and its sentence are defined together, below.
//
// NULL pointers, for all headers. A set-up function is one that returns a status or a size. What it
// reads may be NULL or a zeroed struct: a definition, a system, a model, data, and the pointers
// inside a definition. It then returns a status that says what is missing, or size 0. Three things
// are not checked and must be valid: the pointer to a result; an array or a string passed as an
// argument of its own, unless its comment allows NULL; and every argument of functions that run at
// each step (cfpc_step, cfpc_act, cfpc_learn, cfpc_bank_step, ...) or that query an existing object
// (cfpc_weights, cfpc_model_bytes, ...). cfpc_step_block, cfpc_step_block_from and
// cfpc_learn_due_from run in the loop too but return a status: they check model, data, source and
// steps, not e and o. So do cfpc_zone_step_block, cfpc_zone_step_block_by and cfpc_zone_next_trial.
// Functions that free accept NULL.
//
// Memory of the caller: X_size(...) is what an object that does not exist yet will need, 0 if that
// is invalid; X_bytes(object), of models and data, is what an existing one occupies, for example to
// write it to a file. For the same object both are equal.
#ifndef CFPC_STATUS_H
#define CFPC_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define CFPC_STATUS_LIST(X)                                                                        \
    X(CFPC_OK, "no error")                                                                         \
    X(CFPC_NO_MEMORY, "memory ran out")                                                            \
    X(CFPC_MEMORY_TOO_SMALL,                                                                       \
      "the memory is smaller than the size that the ..._size function returned")                   \
    X(CFPC_MEMORY_UNALIGNED, "the memory is not aligned to 8 bytes")                               \
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
    X(CFPC_NOT_OURS, "this is not a cfpc image of the expected kind (model or data)")              \
    X(CFPC_OTHER_VERSION, "the image was written by another version of cfpc")                      \
    X(CFPC_OTHER_REAL, "the image was written for another precision (float or double)")            \
    X(CFPC_OTHER_BYTE_ORDER, "the image was written on a machine with the other byte order")       \
    X(CFPC_TRUNCATED, "the image is truncated")                                                    \
    X(CFPC_ALTERED, "the image's checksum is wrong: it was altered or damaged")                    \
    X(CFPC_OTHER_MODEL, "the data belongs to another model")                                       \
    X(CFPC_BLOCK_TOO_LONG, "the block of steps is longer than the model's dead time")              \
    X(CFPC_NEEDS_TRACES,                                                                           \
      "a normaliser and an output penalty need traces: the adjoint form has none")                 \
    X(CFPC_NO_PROBE, "a model cannot be learned without a probe: its rms must be above 0")         \
    X(CFPC_ILL_CONDITIONED, "the system's modes are too close together to be separated")           \
    X(CFPC_MISSING, "a definition or a part of it is missing: the pointer is NULL")                \
    X(CFPC_NO_SAVE, "neither slot holds a save")                                                   \
    X(CFPC_OLDER_RESTORED, "one slot is damaged; the save in the other one was restored")          \
    X(CFPC_SLOT_FAILED, "a slot could not be erased, written or read back")                        \
    X(CFPC_NO_ADJOINT, "the core was compiled without the adjoint form: needs CFPC_ADJOINT 1")     \
    X(CFPC_BLIND_GUARD,                                                                            \
      "the guard cannot know the loop alone: it needs a response to o, or rounds that repeat")     \
    X(CFPC_DEVICE_GUARD, "a zone on a CUDA device has no guard: turn it off in its definition")    \
    X(CFPC_NO_DEVICE, "there is no such CUDA device, or its driver is missing")                    \
    X(CFPC_DEVICE_FAILED, "the CUDA device reported an error")

typedef enum cfpc_status {
#define CFPC_STATUS_NAME(name, sentence) name,
    CFPC_STATUS_LIST(CFPC_STATUS_NAME)
#undef CFPC_STATUS_NAME
} cfpc_status;

// The message of a status, one sentence; never NULL.
const char *cfpc_status_message(cfpc_status status);

#ifdef __cplusplus
}
#endif

#endif
