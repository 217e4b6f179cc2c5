// SPDX-License-Identifier: Apache-2.0
// fmu: a cell as an FMU for co-simulation, FMI 3.0. fmu_cell.h, which cfpc export writes, says
// which cell it is; modelDescription.xml has the same variables in words.
//
// At every communication point t_n the importer reads o[n] and sets error = e[n]; fmi3DoStep then
// learns from e[n] and moves on. o[n] depends on the basis signals of this very step: it is
// computed when it is read, or at the latest when the step is made, and again if an input changes
// in between.
#include <string.h>

#include "fmu_cell.h"
#ifdef FMU_STANDARD_HEADERS // to check fmi3.h and the functions below
#include "fmi3Functions.h"
#define FMU_FUNCTION(result, name) FMI3_Export result name
#else
#include "fmi3.h"
#endif

#include <float.h>
#include <stdlib.h>

// Most functions of FMI 3.0 have parameters that this FMU has no use for.
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

// Of a step size, relative, and never more than so many of the cell's steps: far more than
// rounding, far less than a wrong step size.
#define STEP_TOLERANCE 1e-3
#define STEPS_TOLERANCE 0.1

// FNV-1a, continued over more bytes (cfpc.c).
uint64_t cfpci_hash(uint64_t hash, const void *bytes, uint64_t count);

// ---- variables -------------------------------------------------------------------------------

// Their values, as modelDescription.xml explains them.
typedef struct fmu_values {
    double time, error, teaching, rate, fade_s, o, with_cell, alone;
    double signal[FMU_SIGNALS + 1][FMU_SIGNAL_WIDTH]; // the last is not used
    double w[FMU_SYNAPSES];
    int32_t guard_reason, guard_acts, guard_pauses;
    bool saturated, next_trial, trials_by_time, enable, guarded, frozen, not_finite, paused;
} fmu_values;

typedef enum fmu_type { FLOAT64, INT32, BOOLEAN } fmu_type;

typedef struct fmu_variable {
    fmi3ValueReference reference;
    fmu_type type;
    bool is_set;     // by the importer: an input or a parameter
    bool acts_now;   // o of this step depends on it
    size_t at;       // in fmu_values, bytes
    size_t elements; // 0: this cell has no such variable
} fmu_variable;

#define MOST_STEPS (INT64_C(1) << 53) // beyond them not every number of steps is a double

enum {
    FIRST_SIGNAL = 16, // reference of the first basis signal, or of what they are made of
    AFTER_SIGNALS = FIRST_SIGNAL + FMU_SIGNALS
};

// All but the signals.
static const fmu_variable variables[] = {
    {0, FLOAT64, false, false, offsetof(fmu_values, time), 1},
    {1, FLOAT64, true, false, offsetof(fmu_values, error), 1},
    {2, FLOAT64, true, false, offsetof(fmu_values, teaching), FMU_TWO_LESSONS},
    {3, BOOLEAN, true, false, offsetof(fmu_values, saturated), 1},
    {4, BOOLEAN, true, true, offsetof(fmu_values, next_trial), FMU_TRIALS},
    {5, FLOAT64, true, true, offsetof(fmu_values, rate), 1},
    {6, BOOLEAN, true, true, offsetof(fmu_values, enable), 1},
    {7, FLOAT64, true, true, offsetof(fmu_values, fade_s), 1},
    {8, BOOLEAN, true, true, offsetof(fmu_values, trials_by_time), FMU_TRIALS},
    {9, FLOAT64, false, false, offsetof(fmu_values, o), 1},
    {10, BOOLEAN, false, false, offsetof(fmu_values, guarded), 1},
    {11, BOOLEAN, false, false, offsetof(fmu_values, frozen), 1},
    {12, BOOLEAN, false, false, offsetof(fmu_values, not_finite), 1},
    {13, INT32, false, false, offsetof(fmu_values, guard_reason), 1},
    {14, INT32, false, false, offsetof(fmu_values, guard_acts), 1},
    {15, FLOAT64, false, false, offsetof(fmu_values, w), FMU_SYNAPSES},
    {AFTER_SIGNALS, INT32, false, false, offsetof(fmu_values, guard_pauses), 1},
    {AFTER_SIGNALS + 1, BOOLEAN, false, false, offsetof(fmu_values, paused), 1},
    {AFTER_SIGNALS + 2, FLOAT64, false, false, offsetof(fmu_values, with_cell), 1},
    {AFTER_SIGNALS + 3, FLOAT64, false, false, offsetof(fmu_values, alone), 1}};

