/* SPDX-License-Identifier: Apache-2.0 */
/* What the server can do, and the description of the target. */
#include "gdb/branches.h"
#include "gdb/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void supported(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    etm_gdb_put(&s->reply, "PacketSize=");
    etm_gdb_put_number(&s->reply, ETM_GDB_PACKET_MOST - 1);
    etm_gdb_put(
        &s->reply,
        ";QStartNoAckMode+;vContSupported+;ReverseStep+;ReverseContinue+;"
        "qXfer:features:read+;qXfer:threads:read+;qXfer:memory-map:read+;"
        "Qbtrace:bts+;Qbtrace:off+;Qbtrace-conf:bts:size+;qXfer:btrace:read+;"
        "qXfer:btrace-conf:read+");
    if (etm_session_mapping(s->config->session, 0))
        etm_gdb_put(&s->reply, ";qXfer:libraries:read+");
    if (etm_gdb_main_program(s->config->session))
        etm_gdb_put(&s->reply, ";qXfer:exec-file:read+");
}

/* The registers of the core feature; of CPSR only what is known has a name. GDB
 * would take the lowest 32 KiB for no place for a program of Linux: it is none.
 */
static void put_features(const struct etm_gdb_server *s,
                         struct etm_gdb_document *to)
{
    static const char *const names[] = {"r8",  "r9", "r10", "r11",
                                        "r12", "sp", "lr",  "pc"};
    bool m = s->cores[0].code.profile == ETM_PROFILE_M;

    etm_gdb_document_print(
        to,
        "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
        "<target "
        "version=\"1.0\"><architecture>arm</architecture><osabi>none</osabi>"
        "<feature name=\"org.gnu.gdb.arm.%s\">",
        m ? "m-profile" : "core");
    etm_gdb_document_put(
        to, m ? "<flags id=\"etm_status\" size=\"4\">"
                "<field name=\"T\" start=\"24\" end=\"24\"/></flags>"
              : "<flags id=\"etm_status\" size=\"4\">"
                "<field name=\"T\" start=\"5\" end=\"5\"/>"
                "<field name=\"J\" start=\"24\" end=\"24\"/></flags>");
    for (unsigned r = 0; r < 16; r++) {
        if (r < 8)
            etm_gdb_document_print(
                to, "<reg name=\"r%u\" bitsize=\"32\" regnum=\"%u\"/>", r,
                r < 2 ? ETM_GDB_R0_NUMBER + r : r);
        else
            etm_gdb_document_print(to, "<reg name=\"%s\" bitsize=\"32\"%s/>",
                                   names[r - 8],
                                   r == 13   ? " type=\"data_ptr\""
                                   : r == 15 ? " type=\"code_ptr\""
                                             : "");
    }
    etm_gdb_document_print(to,
                           "<reg name=\"%s\" bitsize=\"32\" regnum=\"25\" "
                           "type=\"etm_status\"/>",
                           m ? "xpsr" : "cpsr");
    etm_gdb_document_put(to, "</feature></target>");
}

static void put_threads(struct etm_gdb_server *s, struct etm_gdb_document *to)
{
    struct etm_vec numbers;
    const uint32_t *at;

    etm_vec_init(&numbers, sizeof(uint32_t), &etm_allocator_malloc);
    (void)etm_gdb_threads_now(s, &numbers);
    at = numbers.data;
    etm_gdb_document_put(to, "<?xml version=\"1.0\"?><threads>");
    for (size_t i = 0; i < numbers.n; i++) {
        char name[128];

        etm_gdb_thread_name(s, at[i], name, sizeof name);
        etm_gdb_document_print(
            to, "<thread id=\"%" PRIx32 "\" core=\"%zu\" name=\"", at[i],
            etm_gdb_thread_of(s, at[i])->core);
        etm_gdb_document_name(to, name);
        etm_gdb_document_put(to, "\"/>");
    }
    etm_gdb_document_put(to, "</threads>");
    etm_vec_fini(&numbers);
}

