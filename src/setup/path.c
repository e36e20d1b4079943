/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The path of the trace, from where it arises to a port or a buffer. Registers
 * are those of the ARMv7-M Architecture Reference Manual (DDI 0403: C1.6 DEMCR,
 * C1.7 ITM, C1.8 DWT, C1.10 TPIU) and of the CoreSight Components Technical
 * Reference Manual (DDI 0314: TPIU, funnel, ETB) and that of the TMC (DDI
 * 0461).
 */
#include "setup/chip.h"
#include "setup/steps.h"

#include "base/diag.h"
#include "base/name.h"
#include "base/size.h"
#include "model/dwt.h"

#include <stdio.h>

#define KEY UINT32_C(0xc5acce55)
#define LAR 0xfb0u /* of every CoreSight component */

#define TPIU_M UINT32_C(0xe0040000)
#define TPIU_CSPSR 0x004u
#define TPIU_ACPR 0x010u
#define TPIU_SPPR 0x0f0u
#define TPIU_FFCR 0x304u
#define ACPR_MOST 0x1fffu

#define DWT_CTRL UINT32_C(0xe0001000)
#define DWT_CYCCNTENA 0x00000001u
#define DWT_POSTPRESET 0x0000001eu
#define DWT_CYCTAP 0x00000200u
#define DWT_SYNCTAP 0x00000c00u
#define DWT_SYNCTAP_24 0x00000400u
#define DWT_PCSAMPLENA 0x00001000u
#define DWT_EXCTRCENA 0x00010000u

#define ITM UINT32_C(0xe0000000)
#define ITM_TER 0xe00u
#define ITM_TCR 0xe80u
#define ITM_ITMENA 0x01u
#define ITM_TSENA 0x02u
#define ITM_SYNCENA 0x04u
#define ITM_TXENA 0x08u
#define ITM_BUSY 0x00800000u

/* ETB and TMC have most registers in common. */
#define BUFFER_STS 0x00cu
#define BUFFER_RRP 0x014u
#define BUFFER_RWP 0x018u
#define BUFFER_TRG 0x01cu
#define BUFFER_CTL 0x020u
#define TMC_MODE 0x028u
#define BUFFER_FFSR 0x300u
#define BUFFER_FFCR 0x304u
#define FFCR_FORMAT 0x1u
#define FFCR_FLUSH 0x40u
#define FFCR_STOP_AFTER 0x1000u
#define FFSR_STOPPED 0x2u
#define TMC_READY 0x4u

/* A path with all that is not said filled in. */
struct path {
    const struct etm_trace_path *asked;
    const struct etm_chip_row *row; /* NULL: an unknown chip */
    const char *name;               /* of the chip */
    bool m;                         /* an M-profile processor */
    uint8_t origins;
    uint32_t tpiu, etb, tmc, funnel, clock;
};

#define ETM_SINK_LIST(X)                                                       \
    X(ETM_SINK_NONE, "none")                                                   \
    X(ETM_SINK_TPIU, "tpiu")                                                   \
    X(ETM_SINK_SWO, "swo")                                                     \
    X(ETM_SINK_ETB, "etb")

const char *etm_sink_name(enum etm_sink sink)
{
    ETM_RETURN_NAME(ETM_SINK_LIST, sink);
}

static struct path path_of(const struct etm_trace_path *asked)
{
    const struct etm_chip_row *row = etm_chip_row(asked->chip);
    bool m = row || asked->profile == ETM_PROFILE_M;
    struct path p = {.asked = asked,
                     .row = row,
                     .name = row ? row->about.name : "this chip",
                     .m = m,
                     .origins = asked->origins,
                     .tpiu = asked->tpiu,
                     .etb = asked->etb,
                     .tmc = asked->tmc,
                     .funnel = asked->funnel,
                     .clock = asked->clock};

    if (p.origins == 0)
        p.origins =
            row && !row->about.etm ? ETM_TRACE_ITM : ETM_TRACE_MACROCELL;
    if (p.tpiu == 0 && m)
        p.tpiu = TPIU_M;
    if (!row)
        return p;
    if (p.etb == 0 && p.tmc == 0)
        p.etb = row->etb;
    if (p.funnel == 0)
        p.funnel = row->funnel;
    if (row->clock != 0)
        p.clock = row->clock;
    return p;
}

static bool has_macrocell(const struct path *p)
{
    return (p->origins & ETM_TRACE_MACROCELL) != 0;
}

static bool has_itm(const struct path *p)
{
    return (p->origins & ~(unsigned)ETM_TRACE_MACROCELL) != 0;
}

