/* SPDX-License-Identifier: Apache-2.0 */
/* What an ETMv1 or ETMv2 does not trace and its registers do not give. */
#include "session/port_source.h"

#include "base/diag.h"
#include "input/port_reader.h"
#include "input/text.h"

#include <string.h>

/* Bits of SCTLR and CPSR (Arm Architecture Reference Manual, B4.1.130 and
 * B1.3.3; SCTLR.B is that of ARMv4 to ARMv6). */
#define SCTLR_B 7u
#define SCTLR_V 13u
#define SCTLR_EE 25u
#define CPSR_E 9u

static int contradiction(struct etm_diag *diag, const char *source,
                         const char *what)
{
    int status = etm_diag_begin(diag, ETM_ERR_CONFIG, source);

    etm_diag_text(diag, what);
    return status;
}

/* A register of the source's core by its name, which may have a prefix
 * ("CP15_SCTLR"). */
static bool core_register(const struct etm_capture_core *core, const char *name,
                          uint64_t *value)
{
    const struct etm_register *r = core ? core->registers.data : NULL;
    size_t n = strlen(name);

    for (size_t i = 0; core != NULL && i < core->registers.n; i++) {
        size_t all = strlen(r[i].name);

        if (all < n || !etm_text_same(r[i].name + all - n, name))
            continue;
        if (all > n && r[i].name[all - n - 1] != '_' &&
            r[i].name[all - n - 1] != '.')
            continue;
        *value = r[i].value;
        return true;
    }
    return false;
}

static int refuse_words(const struct etm_session_options *o, const char *source,
                        struct etm_diag *diag)
{
    for (unsigned i = 0; i < 32; i++)
        if (o->coprocessor_words[i / 2][i % 2] != 0)
            return contradiction(
                diag, source,
                "the words of coprocessors are given for ETMv1 only; other "
                "protocols trace their number");
    return ETM_OK;
}

/* Refuse options for a port that this source does not have. */
static int refuse_options(const struct etm_session_options *o,
                          const char *source, struct etm_diag *diag)
{
    if (o->port_width != 0 && o->framing != ETM_FRAMING_PORT &&
        o->framing != ETM_FRAMING_TPIU_PORT)
        return contradiction(diag, source,
                             "the width of the port is given for ETMv1 and "
                             "ETMv2 only, or for samples of a port");
    if (o->high_vectors)
        return contradiction(diag, source,
                             "high vectors are given for ETMv1 and ETMv2 only; "
                             "other protocols name their exceptions");
    if (o->endian != ETM_ENDIAN_UNKNOWN)
        return contradiction(diag, source,
                             "the byte order is given for ETMv1 and ETMv2 "
                             "only; other protocols do not depend on it");
    return refuse_words(o, source, diag);
}

static int contradict_width(unsigned told, unsigned known, const char *by,
                            const char *source, struct etm_diag *diag)
{
    int status = etm_diag_begin(diag, ETM_ERR_CONFIG, source);

    etm_diag_text(diag, by);
    etm_diag_text(diag, " has a port of ");
    etm_diag_dec(diag, known);
    etm_diag_text(diag, " bits, not of ");
    etm_diag_dec(diag, told);
    return status;
}

/* The pins that a value change dump declares, if the source has one. */
static int width_of_dump(const struct etm_session *session, size_t source,
                         enum etm_protocol protocol, unsigned *width)
{
    const struct etm_capture_source *s =
        etm_session_capture_source(session, source);
    const size_t *buffers = s->buffers.data;
    const struct etm_port_config port = {.protocol = protocol,
                                         .allocator = &session->allocator};
    int status = ETM_OK;

    *width = 0;
    for (size_t i = 0; i < s->buffers.n && *width == 0 && status == ETM_OK;
         i++) {
        const struct etm_capture_buffer *b =
            etm_session_capture_buffer(session, buffers[i]);

        if (b->framing == ETM_FRAMING_PORT)
            status = etm_port_form_width(b->form, &port, b->signals, b->bytes,
                                         b->n, width);
    }
    return status;
}

