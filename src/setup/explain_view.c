/* SPDX-License-Identifier: Apache-2.0 */
/* The registers as far as they are known, and the macrocell they are in. */
#include "setup/explain.h"

#include "base/diag.h"
#include "base/size.h"

#include <string.h>

/* The most that there can be (3.5.2, 3.5.19). */
#define MOST_ETM UINT32_C(0x07c99088)
#define MOST_PTM UINT32_C(0x07498008)
#define MOST_EXTENSION UINT32_C(0x007887fc)

static void take_beside(struct etm_view *view, uint32_t number, uint32_t value)
{
    uint32_t *at = etm_dwt_register(&view->dwt, ETM_DWT_COMPARATORS, number);

    if (at == NULL)
        return;
    *at = value;
    *etm_dwt_register(&view->dwt_known, ETM_DWT_COMPARATORS, number) = 1;
}

/* Sort values by number; a known name takes precedence over the number. */
static void take_values(struct etm_view *view,
                        const struct etm_explain_config *config)
{
    const uint32_t *value = view->value;

    for (size_t i = 0; i < config->n_registers; i++) {
        const struct etm_register *r = &config->registers[i];
        uint32_t number = etm_register_number(r->name);

        if (number == ETM_REGISTER_NONE)
            number = r->number;
        if (etm_register_beside(number)) {
            take_beside(view, number, (uint32_t)r->value);
            continue;
        }
        view->known[number] = true;
        view->value[number] = (uint32_t)r->value;
    }
    /* In v1.x it is not there, and a dump of all registers reads 0 (3.5.2). */
    if (value[ETM_REG_IDR] == 0 && view->known[ETM_REG_CCR] &&
        !etm_bit(value[ETM_REG_CCR], 31))
        view->known[ETM_REG_IDR] = false;
}

/* The registers among the values that give the version. */
static size_t identity(const struct etm_view *view, bool only_id,
                       struct etm_register *registers)
{
    static const uint32_t numbers[] = {ETM_REG_IDR, ETM_REG_CCR, ETM_REG_CCER};
    size_t n = 0;

    for (size_t i = 0; i < (only_id ? 1u : 3u); i++) {
        if (!view->known[numbers[i]])
            continue;
        registers[n] = (struct etm_register){.number = numbers[i],
                                             .value = view->value[numbers[i]]};
        n++;
    }
    return n;
}

/* 1.2, 3.5.18: the version comes first, because everything else depends on
 * it. */
static int find_version(struct etm_view *view,
                        const struct etm_explain_config *config,
                        struct etm_diag *diag)
{
    const struct etm_macrocell_config *m = config->macrocell;
    bool told =
        view->known[ETM_REG_IDR] ||
        (view->known[ETM_REG_CCR] && !etm_bit(view->value[ETM_REG_CCR], 31));
    struct etm_register registers[3];
    struct etm_diag why = {0};
    int status;

    if (!told && m != NULL && m->config != NULL) {
        view->config = *m->config;
        status = etm_config_check(&view->config, diag);
    } else {
        status = etm_config_from_registers(
            &view->config, ETM_PROTOCOL_NONE, registers,
            identity(view, false, registers), &why);
        /* ETMIDR contradicts the rest, which lint reports. */
        if (status != ETM_OK && view->known[ETM_REG_IDR]) {
            status = etm_config_from_registers(
                &view->config, ETM_PROTOCOL_NONE, registers,
                identity(view, true, registers), diag);
            memcpy(view->why_not, why.what, sizeof view->why_not);
        } else if (status != ETM_OK && diag != NULL) {
            *diag = why;
        }
    }
    if (status != ETM_OK)
        return status;
    view->identified = told;
    view->version = (unsigned)(view->config.protocol - ETM_PROTOCOL_ETMV1 + 1)
                        << 4 |
                    view->config.minor;
    view->pft = view->config.protocol == ETM_PROTOCOL_PFT;
    view->security = view->config.security;
    return ETM_OK;
}

