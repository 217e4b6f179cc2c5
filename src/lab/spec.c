// SPDX-License-Identifier: Apache-2.0
#include "spec.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "spec_tables.h"

enum {
    LARGEST_FILE = 1 << 22, // bytes of a spec file
    MOST_RULES = 64,
    LONGEST_TRIAL = 10000000 // steps
};

#define REFUSE(spec, node, ...) refuse_at((spec), (node)->place, why, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static lab_outcome
refuse_at(const lab_spec *spec, lab_place place, lab_why *why, const char *format, ...)
{
    char sentence[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return lab_refuse(why, "%s:%d:%d: %s", spec->file, place.line, place.column, sentence);
}

// ---- what no single field can tell -----------------------------------------------------------

static bool is_whole(double time_ms, double step_ms)
{
    const double steps = time_ms / step_ms;
    return fabs(steps - round(steps)) <= 1e-6;
}

static lab_outcome check_loop(const lab_spec *spec, lab_why *why)
{
    const lab_loop_spec *loop = &spec->loop;
    const struct {
        const char *key;
        double ms;
    } delays[] = {{"delay_ms", loop->delay_ms},
                  {"command_delay_ms", loop->command_delay_ms},
                  {"measurement_delay_ms", loop->measurement_delay_ms}};
    for (size_t i = 0; i < sizeof delays / sizeof delays[0]; i++)
        if (!is_whole(delays[i].ms, spec->step_ms))
            return REFUSE(spec, loop, "'%s' of %g ms is not a whole number of steps of %g ms",
                          delays[i].key, delays[i].ms, spec->step_ms);
    const lab_system_spec *systems[] = {&loop->plant, &loop->controller};
    for (int i = 0; i < 2; i++) {
        const lab_system_spec *s = systems[i];
        if (s->kind == LAB_CHAIN && s->stages.count == 0)
            return REFUSE(spec, s, "'stages' is empty; a chain needs at least one stage");
        if (s->kind != LAB_STATE_SPACE)
            continue;
        if (s->a.rows != s->a.columns || s->b.columns != s->a.rows || s->c.columns != s->a.rows)
            return REFUSE(spec, s,
                          "'a' is %d x %d, 'b' has %d and 'c' %d numbers; 'a' must be square and "
                          "'b' and 'c' as long as it is",
                          s->a.rows, s->a.columns, s->b.columns, s->c.columns);
    }
    return LAB_DONE;
}

static lab_outcome check_task(const lab_spec *spec, lab_why *why)
{
    const lab_task_spec *task = &spec->task;
    if (!is_whole(task->trial_s * 1e3, spec->step_ms))
        return REFUSE(spec, task, "'trial_s' of %g s is not a whole number of steps of %g ms",
                      task->trial_s, spec->step_ms);
    if (task->trial_s * 1e3 / spec->step_ms > LONGEST_TRIAL)
        return REFUSE(spec, task, "a trial of %g steps is too long; at most %d",
                      task->trial_s * 1e3 / spec->step_ms, LONGEST_TRIAL);
    if (task->points.columns != 2)
        return REFUSE(spec, task, "'points' must be pairs of time in s and value, as [0.5, 1]");
    for (int i = 1; i < task->points.rows; i++)
        if (task->points.values[2 * i] < task->points.values[2 * i - 2])
            return REFUSE(spec, task, "'points' must go forward in time; %g s comes after %g s",
                          task->points.values[2 * i], task->points.values[2 * i - 2]);
    return LAB_DONE;
}

static bool is_plain_name(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("+-_", *name))
            return false;
    return true;
}

static lab_outcome check_rules(const lab_spec *spec, lab_why *why)
{
    const lab_rule_spec *rules = lab_rules(spec);
    if (spec->rules.count < 1 || spec->rules.count > MOST_RULES)
        return REFUSE(spec, spec, "'rules' has %d entries; it needs 1 to %d", spec->rules.count,
                      MOST_RULES);
    for (int i = 0; i < spec->rules.count; i++) {
        if (!is_plain_name(rules[i].name))
            return REFUSE(spec, &rules[i],
                          "rule name '%.60s': only letters, digits, '+', '-' and '_'",
                          rules[i].name);
        for (int k = 0; k < i; k++)
            if (strcmp(rules[i].name, rules[k].name) == 0)
                return REFUSE(spec, &rules[i], "two rules have the name '%.60s'", rules[i].name);
        const bool delays = rules[i].trace == LAB_TRACE_DELAY;
        if (delays && !is_whole(rules[i].delay_ms, spec->step_ms))
            return REFUSE(spec, &rules[i],
                          "'delay_ms' of %g ms is not a whole number of steps of %g ms",
                          rules[i].delay_ms, spec->step_ms);
    }
    return LAB_DONE;
}