static int complete_width(const struct etm_session *session, size_t source,
                          const struct etm_session_options *o,
                          struct etm_config *config, const char *name,
                          struct etm_diag *diag)
{
    unsigned width;
    int status;

    if (config->port_width != 0) {
        if (o->port_width != 0 && o->port_width != config->port_width)
            return contradict_width(o->port_width, config->port_width, "ETMCR",
                                    name, diag);
        return ETM_OK;
    }
    if (o->port_width != 0 && o->port_width != 4 && o->port_width != 8 &&
        o->port_width != 16)
        return contradiction(diag, name,
                             "ETMv1 and ETMv2 have 4, 8 or 16 pins "
                             "of TRACEPKT");
    if (o->port_width != 0) {
        config->port_width = o->port_width;
        return ETM_OK;
    }
    status = width_of_dump(session, source, config->protocol, &width);
    if (status != ETM_OK)
        return etm_diag_begin(diag, status, name);
    /* other numbers are no port: the dump may have additional pins */
    config->port_width = width >= 16 ? 16 : width >= 8 ? 8 : width >= 4 ? 4 : 0;
    return ETM_OK;
}

static int complete_vectors(const struct etm_capture_core *core,
                            const struct etm_session_options *o,
                            struct etm_config *config, const char *name,
                            struct etm_diag *diag)
{
    uint64_t sctlr;
    bool known = core_register(core, "SCTLR", &sctlr);

    config->high_vectors =
        o->high_vectors || (known && (sctlr >> SCTLR_V & 1) != 0);
    if (known && o->high_vectors && (sctlr >> SCTLR_V & 1) == 0)
        return contradiction(diag, name,
                             "its core's SCTLR says that vectors are low "
                             "(bit [13] is 0)");
    return ETM_OK;
}

/* SCTLR.B is the byte order of the core; from ARMv6 on, CPSR.E is that of data,
 * and exceptions set it from SCTLR.EE. */
static enum etm_endian endian_of(const struct etm_capture_core *core)
{
    uint64_t sctlr = 0, cpsr = 0;
    bool has_sctlr = core_register(core, "SCTLR", &sctlr);
    bool has_cpsr = core_register(core, "CPSR", &cpsr);

    if (has_sctlr && (sctlr >> SCTLR_B & 1) != 0)
        return ETM_ENDIAN_BE32;
    if (has_cpsr && (cpsr >> CPSR_E & 1) != 0)
        return ETM_ENDIAN_BE8;
    /* CPSR alone is not enough: in ARMv4 and ARMv5 it has no such bit */
    if (!has_sctlr)
        return ETM_ENDIAN_UNKNOWN;
    return !has_cpsr && (sctlr >> SCTLR_EE & 1) != 0 ? ETM_ENDIAN_BE8
                                                     : ETM_ENDIAN_LITTLE;
}

int etm_port_source_complete(const struct etm_session *session, size_t source,
                             const struct etm_session_options *options,
                             struct etm_config *config, struct etm_diag *diag)
{
    const struct etm_capture_core *core = etm_session_core(session, source);
    const char *name = etm_session_capture_source(session, source)->name;
    enum etm_endian endian = endian_of(core);
    int status;

    if (!etm_protocol_is_port(config->protocol))
        return refuse_options(options, name, diag);
    if (config->protocol == ETM_PROTOCOL_ETMV1)
        memcpy(config->coprocessor_words, options->coprocessor_words,
               sizeof config->coprocessor_words);
    else if (refuse_words(options, name, diag) != ETM_OK)
        return ETM_ERR_CONFIG;
    status = complete_width(session, source, options, config, name, diag);
    if (status == ETM_OK)
        status = complete_vectors(core, options, config, name, diag);
    if (status != ETM_OK)
        return status;
    if (endian != ETM_ENDIAN_UNKNOWN && options->endian != ETM_ENDIAN_UNKNOWN &&
        endian != options->endian)
        return contradiction(diag, name,
                             "its core's SCTLR or CPSR has a byte order other "
                             "than the one given");
    config->endian = endian != ETM_ENDIAN_UNKNOWN ? endian : options->endian;
    return ETM_OK;
}