/* The nearest number of cycles of the TPIU's clock in a bit. */
static uint32_t cycles_of(const struct path *p)
{
    return (uint32_t)(((uint64_t)p->clock + p->asked->baud / 2) /
                      p->asked->baud);
}

static int say(struct etm_diag *diag, int status, const struct path *p,
               const char *what)
{
    (void)etm_diag_begin(diag, status, etm_sink_name(p->asked->sink));
    etm_diag_text(diag, p->name);
    etm_diag_text(diag, what);
    return status;
}

static int check_swo(const struct path *p, struct etm_diag *diag)
{
    uint32_t baud = p->asked->baud, cycles;
    uint64_t most, least;

    if (baud == 0)
        return say(diag, ETM_ERR_ARGUMENT, p, ": SWO has no baud rate");
    if (p->clock == 0)
        return say(diag, ETM_ERR_ARGUMENT, p,
                   ": the baud rate of SWO is divided from the TPIU's clock, "
                   "most often the core's, whose frequency is not given");
    cycles = cycles_of(p);
    if (cycles == 0 || cycles - 1 > ACPR_MOST)
        return say(diag, ETM_ERR_UNSUPPORTED, p,
                   ": the TPIU's clock is divided by 1 to 8192: this baud rate "
                   "cannot be made of it");
    /* A receiver of UART code wants it to a thirtieth. */
    most = (uint64_t)p->clock * 30;
    least = (uint64_t)baud * cycles * 29;
    if (most < least || most > (uint64_t)baud * cycles * 31) {
        (void)say(diag, ETM_ERR_UNSUPPORTED, p,
                  ": the baud rate cannot be made of the TPIU's clock; the "
                  "nearest is ");
        etm_diag_dec(diag, p->clock / cycles);
        return ETM_ERR_UNSUPPORTED;
    }
    return ETM_OK;
}

static int check_port(const struct path *p, struct etm_diag *diag)
{
    unsigned pins = p->asked->pins;

    if (p->m && pins != 1 && pins != 2 && pins != 4)
        return say(diag, ETM_ERR_ARGUMENT, p,
                   ": a trace port has 1, 2 or 4 data pins");
    if (pins == 0 || pins > 32)
        return say(diag, ETM_ERR_ARGUMENT, p,
                   ": a trace port has 1 to 32 data pins");
    if (p->row && (p->row->about.port_sizes & pins) == 0)
        return say(diag, ETM_ERR_UNSUPPORTED, p,
                   ": a trace port of so many pins is not known");
    return ETM_OK;
}

static int check_sink(const struct path *p, struct etm_diag *diag)
{
    if (p->row && (p->row->about.sinks >> p->asked->sink & 1) == 0)
        return say(diag, ETM_ERR_UNSUPPORTED, p,
                   ": no such way out of it is known");
    if (p->asked->sink == ETM_SINK_ETB)
        return p->etb == 0 && p->tmc == 0
                   ? say(diag, ETM_ERR_UNSUPPORTED, p,
                         ": the address of its ETB or TMC is not known; it "
                         "has to be given")
                   : ETM_OK;
    if (p->tpiu == 0)
        return say(diag, ETM_ERR_ARGUMENT, p,
                   ": the address of its TPIU is not given");
    return p->asked->sink == ETM_SINK_SWO ? check_swo(p, diag)
                                          : check_port(p, diag);
}

static int check(const struct path *p, struct etm_diag *diag)
{
    if (p->asked->chip && !p->row)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "chip",
                            "not one that etm_chips() gives");
    if (p->asked->sink == ETM_SINK_NONE || p->asked->sink > ETM_SINK_ETB)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "sink",
                            "the path of the trace has no end");
    if (has_macrocell(p) && p->row && !p->row->about.etm)
        return say(diag, ETM_ERR_UNSUPPORTED, p, " has no ETM");
    if ((has_itm(p) || p->asked->sink == ETM_SINK_SWO) && !p->m)
        return say(diag, ETM_ERR_UNSUPPORTED, p,
                   ": only M-profile processors have such an ITM, and SWO");
    return check_sink(p, diag);
}

int etm_path_check(const struct etm_setup_script *script, struct etm_diag *diag)
{
    struct path p = path_of(script->path);

    if (!etm_script_by_memory(script))
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "path",
                            "the path of the trace is set up in memory, which "
                            "this macrocell is not in");
    return check(&p, diag);
}

