// SPDX-License-Identifier: Apache-2.0
// Calls that FMPy does not make, on the sources of an FMU: importers that add up their time for
// hours, pointers to nothing, and states whose checksum is right and whose values are not. Prints
// what does not hold.
#include "fmu.c"

#include <stdio.h>

static int failures;

static void check(const char *what, bool holds)
{
    failures += !holds;
    if (!holds)
        printf("FAILED: %s\n", what);
}

static fmu_instance *begin(double start_time)
{
    fmu_instance *it = fmi3InstantiateCoSimulation("cell", FMU_TOKEN, NULL, false, false, false,
                                                   false, NULL, 0, NULL, NULL, NULL);
    if (!it || fmi3EnterInitializationMode(it, false, 0, start_time, false, 0) != fmi3OK ||
        fmi3ExitInitializationMode(it) != fmi3OK) {
        puts("FAILED: an instance");
        exit(1);
    }
    return it;
}

static fmi3Status step(fmu_instance *it, double time, double size)
{
    return fmi3DoStep(it, time, size, true, NULL, NULL, NULL, NULL);
}

// ---- time ------------------------------------------------------------------------------------

// From a late start every addition rounds as after many hours.
static void check_added_time(double start_time, int steps)
{
    fmu_instance *it = begin(start_time);
    double time = start_time, off;
    int done = 0;
    for (; done < steps && step(it, time, FMU_STEP_S) == fmi3OK; done++)
        time += FMU_STEP_S;
    off = (time - it->state.values.time) / FMU_STEP_S;
    check("time that is added up is accepted", done == steps);
    check("and has drifted by more than rounding", off > 1e-3 || off < -1e-3);
    fmi3FreeInstance(it);
}

// More than five hours later at 1 kHz, without waiting for them.
static void check_long_run(void)
{
    fmu_instance *it = begin(0);
    const int64_t steps = 20000000;
    double time = 0;
    for (int64_t k = 0; k < steps; k++)
        time += FMU_STEP_S;
    it->state.steps = steps;
    it->state.values.time = (double)steps * FMU_STEP_S;
    for (int k = 0; k < 5; k++, time += FMU_STEP_S)
        check("time added up twenty million times is accepted",
              step(it, time, FMU_STEP_S) == fmi3OK);
    check("a gap is not", step(it, time + FMU_STEP_S, FMU_STEP_S) == fmi3Error);
    fmi3FreeInstance(it);
}

static void check_step_sizes(void)
{
    fmu_instance *it = begin(0);
    for (int k = 2; k < 2000; k += 333)
        check("a fraction of a step is refused, however many there are",
              step(it, 0, (k + 0.4) * FMU_STEP_S) == fmi3Error);
    check("a step of 0.9 is refused", step(it, 0, 0.9 * FMU_STEP_S) == fmi3Error);
    for (int k = 0; k < 3000 && step(it, k * 1.0009 * FMU_STEP_S, 1.0009 * FMU_STEP_S) == fmi3OK;)
        k++;
    check("a step that is a little too long is found out", it->state.steps < 1000);
    fmi3FreeInstance(it);
}

// ---- pointers to nothing ---------------------------------------------------------------------

static void check_nothing(void)
{
    fmu_instance *it = begin(0);
    fmi3ValueReference o = 9;
    double value = 0;
    fmi3FMUState state = NULL;
    unsigned char byte = 0;
    check("a step without places for its answers", step(it, 0, FMU_STEP_S) == fmi3OK);
    check("no place for a value", fmi3GetFloat64(it, &o, 1, NULL, 1) == fmi3Error);
    check("no references", fmi3GetFloat64(it, NULL, 1, &value, 1) == fmi3Error);
    check("no values", fmi3SetFloat64(it, &o, 1, NULL, 1) == fmi3Error);
    check("no variables", fmi3GetFloat64(it, NULL, 0, NULL, 0) == fmi3OK);
    check("no place for a size", fmi3SerializedFMUStateSize(it, NULL, NULL) == fmi3Error);
    check("no place for a state", fmi3GetFMUState(it, NULL) == fmi3Error);
    check("no state", fmi3SetFMUState(it, NULL) == fmi3Error);
    check("a state", fmi3GetFMUState(it, &state) == fmi3OK);
    check("no place for bytes", fmi3SerializeFMUState(it, state, NULL, 1u << 30) == fmi3Error);
    check("no state to write", fmi3SerializeFMUState(it, NULL, &byte, 1u << 30) == fmi3Error);
    check("no bytes to read",
          fmi3DeserializeFMUState(it, NULL, sizeof(save_head) + sizeof(fmu_state), &state) ==
              fmi3Error);
    check("no instance", step(NULL, 0, FMU_STEP_S) == fmi3Error);
    fmi3FreeFMUState(it, &state);
    fmi3FreeInstance(it);
}

