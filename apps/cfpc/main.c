// SPDX-License-Identifier: Apache-2.0
// cfpc: the command. Finds the verb, parses its arguments, runs it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "verbs.h"

#define APP_ADDRESS(verb) &app_verb_##verb,
const app_verb *const app_verbs[] = {APP_VERBS(APP_ADDRESS) NULL};

static bool asks_help(int count, char *const *words)
{
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
            return true;
    return false;
}

// Failing to write the output is a failure, too.
static int end(int code)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CFPC_DONE) {
        fputs("cfpc: the output could not be written\n", stderr);
        return CFPC_FAILED;
    }
    return code;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ,
           SIG_IGN); // exceeding the file size limit is then a failed write, with a message
    const char *name = argc > 1 ? argv[1] : "help";
    if (strcmp(name, "--version") == 0)
        name = "version";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    const app_verb *verb = app_find_verb(name);
    if (!verb)
        return CFPC_REFUSED;
    const int count = argc > 2 ? argc - 2 : 0;
    if (asks_help(count, argv + 2)) {
        app_print_help(verb);
        return end(CFPC_DONE);
    }
    app_line line;
    cfpc_why why = {0};
    if (app_parse(&line, verb->options, verb->positionals, count, argv + 2, &why) != CFPC_DONE) {
        fprintf(stderr, "cfpc: %s (cfpc help %s)\n", why.text, verb->name);
        return CFPC_REFUSED;
    }
    const cfpc_outcome outcome = verb->run(&line, &why);
    if (*why.text)
        fprintf(stderr, "cfpc: %s\n", why.text);
    return end(outcome);
}
