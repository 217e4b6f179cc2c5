// SPDX-License-Identifier: Apache-2.0
#include "cfpc/status.h"

const char *cfpc_status_message(cfpc_status status)
{
    static const char *const sentences[] = {
#define CFPC_STATUS_SENTENCE(name, sentence) sentence,
        CFPC_STATUS_LIST(CFPC_STATUS_SENTENCE)
#undef CFPC_STATUS_SENTENCE
    };
    const unsigned count = sizeof sentences / sizeof sentences[0];
    return (unsigned)status < count ? sentences[status] : "unknown status";
}