// ---- states ----------------------------------------------------------------------------------

enum { SAVED = sizeof(save_head) + sizeof(fmu_state) };

// Whether a saved state is accepted with this value at this place of it and the right checksum.
static bool accepts(fmu_instance *it, const unsigned char *good, size_t at, const void *value,
                    size_t bytes)
{
    unsigned char *saved = malloc(SAVED);
    fmi3FMUState state = NULL;
    if (!saved)
        exit(1);
    memcpy(saved, good, SAVED);
    memcpy(saved + sizeof(save_head) + at, value, bytes);
    fmu_state *whole = malloc(sizeof *whole);
    if (!whole)
        exit(1);
    memcpy(whole, saved + sizeof(save_head), sizeof *whole);
    const size_t data_bytes = cfpc_data_bytes((const cfpc_data *)whole->before.data);
    if (data_bytes == sizeof whole->before.data) // the core's own checksum too
        fmu_seal(&whole->before);
    memcpy(saved + sizeof(save_head), whole, sizeof *whole);
    const save_head head = head_of(whole);
    memcpy(saved, &head, sizeof head);
    free(whole);
    const bool is = fmi3DeserializeFMUState(it, saved, SAVED, &state) == fmi3OK;
    check("a state that is refused is not there", is == (state != NULL));
    fmi3FreeFMUState(it, &state);
    free(saved);
    return is;
}

static void check_states(void)
{
    static unsigned char good[SAVED];
    const int32_t modes[] = {0, 3, 5, 16, -1};
    const unsigned char two = 2;
    const uint64_t far = UINT64_C(1) << 40;
    const int64_t before = -1;
    fmu_instance *it = begin(0);
    fmi3FMUState state = NULL;
    for (int k = 0; k < 20; k++)
        check("a step", step(it, k * FMU_STEP_S, FMU_STEP_S) == fmi3OK);
    check("a state is saved", fmi3GetFMUState(it, &state) == fmi3OK &&
                                  fmi3SerializeFMUState(it, state, good, SAVED) == fmi3OK);
    const fmi3FMUState place = state;
    check("and read, to the same place",
          fmi3DeserializeFMUState(it, good, SAVED, &state) == fmi3OK && state == place);
    check("unaltered, it is accepted", accepts(it, good, 0, good + sizeof(save_head), 4));
    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++)
        check("an unknown mode is refused",
              !accepts(it, good, offsetof(fmu_state, mode), &modes[k], sizeof modes[k]));
    check("a boolean that is none is refused",
          !accepts(it, good, offsetof(fmu_state, values.enable), &two, 1));
    check("steps before the first are refused",
          !accepts(it, good, offsetof(fmu_state, steps), &before, sizeof before));
    int places = 0;
    for (size_t at = 0; at + 8 <= sizeof(fmu_memory); at += 8) { // wherever an offset may be
        const size_t in = offsetof(fmu_state, before) + at;
        if (accepts(it, good, in, &far, sizeof far)) {
            fmu_state *altered = state; // what is accepted can be used
            memcpy(altered, good + sizeof(save_head), sizeof *altered);
            memcpy((char *)altered + in, &far, sizeof far);
            check("it is taken", fmi3SetFMUState(it, state) == fmi3OK);
            (void)step(it, it->state.values.time, FMU_STEP_S);
        } else
            places++;
    }
    check("offsets that lead away are refused", places > 10);
    fmi3FreeFMUState(it, &state);
    fmi3FreeInstance(it);
}

int main(void)
{
    check_added_time(1e8, 20000);
    check_added_time(-1e8, 20000);
    check_long_run();
    check_step_sizes();
    check_nothing();
    check_states();
    return failures > 0;
}