enum { VARIABLES = sizeof variables / sizeof variables[0] };

static size_t bytes_of(const fmu_variable *it)
{
    return it->elements * (it->type == FLOAT64 ? sizeof(double)
                           : it->type == INT32 ? sizeof(int32_t)
                                               : sizeof(bool));
}

// Without elements: there is none of this type.
static fmu_variable variable_of(fmi3ValueReference reference, fmu_type type)
{
    const size_t signal_bytes = FMU_SIGNAL_WIDTH * sizeof(double);
    const bool is_signal = reference >= FIRST_SIGNAL && reference < AFTER_SIGNALS;
    const size_t index = reference < FIRST_SIGNAL ? reference : (size_t)reference - FMU_SIGNALS;
    if (!is_signal && index < VARIABLES && variables[index].type == type)
        return variables[index];
    if (!is_signal || type != FLOAT64)
        return (fmu_variable){.elements = 0};
    return (fmu_variable){reference,
                          type,
                          true,
                          true,
                          offsetof(fmu_values, signal) + (reference - FIRST_SIGNAL) * signal_bytes,
                          FMU_SIGNAL_WIDTH};
}

// ---- instances -------------------------------------------------------------------------------

typedef enum { INSTANTIATED = 1, INITIALISING = 2, STEPPING = 4, TERMINATED = 8 } mode;

// All that changes, without pointers: a copy is one assignment.
typedef struct fmu_state {
    int32_t mode;
    int32_t acted;        // `after` and the outputs are those of this step
    int64_t steps;        // made since the start
    double start_time;    // s
    bool enabled;         // in the step before
    bool trial_requested; // in the step before
    fmu_values values;    //
    fmu_memory before;    // the cell before it acts in this step
    fmu_memory after;     // and after it has acted
} fmu_state;

typedef struct fmu_instance {
    fmu_state state;
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
} fmu_instance;

static void say(fmi3LogMessageCallback log, fmi3InstanceEnvironment environment,
                const char *sentence)
{
    if (log)
        log(environment, fmi3Error, "logStatusError", sentence);
}

static fmi3Status refuse(fmi3Instance it, const char *sentence)
{
    const fmu_instance *in = it;
    if (in)
        say(in->log, in->environment, sentence);
    return fmi3Error;
}

static bool is_in(const fmu_instance *it, unsigned modes)
{
    return it && ((unsigned)it->state.mode & modes) != 0;
}

// ---- the cell --------------------------------------------------------------------------------

static cfpc_status put_at_start(fmu_state *it)
{
    memset(it, 0, sizeof *it);
    const cfpc_status status = fmu_start(&it->before);
    if (status != CFPC_OK)
        return status;
    it->mode = INSTANTIATED;
    it->enabled = it->values.enable = it->values.trials_by_time = true;
    it->values.rate = (double)cfpc_data_rate(fmu_data());
    return CFPC_OK;
}

static int32_t fade_steps(const fmu_values *it)
{
    const double steps = it->fade_s / FMU_STEP_S;
    return steps >= INT32_MAX ? INT32_MAX : steps > 0 ? (int32_t)(steps + 0.5) : 0;
}

static void apply_parameters(const fmu_state *it)
{
    cfpc_set_rate(fmu_data(), (cfpc_real)it->values.rate);
    if (it->values.enable && !it->enabled)
        cfpc_enable(fmu_data(), fade_steps(&it->values));
    if (!it->values.enable && it->enabled)
        cfpc_disable(fmu_data(), fade_steps(&it->values));
}

// A trial begins with this step if the last one is over or a new one is requested.
static void begin_trial(const fmu_state *it)
{
    const int64_t clock = cfpc_clock(fmu_data());
    const bool is_over =
        it->values.trials_by_time && FMU_TRIAL_STEPS > 0 && clock >= FMU_TRIAL_STEPS;
    const bool is_requested = it->values.next_trial && !it->trial_requested;
    if (FMU_TRIALS && clock > 0 && (is_over || is_requested))
        fmu_next_trial();
}

