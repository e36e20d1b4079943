/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a snapshot with trace from QEMU's log: what a processor with a
 * macrocell and a trace buffer would have recorded.
 *
 *     record --core Cortex-M3 --source ETM_0 --type ETM3.4 --id 1
 *            --code FILE@ADDRESS --elf FILE --start ADDRESS --stop ADDRESS
 *            [--timestamps N] --reg NAME=VALUE ... -o DIRECTORY < LOG
 *
 * Besides the snapshot it writes execution.txt: how many instructions ran,
 * and a hash over all of them, to compare a decoder's output with.
 */
#include "execution.h"
#include "qemu_log.h"

#include <etm/decode.h>
#include <etm/model.h>
#include <etm/port.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REGISTERS 16

struct options {
    const char *core, *source, *type, *code, *elf, *directory;
    uint32_t start, stop;
    uint32_t timestamps; /* one after each so many instructions; 0: none */
    struct etm_register registers[MAX_REGISTERS];
    size_t n_registers;
};

struct recorder {
    const struct options *options;
    struct etm_config config;
    struct etm_image *code;
    struct log log;
    struct etm_generator *generator;
    struct etm_framer *framer;
    struct execution execution;
};

static _Noreturn void fail(const char *what, uint32_t address)
{
    fprintf(stderr, "record: %s (0x%08" PRIx32 ")\n", what, address);
    exit(1);
}

static enum etm_isa isa_of(const struct log_step *step)
{
    return step->thumb ? ETM_ISA_THUMB : ETM_ISA_ARM;
}

static struct etm_place place_of(const struct log_step *step)
{
    return (struct etm_place){
        .address = step->r[15], .isa = (uint8_t)isa_of(step), .ns = step->ns};
}

/* An address is always executed in the same state: look where. */
static struct etm_place place_at(const struct recorder *r, uint32_t address)
{
    for (size_t i = 0; i < r->log.n; i++) {
        if (r->log.steps[i].r[15] == address)
            return place_of(&r->log.steps[i]);
    }
    fail("interrupted before this address, which never ran", address);
}

/* The instruction at a step: its opcode as events have it, and its size. */
static uint32_t opcode_at(const struct recorder *r, const struct log_step *step,
                          uint8_t *size)
{
    uint8_t b[4] = {0};
    size_t n = etm_image_read(r->code, step->r[15], NULL, b, sizeof b);
    uint32_t first = (uint32_t)b[0] | (uint32_t)b[1] << 8;
    uint32_t second = (uint32_t)b[2] | (uint32_t)b[3] << 8;
    bool wide = !step->thumb || first >= 0xe800;

    *size = wide ? 4 : 2;
    if (n < *size)
        fail("no code is known at", step->r[15]);
    if (!step->thumb)
        return second << 16 | first;
    return wide ? first << 16 | second : first;
}

/* Arm Architecture Reference Manual (ARMv7-A and -R), A8.3.1. */
static bool condition_holds(uint32_t condition, uint32_t psr)
{
    bool n = psr >> 31 & 1, z = psr >> 30 & 1;
    bool c = psr >> 29 & 1, v = psr >> 28 & 1;
    bool holds = true;

    switch (condition >> 1) {
    case 0:
        holds = z;
        break;
    case 1:
        holds = c;
        break;
    case 2:
        holds = n;
        break;
    case 3:
        holds = v;
        break;
    case 4:
        holds = c && !z;
        break;
    case 5:
        holds = n == v;
        break;
    case 6:
        holds = n == v && !z;
        break;
    default:
        return true;
    }
    return holds != (condition & 1);
}

/* Does the instruction pass its condition, or CBZ and CBNZ their test? */
static bool passes(const struct log_step *step, uint32_t opcode, uint8_t size)
{
    /* ITSTATE: IT[7:2] in psr[15:10], IT[1:0] in psr[26:25] */
    uint32_t it = (step->psr >> 8 & 0xfc) | (step->psr >> 25 & 3);
    uint32_t condition = 14;

    if (!step->thumb)
        condition = opcode >> 28;
    else if ((it & 15) != 0)
        condition = it >> 4;
    else if (size == 2 && (opcode & 0xf500) == 0xb100)
        return (step->r[opcode & 7] == 0) == !(opcode >> 11 & 1);
    else if (size == 2 && (opcode & 0xf000) == 0xd000 && (opcode >> 9 & 7) != 7)
        condition = opcode >> 8 & 15;
    else if (size == 4 && (opcode & 0xf800d000) == 0xf0008000 &&
             (opcode >> 23 & 7) != 7)
        condition = opcode >> 22 & 15;
    return condition_holds(condition, step->psr);
}

