/* SPDX-License-Identifier: Apache-2.0 */
/* etm record: from an execution through a macrocell to a snapshot. */
#define _POSIX_C_SOURCE 200809L
#include "cli/access.h"
#include "cli/record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int fail(struct etm_cli_record *r, int status)
{
    etm_cli_diag(status, &r->diag);
    r->failed = true;
    return ETM_EXIT_UNREADABLE;
}

/* Names of registers that a snapshot has besides those of the setup. */
static const char *const identity[] = {"ETMCR",   "ETMCCR",      "ETMSCR",
                                       "ETMIDR",  "ETMCCER",     "ETMSYNCFR",
                                       "ETMIDR2", "ETMTRACEIDR", NULL};

/* The registers to write: from a file or a request, and --reg. */
static int make_setup(struct etm_cli_record *r,
                      const struct etm_macrocell_config *macrocell)
{
    const struct etm_cli_record_options *o = r->options;
    struct etm_request request = o->request;
    bool has_id =
        r->config.protocol == ETM_PROTOCOL_PFT ||
        (r->config.protocol == ETM_PROTOCOL_ETMV3 && r->config.minor >= 2);

    if (o->setup) {
        size_t n;
        char *text = etm_cli_text_read(o->setup, &n);
        int status;

        if (!text) {
            r->failed = true;
            return ETM_EXIT_UNREADABLE;
        }
        status = etm_cli_setup_read(o->setup, text, n, &r->setup, &r->diag);
        free(text);
        if (status != ETM_OK)
            return fail(r, status);
    } else {
        request.trace_id = has_id ? o->trace_id : 0;
        if (etm_configure(&r->setup, &request, macrocell, NULL, &r->diag) !=
            ETM_OK) {
            etm_cli_error("%s: %s", r->core->name, r->diag.what);
            r->failed = true;
            return ETM_EXIT_UNREADABLE;
        }
    }
    if (has_id && (o->has_id ||
                   etm_setup_get(&r->setup, etm_register_number("ETMTRACEIDR"),
                                 &(uint32_t){0}) != ETM_OK))
        (void)etm_setup_set(&r->setup, etm_register_number("ETMTRACEIDR"),
                            o->trace_id);
    for (size_t i = 0; i < o->n_registers; i++)
        (void)etm_setup_set(&r->setup, o->registers[i].number,
                            (uint32_t)o->registers[i].value);
    return ETM_EXIT_OK;
}

/* An etm_bytes_fn. */
static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct etm_cli_record *r = context;

    r->n_byte += n;
    return etm_snapshot_add_trace(r->snapshot, 0, bytes, n, &r->diag);
}

/* Apply the setup to the macrocell. Values of --reg that have no effect are
 * reported. */
static int apply_setup(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    enum etm_access way = etm_cli_access(r->macrocell);
    uint32_t *before = calloc(o->n_registers + 1, sizeof *before);
    int status;

    if (!before)
        return fail(r, ETM_ERR_MEMORY);
    for (size_t i = 0; i < o->n_registers; i++)
        (void)etm_macrocell_read(r->macrocell, o->registers[i].number, way,
                                 &before[i]);
    status = etm_setup_apply(&r->setup, r->macrocell, way, &r->diag);
    status = status == ETM_OK ? ETM_EXIT_OK : fail(r, status);
    for (size_t i = 0; i < o->n_registers && status == ETM_EXIT_OK; i++) {
        uint32_t wanted = 0, now;

        /* the last --reg of a register counts; write-only registers, as in
         * ETMv1, are read as 0 */
        (void)etm_setup_get(&r->setup, o->registers[i].number, &wanted);
        if (etm_macrocell_read(r->macrocell, o->registers[i].number, way,
                               &now) != ETM_ACCESS_OK ||
            now == 0 || now != before[i] || now == wanted)
            continue;
        etm_cli_error("--reg %s=0x%lx: this macrocell does not allow that; it "
                      "stays 0x%lx",
                      o->registers[i].name, (unsigned long)wanted,
                      (unsigned long)now);
        r->failed = true;
        status = ETM_EXIT_UNREADABLE;
    }
    free(before);
    return status;
}