/* Code is read-only; all the rest may be known at some time. */
static void put_memory_map(struct etm_gdb_server *s,
                           struct etm_gdb_document *to)
{
    etm_gdb_document_put(
        to, "<?xml version=\"1.0\"?><!DOCTYPE memory-map PUBLIC "
            "\"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" "
            "\"http://sourceware.org/gdb/gdb-memory-map.dtd\">"
            "<memory-map>"
            "<memory type=\"rom\" start=\"0x0\" length=\"0x100000000\"/>"
            "</memory-map>");
    (void)s;
}

/* A part of a document: OFFSET,LENGTH */
static void put_part(struct etm_gdb_server *s, struct etm_gdb_text *text,
                     const char *from, size_t n)
{
    uint64_t offset, length;

    if (!etm_gdb_take_hex(text, &offset) || !etm_gdb_take_char(text, ',') ||
        !etm_gdb_take_hex(text, &length) || !etm_gdb_is_end(text) ||
        offset > n) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (length > n - offset)
        length = n - offset;
    if (length > ETM_GDB_PACKET_MOST - 1)
        length = ETM_GDB_PACKET_MOST - 1;
    etm_gdb_put_char(&s->reply, offset + length < n ? 'm' : 'l');
    for (uint64_t i = 0; i < length; i++)
        etm_gdb_put_char(&s->reply, from[offset + i]);
}

static void put_document(struct etm_gdb_server *s, struct etm_gdb_text *text,
                         const struct etm_gdb_document *document)
{
    if (document->status == ETM_OK)
        put_part(s, text, document->text.data, document->text.n);
    else
        etm_gdb_put_error(&s->reply);
}

/* A branch in a buffer of a processor: from, to, and flags, of 8 bytes each. */
#define BRANCH_BYTES 24u

/* Only all of it: what is new since the last time has no meaning for those who
 * go back. */
static void put_branches(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    struct etm_gdb_text start = *text;

    if (!s->records || core->empty) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (etm_gdb_take_word(&start, "0,")) {
        etm_gdb_document_clear(&s->branches);
        s->branches.status = etm_gdb_branches(
            &core->history, &core->place,
            (size_t)(s->record_size / BRANCH_BYTES), &s->branches);
    }
    put_document(s, text, &s->branches);
}

static void put_record_size(const struct etm_gdb_server *s,
                            struct etm_gdb_document *to)
{
    etm_gdb_document_put(to, "<!DOCTYPE btrace-conf SYSTEM \"btrace-conf.dtd\">"
                             "<btrace-conf version=\"1.0\">");
    if (s->records)
        etm_gdb_document_print(to, "<bts size=\"0x%" PRIx64 "\"/>",
                               s->record_size);
    etm_gdb_document_put(to, "</btrace-conf>");
}

/* It does not change. */
static void put_libraries(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    const struct etm_session *session = s->config->session;

    if (!etm_session_mapping(session, 0))
        return; /* not known here */
    if (s->libraries.text.n == 0)
        etm_gdb_list_libraries(session, &s->libraries);
    put_document(s, text, &s->libraries);
}

/* Of whatever process. */
static void put_program(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    const struct etm_mapping *m = etm_gdb_main_program(s->config->session);
    uint64_t process;

    if (!m)
        return; /* not known here */
    (void)etm_gdb_take_hex(text, &process);
    s->program_told = true;
    if (etm_gdb_take_char(text, ':'))
        put_part(s, text, m->path, strlen(m->path));
    else
        etm_gdb_put_error(&s->reply);
}