/*
 * An exception that comes out of an exception return, before any instruction.
 * QEMU sometimes pops registers and pushes them again, where a processor
 * does neither; the program sees no difference.
 */
static bool is_tail_chained(const struct log_step *step)
{
    return step->m_profile && step->returned && !step->stopped &&
           step->exception != LOG_NO_EXCEPTION;
}

/*
 * Where the instruction before `after` led, if an exception came first: the
 * link register of the handler tells on a Cortex-A, on a Cortex-M it
 * is what QEMU was about to run.
 */
static struct etm_place interrupted_at(const struct recorder *r,
                                       const struct log_step *after)
{
    struct etm_place behind = {.isa = ETM_ISA_UNKNOWN};

    if (is_tail_chained(after))
        return behind;
    if (after->exception == LOG_SVC)
        return place_at(r, after->r[14]);
    if (after->exception == LOG_IRQ)
        return place_at(r, after->r[14] - 4);
    if (after->stopped)
        return place_at(r, after->stopped_at);
    if (after->number != 11)
        fail("the log does not tell where this exception came", after->r[15]);
    return behind;
}

static void push(struct recorder *r, const struct etm_event *event)
{
    int status = etm_generator_push(r->generator, event, 1);

    if (status != ETM_OK)
        fail(etm_status_text(status), event->u.insn.address);
}

static void record_insn(struct recorder *r, const struct log_step *step)
{
    const struct log_step *after = step + 1;
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    uint8_t size;
    uint32_t opcode = opcode_at(r, step, &size);
    bool passed = passes(step, opcode, size);

    event.u.insn.address = step->r[15];
    event.u.insn.opcode = opcode;
    event.u.insn.isa = (uint8_t)isa_of(step);
    event.u.insn.size = size;
    event.u.insn.passed = passed;
    event.u.insn.exception_return = after->returned;
    event.u.insn.next = after->exception == LOG_NO_EXCEPTION
                            ? place_of(after)
                            : interrupted_at(r, after);
    if (!passed && event.u.insn.next.isa != ETM_ISA_UNKNOWN &&
        event.u.insn.next.address != step->r[15] + size)
        fail("a failed condition changed the flow", step->r[15]);
    push(r, &event);
    execution_add(&r->execution, step->r[15], opcode, isa_of(step), passed);
    /* MCR p15, 0, Rt, c13, c0, 1: CONTEXTIDR */
    if (size == 4 && passed && (opcode & 0xffff0fff) == 0xee0d0f30) {
        event = (struct etm_event){.kind = ETM_EVENT_CONTEXT};
        event.u.context.context_id = step->r[opcode >> 12 & 15];
        push(r, &event);
    }
}

/* What came between the instruction before and `step`. */
static void record_exception(struct recorder *r, const struct log_step *step)
{
    struct etm_event event = {.kind = ETM_EVENT_EXCEPTION};
    uint8_t type = ETM_EXCEPTION_IRQ_N;

    if (step->exception == LOG_NO_EXCEPTION)
        return;
    if (step->exception == LOG_OTHER)
        fail("an exception of a kind that this recorder does not know",
             step->r[15]);
    if (step->exception == LOG_SVC || step->number == 11)
        type = ETM_EXCEPTION_SVC;
    else if (step->exception == LOG_IRQ)
        type = ETM_EXCEPTION_IRQ;
    else if (step->number == 14)
        type = ETM_EXCEPTION_PEND_SV;
    else if (step->number == 15)
        type = ETM_EXCEPTION_SYS_TICK;
    else if (step->number >= 16)
        event.u.exception.irq = (uint16_t)(step->number - 16);
    else
        fail("a fault", step->r[15]);
    event.u.exception.type = type;
    event.u.exception.chain =
        is_tail_chained(step) ? ETM_CHAIN_TAIL : ETM_CHAIN_NONE;
    event.u.exception.next = place_of(step);
    push(r, &event);
    r->execution.exceptions++;
}