static void put_out(fmu_values *to, cfpc_real o)
{
    const uint32_t flags = cfpc_flags(fmu_data());
    const cfpc_guard_act last = cfpc_guard_last(fmu_data());
    const cfpc_real *w = cfpc_weights(fmu_data());
    to->o = (double)o;
    to->guarded = (flags & CFPC_FLAG_GUARDED) != 0;
    to->frozen = (flags & CFPC_FLAG_FROZEN) != 0;
    to->not_finite = (flags & CFPC_FLAG_NOT_FINITE) != 0;
    to->guard_reason = (int32_t)last.reason;
    to->guard_acts = cfpc_guard_acts(fmu_data());
    to->guard_pauses = cfpc_guard_pauses(fmu_data());
    to->paused = cfpc_guard_paused(fmu_data());
    to->with_cell = (double)last.with_cell;
    to->alone = (double)last.alone;
    for (int32_t j = 0; j < FMU_SYNAPSES; j++)
        to->w[j] = (double)w[j];
}

// The acting half of a step, from the cell as it was at the beginning of the step.
static void act(fmu_state *it)
{
    cfpc_real signals[(FMU_SIGNALS + 1) * FMU_SIGNAL_WIDTH] = {0};
    if (it->acted)
        return;
    for (int32_t k = 0; k < FMU_SIGNALS * FMU_SIGNAL_WIDTH; k++)
        signals[k] = (cfpc_real)it->values.signal[k / FMU_SIGNAL_WIDTH][k % FMU_SIGNAL_WIDTH];
    fmu_load(&it->before);
    apply_parameters(it);
    begin_trial(it);
    put_out(&it->values, fmu_act(signals));
    fmu_save(&it->after);
    it->acted = true;
}

// The learning half; then the next step begins.
static void learn(fmu_state *it)
{
    fmu_load(&it->after);
    cfpc_saturated(fmu_model(), fmu_data(), it->values.saturated);
    fmu_learn((cfpc_real)it->values.teaching, (cfpc_real)it->values.error);
    fmu_save(&it->before);
    it->enabled = it->values.enable;
    it->trial_requested = it->values.next_trial;
    it->steps++;
    it->values.time = it->start_time + (double)it->steps * FMU_STEP_S;
    it->acted = false;
}

// ---- life of an instance ---------------------------------------------------------------------

FMU_FUNCTION(const char *, fmi3GetVersion)(void)
{
    return "3.0";
}

FMU_FUNCTION(fmi3Status, fmi3SetDebugLogging)
(fmi3Instance it, fmi3Boolean on, size_t count, const fmi3String categories[])
{
    return it ? fmi3OK : fmi3Error; // there are only errors, and these are always reported
}

FMU_FUNCTION(fmi3Instance, fmi3InstantiateCoSimulation)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3Boolean event_mode, fmi3Boolean early_return, const fmi3ValueReference intermediate[],
 size_t intermediates, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
 fmi3IntermediateUpdateCallback update)
{
    const char *why = NULL;
    fmu_instance *it = NULL;
    if (!token || strcmp(token, FMU_TOKEN) != 0)
        why = "the instantiation token is not that of modelDescription.xml";
    else if (event_mode)
        why = "this FMU has no event mode";
    else if (intermediates > 0)
        why = "this FMU has no intermediate variables";
    else if (!(it = calloc(1, sizeof *it)))
        why = cfpc_status_message(CFPC_NO_MEMORY);
    else if (put_at_start(&it->state) != CFPC_OK)
        why = "the cell's model is damaged, or was compiled for another precision";
    if (why) {
        say(log, environment, why);
        free(it);
        return NULL;
    }
    it->environment = environment;
    it->log = log;
    return it;
}

FMU_FUNCTION(void, fmi3FreeInstance)(fmi3Instance it)
{
    free(it);
}

