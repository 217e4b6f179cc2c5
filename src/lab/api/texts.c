// SPDX-License-Identifier: Apache-2.0
// texts: what is said of a spec, of files, of the lab and the machine.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/experiment.h"
#include "base/nearest.h"
#include "draw/gnuplot.h"
#include "math/arithmetic.h"
#include "report/report.h"
#include "run/measure_rows.h"
#include "spec/spec_print.h"

static lab_outcome texts_put_spec(FILE *to, const void *experiment, lab_why *why)
{
    (void)why;
    lab_spec_print(to, &((const cfpc_experiment *)experiment)->spec);
    return LAB_DONE;
}

cfpc_outcome cfpc_experiment_text(const cfpc_experiment *experiment, char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_spec, experiment, "experiment", why);
}

static lab_outcome texts_put_file(FILE *to, const void *path, lab_why *why)
{
    return lab_put_inspected(to, path, why);
}

cfpc_outcome cfpc_inspect(const char *path, char **text, cfpc_why *why)
{
    return lab_tell_program(text, texts_put_file, path, "file", why);
}

typedef struct reference {
    void (*put)(FILE *to);
} reference;

static lab_outcome texts_put_reference(FILE *to, const void *context, lab_why *why)
{
    const reference *reference = context;
    (void)why;
    reference->put(to);
    return LAB_DONE;
}

cfpc_outcome cfpc_spec_reference(char **text, cfpc_why *why)
{
    const reference keys = {lab_spec_reference};
    return lab_tell_program(text, texts_put_reference, &keys, "reference", why);
}

cfpc_outcome cfpc_measure_reference(char **text, cfpc_why *why)
{
    const reference measures = {lab_measure_reference};
    return lab_tell_program(text, texts_put_reference, &measures, "reference", why);
}

void cfpc_text_free(char *text)
{
    free(text);
}

cfpc_hint cfpc_hint_among(const char *word, const char *const *names, size_t count)
{
    cfpc_hint to;
    const lab_hint hint =
        lab_hint_among(word ? word : "", names, names && count < INT_MAX ? (int)count : 0);
    memcpy(to.text, hint.text, sizeof to.text);
    return to;
}

bool cfpc_has_hdf5(void)
{
    return lab_has_hdf5();
}

bool cfpc_has_gnuplot(void)
{
    return lab_has_gnuplot();
}

const char *cfpc_arithmetic_fault(void)
{
    return cfpci_arithmetic_fault();
}
