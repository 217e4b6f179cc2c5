// SPDX-License-Identifier: Apache-2.0
#include "export/weights.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "spec/load.h"
#include "spec/origin.h"

// ---- whose they are --------------------------------------------------------------------------

// A spec as a result has it: every default filled in, files by the names of their copies.
static lab_outcome written_out(lab_source *to, const lab_spec *spec, lab_why *why)
{
    lab_origin origin;
    lab_outcome outcome = lab_origin_make(&origin, spec, why);
    if (outcome == LAB_DONE)
        outcome = lab_source_parse(to, spec->file, origin.text, why);
    lab_origin_free(&origin);
    return outcome;
}

// Whether a value is not the same in both; then `path`, which is that of the nodes, is lengthened
// to that of the first such value.
static bool differ(const lab_node *a, const lab_node *b, char *path, size_t size);

// Whether a child of `a` has no equal in `b`: under its key or, in a list, in its place.
static bool children_differ(const lab_node *a, const lab_node *b, char *path, size_t size)
{
    // How fast and how long it learns may be another, and how that was found.
    static const char *const free_keys[] = {"rate", "rate_fraction", "scan", "tune", "trials"};
    const size_t length = strlen(path);
    const lab_node *beside = b->child;
    for (const lab_node *child = a->child; child; child = child->next) {
        bool is_free = false;
        for (size_t i = 0; child->key && i < sizeof free_keys / sizeof free_keys[0]; i++)
            is_free |= strcmp(child->key, free_keys[i]) == 0;
        const lab_node *partner = child->key ? lab_node_find(b, child->key) : beside;
        beside = beside ? beside->next : NULL;
        if (is_free)
            continue;

        // The path goes on as a setting has it: by the key or, in a list, by the child's name.
        const lab_node *name = child->kind == LAB_MAP ? lab_node_find(child, "name") : NULL;
        const char *key = a->kind == LAB_MAP ? child->key : name ? name->text : NULL;
        if (key)
            snprintf(path + length, size - length, ".%s", key);
        if (differ(child, partner, path, size))
            return true;
        path[length] = '\0';
    }
    return false;
}

static bool differ(const lab_node *a, const lab_node *b, char *path, size_t size)
{
    if (!a || !b || a->kind != b->kind)
        return a || b;
    if (a->kind == LAB_SCALAR)
        return strcmp(a->text, b->text) != 0;
    return children_differ(a, b, path, size) || children_differ(b, a, path, size);
}

static const lab_node *weights_rule_in(const lab_node *spec, const char *name)
{
    const lab_node *rules = lab_node_find(spec, "rules"), *at = rules ? rules->child : NULL;
    for (; at; at = at->next) {
        const lab_node *node = lab_node_find(at, "name");
        if (node && node->text && strcmp(node->text, name) == 0)
            break;
    }
    return at;
}

bool lab_has_time(const lab_spec *spec)
{
    bool has = false;
    for (int i = 0; i < spec->basis.count; i++) {
        const lab_basis_family family = lab_family_of_basis(lab_banks(spec)[i].kind);
        has |= family != LAB_DRIVEN && family != LAB_TURNING;
    }
    return has;
}

static lab_outcome weights_compare(const lab_node *ours, const lab_node *theirs, const char *folder,
                                   const lab_spec *spec, const char *rule, lab_why *why)
{
    static const char *const keys[] = {"step_ms", "loop",     "enters", "basis", "cues",
                                       "angle",   "believed", "phases", "task"};
    const lab_node *before = weights_rule_in(theirs, rule);
    char path[400] = "";
    if (!before)
        return lab_refuse(why, "%s: has no weights of rule '%s': give the run of this spec", folder,
                          rule);
    snprintf(path, sizeof path, "rules.%s", rule);
    bool other = differ(weights_rule_in(ours, rule), before, path, sizeof path);
    for (size_t i = 0; !other && i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(path, sizeof path, "%s", keys[i]);
        if (lab_has_time(spec) || strcmp(keys[i], "task") != 0) // without time in any task
            other = differ(lab_node_find(ours, keys[i]), lab_node_find(theirs, keys[i]), path,
                           sizeof path);
    }
    return other ? lab_refuse(why,
                              "%s: these weights are of another cell: `%s` differs from that in "
                              "%s/spec.yaml; give the run of this spec and its settings",
                              folder, path, folder)
                 : LAB_DONE;
}