static lab_outcome check_scan(const lab_spec *spec, lab_why *why)
{
    const lab_scan_spec *scan = &spec->delay_scan;
    if (scan->to_ms < scan->from_ms)
        return REFUSE(spec, scan, "'to_ms' of %g lies before 'from_ms' of %g", scan->to_ms,
                      scan->from_ms);
    if ((scan->to_ms - scan->from_ms) / scan->step_ms > 10000)
        return REFUSE(spec, scan, "more than 10000 delays; take a larger 'step_ms'");
    if (!is_whole(scan->from_ms, spec->step_ms) || !is_whole(scan->step_ms, spec->step_ms))
        return REFUSE(spec, scan, "the delays are not whole numbers of steps of %g ms",
                      spec->step_ms);
    return LAB_DONE;
}

static lab_outcome check_claims(const lab_spec *spec, lab_why *why)
{
    const lab_claim_spec *claims = lab_claims(spec);
    for (int i = 0; i < spec->claims.count; i++) {
        if (!is_plain_name(claims[i].name))
            return REFUSE(spec, &claims[i],
                          "claim name '%.60s': only letters, digits, '+', '-' and '_'",
                          claims[i].name);
        for (int k = 0; k < i; k++)
            if (strcmp(claims[i].name, claims[k].name) == 0)
                return REFUSE(spec, &claims[i], "two claims have the name '%.60s'", claims[i].name);
        if (!(claims[i].low <= claims[i].high))
            return REFUSE(spec, &claims[i], "'low' of %g lies above 'high' of %g", claims[i].low,
                          claims[i].high);
    }
    return LAB_DONE;
}

static lab_outcome check_whole(const lab_spec *spec, lab_why *why)
{
    if (!is_plain_name(spec->name))
        return REFUSE(spec, spec, "name '%.60s': only letters, digits, '+', '-' and '_'",
                      spec->name);
    lab_outcome outcome = check_loop(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_task(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_rules(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_scan(spec, why);
    if (outcome == LAB_DONE)
        outcome = check_claims(spec, why);
    return outcome;
}

// ---- reading ---------------------------------------------------------------------------------

// Reads an open file whole into `text`, which has room for LARGEST_FILE + 1 bytes.
static lab_outcome read_whole(FILE *in, char *text, const char *file, lab_why *why)
{
    const size_t count = fread(text, 1, LARGEST_FILE + 1, in);
    if (ferror(in))
        return lab_refuse(why, "%s: cannot be read: %s", file, strerror(errno));
    if (count > LARGEST_FILE)
        return lab_refuse(why, "%s: larger than %d bytes", file, LARGEST_FILE);
    if (memchr(text, '\0', count))
        return lab_refuse(why, "%s: this is not a text file", file);
    text[count] = '\0';
    return LAB_DONE;
}

lab_outcome lab_read_text(char **text, const char *file, lab_why *why)
{
    *text = NULL;
    FILE *in = fopen(file, "rb");
    if (!in)
        return lab_refuse(why, "%s: %s", file, strerror(errno));
    char *room = malloc(LARGEST_FILE + 1);
    lab_outcome outcome =
        room ? read_whole(in, room, file, why) : lab_fail(why, "%s: memory ran out", file);
    fclose(in);
    if (outcome == LAB_DONE)
        *text = room;
    else
        free(room);
    return outcome;
}

lab_outcome lab_spec_parse(lab_spec *spec, const char *file, const char *text, lab_why *why)
{
    *spec = (lab_spec){.file = strdup(file), .text = strdup(text)};
    if (!spec->file || !spec->text)
        return lab_fail(why, "%s: memory ran out", file);
    lab_node *root;
    lab_outcome outcome = lab_yaml_parse(&root, file, text, strlen(text), why);
    if (outcome != LAB_DONE)
        return outcome;
    outcome = lab_validate(&lab_spec_table, file, root, spec, why);
    lab_yaml_free(root);
    return outcome == LAB_DONE ? check_whole(spec, why) : outcome;
}

lab_outcome lab_spec_load(lab_spec *spec, const char *file, lab_why *why)
{
    char *text;
    *spec = (lab_spec){0};
    lab_outcome outcome = lab_read_text(&text, file, why);
    if (text)
        outcome = lab_spec_parse(spec, file, text, why);
    free(text);
    return outcome;
}

void lab_spec_free(lab_spec *spec)
{
    lab_validated_free(&lab_spec_table, spec);
    free(spec->file);
    free(spec->text);
    *spec = (lab_spec){0};
}

lab_outcome lab_spec_choose_rule(lab_spec *spec, const char *name, lab_why *why)
{
    const char *names[MOST_RULES];
    for (int i = 0; i < spec->rules.count; i++) {
        names[i] = lab_rules(spec)[i].name;
        if (strcmp(names[i], name) == 0) {
            spec->main_rule = i;
            return LAB_DONE;
        }
    }
    char hint[512];
    lab_suggest(hint, sizeof hint, name, names, spec->rules.count);
    return lab_refuse(why, "%s has no rule '%.60s'; %s", spec->name, name, hint);
}