static void transfer(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    bool known = true;

    etm_gdb_document_clear(&s->list);
    if (etm_gdb_take_word(text, "btrace:read:all:")) {
        put_branches(s, text);
        return;
    }
    if (etm_gdb_take_word(text, "libraries:read::")) {
        put_libraries(s, text);
        return;
    }
    if (etm_gdb_take_word(text, "exec-file:read:")) {
        put_program(s, text);
        return;
    }
    if (etm_gdb_take_word(text, "features:read:target.xml:"))
        put_features(s, &s->list);
    else if (etm_gdb_take_word(text, "threads:read::"))
        put_threads(s, &s->list);
    else if (etm_gdb_take_word(text, "memory-map:read::"))
        put_memory_map(s, &s->list);
    else if (etm_gdb_take_word(text, "btrace-conf:read::"))
        put_record_size(s, &s->list);
    else
        known = false;
    if (known)
        put_document(s, text, &s->list);
    else if (etm_gdb_take_word(text, "features:read:") ||
             etm_gdb_take_word(text, "btrace:read:"))
        etm_gdb_put_error(&s->reply); /* no such annex */
}

static void attached(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    etm_gdb_put_char(&s->reply, '1');
}

static void current_thread(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    if (!etm_gdb_is_end(text))
        return; /* another one that begins with a C */
    etm_gdb_put(&s->reply, "QC");
    etm_gdb_put_number(&s->reply, s->thread);
}

static void threads(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_vec numbers;
    const uint32_t *at;

    (void)text;
    etm_vec_init(&numbers, sizeof(uint32_t), &etm_allocator_malloc);
    (void)etm_gdb_threads_now(s, &numbers);
    at = numbers.data;
    for (size_t i = 0; i < numbers.n; i++) {
        etm_gdb_put_char(&s->reply, i == 0 ? 'm' : ',');
        etm_gdb_put_number(&s->reply, at[i]);
    }
    if (numbers.n == 0)
        etm_gdb_put_char(&s->reply, 'l');
    etm_vec_fini(&numbers);
}

static void no_more_threads(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    etm_gdb_put_char(&s->reply, 'l');
}

static void thread_name(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    char name[128];
    int64_t number;

    if (!etm_gdb_take_thread(text, &number) || !etm_gdb_thread_of(s, number)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    etm_gdb_thread_name(s, (uint32_t)number, name, sizeof name);
    etm_gdb_put_bytes(&s->reply, (const uint8_t *)name, strlen(name));
}

static void command(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    char line[256];

    line[etm_gdb_take_bytes(text, line, sizeof line - 1)] = '\0';
    if (!etm_gdb_is_end(text)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    etm_gdb_monitor(s, line);
    etm_gdb_put(&s->reply, "OK");
}

static const struct {
    const char *word;
    etm_gdb_packet_fn *function;
} queries[] = {
    {"Supported", supported},
    {"Xfer:", transfer},
    {"Attached", attached},
    {"Offsets", etm_gdb_put_offsets},
    {"C", current_thread},
    {"fThreadInfo", threads},
    {"sThreadInfo", no_more_threads},
    {"ThreadExtraInfo,", thread_name},
    {"Rcmd,", command},
};

void etm_gdb_query(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (etm_gdb_take_word(text, queries[i].word)) {
            queries[i].function(s, text);
            return;
        }
}

/* The buffer of branches, at most; GDB asks for 64 KiB. */
#define RECORD_MOST (UINT64_C(16) << 20)

void etm_gdb_set(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    uint64_t size;

    if (etm_gdb_take_word(text, "StartNoAckMode") && etm_gdb_is_end(text))
        s->no_ack = true;
    else if (etm_gdb_take_word(text, "btrace:bts") && etm_gdb_is_end(text))
        s->records = true;
    else if (etm_gdb_take_word(text, "btrace:off") && etm_gdb_is_end(text))
        s->records = false;
    else if (etm_gdb_take_word(text, "btrace-conf:bts:size=0x") &&
             etm_gdb_take_hex(text, &size) && etm_gdb_is_end(text))
        s->record_size = size < RECORD_MOST ? size : RECORD_MOST;
    else
        return;
    etm_gdb_put(&s->reply, "OK");
}
