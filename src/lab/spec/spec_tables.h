// SPDX-License-Identifier: Apache-2.0
// spec_tables: what a spec file may hold.
#ifndef CFPC_LAB_SPEC_TABLES_H
#define CFPC_LAB_SPEC_TABLES_H

#include "spec/validate.h"

extern const lab_table lab_spec_table;

#endif
