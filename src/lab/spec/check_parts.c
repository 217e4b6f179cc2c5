// SPDX-License-Identifier: Apache-2.0
#include "spec/check_parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

lab_outcome lab_check_all(const lab_spec *spec, lab_check *const *checks, lab_why *why)
{
    lab_outcome outcome = LAB_DONE;
    for (; outcome == LAB_DONE && *checks; checks++)
        outcome = (*checks)(spec, why);
    return outcome;
}

bool lab_is_word(const char *name)
{
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("+-_", *name))
            return false;
    return true;
}

lab_outcome lab_check_name(const lab_spec *spec, lab_place place, const char *what,
                           const lab_listing *listing, size_t bytes, size_t name_at, int index,
                           lab_why *why)
{
    const char *items = listing->items;
    const char *name = *(char *const *)(items + (size_t)index * bytes + name_at);
    if (strlen(name) > LONGEST_NAME)
        return lab_spec_refuse(spec, place, why, "%s name '%.60s…' is longer than %d characters",
                               what, name, LONGEST_NAME);
    if (!lab_is_word(name))
        return lab_spec_refuse(spec, place, why,
                               "%s name '%.60s' may hold only letters, digits, '+', '-' and '_'",
                               what, name);
    for (int k = 0; k < index && *name; k++)
        if (strcmp(*(char *const *)(items + (size_t)k * bytes + name_at), name) == 0)
            return lab_spec_refuse(spec, place, why, "two %ss have the name '%.60s'", what, name);
    return LAB_DONE;
}

bool lab_is_whole(double time_ms, double step_ms)
{
    const double steps = time_ms / step_ms;
    return fabs(steps - round(steps)) <= 1e-6;
}

lab_outcome lab_check_time(const lab_spec *spec, lab_place place, const char *key, double ms,
                           lab_why *why)
{
    if (ms / spec->step_ms > LONGEST_TRIAL)
        return lab_spec_refuse(spec, place, why,
                               "'%s' of %g ms is %.0f steps of %g ms; the maximum is %d", key, ms,
                               ms / spec->step_ms, spec->step_ms, LONGEST_TRIAL);
    if (isnan(ms) || lab_is_whole(ms, spec->step_ms))
        return LAB_DONE;
    return lab_spec_refuse(spec, place, why,
                           "'%s' of %g ms is not a whole number of steps of %g ms", key, ms,
                           spec->step_ms);
}

const char *lab_part_believed(const lab_believed_spec *believed)
{
    return believed->plant.place.line > 0           ? "plant"
           : believed->controller.place.line > 0    ? "controller"
           : !isnan(believed->delay_ms)             ? "delay_ms"
           : !isnan(believed->command_delay_ms)     ? "command_delay_ms"
           : !isnan(believed->measurement_delay_ms) ? "measurement_delay_ms"
                                                    : NULL;
}
