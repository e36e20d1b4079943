/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* popen() */
#include "lister.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (memory == NULL)
        abort();
    return memory;
}

static char *read_all(const char *command)
{
    FILE *pipe = popen(command, "r");
    size_t n = 0, capacity = 1u << 16;
    char *text;

    if (pipe == NULL)
        return NULL;
    text = must(malloc(capacity + 1));
    for (;;) {
        size_t got = fread(text + n, 1, capacity - n, pipe);
        n += got;
        if (got == 0)
            break;
        if (n == capacity)
            text = must(realloc(text, (capacity *= 2) + 1));
    }
    text[n] = 0;
    if (pclose(pipe) != 0 || n == 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The number after `key`, or untold. */
static uint64_t number(const char *text, const char *key, int base)
{
    const char *at = strstr(text, key);

    return at != NULL ? strtoull(at + strlen(key), NULL, base)
                      : ETM_LISTER_UNTOLD;
}

/* A field of nothing but E, N and W; the line is cut after it. */
static const char *find_atoms(char *text)
{
    for (char *at = text; (at = strstr(at, "; ")) != NULL;) {
        size_t n;
        at += 2;
        n = strspn(at, "ENW");
        if (n != 0 && at[n] == ';') {
            at[n] = 0;
            return at;
        }
    }
    return NULL;
}

static void parse_packet(struct etm_lister *lister, char *line, char *bytes)
{
    struct etm_lister_packet *p = &lister->packets[lister->n_packets++];
    char *text = strchr(bytes, '\t'), *at = bytes + 1;

    memset(p, 0, sizeof *p);
    p->at = number(line, "Idx:", 10);
    while (p->n < sizeof p->bytes && strncmp(at, "0x", 2) == 0) {
        p->bytes[p->n++] = (uint8_t)strtoul(at, &at, 16);
        at += strspn(at, " ");
    }
    p->name = ++text;
    text[strcspn(text, " ")] = 0;
    text += strlen(text) + 1;
    p->address = number(text, "Addr=", 16);
    p->cycles = number(text, "Cycles=", 10);
    p->timestamp = number(text, "TS=", 16);
    if ((at = strstr(text, "ISA=")) != NULL)
        p->isa = at[4];
    if (strstr(text, "; S;") != NULL || strstr(text, "; NS;") != NULL)
        p->secure = strstr(text, "; S;") != NULL ? 'S' : 'N';
    if ((at = strstr(text, "; (")) != NULL)
        p->reason = at[3];
    p->atoms = find_atoms(text);
}

static void parse_element(struct etm_lister *lister, char *line, char *name)
{
    struct etm_lister_element *e = &lister->elements[lister->n_elements++];
    char *text = strchr(name, '(');

    memset(e, 0, sizeof *e);
    *text++ = 0;
    e->at = number(line, "Idx:", 10);
    e->name = name;
    if (strcmp(name, "INSTR_RANGE") == 0) {
        e->start = number(text, "range=", 16);
        e->end = number(text, ":[", 16);
        e->n = number(text, "num_i(", 10);
        e->executed = strstr(text, ") E ") != NULL;
    } else if (strcmp(name, "ADDR_NACC") == 0) {
        e->start = strtoull(text, NULL, 16);
    } else if (strcmp(name, "EXCEPTION") == 0) {
        e->start = number(text, "addr:", 16);
        e->n = number(text, "num (", 16);
    } else if (strcmp(name, "TIMESTAMP") == 0) {
        e->n = number(text, "TS=", 16);
    }
}

static void parse(struct etm_lister *lister)
{
    static const char element[] = "OCSD_GEN_TRC_ELEM_";
    size_t lines = 1;

    for (const char *c = lister->text; *c != 0; c++)
        lines += *c == '\n';
    lister->packets = must(malloc(lines * sizeof *lister->packets));
    lister->elements = must(malloc(lines * sizeof *lister->elements));
    for (char *line = strtok(lister->text, "\n"); line != NULL;
         line = strtok(NULL, "\n")) {
        char *body;
        if (strncmp(line, "Idx:", 4) != 0)
            continue;
        if ((body = strstr(line, "; [0x")) != NULL && strchr(body, '\t'))
            parse_packet(lister, line, body + 2);
        else if ((body = strstr(line, element)) != NULL && strchr(body, '('))
            parse_element(lister, line, body + strlen(element));
    }
}

bool etm_lister_run(struct etm_lister *lister, const char *snapshot,
                    unsigned id)
{
    char command[1200];

    memset(lister, 0, sizeof *lister);
    snprintf(command, sizeof command,
             "trc_pkt_lister -ss_dir '%s' -id 0x%02x -decode "
             "-logfilename /dev/stdout 2>/dev/null",
             snapshot, id);
    lister->text = read_all(command);
    if (lister->text == NULL) {
        printf("no trc_pkt_lister for %s: skipped\n", snapshot);
        return false;
    }
    parse(lister);
    return true;
}

/* "Frame Data; Index ...; ID_DATA[0x10]; 01 02 ..." */
size_t etm_lister_raw(const char *snapshot, unsigned id, uint8_t *bytes,
                      size_t room)
{
    char command[1200], tag[32], *text;
    size_t n = 0;

    snprintf(command, sizeof command,
             "trc_pkt_lister -ss_dir '%s' -o_raw_unpacked "
             "-logfilename /dev/stdout 2>/dev/null",
             snapshot);
    snprintf(tag, sizeof tag, "ID_DATA[0x%02x];", id);
    text = read_all(command);
    for (char *line = text != NULL ? strtok(text, "\n") : NULL; line != NULL;
         line = strtok(NULL, "\n")) {
        char *at =
            strncmp(line, "Frame Data", 10) == 0 ? strstr(line, tag) : NULL;
        char *end = NULL;

        for (at = at != NULL ? at + strlen(tag) : NULL; at != NULL; at = end) {
            unsigned long value = strtoul(at, &end, 16);

            if (end == at || n == room)
                break;
            bytes[n++] = (uint8_t)value;
        }
    }
    free(text);
    return n;
}

void etm_lister_free(struct etm_lister *lister)
{
    free(lister->text);
    free(lister->packets);
    free(lister->elements);
}