FMU_FUNCTION(fmi3Status, fmi3EnterInitializationMode)
(fmi3Instance it, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start_time,
 fmi3Boolean has_stop_time, fmi3Float64 stop_time)
{
    fmu_instance *in = it;
    if (!is_in(in, INSTANTIATED))
        return refuse(it, "fmi3EnterInitializationMode: the instance is initialised already");
    if (!(start_time - start_time == 0))
        return refuse(it, "fmi3EnterInitializationMode: the start time is not finite");
    in->state.mode = INITIALISING;
    in->state.start_time = in->state.values.time = start_time;
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3ExitInitializationMode)(fmi3Instance it)
{
    fmu_instance *in = it;
    if (!is_in(in, INITIALISING))
        return refuse(it, "fmi3ExitInitializationMode: the instance is not in initialization mode");
    in->state.mode = STEPPING;
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3Terminate)(fmi3Instance it)
{
    fmu_instance *in = it;
    if (!is_in(in, STEPPING))
        return refuse(it, "fmi3Terminate: the instance is not in step mode");
    act(&in->state); // the last outputs can still be read
    in->state.mode = TERMINATED;
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3Reset)(fmi3Instance it)
{
    if (!it)
        return fmi3Error;
    const cfpc_status status = put_at_start(&((fmu_instance *)it)->state);
    return status == CFPC_OK ? fmi3OK : refuse(it, cfpc_status_message(status));
}

// ---- steps -----------------------------------------------------------------------------------

// Whether the importer's time is that of this step. An importer that adds up its time, t += h, is
// off by half a unit in the last place per step, at most.
static bool is_now(const fmu_state *it, double time)
{
    const double off = time - it->values.time, size = time < 0 ? -time : time;
    const double most = 0.5 * (FMU_STEP_S + (double)it->steps * DBL_EPSILON * size);
    return off < most && off > -most;
}

// The whole number of steps that this is; 0: it is none.
static int64_t steps_of(double step_size)
{
    const double steps = step_size / FMU_STEP_S;
    if (!(steps > 0.5 && steps < 1e15))
        return 0;
    const int64_t whole = (int64_t)(steps + 0.5);
    const double off = steps > (double)whole ? steps - (double)whole : (double)whole - steps;
    return off < STEP_TOLERANCE * steps && off < STEPS_TOLERANCE ? whole : 0;
}

FMU_FUNCTION(fmi3Status, fmi3DoStep)
(fmi3Instance it, fmi3Float64 time, fmi3Float64 step_size, fmi3Boolean no_set_state,
 fmi3Boolean *event_needed, fmi3Boolean *terminate, fmi3Boolean *early_return,
 fmi3Float64 *last_time)
{
    fmu_instance *in = it;
    if (!is_in(in, STEPPING))
        return refuse(it, "fmi3DoStep: the instance is not in step mode");
    fmu_state *s = &in->state;
    if (!is_now(s, time))
        return refuse(it, "fmi3DoStep: the communication point is not where the last step ended");
    const int64_t steps = steps_of(step_size);
    if (steps == 0 || s->steps + steps > MOST_STEPS)
        return refuse(
            it,
            "fmi3DoStep: the step size is not a multiple of the cell's step, " FMU_STEP_TEXT " s");
    for (int64_t k = 0; k < steps; k++) {
        act(s);
        learn(s);
    }
    fmi3Boolean *const never[] = {event_needed, terminate, early_return};
    for (size_t k = 0; k < sizeof never / sizeof never[0]; k++)
        if (never[k])
            *never[k] = false;
    if (last_time)
        *last_time = s->values.time;
    return fmi3OK;
}

// ---- getting and setting ---------------------------------------------------------------------

// Adds the values of a variable to what was counted so far, or says why it cannot.
static const char *take(const fmu_variable *it, size_t *used, size_t room)
{
    if (it->elements == 0)
        return "there is no variable of this type with this reference";
    if (it->elements > room - *used)
        return "the variables have more values than there is room for";
    *used += it->elements;
    return NULL;
}

static fmi3Status get(fmi3Instance it, fmu_type type, const fmi3ValueReference references[],
                      size_t count, void *to, size_t room)
{
    fmu_instance *in = it;
    char *next = to;
    size_t used = 0;
    if (!in || (count > 0 && (!references || !to)))
        return refuse(it, "there is no place for the values");
    if (is_in(in, INITIALISING | STEPPING))
        act(&in->state);
    for (size_t k = 0; k < count; k++) {
        const fmu_variable v = variable_of(references[k], type);
        const char *why = take(&v, &used, room);
        if (why)
            return refuse(it, why);
        memcpy(next, (const char *)&in->state.values + v.at, bytes_of(&v));
        next += bytes_of(&v);
    }
    return used == room ? fmi3OK : refuse(it, "the variables have fewer values than are asked for");
}