/* Fields of ETMCCR and ETMCCER, no more than there can be. */
static void take_counts(struct etm_view *view)
{
    struct etm_resource_counts *c = &view->counts;
    uint32_t ccr = view->macrocell.ccr, ccer = view->macrocell.ccer;
    unsigned v = view->version;
#define FIELD(value, low, mask, most)                                          \
    (uint8_t)(((value) >> (low) & (mask)) > (most)                             \
                  ? (most)                                                     \
                  : ((value) >> (low) & (mask)))

    c->sac_pairs = FIELD(ccr, 0, 15u, 8u);
    c->dvcs = view->pft ? 0 : FIELD(ccr, 4, 15u, c->sac_pairs);
    c->mmds = view->pft ? 0 : FIELD(ccr, 8, 31u, 16u);
    c->counters = FIELD(ccr, 13, 7u, 4u);
    c->sequencer = etm_bit(ccr, 16);
    c->ext_in = FIELD(ccr, 17, 7u, 4u);
    c->ext_out = FIELD(ccr, 20, 7u, 4u);
    c->fifofull = !view->pft && etm_bit(ccr, 23);
    c->cidcs = v >= ETM_V2_0 ? FIELD(ccr, 24, 3u, 3u) : 0;
    c->start_stop = v >= ETM_V2_0 ? etm_bit(ccr, 26) : v >= ETM_V1_2;
    c->extsels = v >= ETM_V3_1 ? FIELD(ccer, 0, 7u, 4u) : 0;
    c->ext_ext_in = v >= ETM_V3_1 ? FIELD(ccer, 3, 255u, 255u) : 0;
    c->no_data_address = v >= ETM_V3_3 && etm_bit(ccer, 12);
    c->instrumentation = v >= ETM_V3_3 ? FIELD(ccer, 13, 7u, 4u) : 0;
    /* Before v3.4 there are none or two, and no register shows it (2.2.1). */
    c->eices = v >= ETM_V3_4 ? FIELD(ccer, 16, 15u, 8u) : 2;
    c->start_stop_eice = v >= ETM_V3_4 && etm_bit(ccer, 20);
    c->eice_behavior = v >= ETM_V3_4 && etm_bit(ccer, 21);
    if (c->no_data_address)
        c->dvcs = 0;
#undef FIELD
}

/* ETMSR, ETMOSLSR and others also show what exists. */
static void take_interfaces(struct etm_view *view)
{
    struct etm_macrocell_config *m = &view->macrocell;

    if (m->interfaces != 0) {
        view->interfaces_known = true;
    } else if (view->version >= ETM_V3_1 && view->known[ETM_REG_CCR] &&
               !etm_bit(view->value[ETM_REG_CCR], 27)) {
        m->interfaces = ETM_INTERFACE_JTAG; /* 3.5.2: no other */
        view->interfaces_known = true;
    } else if (view->version <= ETM_V3_0) {
        m->interfaces = ETM_INTERFACE_JTAG;
        view->interfaces_known = true;
    }
    if (view->known[ETM_REG_OSLSR])
        m->no_os_lock = !etm_has_os_lock(view->value[ETM_REG_OSLSR]);
}

static void take_macrocell(struct etm_view *view,
                           const struct etm_explain_config *config)
{
    struct etm_macrocell_config *m = &view->macrocell;
    bool given = config->macrocell != NULL;

    if (given)
        *m = *config->macrocell;
    m->size = 0;
    m->config = &view->config;
    view->counts_known = given || view->known[ETM_REG_CCR];
    view->extension_known =
        given || view->known[ETM_REG_CCER] || view->version < ETM_V3_1;
    view->system_known = given || view->known[ETM_REG_SCR];
    if (view->known[ETM_REG_IDR])
        m->idr = view->value[ETM_REG_IDR];
    if (view->known[ETM_REG_CCER])
        m->ccer = view->value[ETM_REG_CCER];
    else if (!view->extension_known)
        m->ccer = MOST_EXTENSION;
    if (view->known[ETM_REG_CCR])
        m->ccr = view->value[ETM_REG_CCR];
    else if (!view->counts_known)
        m->ccr = view->pft ? MOST_PTM : MOST_ETM;
    if (!view->counts_known && etm_bit(m->ccer, 12))
        m->ccr &= ~UINT32_C(0xf0); /* 3.5.2: no data comparators either */
    if (view->known[ETM_REG_SCR])
        m->scr = view->value[ETM_REG_SCR];
    take_interfaces(view);
    take_counts(view);
}

static void find_uses(struct etm_view *view);

int etm_view_init(struct etm_view *view,
                  const struct etm_explain_config *config,
                  struct etm_diag *diag)
{
    struct etm_explain_config own;
    struct etm_macrocell_config macrocell;
    struct etm_diag why = {0};
    int status = ETM_TAKE(etm_explain_config, &own, config, diag);