lab_outcome lab_weights_check(const char *folder, const lab_spec *spec, const char *rule,
                              lab_why *why)
{
    static const char *const needed[] = {"weights.csv", "spec.yaml"};
    lab_source ours = {0}, theirs = {0};
    lab_spec ran = {0};
    struct stat about;
    char file[4096];
    if (stat(folder, &about) == 0 && !S_ISDIR(about.st_mode))
        return lab_refuse(why, "--weights '%.200s' is a file: give the folder of the run", folder);
    for (int i = 0; i < 2; i++) {
        snprintf(file, sizeof file, "%s/%s", folder, needed[i]);
        if (!*folder || access(file, F_OK) != 0)
            return lab_refuse(why,
                              "%s: holds no %s; --weights needs the folder of a result of 'cfpc "
                              "run'",
                              *folder ? folder : "--weights ''", needed[i]);
    }

    // Compares the spec that was run with ours, both written out.
    lab_outcome outcome = lab_spec_load(&ran, file, NULL, why);
    if (outcome == LAB_DONE)
        outcome = written_out(&theirs, &ran, why);
    if (outcome == LAB_DONE)
        outcome = written_out(&ours, spec, why);
    if (outcome == LAB_DONE)
        outcome = weights_compare(ours.tree, theirs.tree, folder, spec, rule, why);
    lab_spec_free(&ran);
    lab_source_free(&theirs);
    lab_source_free(&ours);
    return outcome;
}

// ---- what they are ---------------------------------------------------------------------------

// Takes them from one file; *found says whether it has the rule.
static lab_outcome weights_take(double *weights, int count, const char *file, const char *rule,
                                bool *found, lab_why *why)
{
    lab_csv csv = {0};
    lab_outcome outcome = lab_csv_read_log(&csv, file, why); // another rule may have diverged
    int column = 1;                                          // the first counts the basis signals
    while (outcome == LAB_DONE && column < csv.columns && strcmp(csv.names[column], rule) != 0)
        column++;
    *found = outcome == LAB_DONE && column < csv.columns;
    if (*found && csv.rows != count)
        outcome = lab_refuse(why,
                             "%s: rule '%s' has %d weights there, but %d basis signals in the "
                             "spec: give the run of this spec",
                             file, rule, csv.rows, count);
    for (int j = 0; *found && outcome == LAB_DONE && j < count; j++) {
        weights[j] = csv.values[(size_t)j * (size_t)csv.columns + (size_t)column];
        if (!isfinite(weights[j]))
            outcome = lab_refuse(
                why, "%s: rule '%s' diverged in that run: its weights are not finite", file, rule);
    }
    lab_csv_free(&csv);
    return outcome;
}

lab_outcome lab_weights_read(double *weights, int count, const char *folder, const lab_spec *spec,
                             const char *rule, lab_why *why)
{
    char file[4096];
    bool found = false;
    snprintf(file, sizeof file, "%s/weights.csv", folder);
    lab_outcome outcome = weights_take(weights, count, file, rule, &found, why);
    for (int i = 0; outcome == LAB_DONE && !found && i < spec->rules.count; i++) {
        snprintf(file, sizeof file, "%s/weights-%s.csv", folder, lab_rules(spec)[i].name);
        if (access(file, F_OK) == 0)
            outcome = weights_take(weights, count, file, rule, &found, why);
    }
    return outcome == LAB_DONE && !found
               ? lab_refuse(why, "%s: has no weights of rule '%s': give the run of this spec",
                            folder, rule)
               : outcome;
}