static fmi3Status set(fmi3Instance it, fmu_type type, const fmi3ValueReference references[],
                      size_t count, const void *from, size_t room)
{
    fmu_instance *in = it;
    const char *next = from;
    size_t used = 0;
    if (!is_in(in, INSTANTIATED | INITIALISING | STEPPING))
        return refuse(it, "variables cannot be set after the simulation has ended");
    if (count > 0 && (!references || !from))
        return refuse(it, "there are no values");
    for (size_t k = 0; k < count; k++) {
        const fmu_variable v = variable_of(references[k], type);
        char *place = (char *)&in->state.values + v.at;
        const char *why = take(&v, &used, room);
        if (why || !v.is_set)
            return refuse(it, why ? why : "only inputs and parameters can be set");
        if (v.acts_now && memcmp(place, next, bytes_of(&v)) != 0)
            in->state.acted = false;
        memcpy(place, next, bytes_of(&v));
        next += bytes_of(&v);
    }
    return used == room ? fmi3OK : refuse(it, "the variables have fewer values than are given");
}

#define GET_AND_SET(Name, type)                                                                    \
    FMU_FUNCTION(fmi3Status, fmi3Get##Name)                                                        \
    (fmi3Instance it, const fmi3ValueReference references[], size_t count, fmi3##Name values[],    \
     size_t room)                                                                                  \
    {                                                                                              \
        return get(it, type, references, count, values, room);                                     \
    }                                                                                              \
    FMU_FUNCTION(fmi3Status, fmi3Set##Name)                                                        \
    (fmi3Instance it, const fmi3ValueReference references[], size_t count,                         \
     const fmi3##Name values[], size_t room)                                                       \
    {                                                                                              \
        return set(it, type, references, count, values, room);                                     \
    }

GET_AND_SET(Float64, FLOAT64)
GET_AND_SET(Int32, INT32)
GET_AND_SET(Boolean, BOOLEAN)

// ---- the state as a whole --------------------------------------------------------------------

// A saved state is the bytes of a `state` after this head.
typedef struct save_head {
    char token[sizeof FMU_TOKEN];
    uint64_t bytes;
    uint64_t checksum;
} save_head;

#define HASH_START UINT64_C(14695981039346656037)

static save_head head_of(const void *saved)
{
    save_head head = {.bytes = sizeof(fmu_state),
                      .checksum = cfpci_hash(HASH_START, saved, sizeof(fmu_state))};
    memcpy(head.token, FMU_TOKEN, sizeof FMU_TOKEN);
    return head;
}

static bool are_booleans(const void *const at[], size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (*(const unsigned char *)at[k] > 1)
            return false;
    return true;
}

// Whether a state that came from outside could be one of this FMU.
static bool is_valid(const fmu_state *it)
{
    const fmu_values *v = &it->values;
    const void *const booleans[] = {
        &it->enabled, &it->trial_requested, &v->saturated, &v->next_trial, &v->trials_by_time,
        &v->enable,   &v->guarded,          &v->frozen,    &v->not_finite, &v->paused};
    const bool is_known = it->mode == INSTANTIATED || it->mode == INITIALISING ||
                          it->mode == STEPPING || it->mode == TERMINATED;
    return is_known && are_booleans(booleans, sizeof booleans / sizeof booleans[0]) &&
           it->steps >= 0 && it->steps <= MOST_STEPS && v->time - v->time == 0 &&
           it->start_time - it->start_time == 0 && fmu_check(&it->before) == CFPC_OK &&
           fmu_check(&it->after) == CFPC_OK;
}

FMU_FUNCTION(fmi3Status, fmi3GetFMUState)(fmi3Instance it, fmi3FMUState *to)
{
    if (!it || !to)
        return fmi3Error;
    fmu_state *saved = *to ? *to : malloc(sizeof *saved);
    if (!saved)
        return refuse(it, cfpc_status_message(CFPC_NO_MEMORY));
    *saved = ((const fmu_instance *)it)->state;
    *to = saved;
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3SetFMUState)(fmi3Instance it, fmi3FMUState from)
{
    if (!it || !from)
        return refuse(it, "fmi3SetFMUState: there is no state");
    ((fmu_instance *)it)->state = *(const fmu_state *)from;
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3FreeFMUState)(fmi3Instance it, fmi3FMUState *saved)
{
    if (saved) {
        free(*saved);
        *saved = NULL;
    }
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3SerializedFMUStateSize)
(fmi3Instance it, fmi3FMUState saved, size_t *size)
{
    if (!size)
        return refuse(it, "fmi3SerializedFMUStateSize: there is no place for the size");
    *size = sizeof(save_head) + sizeof(fmu_state);
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3SerializeFMUState)
(fmi3Instance it, fmi3FMUState from, fmi3Byte bytes[], size_t size)
{
    fmu_state *saved = from;
    if (!saved || !bytes || size < sizeof(save_head) + sizeof(fmu_state))
        return refuse(it, "fmi3SerializeFMUState: there is no state, or the memory is too small");
    if (!saved->acted)
        saved->after = saved->before; // it is not used
    fmu_seal(&saved->before);
    fmu_seal(&saved->after);
    const save_head head = head_of(saved);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, saved, sizeof(fmu_state));
    return fmi3OK;
}

FMU_FUNCTION(fmi3Status, fmi3DeserializeFMUState)
(fmi3Instance it, const fmi3Byte bytes[], size_t size, fmi3FMUState *to)
{
    if (!to || !bytes || size != sizeof(save_head) + sizeof(fmu_state))
        return refuse(it, "fmi3DeserializeFMUState: this is not a saved state of this FMU");
    const save_head head = head_of(bytes + sizeof head);
    if (memcmp(bytes, &head, sizeof head) != 0)
        return refuse(it,
                      "fmi3DeserializeFMUState: the state was damaged, or saved by another FMU");
    fmu_state *saved = malloc(sizeof *saved);
    if (!saved)
        return refuse(it, cfpc_status_message(CFPC_NO_MEMORY));
    memcpy(saved, bytes + sizeof head, sizeof *saved);
    if (!is_valid(saved)) {
        free(saved);
        return refuse(it, "fmi3DeserializeFMUState: no state of this FMU has these values");
    }
    if (*to) {
        memcpy(*to, saved, sizeof *saved);
        free(saved);
    } else
        *to = saved;
    return fmi3OK;
}

// ---- what this FMU does not have -------------------------------------------------------------

#define ABSENT(name, parameters)                                                                   \
    FMU_FUNCTION(fmi3Status, name) parameters                                                      \
    {                                                                                              \
        return refuse(it, #name ": this FMU does not have it");                                    \
    }
#define REFERENCES fmi3Instance it, const fmi3ValueReference references[], size_t count
#define NO_VARIABLES(Name)                                                                         \
    ABSENT(fmi3Get##Name, (REFERENCES, fmi3##Name values[], size_t room))                          \
    ABSENT(fmi3Set##Name, (REFERENCES, const fmi3##Name values[], size_t room))

NO_VARIABLES(Float32)
NO_VARIABLES(Int8)
NO_VARIABLES(UInt8)
NO_VARIABLES(Int16)
NO_VARIABLES(UInt16)
NO_VARIABLES(UInt32)
NO_VARIABLES(Int64)
NO_VARIABLES(UInt64)
NO_VARIABLES(String)
ABSENT(fmi3GetBinary, (REFERENCES, size_t sizes[], fmi3Binary values[], size_t room))
ABSENT(fmi3SetBinary, (REFERENCES, const size_t sizes[], const fmi3Binary values[], size_t room))
ABSENT(fmi3GetClock, (REFERENCES, fmi3Clock values[]))
ABSENT(fmi3SetClock, (REFERENCES, const fmi3Clock values[]))
ABSENT(fmi3GetIntervalDecimal,
       (REFERENCES, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]))
ABSENT(fmi3GetIntervalFraction, (REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                 fmi3IntervalQualifier qualifiers[]))
ABSENT(fmi3GetShiftDecimal, (REFERENCES, fmi3Float64 shifts[]))
ABSENT(fmi3GetShiftFraction, (REFERENCES, fmi3UInt64 counters[], fmi3UInt64 resolutions[]))
ABSENT(fmi3SetIntervalDecimal, (REFERENCES, const fmi3Float64 intervals[]))
ABSENT(fmi3SetIntervalFraction,
       (REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))
ABSENT(fmi3SetShiftDecimal, (REFERENCES, const fmi3Float64 shifts[]))
ABSENT(fmi3SetShiftFraction,
       (REFERENCES, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]))

// Dependencies and derivatives.
#define DERIVATIVE                                                                                 \
    (fmi3Instance it, const fmi3ValueReference unknowns[], size_t unknown_count,                   \
     const fmi3ValueReference knowns[], size_t known_count, const fmi3Float64 seed[],              \
     size_t seed_count, fmi3Float64 sensitivity[], size_t sensitivity_count)
ABSENT(fmi3GetDirectionalDerivative, DERIVATIVE)
ABSENT(fmi3GetAdjointDerivative, DERIVATIVE)
ABSENT(fmi3GetOutputDerivatives,
       (REFERENCES, const fmi3Int32 orders[], fmi3Float64 values[], size_t room))
ABSENT(fmi3GetNumberOfVariableDependencies,
       (fmi3Instance it, fmi3ValueReference reference, size_t *count))
ABSENT(fmi3GetVariableDependencies,
       (fmi3Instance it, fmi3ValueReference dependent, size_t elements[],
        fmi3ValueReference independents[], size_t independent_elements[],
        fmi3DependencyKind kinds[], size_t count))

// Other modes, model exchange, scheduled execution.
ABSENT(fmi3EnterConfigurationMode, (fmi3Instance it))
ABSENT(fmi3ExitConfigurationMode, (fmi3Instance it))
ABSENT(fmi3EnterEventMode, (fmi3Instance it))
ABSENT(fmi3EnterStepMode, (fmi3Instance it))
ABSENT(fmi3EvaluateDiscreteStates, (fmi3Instance it))
ABSENT(fmi3UpdateDiscreteStates, (fmi3Instance it, fmi3Boolean *need_update, fmi3Boolean *terminate,
                                  fmi3Boolean *nominals_changed, fmi3Boolean *values_changed,
                                  fmi3Boolean *has_next_event, fmi3Float64 *next_event))
ABSENT(fmi3EnterContinuousTimeMode, (fmi3Instance it))
ABSENT(fmi3CompletedIntegratorStep, (fmi3Instance it, fmi3Boolean no_set_state,
                                     fmi3Boolean *enter_event_mode, fmi3Boolean *terminate))
ABSENT(fmi3SetTime, (fmi3Instance it, fmi3Float64 time))
ABSENT(fmi3SetContinuousStates, (fmi3Instance it, const fmi3Float64 states[], size_t count))
ABSENT(fmi3GetContinuousStateDerivatives,
       (fmi3Instance it, fmi3Float64 derivatives[], size_t count))
ABSENT(fmi3GetEventIndicators, (fmi3Instance it, fmi3Float64 indicators[], size_t count))
ABSENT(fmi3GetContinuousStates, (fmi3Instance it, fmi3Float64 states[], size_t count))
ABSENT(fmi3GetNominalsOfContinuousStates, (fmi3Instance it, fmi3Float64 nominals[], size_t count))
ABSENT(fmi3GetNumberOfEventIndicators, (fmi3Instance it, size_t *count))
ABSENT(fmi3GetNumberOfContinuousStates, (fmi3Instance it, size_t *count))
ABSENT(fmi3ActivateModelPartition, (fmi3Instance it, fmi3ValueReference clock, fmi3Float64 time))

FMU_FUNCTION(fmi3Instance, fmi3InstantiateModelExchange)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    say(log, environment, "this FMU is for co-simulation, not for model exchange");
    return NULL;
}

FMU_FUNCTION(fmi3Instance, fmi3InstantiateScheduledExecution)
(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
 fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock)
{
    say(log, environment, "this FMU is for co-simulation, not for scheduled execution");
    return NULL;
}