    memset(view, 0, sizeof *view);
    if (status == ETM_OK && own.macrocell != NULL) {
        status =
            ETM_TAKE(etm_macrocell_config, &macrocell, own.macrocell, diag);
        own.macrocell = &macrocell;
    }
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->registers == NULL && config->n_registers != 0)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "registers",
                            "the registers are NULL");
    take_values(view, config);
    view->names = config->names;
    status = find_version(view, config, diag);
    if (status != ETM_OK)
        return status;
    take_macrocell(view, config);
    view->has_file =
        etm_regfile_init(&view->file, &view->macrocell, &why) == ETM_OK;
    if (!view->has_file && view->why_not[0] == '\0') {
        struct etm_words w = etm_words_on(view->why_not, sizeof view->why_not);

        etm_words_add(&w, "no macrocell is like that: %s, %s", why.source,
                      why.what);
    }
    view->resources = (struct etm_resources_config){
        .version = view->version,
        .security = view->security,
        .virtualization =
            view->version >= ETM_V3_5 && view->version != ETM_PFT1_0 &&
            (view->config.virtualization || !view->extension_known),
        .counts = view->counts,
    };
    find_uses(view);
    return ETM_OK;
}

bool etm_view_knows(const struct etm_view *view, uint32_t number)
{
    struct etm_dwt known = view->dwt_known;
    const uint32_t *at = etm_dwt_register(&known, ETM_DWT_COMPARATORS, number);

    return etm_register_beside(number) ? at != NULL && *at != 0
                                       : view->known[number];
}

bool etm_view_exists(const struct etm_view *view, uint32_t number)
{
    struct etm_dwt dwt = view->dwt;

    if (etm_register_beside(number))
        return etm_dwt_register(&dwt, etm_view_dwts(view), number) != NULL;
    return !view->has_file || (view->file.flags[number] & ETM_REG_EXISTS) != 0;
}

uint32_t etm_view_defined(const struct etm_view *view, uint32_t number)
{
    uint32_t defined;

    if (!view->has_file)
        return UINT32_MAX;
    defined = view->file.defined[number];
    /* From ETMv3.5 on, modes in each security state; with virtualization,
       Hyp mode and VMID. */
    if (number - ETM_REG_ACTR1 < 16 && view->version >= ETM_V3_5) {
        if (view->security)
            defined |= 0x3000;
        if (view->config.virtualization)
            defined |= 0xc000;
    }
    return defined;
}

bool etm_view_data(const struct etm_view *view)
{
    const uint32_t data = ETM_CR_DATA_VALUE | ETM_CR_DATA_ADDRESS | ETM_CR_CPRT;

    if (view->pft || !etm_view_exists(view, ETM_REG_VDEVR))
        return false;
    return !view->known[ETM_REG_CR] || (view->value[ETM_REG_CR] & data) != 0;
}

bool etm_event_place(unsigned n, struct etm_event_place *place)
{
    /* Runs of registers: number, how many, and what sees them. */
    static const struct {
        uint16_t first;
        uint8_t count, user, counter, sequencer;
    } runs[] = {
        {ETM_REG_TRIGGER, 1, ETM_EVENT_DERIVED, 0, 0},
        {ETM_REG_TEEVR, 1, ETM_EVENT_TRACE, 0, 0},
        {ETM_REG_VDEVR, 1, ETM_EVENT_VIEW, 0, 0},
        {ETM_REG_CNTENR1, 4, ETM_EVENT_DERIVED, 1, 0},
        {ETM_REG_CNTRLDEVR1, 4, ETM_EVENT_DERIVED, 1, 0},
        {ETM_REG_SQ12EVR, 6, ETM_EVENT_DERIVED, 0, 1},
        {ETM_REG_EXTOUTEVR1, 4, ETM_EVENT_OTHER, 0, 0},
        {ETM_REG_TSEVR, 1, ETM_EVENT_OTHER, 0, 0},
    };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        if (n < runs[i].count) {
            *place = (struct etm_event_place){
                .number = runs[i].first + n,
                .user = (enum etm_event_user)runs[i].user,
                .counter = (uint8_t)(runs[i].counter != 0 ? n + 1 : 0),
                .sequencer = runs[i].sequencer != 0};
            return true;
        }
        n -= runs[i].count;
    }
    return false;
}

bool etm_event_matters(const struct etm_view *view,
                       const struct etm_event_place *place)
{
    if (place->counter != 0)
        return etm_bit(view->uses.counters, place->counter - 1u);
    if (place->sequencer)
        return view->uses.sequencer;
    return place->user != ETM_EVENT_VIEW || etm_view_data(view);
}

bool etm_roots_known(const struct etm_view *view)
{
    struct etm_event_place place;

    for (unsigned n = 0; etm_event_place(n, &place); n++) {
        if (place.counter == 0 && !place.sequencer &&
            etm_event_matters(view, &place) &&
            etm_view_exists(view, place.number) && !view->known[place.number])
            return false;
    }
    return true;
}

static void set_resource(struct etm_resource_set *set, unsigned number)
{
    set->word[number >> 6] |= UINT64_C(1) << (number & 63u);
}