/* A sentence, and a number behind it if there is one. */
static void note(struct etm_notes *notes, const char *text, uint32_t number)
{
    char *to;

    if (!notes || notes->n == sizeof notes->text / sizeof *notes->text)
        return;
    to = notes->text[notes->n++];
    if (number == 0)
        (void)snprintf(to, sizeof notes->text[0], "%s", text);
    else
        (void)snprintf(to, sizeof notes->text[0], "%s%lu", text,
                       (unsigned long)number);
}

int etm_trace_path_notes(const struct etm_trace_path *path,
                         struct etm_notes *notes, struct etm_diag *diag)
{
    struct etm_trace_path own;
    struct path p;
    int status = ETM_TAKE(etm_trace_path, &own, path, diag);

    if (status != ETM_OK)
        return status;
    p = path_of(&own);
    status = check(&p, diag);
    if (status != ETM_OK || own.read_out)
        return status;
    if (!p.row && own.sink != ETM_SINK_ETB)
        note(notes, "the chip is not known: its pins and clocks are not set up",
             0);
    if (p.row && p.row->about.caveat)
        note(notes, p.row->about.caveat, 0);
    if (own.sink == ETM_SINK_SWO && p.clock % own.baud != 0)
        note(notes, "the baud rate will be ", p.clock / cycles_of(&p));
    if (own.sink == ETM_SINK_TPIU && p.m && p.clock != 0)
        note(notes, "data change at both edges of TRACECLK, which is in Hz: ",
             p.clock / 2);
    if (p.clock != own.clock && own.clock != 0)
        note(notes, "the TPIU has a clock of its own, not the core's; in Hz: ",
             p.clock);
    return ETM_OK;
}

static unsigned when_of(const struct path *p)
{
    switch (p->asked->sink) {
    case ETM_SINK_NONE:
        break;
    case ETM_SINK_TPIU:
        return p->asked->pins;
    case ETM_SINK_SWO:
        return ETM_CHIP_SWO;
    case ETM_SINK_ETB:
        return ETM_CHIP_ETB;
    }
    return 0;
}

static enum etm_step_kind kind_of(const struct etm_chip_write *w)
{
    if ((w->when & ETM_CHIP_WAIT) != 0)
        return ETM_STEP_WAIT;
    return w->clear == UINT32_MAX ? ETM_STEP_WRITE : ETM_STEP_CHANGE;
}

static void chip(struct etm_steps *s, const struct path *p)
{
    unsigned when = when_of(p);
    bool begun = false;

    for (size_t i = 0; p->row && i < ETM_CHIP_PARTS; i++) {
        const struct etm_chip_part *part = &p->row->parts[i];

        for (size_t k = 0; k < part->n; k++) {
            const struct etm_chip_write *w = &part->writes[k];

            if ((w->when & when) == 0)
                continue;
            if (!begun)
                etm_steps_section(s, "pins and clocks of the chip");
            begun = true;
            s->take(s, &(struct etm_step){.kind = kind_of(w),
                                          .address = part->base + w->address,
                                          .mask = w->clear,
                                          .value = w->set,
                                          .name = w->name,
                                          .why = w->why});
        }
    }
}

/* Not all have a lock; those of M-profile processors that have none ignore the
 * write. */
static void unlock(struct etm_steps *s, uint32_t base, const char *name)
{
    etm_steps_write(s, base + LAR, KEY, name, "unlock");
}

static void stop_itm(struct etm_steps *s)
{
    unlock(s, ITM, "ITM_LAR");
    etm_steps_write(s, ITM + ITM_TCR, 0, "ITM_TCR", "off");
    etm_steps_wait(s, &(struct etm_step){.address = ITM + ITM_TCR,
                                         .mask = ITM_BUSY,
                                         .name = "ITM_TCR",
                                         .why = "it is not busy"});
}

static void tpiu(struct etm_steps *s, const struct path *p)
{
    bool swo = p->asked->sink == ETM_SINK_SWO;
    bool bypass = swo && !has_macrocell(p);

    etm_steps_section(s, "TPIU");
    if (p->asked->tpiu != 0)
        unlock(s, p->tpiu, "TPIU_LAR");
    if (p->m)
        etm_steps_write(s, p->tpiu + TPIU_SPPR, swo ? 2 : 0, "TPIU_SPPR",
                        swo ? "one pin, UART code" : "trace port");
    if (swo)
        etm_steps_write(s, p->tpiu + TPIU_ACPR, cycles_of(p) - 1, "TPIU_ACPR",
                        "cycles of its clock in a bit, less one");
    etm_steps_write(s, p->tpiu + TPIU_CSPSR,
                    1u << (swo ? 0 : p->asked->pins - 1), "TPIU_CSPSR",
                    "number of pins");
    etm_steps_write(s, p->tpiu + TPIU_FFCR, bypass ? 0x100 : 0x102, "TPIU_FFCR",
                    bypass ? "no formatter: the ITM alone"
                           : "formatter, triggers");
}