/* QEMU's clock, made to go by instructions: one is one nanosecond. */
static void record_timestamp(struct recorder *r, size_t time)
{
    struct etm_event event = {.kind = ETM_EVENT_TIMESTAMP};
    uint64_t due = r->options->timestamps;

    if (due == 0 || r->execution.instructions % due != 0)
        return;
    event.u.timestamp.value = time;
    push(r, &event);
}

static void record(struct recorder *r)
{
    const struct log_step *steps = r->log.steps;
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};
    size_t i = 0;

    while (i < r->log.n && steps[i].r[15] != r->options->start)
        i++;
    if (i == r->log.n)
        fail("the first instruction is not in the log", r->options->start);
    on.u.trace_on.reason = ETM_TRACE_ON_START;
    on.u.trace_on.at = place_of(&steps[i]);
    push(r, &on);
    for (; steps[i].r[15] != r->options->stop; i++) {
        if (i + 1 == r->log.n)
            fail("the log ends before", r->options->stop);
        record_timestamp(r, i);
        record_insn(r, &steps[i]);
        record_exception(r, &steps[i + 1]);
    }
    r->log.n = i + 1;
    if (etm_generator_finish(r->generator) != ETM_OK)
        fail("cannot finish the trace", r->options->stop);
}

/* Bytes of the macrocell into the formatter. */
static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct recorder *r = context;

    return etm_framer_push(r->framer, r->config.trace_id, bytes, n);
}

static FILE *create(const struct options *o, const char *name)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", o->directory, name);
    file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

static void close_file(FILE *file)
{
    if (ferror(file) || fclose(file) != 0) {
        perror("record");
        exit(1);
    }
}

/* The files that describe the capture, as CoreSight tools write them. */
static void write_snapshot(const struct recorder *r)
{
    const struct options *o = r->options;
    const struct log_step *last = &r->log.steps[r->log.n - 1];
    FILE *file = create(o, "snapshot.ini");

    fputs("[snapshot]\nversion=1.0\n\n"
          "[device_list]\ndevice0=cpu_0.ini\ndevice1=device_1.ini\n\n"
          "[trace]\nmetadata=trace.ini\n",
          file);
    close_file(file);
    file = create(o, "trace.ini");
    fprintf(file,
            "[trace_buffers]\nbuffers=buffer0\n\n"
            "[buffer0]\nname=ETB_0\nfile=cstrace.bin\nformat=coresight\n\n"
            "[source_buffers]\n%s=ETB_0\n\n"
            "[core_trace_sources]\ncpu_0=%s\n",
            o->source, o->source);
    close_file(file);
    file = create(o, "cpu_0.ini");
    fprintf(file,
            "[device]\nname=cpu_0\nclass=core\ntype=%s\n\n"
            "[regs]\nR15=0x%08" PRIX32 "\nR13=0x%08" PRIX32 "\n%s=0x%08" PRIX32
            "\n\n[dump]\nfile=%s\n",
            o->core, last->r[15], last->r[13],
            last->m_profile ? "XPSR" : "CPSR", last->psr, o->elf);
    close_file(file);
    file = create(o, "device_1.ini");
    fprintf(file, "[device]\nname=%s\nclass=trace_source\ntype=%s\n\n[regs]\n",
            o->source, o->type);
    for (size_t i = 0; i < o->n_registers; i++)
        fprintf(file, "%s(0x%03" PRIX32 ")=0x%08" PRIX64 "\n",
                o->registers[i].name, o->registers[i].number,
                o->registers[i].value);
    close_file(file);
}

static void write_trace(struct recorder *r)
{
    FILE *file = create(r->options, "cstrace.bin");
    const uint8_t *bytes;
    size_t n;

    if (etm_framer_flush(r->framer) != ETM_OK)
        fail("out of memory", 0);
    etm_framer_take(r->framer, &bytes, &n);
    fwrite(bytes, 1, n, file);
    close_file(file);
}