static int make_macrocell(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    struct etm_macrocell_config config = {0};
    struct etm_macrocell_output output = {.bytes = take_bytes, .context = r};
    const struct etm_macrocell_pins pins = {
        .dbgen = true, .niden = true, .spiden = true, .spniden = true};
    int status =
        etm_core_macrocell(r->core, o->version, &config, &r->config, &r->diag);

    if (status != ETM_OK)
        return fail(r, status);
    status = make_setup(r, &config);
    if (status != ETM_EXIT_OK)
        return status;
    status = etm_macrocell_new(&r->macrocell, &config, &r->diag);
    if (status != ETM_OK)
        return fail(r, status);
    etm_macrocell_set_pins(r->macrocell, &pins);
    output.fifo_size = o->fifo;
    if (o->request.timestamps)
        output.timestamp_cycles = 1;
    status = etm_macrocell_connect(r->macrocell, &output);
    if (status != ETM_OK) {
        etm_cli_error("%s: this macrocell's trace cannot be generated: %s",
                      r->core->name, etm_status_text(status));
        r->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    status = apply_setup(r);
    if (status == ETM_EXIT_OK)
        etm_macrocell_trace_config(r->macrocell, &r->config);
    return status;
}

/* A register as the macrocell shows it. */
static bool read_register(struct etm_cli_record *r, uint32_t number,
                          struct etm_register *reg)
{
    const char *name = etm_register_name(number);
    uint32_t value = 0;
    enum etm_access_result result = etm_macrocell_read(
        r->macrocell, number, etm_cli_access(r->macrocell), &value);

    if (!name || result != ETM_ACCESS_OK)
        return false;
    *reg = (struct etm_register){.number = number, .value = value};
    (void)snprintf(reg->name, sizeof reg->name, "%s", name);
    return true;
}

/* What a debugger would have read back when the trace was taken. */
static size_t read_registers(struct etm_cli_record *r,
                             struct etm_register *registers)
{
    size_t n = 0;

    for (size_t i = 0; identity[i]; i++) {
        uint32_t number = etm_register_number(identity[i]), value;

        if (etm_setup_get(&r->setup, number, &value) == ETM_OK)
            continue;
        if (read_register(r, number, &registers[n]) && registers[n].value != 0)
            n++;
    }
    for (size_t i = 0; i < r->setup.n; i++)
        n += read_register(r, r->setup.values[i].number, &registers[n]);
    return n;
}

/* "cortex-m3" as tools spell it: "Cortex-M3", "ARM7TDMI". */
static void spell(const char *name, char *text, size_t capacity)
{
    bool all = strncmp(name, "arm", 3) == 0, begins = true;
    size_t n = 0;

    for (; name[n] != '\0' && n + 1 < capacity; n++) {
        text[n] =
            (char)(all || begins ? toupper((unsigned char)name[n]) : name[n]);
        begins = name[n] == '-';
    }
    text[n] = '\0';
}

static int make_snapshot(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    struct etm_snapshot_writer_config config = {.directory = o->directory};
    struct etm_snapshot_buffer buffer = {.framing = o->framing};
    bool samples = etm_protocol_is_port(r->config.protocol);
    int status;

    /* the formatter came after them */
    if (samples && o->has_framing && o->framing != ETM_FRAMING_NONE &&
        o->framing != ETM_FRAMING_PORT) {
        etm_cli_error("--framing %s: ETMv1 and ETMv2 output port samples: use "
                      "port or none",
                      etm_framing_name(o->framing));
        r->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    if (samples && o->has_id) {
        etm_cli_error("--trace-id: ETMv1 and ETMv2 have no trace ID");
        r->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    if (!o->has_framing)
        buffer.framing = samples ? ETM_FRAMING_PORT : ETM_FRAMING_CORESIGHT;
    /* the trace ID of the formatter is not the macrocell's before v3.2 */
    if (r->config.trace_id == 0)
        r->config.trace_id = o->trace_id;
    status = etm_snapshot_writer_new(&r->snapshot, &config, &r->diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_buffer(r->snapshot, &buffer, NULL, &r->diag);
    return status == ETM_OK ? ETM_EXIT_OK : fail(r, status);
}

/* Add the devices of the snapshot, while the registers are those of the
 * trace. */
static int add_devices(struct etm_cli_record *r)
{
    struct etm_register registers[ETM_SETUP_CAPACITY + 16];
    struct etm_snapshot_core core = {0};
    struct etm_snapshot_source source = {.config = &r->config,
                                         .registers = registers};
    char type[32];
    bool has_id = false;
    int status;

    spell(r->core->processor, type, sizeof type);
    core.type = type;
    source.n_registers = read_registers(r, registers);
    for (size_t i = 0; i < source.n_registers; i++)
        has_id = has_id || strcmp(registers[i].name, "ETMTRACEIDR") == 0;
    if (!has_id) {
        struct etm_register *id = &registers[source.n_registers++];

        *id =
            (struct etm_register){.name = "ETMTRACEIDR",
                                  .number = etm_register_number("ETMTRACEIDR"),
                                  .value = r->config.trace_id};
    }
    status = etm_snapshot_add_core(r->snapshot, &core, NULL, &r->diag);
    if (status == ETM_OK)
        status = etm_snapshot_add_source(r->snapshot, &source, NULL, &r->diag);
    if (status == ETM_OK && r->options->program)
        status = etm_snapshot_add_program(r->snapshot, 0, r->options->program,
                                          &r->diag);
    return status == ETM_OK ? ETM_EXIT_OK : fail(r, status);
}

/* An etm_write_fn. */
static int write_log(void *context, const char *text, size_t n)
{
    struct etm_cli_record *r = context;

    if (fwrite(text, 1, n, r->log) == n)
        return ETM_OK;
    if (r->log == stdout && errno == EPIPE) /* its reader has gone */
        return ETM_OK;
    etm_cli_error("%s: %s", r->options->log, strerror(errno));
    r->failed = true;
    return ETM_ERR_IO;
}

/* Is it in this directory? If neither exists, it will be created. */
static bool is_in(const char *path, const char *directory)
{
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    char *parent = malloc(n + 2);
    bool same = false;

    if (parent) {
        struct stat a, b;

        (void)snprintf(parent, n + 2, "%.*s.", (int)n, path);
        if (stat(parent, &a) == 0)
            same = stat(directory, &b) == 0 && a.st_dev == b.st_dev &&
                   a.st_ino == b.st_ino;
        else
            same = stat(directory, &b) != 0;
    }
    free(parent);
    return same;
}

static bool matches(const char *name, const char *begin, const char *end)
{
    size_t n = strlen(name), a = strlen(begin), b = strlen(end);

    return n >= a + b && strncmp(name, begin, a) == 0 &&
           strcmp(name + n - b, end) == 0;
}

/* Would a file of the snapshot, other than the copy of a program, be this
 * one? */
static bool is_part(const struct etm_cli_record_options *o, const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;

    return path && is_in(path, o->directory) &&
           (strcmp(name, "snapshot.ini") == 0 ||
            strcmp(name, "trace.ini") == 0 ||
            strcmp(name, "cstrace.bin") == 0 ||
            matches(name, "device_", ".ini") ||
            (!o->program && strcmp(name, "code.bin") == 0));
}

static bool is_copy(const struct etm_cli_record_options *o, const char *path)
{
    const char *slash = o->program ? strrchr(o->program, '/') : NULL;
    const char *end = strrchr(path, '/');

    return o->program && is_in(path, o->directory) &&
           strcmp(slash ? slash + 1 : o->program, end ? end + 1 : path) == 0;
}

/* No output may replace an input, or another output. */
static int check_files(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    const char *const read[] = {o->execution, o->tarmac, o->program, o->setup};
    const char *what = NULL;

    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        if (is_part(o, read[i])) {
            etm_cli_error("%s: the snapshot would replace what is read",
                          read[i]);
            r->failed = true;
            return ETM_EXIT_UNREADABLE;
        }
        if (o->log && etm_cli_is_input(o->log, read[i]))
            what = "what is read";
    }
    if (!what && o->log && (is_part(o, o->log) || is_copy(o, o->log)))
        what = "a file of the snapshot";
    if (!what)
        return ETM_EXIT_OK;
    etm_cli_error("%s: the log would replace %s", o->log, what);
    r->failed = true;
    return ETM_EXIT_UNREADABLE;
}

static int make_log(struct etm_cli_record *r)
{
    struct etm_execution_writer_config config = {
        .profile = r->core->profile, .write = write_log, .context = r};

    if (!r->options->log)
        return ETM_EXIT_OK;
    r->log = strcmp(r->options->log, "-") == 0 ? stdout
                                               : fopen(r->options->log, "wb");
    if (!r->log) {
        etm_cli_error("%s: %s", r->options->log, strerror(errno));
        r->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    if (etm_execution_writer_new(&r->writer, &config) != ETM_OK) {
        etm_cli_error("out of memory");
        r->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    return ETM_EXIT_OK;
}

int etm_cli_record_begin(struct etm_cli_record *r)
{
    int status = make_macrocell(r);

    if (status == ETM_EXIT_OK)
        status = check_files(r);
    if (status == ETM_EXIT_OK)
        status = make_snapshot(r);
    if (status == ETM_EXIT_OK)
        status = add_devices(r);
    return status == ETM_EXIT_OK ? make_log(r) : status;
}

static void count(struct etm_cli_record *r, const struct etm_event *event)
{
    if (event->cycles != ETM_CYCLES_UNKNOWN)
        r->n_cycle += event->cycles;
    r->n_data += event->kind == ETM_EVENT_DATA;
    if (event->kind == ETM_EVENT_EXCEPTION) {
        uint32_t base = event->u.exception.next.address & ~UINT32_C(0x1f);

        r->n_exception++;
        r->n_cancelled += event->u.exception.cancels;
        r->vector_moved = base != 0 && base != 0xffff0000;
    }
    if (event->kind == ETM_EVENT_INSN) {
        r->n_insn++;
        r->last = event->u.insn.address;
    }
}

/* Whether an event is for generators only, because a macrocell derives it. */
static bool is_for_generators(const struct etm_event *event)
{
    return event->kind == ETM_EVENT_TRACE_ON ||
           event->kind == ETM_EVENT_TRACE_OFF ||
           event->kind == ETM_EVENT_TRIGGER ||
           event->kind == ETM_EVENT_SUPPRESS;
}

/* The line of event `i` of those that are being taken; 0: from no file. */
static uint64_t line_of(const struct etm_cli_record *r, size_t i)
{
    return r->reader ? etm_execution_reader_line(r->reader, i) : 0;
}

/* "FILE:LINE: ", or nothing if that is not known. */
static void put_line(const struct etm_cli_record *r, uint64_t line, char *text,
                     size_t capacity)
{
    const char *path =
        r->options->execution ? r->options->execution : r->options->tarmac;

    text[0] = '\0';
    if (line != 0 && path)
        (void)snprintf(text, capacity, "%s:%" PRIu64 ": ", etm_cli_path(path),
                       line);
}

/* Report that the generator refused the execution; `events` are the last that
 * it was given, `last` and `line` are the instruction before them. */
static void tell_refusal(struct etm_cli_record *r,
                         const struct etm_event *events, size_t n,
                         uint32_t last, uint64_t line)
{
    uint64_t taken = etm_macrocell_taken(r->macrocell);
    bool by_vector = etm_protocol_is_port(r->config.protocol);
    char where[4200];

    if (r->failed)
        return;
    r->failed = true;
    for (size_t i = 0; i < n && r->n_event + i <= taken; i++) {
        if (events[i].kind == ETM_EVENT_INSN)
            last = events[i].u.insn.address;
        if (events[i].kind == ETM_EVENT_INSN || r->n_event + i == taken)
            line = line_of(r, i);
    }
    for (size_t i = 0; i < n; i++) {
        if (r->n_event + i >= taken && is_for_generators(&events[i])) {
            put_line(r, line_of(r, i), where, sizeof where);
            etm_cli_error(
                "%s\"%s\" is decided by the macrocell: remove such lines",
                where, etm_event_kind_name(events[i].kind));
            return;
        }
    }
    put_line(r, line, where, sizeof where);
    etm_cli_error("%sthe macrocell cannot trace what was executed near "
                  "0x%08lx%s",
                  where, (unsigned long)last,
                  by_vector && r->vector_moved
                      ? ": ETMv1 and ETMv2 identify exceptions only by vectors "
                        "at 0 or 0xffff0000"
                      : "");
}

int etm_cli_record_events(void *context, const struct etm_event *events,
                          size_t n)
{
    struct etm_cli_record *r = context;
    uint32_t last = r->last;
    uint64_t line = r->last_line;
    int status = ETM_OK;

    for (size_t i = 0; i < n; i++) {
        count(r, &events[i]);
        if (events[i].kind == ETM_EVENT_INSN)
            r->last_line = line_of(r, i);
        if (!r->options->program && events[i].kind == ETM_EVENT_INSN &&
            !etm_cli_code_add(&r->code, &events[i]))
            return ETM_ERR_MEMORY;
    }
    if (r->writer)
        status = etm_execution_writer_push(r->writer, events, n);
    if (status == ETM_OK)
        status = etm_macrocell_run(r->macrocell, events, n);
    if (status == ETM_ERR_ARGUMENT)
        tell_refusal(r, events, n, last, line);
    r->n_event += n;
    if (!r->options->program)
        etm_cli_progress_show(&r->progress, r->read, r->size);
    else if (r->options->limit != UINT64_MAX)
        etm_cli_progress_show(&r->progress, r->n_insn, r->options->limit);
    else
        etm_cli_progress_count(&r->progress, r->n_insn, "instructions");
    if (status == ETM_OK && etm_cli_interrupted()) {
        r->interrupted = true;
        status = ETM_ERR_STOPPED;
    }
    return status;
}

int etm_cli_record_finish(struct etm_cli_record *r)
{
    int status = etm_macrocell_finish(r->macrocell);

    if (status == ETM_ERR_ARGUMENT) {
        tell_refusal(r, NULL, 0, r->last, r->last_line);
        return ETM_EXIT_UNREADABLE;
    }
    if (r->code.changed)
        etm_cli_error("at 0x%08" PRIx32
                      " several instructions were executed, one after the "
                      "other: the snapshot has only the last",
                      r->code.changed_at);
    if (status == ETM_OK && !r->options->program)
        status = etm_cli_code_write(&r->code, r->snapshot, 0, &r->diag);
    if (status == ETM_OK)
        status = etm_snapshot_writer_finish(r->snapshot, &r->diag);
    if (status != ETM_OK)
        return fail(r, status);
    r->complete = true;
    if (r->writer && etm_execution_writer_finish(r->writer) != ETM_OK)
        return ETM_EXIT_UNREADABLE;
    if (r->log && r->log != stdout) { /* that is flushed with the others */
        FILE *log = r->log;

        r->log = NULL;
        if (fclose(log) != 0) {
            etm_cli_error("%s: %s", r->options->log, strerror(errno));
            return ETM_EXIT_UNREADABLE;
        }
    }
    return ETM_EXIT_OK;
}

void etm_cli_record_free(struct etm_cli_record *r)
{
    etm_macrocell_free(r->macrocell);
    etm_execution_writer_free(r->writer);
    if (r->complete)
        etm_snapshot_writer_free(r->snapshot);
    else
        etm_snapshot_writer_discard(r->snapshot);
    etm_cli_code_free(&r->code);
    free(r->head);
    if (r->input && r->input != stdin)
        (void)fclose(r->input);
    if (r->log && r->log != stdout)
        (void)fclose(r->log);
}