static void funnel(struct etm_steps *s, const struct path *p)
{
    uint32_t ports = p->asked->funnel_ports;

    if (p->funnel == 0)
        return;
    if (ports == 0 && p->row)
        ports = (has_macrocell(p) ? p->row->etm_port : 0u) |
                (has_itm(p) ? p->row->itm_port : 0u);
    etm_steps_section(s, "funnel");
    unlock(s, p->funnel, "FUNNEL_LAR");
    etm_steps_change(s, &(struct etm_step){.address = p->funnel,
                                           .mask = 0xff,
                                           .value = ports == 0 ? 0xff : ports,
                                           .name = "FUNNEL_CTRL",
                                           .why = "its inputs"});
}

static void buffer(struct etm_steps *s, const struct path *p)
{
    uint32_t base = p->tmc != 0 ? p->tmc : p->etb;

    etm_steps_section(s, p->tmc != 0 ? "TMC" : "ETB");
    unlock(s, base, p->tmc != 0 ? "TMC_LAR" : "ETB_LAR");
    etm_steps_write(s, base + BUFFER_CTL, 0,
                    p->tmc != 0 ? "TMC_CTL" : "ETB_CTL", "off");
    if (p->tmc != 0) {
        etm_steps_wait(s, &(struct etm_step){.address = base + BUFFER_STS,
                                             .mask = TMC_READY,
                                             .value = TMC_READY,
                                             .name = "TMC_STS",
                                             .why = "it is ready"});
        etm_steps_write(s, base + TMC_MODE, 0, "TMC_MODE", "circular buffer");
        etm_steps_write(s, base + BUFFER_FFCR, FFCR_FORMAT, "TMC_FFCR",
                        "formatter");
        etm_steps_write(s, base + BUFFER_CTL, 1, "TMC_CTL", "on");
        return;
    }
    etm_steps_write(s, base + BUFFER_RWP, 0, "ETB_RWP", "from its beginning");
    etm_steps_write(s, base + BUFFER_TRG, 0, "ETB_TRG", NULL);
    etm_steps_write(s, base + BUFFER_FFCR, FFCR_FORMAT, "ETB_FFCR",
                    "formatter");
    etm_steps_write(s, base + BUFFER_CTL, 1, "ETB_CTL", "on");
}

/* PC samples: one in 16 * 1024 cycles. */
static void dwt(struct etm_steps *s, const struct path *p,
                const struct etm_setup *setup)
{
    struct etm_step control = {.address = DWT_CTRL,
                               .mask =
                                   DWT_SYNCTAP | DWT_PCSAMPLENA | DWT_EXCTRCENA,
                               .name = "DWT_CTRL",
                               .why = "neither samples nor exceptions"};

    if (!p->m)
        return;
    etm_steps_section(s, "DWT");
    if (has_itm(p)) {
        control.value |= DWT_SYNCTAP_24 | DWT_CYCCNTENA;
        control.why = "synchronization of the ITM";
    }
    if ((p->origins & ETM_TRACE_EXCEPTIONS) != 0) {
        control.value |= DWT_EXCTRCENA;
        control.why = "exceptions, synchronization of the ITM";
    }
    if ((p->origins & ETM_TRACE_PC_SAMPLES) != 0) {
        control.mask |= DWT_POSTPRESET | DWT_CYCTAP;
        control.value |= DWT_POSTPRESET | DWT_CYCTAP | DWT_PCSAMPLENA;
        control.why = (p->origins & ETM_TRACE_EXCEPTIONS) != 0
                          ? "exceptions, PC samples, synchronization"
                          : "PC samples, synchronization of the ITM";
    }
    etm_steps_change(s, &control);
    if (has_macrocell(p) && !s->no_setup)
        etm_steps_beside(s, setup);
}