/* "FILE@ADDRESS" */
static void load_code(struct recorder *r)
{
    static uint8_t bytes[64 * 1024];
    char path[512];
    const char *at = strrchr(r->options->code, '@');
    FILE *file;
    size_t n;

    if (at == NULL)
        fail("--code FILE@ADDRESS", 0);
    snprintf(path, sizeof path, "%.*s", (int)(at - r->options->code),
             r->options->code);
    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (etm_image_new(&r->code, NULL) != ETM_OK ||
        etm_image_add_copy(r->code, (uint32_t)strtoul(at + 1, NULL, 0), bytes,
                           n, NULL) != ETM_OK)
        fail("cannot use the code", 0);
}

static void make_generator(struct recorder *r)
{
    const struct options *o = r->options;
    struct etm_framer_config framer = {.size = sizeof framer};
    struct etm_generator_config generator = {.size = sizeof generator,
                                             .config = &r->config,
                                             .bytes = take_bytes,
                                             .context = r};
    struct etm_diag diag;

    if (etm_config_from_registers(&r->config, ETM_PROTOCOL_NONE, o->registers,
                                  o->n_registers, &diag) != ETM_OK) {
        fprintf(stderr, "record: %s: %s\n", diag.source, diag.what);
        exit(1);
    }
    if (r->log.steps[0].m_profile)
        r->config.profile = ETM_PROFILE_M;
    if (etm_framer_new(&r->framer, &framer) != ETM_OK ||
        etm_generator_new(&r->generator, &generator) != ETM_OK)
        fail("cannot make a generator", 0);
}

/* "NAME=VALUE" */
static void take_register(struct options *o, const char *text)
{
    struct etm_register *reg = &o->registers[o->n_registers];
    const char *equals = strchr(text, '=');

    if (o->n_registers == MAX_REGISTERS || equals == NULL ||
        (size_t)(equals - text) >= sizeof reg->name)
        fail("--reg NAME=VALUE", 0);
    memcpy(reg->name, text, (size_t)(equals - text));
    reg->number = etm_register_number(reg->name);
    reg->value = strtoull(equals + 1, NULL, 0);
    o->n_registers++;
}

static void take_option(struct options *o, const char *name, const char *value)
{
    if (strcmp(name, "--core") == 0)
        o->core = value;
    else if (strcmp(name, "--source") == 0)
        o->source = value;
    else if (strcmp(name, "--type") == 0)
        o->type = value;
    else if (strcmp(name, "--code") == 0)
        o->code = value;
    else if (strcmp(name, "--elf") == 0)
        o->elf = value;
    else if (strcmp(name, "-o") == 0)
        o->directory = value;
    else if (strcmp(name, "--start") == 0)
        o->start = (uint32_t)strtoul(value, NULL, 0);
    else if (strcmp(name, "--stop") == 0)
        o->stop = (uint32_t)strtoul(value, NULL, 0);
    else if (strcmp(name, "--timestamps") == 0)
        o->timestamps = (uint32_t)strtoul(value, NULL, 0);
    else if (strcmp(name, "--reg") == 0)
        take_register(o, value);
    else
        fail("an option that is not known", 0);
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct recorder r = {.options = &options};
    FILE *file;

    for (int i = 1; i + 1 < argc; i += 2)
        take_option(&options, argv[i], argv[i + 1]);
    if (argc % 2 == 0 || options.core == NULL || options.source == NULL ||
        options.type == NULL || options.code == NULL || options.elf == NULL ||
        options.directory == NULL)
        fail("not all options were given", 0);
    load_code(&r);
    if (!log_read(&r.log, stdin))
        return 1;
    make_generator(&r);
    execution_begin(&r.execution);
    record(&r);
    write_trace(&r);
    write_snapshot(&r);
    file = create(&options, "execution.txt");
    execution_write(&r.execution, file);
    close_file(file);
    etm_generator_free(r.generator);
    etm_framer_free(r.framer);
    etm_image_free(r.code);
    free(r.log.steps);
    return 0;
}