static void use_event(struct etm_view *view,
                      const struct etm_event_place *place)
{
    struct etm_uses *u = &view->uses;
    uint32_t event = view->value[place->number];

    /* A memory listing has zeros for registers that are not there, which would
     * be address comparator 1. */
    if (!view->known[place->number] || !etm_view_exists(view, place->number) ||
        etm_event_constant(event) != ETM_VARIES)
        return;
    for (unsigned i = 0; i < 2; i++) {
        unsigned number = etm_event_operand(event, i);

        if (!etm_event_uses(event, i))
            continue;
        if (number >= ETM_RESOURCE_COUNTER && number < ETM_RESOURCE_COUNTER + 4)
            u->counters |= (uint8_t)(1u << (number - ETM_RESOURCE_COUNTER));
        if (number >= ETM_RESOURCE_STATE && number < ETM_RESOURCE_STATE + 3)
            u->sequencer = true;
        switch (place->user) {
        case ETM_EVENT_TRACE:
        case ETM_EVENT_VIEW:
            set_resource(&u->enabling, number);
            break;
        case ETM_EVENT_DERIVED:
            set_resource(&u->derived, number);
            break;
        case ETM_EVENT_OTHER:
            set_resource(&u->other, number);
            break;
        }
    }
}

static struct etm_selected view_selected(const struct etm_view *view,
                                         unsigned shift, unsigned arcs)
{
    const uint32_t *v = view->value;
    struct etm_selected s = {0};

    s.sacs = (uint16_t)(v[ETM_REG_VDCR1] >> shift);
    s.mmds = (uint16_t)(v[ETM_REG_VDCR2] >> shift);
    s.arcs = (uint8_t)(v[ETM_REG_VDCR3] >> arcs);
    return s;
}

static void find_uses(struct etm_view *view)
{
    struct etm_uses *u = &view->uses;
    const uint32_t *v = view->value;
    struct etm_event_place place;

    memset(u, 0, sizeof *u);
    u->trace.arcs = (uint8_t)v[ETM_REG_TECR1];
    u->trace.mmds = (uint16_t)(view->pft ? 0 : v[ETM_REG_TECR1] >> 8);
    if (view->version >= ETM_V1_2 && !view->pft)
        u->trace.sacs = (uint16_t)v[ETM_REG_TECR2];
    if (view->version >= ETM_V1_2) {
        u->start = (uint16_t)v[ETM_REG_TSSCR];
        u->stop = (uint16_t)(v[ETM_REG_TSSCR] >> 16);
    }
    if (view->counts.start_stop_eice) {
        u->start_eice = (uint8_t)v[ETM_REG_TESSEICR];
        u->stop_eice = (uint8_t)(v[ETM_REG_TESSEICR] >> 16);
    }
    if (etm_view_data(view)) {
        u->view_exclude = view_selected(view, 16, 8);
        /* 3.5.9: in exclude-only mode the include half has no effect. */
        if (!etm_bit(v[ETM_REG_VDCR3], 16))
            u->view_include = view_selected(view, 0, 0);
    }
    if (view->counts.fifofull && etm_bit(v[ETM_REG_CR], 7)) {
        u->fifofull.arcs = (uint8_t)v[ETM_REG_FFRR];
        u->fifofull.mmds = (uint16_t)(v[ETM_REG_FFRR] >> 8);
    }
    /* If a counter is used, its events matter, too, and so on: no chain is
     * longer than the number of counters. */
    for (unsigned round = 0; round < 6; round++) {
        for (unsigned n = 0; etm_event_place(n, &place); n++) {
            if (etm_event_matters(view, &place))
                use_event(view, &place);
        }
    }
}

bool etm_watched(const struct etm_view *v, unsigned number)
{
    const struct etm_uses *u = &v->uses;
    uint64_t word = u->enabling.word[number >> 6] |
                    u->derived.word[number >> 6] | u->other.word[number >> 6];

    return (word >> (number & 63u) & 1) != 0;
}

bool etm_range_used(const struct etm_view *v, unsigned n)
{
    const struct etm_uses *u = &v->uses;
    unsigned arcs = u->trace.arcs | u->view_include.arcs |
                    u->view_exclude.arcs | u->fifofull.arcs;

    return etm_bit(arcs, n - 1) || etm_watched(v, ETM_RESOURCE_RANGE + n - 1);
}

bool etm_single_used(const struct etm_view *v, unsigned n)
{
    const struct etm_uses *u = &v->uses;
    unsigned sacs = (unsigned)u->trace.sacs | u->start | u->stop |
                    u->view_include.sacs | u->view_exclude.sacs;

    return etm_bit(sacs, n - 1) || etm_watched(v, ETM_RESOURCE_ADDRESS + n - 1);
}
