/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the fields of a configuration agree with each other. */
#include "base/diag.h"
#include "base/size.h"
#include "regs/regs.h"

/* "What" about the field `name`. */
static int wrong(struct etm_diag *diag, const char *name, const char *what)
{
    return etm_diag_say(diag, ETM_ERR_CONFIG, name, what);
}

int etm_protocol_last_minor(enum etm_protocol protocol)
{
    switch (protocol) {
    case ETM_PROTOCOL_NONE:
        break;
    case ETM_PROTOCOL_ETMV1:
        return 3;
    case ETM_PROTOCOL_ETMV2:
        return 1;
    case ETM_PROTOCOL_ETMV3:
        return 5;
    case ETM_PROTOCOL_PFT:
        return 1;
    case ETM_PROTOCOL_ITM:
    case ETM_PROTOCOL_MTB:
        return 0;
    }
    return -1;
}

/*
 * Fields that a version does not have (3.5.1, 3.5.18, 3.5.19). Each row: the
 * field, its name, and the first minor version of ETMv1, ETMv2, ETMv3 and PFT
 * that has it; NO for none. An ITM and an MTB have none of them.
 */
#define NO 99
#define FIELDS(X)                                                              \
    X(context_id_bytes, 2, 0, 0, 0)                                            \
    X(data_value, 0, 0, 0, NO)                                                 \
    X(data_address, 0, 0, 0, NO)                                               \
    X(cprt, 0, 0, 0, NO)                                                       \
    X(cprt_filter, NO, NO, 0, NO)                                              \
    X(data_only, NO, NO, 1, NO)                                                \
    X(timestamps, NO, NO, 5, 0)                                                \
    X(return_stack, NO, NO, NO, 0)                                             \
    X(vmid, NO, NO, 5, 1)                                                      \
    X(pc_first, NO, 1, 0, NO)                                                  \
    X(thumb32_split, 0, 0, 0, NO)                                              \
    X(security, NO, NO, 2, 0)                                                  \
    X(alternative_branches, NO, NO, 4, NO)                                     \
    X(return_stack_implemented, NO, NO, NO, 0)                                 \
    X(barriers_are_waypoints, NO, NO, NO, 0)                                   \
    X(virtualization, NO, NO, 5, 1)                                            \
    X(timestamp_binary, NO, NO, 5, 1)                                          \
    X(timestamp_64bit, NO, NO, 5, 1)                                           \
    X(sync_period, NO, 0, 0, 0)                                                \
    X(port_width, 0, 0, NO, NO)                                                \
    X(high_vectors, 0, 0, NO, NO)

static int check_fields(const struct etm_config *c, struct etm_diag *diag)
{
    size_t column = (size_t)c->protocol - ETM_PROTOCOL_ETMV1;

#define CHECK_FIELD(field, v1, v2, v3, pft)                                    \
    do {                                                                       \
        static const uint8_t first[6] = {v1, v2, v3, pft, NO, NO};             \
                                                                               \
        if (c->field != 0 && c->minor < first[column])                         \
            return wrong(diag, #field,                                         \
                         "this version of the architecture has no " #field);   \
    } while (0);
    FIELDS(CHECK_FIELD)
#undef CHECK_FIELD
    return ETM_OK;
}

/* 4.11.2: for ETMv1 only. */
static int check_words(const struct etm_config *c, struct etm_diag *diag)
{
    for (unsigned i = 0; i < 32; i++) {
        unsigned words = c->coprocessor_words[i / 2][i % 2];

        if (words != 0 && c->protocol != ETM_PROTOCOL_ETMV1)
            return wrong(diag, "coprocessor_words",
                         "coprocessor transfer sizes are for ETMv1 only");
        if (words > 32)
            return wrong(diag, "coprocessor_words",
                         "no instruction moves more than 32 words");
    }
    return ETM_OK;
}

/* Members of a later version are 0. */
static bool is_known(const struct etm_config *c)
{
    uint64_t set = 0;

    for (size_t i = 0; i < sizeof c->reserve / sizeof *c->reserve; i++)
        set |= c->reserve[i];
    return set == 0;
}

static int check(const struct etm_config *c, struct etm_diag *diag)
{
    unsigned bytes = c->context_id_bytes;
    int last = etm_protocol_last_minor(c->protocol);

    if (last < 0)
        return wrong(diag, "protocol", "no protocol is given");
    if (c->minor > last)
        return wrong(diag, "minor", "no such version of the architecture");
    if (c->profile < ETM_PROFILE_UNKNOWN || c->profile > ETM_PROFILE_M)
        return wrong(diag, "profile", "no such profile");
    /* 7.5: traced since ETMv3.4, never by a program trace macrocell */
    if (c->profile == ETM_PROFILE_M && etm_protocol_is_macrocell(c->protocol) &&
        (c->protocol != ETM_PROTOCOL_ETMV3 || c->minor < 4))
        return wrong(diag, "profile",
                     "M-profile processors have ETMv3.4 or later");
    if (c->trace_id > ETM_TRACE_ID_MAX)
        return wrong(diag, "trace_id", "trace IDs are 0 to 0x6f");
    if (bytes > 4 || bytes == 3)
        return wrong(diag, "context_id_bytes",
                     "a context ID has 0, 1, 2 or 4 bytes");
    if (c->sync_period > 0xfff)
        return wrong(diag, "sync_period",
                     "the synchronization period is at most 4095");
    if (c->port_width != 0 && c->port_width != 4 && c->port_width != 8 &&
        c->port_width != 16)
        return wrong(
            diag, "port_width",
            "a port of ETMv1 or ETMv2 has 4, 8 or 16 pins for packets");
    if (c->endian < ETM_ENDIAN_UNKNOWN || c->endian > ETM_ENDIAN_BE32)
        return wrong(diag, "endian", "no such byte order");
    /* Table 2-1: unpredictable */
    if (c->cprt_filter && !c->cprt)
        return wrong(diag, "cprt_filter",
                     "cprt_filter without cprt is unpredictable");
    if (check_words(c, diag) != ETM_OK)
        return ETM_ERR_CONFIG;
    return check_fields(c, diag);
}

int etm_config_take(struct etm_config *own, const struct etm_config *given,
                    struct etm_diag *diag)
{
    int status = ETM_TAKE(etm_config, own, given, diag);

    if (status == ETM_OK && !is_known(own))
        status = etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "reserve",
                              "a member of a later version is set");
    return status == ETM_OK ? check(own, diag) : status;
}

int etm_config_check(const struct etm_config *config, struct etm_diag *diag)
{
    struct etm_config own;

    return etm_config_take(&own, config, diag);
}