static void itm(struct etm_steps *s, const struct path *p)
{
    const uint8_t hardware = ETM_TRACE_EXCEPTIONS | ETM_TRACE_PC_SAMPLES;
    uint32_t id = p->asked->itm_id == 0 ? 1 : p->asked->itm_id;
    uint32_t control = ITM_ITMENA | ITM_SYNCENA | (id & 0x7f) << 16;

    if (!has_itm(p))
        return;
    if ((p->origins & hardware) != 0)
        control |= ITM_TXENA;
    if ((p->origins & ETM_TRACE_TIMESTAMPS) != 0)
        control |= ITM_TSENA;
    etm_steps_section(s, "ITM");
    etm_steps_write(s, ITM + ITM_TER,
                    (p->origins & ETM_TRACE_ITM) != 0 ? UINT32_MAX : 0,
                    "ITM_TER", "stimulus ports");
    etm_steps_write(s, ITM + ITM_TCR, control, "ITM_TCR", "on, with its ID");
}

static void set_up(struct etm_steps *s, const struct path *p,
                   const struct etm_setup *setup,
                   const struct etm_setup_script *script)
{
    bool macrocell = has_macrocell(p) && !s->no_setup;

    if (p->m) {
        etm_steps_section(s, "trace on, sources off");
        etm_steps_change(s, &(struct etm_step){.address = ETM_REG_DEMCR,
                                               .value = ETM_DEMCR_TRCENA,
                                               .name = "DEMCR",
                                               .why = "TRCENA"});
        stop_itm(s);
    }
    if (macrocell) {
        if (!p->m)
            etm_steps_section(s, "macrocell off");
        etm_steps_stop(s, script);
    }
    chip(s, p);
    funnel(s, p);
    if (p->asked->sink == ETM_SINK_ETB)
        buffer(s, p);
    else
        tpiu(s, p);
    dwt(s, p, setup);
    itm(s, p);
    if (!macrocell)
        return;
    etm_steps_section(s, "macrocell");
    etm_steps_program(s, setup, script);
}

/* Sources off, so that nothing is behind the last whole frame, then flush and
 * stop the buffer. */
static void read_buffer(struct etm_steps *s, const struct path *p,
                        const struct etm_setup_script *script)
{
    uint32_t base = p->tmc != 0 ? p->tmc : p->etb;
    const char *ffcr = p->tmc != 0 ? "TMC_FFCR" : "ETB_FFCR";

    etm_steps_section(s, "sources off");
    if (p->m)
        stop_itm(s);
    if (has_macrocell(p))
        etm_steps_stop(s, script);
    etm_steps_section(s, "flush the buffer, and stop it");
    unlock(s, base, p->tmc != 0 ? "TMC_LAR" : "ETB_LAR");
    etm_steps_change(s, &(struct etm_step){.address = base + BUFFER_FFCR,
                                           .value = FFCR_STOP_AFTER,
                                           .name = ffcr,
                                           .why = "stop after a flush"});
    etm_steps_change(s, &(struct etm_step){.address = base + BUFFER_FFCR,
                                           .value = FFCR_FLUSH,
                                           .name = ffcr,
                                           .why = "flush"});
    etm_steps_wait(s, &(struct etm_step){.address = base + BUFFER_FFCR,
                                         .mask = FFCR_FLUSH,
                                         .name = ffcr,
                                         .why = "flushed"});
    if (p->tmc != 0) {
        etm_steps_wait(s, &(struct etm_step){.address = base + BUFFER_STS,
                                             .mask = TMC_READY,
                                             .value = TMC_READY,
                                             .name = "TMC_STS",
                                             .why = "it is ready"});
    } else {
        etm_steps_write(s, base + BUFFER_CTL, 0, "ETB_CTL", "off");
        etm_steps_wait(s, &(struct etm_step){.address = base + BUFFER_FFSR,
                                             .mask = FFSR_STOPPED,
                                             .value = FFSR_STOPPED,
                                             .name = "ETB_FFSR",
                                             .why = "it has stopped"});
    }
    s->take(s, &(struct etm_step){.kind = p->tmc != 0 ? ETM_STEP_DRAIN_TMC
                                                      : ETM_STEP_DRAIN_ETB,
                                  .address = base,
                                  .name = p->tmc != 0 ? "TMC" : "ETB"});
    if (p->tmc != 0)
        etm_steps_write(s, base + BUFFER_CTL, 0, "TMC_CTL", "off");
}

void etm_path_steps(struct etm_steps *s, const struct etm_setup *setup,
                    const struct etm_setup_script *script)
{
    struct path p = path_of(script->path);

    if (!p.asked->read_out)
        set_up(s, &p, setup, script);
    else if (p.asked->sink == ETM_SINK_ETB)
        read_buffer(s, &p, script);
    else
        s->take(s, &(struct etm_step){.kind = ETM_STEP_CAPTURE_SWO,
                                      .address = has_macrocell(&p) ? 0 : 1,
                                      .mask = p.clock,
                                      .value = p.asked->baud});
}
