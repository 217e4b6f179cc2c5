// SPDX-License-Identifier: Apache-2.0
// spec_print: a spec written out from the tables: as a spec file with every default filled in, and
// as the reference of all keys.
#ifndef CFPC_LAB_SPEC_PRINT_H
#define CFPC_LAB_SPEC_PRINT_H

#include <stdio.h>

#include "spec/spec.h"
#include "spec/table_print.h"

// The whole spec as YAML, each key with its meaning beside it. Reading it gives the same spec.
void lab_spec_print(FILE *file, const lab_spec *spec);

// The reference, docs/spec.md, in Markdown.
void lab_spec_reference(FILE *file);

#endif
