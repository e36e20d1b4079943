/* SPDX-License-Identifier: Apache-2.0 */
/* The deprecated form of exceptions in ETMv3. */
#include "model/generator.h"
#include "proto/etmv3.h"

/* EEE = 0 leaves the type to the vector: the target must be this vector, and of
 * a data abort the last instruction is cancelled. */
static bool vector_tells(enum etm_exception_type type, bool cancel,
                         uint32_t address)
{
    return (address & 0x1f) == etm_exception_vector(type) &&
           (type != ETM_EXCEPTION_DATA_ABORT || cancel);
}

bool etm_gen_deprecated_form(const struct etm_gen *gen,
                             const struct etm_place *to,
                             enum etm_exception_type type, bool cancel)
{
    uint8_t wish = gen->options.deprecated_exceptions;
    unsigned number = etm_exception_deprecated_number(type);

    if (wish == ETM_FALSE || (wish == ETM_UNKNOWN && gen->config.minor >= 2))
        return false;
    if (gen->config.profile == ETM_PROFILE_M || number == ETM_EXCEPTION_NONE ||
        etm_etmv3_alternative(&gen->config))
        return false;
    if (to->isa != ETM_ISA_ARM || gen->out.isa == ETM_ISA_THUMBEE ||
        etm_gen_state_changes(gen, to))
        return false;
    return number != 0 || vector_tells(type, cancel, to->address);
}
