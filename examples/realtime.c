// SPDX-License-Identifier: Apache-2.0
// realtime: a 1 kHz loop on Linux. The plant is another process; this one controls it over a socket
// and learns. In two terminals:
//
//     realtime --seconds 30       controls and learns, then says how well it kept the time
//     realtime --plant            stop it (kill -STOP, -CONT) or kill it, and start it again
//
//   plant        y[n+1] = a y[n] + b u[n]        steps when a command arrives, answers with y
//   controller   u[n] = k (e + o)[n - 20]        proportional, 20 ms late
//
// While no answer comes, the plant is left with a safe command and the cell is off: it neither acts
// nor learns. When the plant answers again, a new trial begins and the cell fades in.
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "cfpc/core.h"

enum { STEPS = 400, BASES = 20, DELAY = 20 }; // a trial, in ms
enum { PATIENCE = 50, FADE = STEPS };         // ms without an answer; of the cell, afterwards
enum { PRIORITY = 80, BINS = 9 };             // of SCHED_FIFO; of the histogram: 10, 20, 40, ... us
static const int64_t us = 1000, ms = 1000000, second = 1000000000; // ns
static const cfpc_real a = (cfpc_real)0.95, b = (cfpc_real)0.05, k = (cfpc_real)1.5, safe = 0;

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    perror(what);
    exit(1);
}

// ---- the plant: another process ---------------------------------------------------------------

typedef struct packet {
    uint64_t number; // of the command, also in the answer to it
    double value;    // u, or y
} packet;

static void run_plant(int fd, const struct sockaddr_un *address, double seconds)
{
    for (; connect(fd, (const struct sockaddr *)address, sizeof *address) != 0; seconds -= 0.1) {
        must(seconds > 0, "realtime: no controller");
        nanosleep(&(struct timespec){.tv_nsec = second / 10}, NULL);
    }
    packet it;
    double y = 0;
    while (recv(fd, &it, sizeof it, 0) == sizeof it) { // until the controller ends
        it.value = y = (double)a * y + (double)b * it.value;
        (void)send(fd, &it, sizeof it, MSG_NOSIGNAL);
    }
}

// ---- the link to the plant --------------------------------------------------------------------

typedef struct link_state {
    int listener, plant; // where plants connect; the one that did, or -1
    bool is_up;          // it answers
    uint64_t sent;       // number of the last command
    int waited;          // ticks since its last answer
    int silent, losses;  // ticks without an answer, and times that it was lost
} link_state;

static void send_command(link_state *it, cfpc_real u)
{
    const packet command = {++it->sent, (double)u};
    if (it->plant >= 0) // if it cannot be sent, no answer comes
        (void)send(it->plant, &command, sizeof command, MSG_DONTWAIT | MSG_NOSIGNAL);
}

// While the link is down, a plant may connect: it takes the place of the one before.
static void accept_plant(link_state *it)
{
    const int fd = accept(it->listener, NULL, NULL);
    if (fd < 0)
        return;
    close(it->plant);
    it->plant = fd;
    send_command(it, safe);
}

// Whether the answer to the last command is there; those to earlier ones are stale.
static bool receive(link_state *it, double *y)
{
    packet answer = {0};
    ssize_t got = it->plant < 0 ? -1 : (ssize_t)sizeof answer;
    while (got == sizeof answer && answer.number != it->sent)
        got = recv(it->plant, &answer, sizeof answer, MSG_DONTWAIT);
    *y = answer.value;
    const bool answered = got == sizeof answer;
    it->waited = answered ? 0 : got == 0 ? PATIENCE : it->waited + 1; // got 0: it has ended
    it->silent += !answered;
    return answered;
}

// ---- the clock --------------------------------------------------------------------------------

typedef struct ticker {
    int64_t due;    // time of the next tick, ns
    int64_t latest; // the largest lateness, ns
    long bin[BINS]; // number of ticks by their lateness
    long missed;    // deadlines: a tick came after the next one was due
} ticker;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * second + t.tv_nsec;
}

// Sleeps until the next tick. Ticks that were due meanwhile are missed; they are not made up for.
static void wait_for_tick(ticker *it)
{
    int bin = 0;
    it->due += ms;
    const struct timespec due = {it->due / second, it->due % second};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    const int64_t late = now() - it->due;
    while (bin < BINS - 1 && late >= 10 * us << bin)
        bin++;
    it->bin[bin]++;
    it->latest = late > it->latest ? late : it->latest;
    it->missed += late / ms;
    it->due += late / ms * ms;
}

// ---- the loop ---------------------------------------------------------------------------------

static cfpc_real basis[STEPS][BASES];
static _Alignas(8) unsigned char model_memory[80000], data_memory[20000];

typedef struct loop {
    const cfpc_model *model;
    cfpc_data *cell;
    int step;                // of this trial
    cfpc_real late[DELAY];   // the controller's input, on its way
    double sum, first, last; // of e² in this trial; rms errors of trials
    int trials, in_a_row;    // finished, in all and since the plant was found
} loop;

