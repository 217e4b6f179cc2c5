// SPDX-License-Identifier: Apache-2.0
// anticogging: a velocity loop at 1 kHz, and a cell that learns the motor's cogging torque while it
// turns. The cell is exported from experiments/anticogging.yaml (cell_model.h); ./run does it all.
//
// Prints, one per line: "ripple PLACE rms" with the rms of the velocity error in turns per second,
// "turn PLACE ms velocity" for one turn before and after, "guard flags".
#include <stdbool.h>
#include <stdio.h>

#include "cell_model.h"
#include "motor.h"

enum {
    SECOND = 1000,  // steps
    WINDOW = 6,     // ms over which counts are a velocity: it is 3 ms late
    LEARNING = 40,  // seconds, and turns
    RAMP = SECOND,  // to the working speed
    SETTLE = SECOND // after a change of speed, before the ripple is measured
};

// ---- the velocity loop, as any motor drive has it ---------------------------------------------

static int32_t counts[WINDOW]; // of the last steps
static int oldest;
static float filtered, integral, command;

// Turns per second, over the last 6 ms.
static float measure(void)
{
    const int32_t now = motor_count(), before = counts[oldest];
    int32_t moved = now - before;
    moved += moved > COUNTS / 2 ? -COUNTS : moved < -COUNTS / 2 ? COUNTS : 0;
    counts[oldest] = now;
    oldest = (oldest + 1) % WINDOW;
    return (float)moved * (1000.0f / (WINDOW * COUNTS));
}

// PI of the filtered error (4 ms); the command is that of the step before.
static float control(float e)
{
    const float torque = command;
    filtered += 0.22119922f * (e - filtered);
    integral += 0.3f * filtered;
    command = 38 * filtered + integral;
    return torque;
}

// ---- the map by hand ---------------------------------------------------------------------------

enum { PLACES = 128, WAIT = 400, LISTEN = 100 }; // ms at each place: to come to rest, and to note

static float map[PLACES];

// From one count to another, the short way, in turns.
static float between(int32_t from, int32_t to)
{
    int32_t way = to - from;
    way += way > COUNTS / 2 ? -COUNTS : way < -COUNTS / 2 ? COUNTS : 0;
    return (float)way * (1.0f / COUNTS);
}

// Holds the rotor at this count, and returns the mean torque that this takes.
static float hold(int32_t count)
{
    static float held; // the integral goes on from place to place
    float sum = 0;
    for (int n = 0; n < WAIT + LISTEN; n++) {
        const float off = between(motor_count(), count);
        const float torque = 8000 * off - 60 * measure() + held;
        held += 60 * off;
        sum += n < WAIT ? 0 : torque;
        motor_run(torque);
    }
    return sum / LISTEN;
}

// Twice around, forward and backward: the mean has no friction in it.
static void scan(void)
{
    for (int i = 0; i < PLACES; i++)
        map[i] = hold(i * (COUNTS / PLACES)) / 2;
    for (int i = PLACES - 1; i >= 0; i--)
        map[i] += hold(i * (COUNTS / PLACES)) / 2;
}

static float from_map(void)
{
    const int32_t count = motor_count(), each = COUNTS / PLACES, at = count / each;
    const float part = (float)(count % each) / (float)each;
    return (1 - part) * map[at] + part * map[(at + 1) % PLACES];
}

// ---- one step ----------------------------------------------------------------------------------

// What adds to the controller's torque. A cell that has learned is told no error any more: it acts,
// and there is nothing to learn from and nothing for its guard to judge.
static enum { NOTHING, THE_MAP, THE_LEARNING_CELL, THE_LEARNED_CELL } helper;

// The cell comes in by two calls: it acts on the angle, and learns from the error that the
// controller has. The guard needs no other: it sees the loop alone in the first round, in which o
// is 0. Returns the true error.
static float step(float speed)
{
    const float o = helper == NOTHING   ? 0
                    : helper == THE_MAP ? from_map()
                                        : cell_act((float)motor_count() * (1.0f / COUNTS));
    const float e = speed - measure();
    motor_run(control(e) + o);
    if (helper == THE_LEARNING_CELL)
        cell_learn(e);
    return speed - motor_velocity();
}

// ---- the demonstration -------------------------------------------------------------------------

// The square root, without libm.
static float root(float square)
{
    float x = square > 1 ? square : 1;
    for (int i = 0; i < 60; i++)
        x = (x + square / x) / 2;
    return x;
}

static float ripple(float speed, int steps)
{
    float sum = 0;
    for (int n = 0; n < steps; n++) {
        const float e = step(speed);
        sum += e * e;
    }
    return root(sum / (float)steps);
}

static void go_to(float speed)
{
    static float now;
    const float from = now;
    for (int n = 0; n < RAMP; n++)
        step(now = from + (speed - from) * (float)(n + 1) / RAMP);
    ripple(speed, SETTLE);
}

static void measure_at(const char *place, float speed, int seconds)
{
    go_to(speed);
    printf("ripple %s %.9g\n", place, (double)ripple(speed, seconds * SECOND));
}

static void record_turn(const char *place)
{
    for (int n = 0; n < SECOND; n++) {
        step(1);
        printf("turn %s %d %.9g\n", place, n, (double)motor_velocity());
    }
}

// Nothing is learned meanwhile.
static void survey(const char *when)
{
    char place[40];
    static const struct {
        const char *name;
        float speed;
        int seconds; // a whole number of turns
    } speeds[] = {{"slow", 0.25f, 4}, {"fast", 3, 2}, {"backward", -1, 2}, {"work", 1, 2}};
    for (int i = 0; i < 4; i++) {
        snprintf(place, sizeof place, "%s-%s", when, speeds[i].name);
        measure_at(place, speeds[i].speed, speeds[i].seconds);
    }
    record_turn(when);
}

int main(void)
{
    if (cell_start() != CFPC_OK) {
        puts("the cell cannot start");
        return 1;
    }
    motor_reset();
    survey("before");
    go_to(0);
    scan();
    helper = THE_MAP;
    survey("map");
    helper = NOTHING;
    go_to(1);
    helper = THE_LEARNING_CELL;
    for (int second = 1; second <= LEARNING; second++)
        printf("learning %d %.9g\n", second, (double)ripple(1, SECOND));
    printf("guard %u\n", (unsigned)(cfpc_flags(cell_data()) & CFPC_FLAG_GUARDED));
    helper = THE_LEARNED_CELL;
    survey("after");
    return 0;
}