// The cell of examples/hello.c: bumps along the trial, the closed loop as the forward model.
static loop make_loop(void)
{
    for (int n = 0; n < STEPS; n++)
        for (int j = 0; j < BASES; j++)
            basis[n][j] = (cfpc_real)exp(-0.5 * pow((n - 20.0 * j) / 12, 2));
    const int32_t delay[] = {DELAY};
    const cfpc_real closed_loop[] = {a, 0, b, 1, 0, 0, -k, k, 0};
    cfpc_model_def def = cfpc_default_model_def(); // with a guard
    def.synapses = BASES;
    def.steps = STEPS;
    def.basis = basis[0];
    def.trace = (cfpc_lti){1, 1, 1, 1, delay, closed_loop};
    def.rule.rate = (cfpc_real)0.02;
    loop it = {0};
    must(cfpc_model_init(&it.model, model_memory, sizeof model_memory, &def) == CFPC_OK &&
             cfpc_data_init(&it.cell, data_memory, sizeof data_memory, it.model) == CFPC_OK,
         "realtime: the cell");
    return it;
}

// One step: from the measurement to the command.
static cfpc_real control(loop *it, cfpc_real y)
{
    const int n = it->step++;
    const cfpc_real r = n > 100 && n < 250 ? 1 : 0;              // the reference
    const cfpc_real e = r - y;                                   // the error
    const cfpc_real o = cfpc_step(it->model, it->cell, NULL, e); // learns and anticipates
    const cfpc_real u = k * it->late[n % DELAY];                 // the controller, too late
    it->late[n % DELAY] = e + o;
    it->sum += (double)e * (double)e;
    return u;
}

static void begin_trial(loop *it)
{
    cfpc_next_trial(it->model, it->cell);
    memset(it->late, 0, sizeof it->late);
    it->sum = it->step = 0;
}

static void end_trial(loop *it)
{
    it->last = sqrt(it->sum / STEPS);
    it->first = it->trials++ == 0 ? it->last : it->first;
    if (++it->in_a_row <= 3 || it->trials % 10 == 0)
        printf("trial %3d  rms error %.4f\n", it->trials, it->last);
    begin_trial(it);
}

static void pause_loop(loop *it, link_state *link)
{
    link->is_up = false;
    link->losses++;
    cfpc_disable(it->cell, 0);
    send_command(link, safe); // what the plant finds when it goes on
    puts("no answer from the plant: safe command, the cell is off");
}

static void resume_loop(loop *it, link_state *link)
{
    link->is_up = true;
    it->in_a_row = 0;
    begin_trial(it);
    if (link->losses > 0)
        cfpc_enable(it->cell, FADE); // with its weights
    puts("the plant answers: a trial begins");
}

static void tick(loop *it, link_state *link)
{
    double y;
    if (!link->is_up)
        accept_plant(link);
    const bool answered = receive(link, &y);
    if (answered && !link->is_up)
        resume_loop(it, link);
    if (answered)
        send_command(link, control(it, (cfpc_real)y)); // first the command,
    else if (link->is_up && link->waited >= PATIENCE)
        pause_loop(it, link);
    if (it->step == STEPS)
        end_trial(it); // then what can wait
}

static volatile sig_atomic_t is_over;

static void end_on_signal(int signal_number)
{
    is_over = signal_number;
}

static void report(const loop *it, const link_state *link, const ticker *clock)
{
    printf("\n%d trials: rms error first %.4f, last %.4f; the guard acted %d times\n", it->trials,
           it->first, it->last, (int)cfpc_guard_acts(it->cell));
    printf("plant: lost %d times, %d ticks without an answer\n", link->losses, link->silent);
    printf("deadlines: %ld missed, largest lateness %.3f ms\nlateness:\n", clock->missed,
           (double)clock->latest / (double)ms);
    for (int bin = 0; bin < BINS; bin++)
        printf("  %s %5d us %9ld ticks\n", bin < BINS - 1 ? "below" : "from ",
               10 << (bin < BINS - 1 ? bin : bin - 1), clock->bin[bin]);
}

static void run_controller(int fd, const struct sockaddr_un *address, double seconds)
{
    must(bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 && listen(fd, 1) == 0 &&
             fcntl(fd, F_SETFL, O_NONBLOCK) == 0,
         "realtime: the socket");
    loop it = make_loop();
    link_state link = {.listener = fd, .plant = -1};
    sigaction(SIGINT, &(struct sigaction){.sa_handler = end_on_signal}, NULL);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = end_on_signal}, NULL);
    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        perror("realtime: memory not locked, page faults may delay a step; raise ulimit -l");
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){PRIORITY}) != 0)
        perror("realtime: no SCHED_FIFO, other processes may delay a step; raise ulimit -r");
    puts("waiting for the plant: realtime --plant");
    ticker clock = {.due = now()};
    const int64_t end = clock.due + (int64_t)(seconds * 1e9);
    for (; !is_over && clock.due < end; tick(&it, &link))
        wait_for_tick(&clock);
    send_command(&link, safe);
    report(&it, &link, &clock);
}

int main(int argc, char **argv)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0cfpc-realtime"};
    bool is_plant = false; // a path that begins with 0 is a name, not a file that could be left
    double seconds = 30;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--plant") == 0)
            is_plant = true;
        else if (strcmp(argv[i], "--seconds") == 0 && (seconds = atof(value)) > 0 && seconds < 1e9)
            i++;
        else if (strcmp(argv[i], "--name") == 0 && *value && strlen(value) < 100)
            memcpy(address.sun_path + 1, argv[++i], strlen(value) + 1);
        else
            return fputs("usage: realtime [--plant] [--seconds S] [--name SOCKET]\n", stderr), 2;
    }
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    must(fd >= 0, "realtime: the socket");
    setvbuf(stdout, NULL, _IOLBF, 0);
    (is_plant ? run_plant : run_controller)(fd, &address, seconds);
    return 0;
}
