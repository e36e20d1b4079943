/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ROM tables as debuggers print them. What a component is, its DEVTYPE says:
 * [3:0] is the class, [7:4] the type in it (CoreSight Architecture, IHI 0029,
 * B2.3.3).
 *
 *   OpenOCD   Component base address 0xe0040000 ... Part is 0x9a1, ... Type is
 *             0x11, ... Dev Arch is 0x47704a13, each in a line of its own
 *   pyOCD     <e0040000:TPIU M4 class=9 ... part=9a1 devtype=11 archid=0000
 * ...>
 */
#include "setup/line.h"

#include <etm/setup.h>

#include "base/diag.h"

#include <string.h>

#define PART_ETB 0x907u
#define ARCHITECTURE_ETMV4 0x4a13u

enum device_type {
    PORT = 0x11,   /* a trace sink, port */
    BUFFER = 0x21, /* a trace sink, buffer */
    FUNNEL = 0x12, /* a trace link, funnel */
    FIFO = 0x32,   /* a trace link, FIFO: a TMC that is also a buffer */
    PROCESSOR = 0x13
};

struct reading {
    struct etm_rom_table *table;
    uint32_t base, part, type;
    bool any;   /* component */
    bool etmv4; /* the last macrocell */
};

/* The hexadecimal number behind the words, if the line has them. */
static bool number_after(const char *line, const char *words, uint32_t *value)
{
    const char *at = strstr(line, words);

    return at && etm_line_number(at + strlen(words), 16, value) != NULL;
}

static void note(struct reading *r, uint32_t *place)
{
    if (*place != 0 && *place != r->base)
        r->table->several = true;
    else
        *place = r->base;
}

static void take(struct reading *r)
{
    switch (r->type) {
    case PORT:
        note(r, &r->table->tpiu);
        break;
    case BUFFER:
    case FIFO:
        note(r, r->part == PART_ETB ? &r->table->etb : &r->table->tmc);
        break;
    case FUNNEL:
        note(r, &r->table->funnel);
        break;
    case PROCESSOR:
        note(r, &r->table->macrocell);
        break;
    }
}

static void read_line(struct reading *r, const char *line)
{
    uint32_t value;

    if (number_after(line, "Component base address ", &value) ||
        (strchr(line, '<') && strstr(line, "class=") &&
         number_after(strchr(line, '<'), "<", &value))) {
        r->base = value;
        r->part = r->type = 0;
        r->any = true;
    }
    if (number_after(line, "Part is ", &value) ||
        number_after(line, "part=", &value))
        r->part = value;
    if (r->any && (number_after(line, "Type is ", &value) ||
                   number_after(line, "devtype=", &value))) {
        r->type = value;
        take(r);
    }
    if (r->type == PROCESSOR && (number_after(line, "Dev Arch is ", &value) ||
                                 number_after(line, "archid=", &value)))
        r->etmv4 = r->etmv4 || (value & 0xffff) == ARCHITECTURE_ETMV4;
}

int etm_rom_table_read(struct etm_rom_table *table, const char *text,
                       size_t length, struct etm_diag *diag)
{
    struct reading r = {.table = table};
    char line[256];

    if (!table || (!text && length != 0))
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "ROM table",
                            "no text, or no place for what is in it");
    *table = (struct etm_rom_table){0};
    for (size_t at = 0, n; at < length; at += n + 1) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t copied;

        n = end ? (size_t)(end - (text + at)) : length - at;
        copied = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, text + at, copied);
        line[copied] = '\0';
        read_line(&r, line);
    }
    if (!r.any)
        return etm_diag_say(diag, ETM_ERR_FORMAT, "ROM table",
                            "there is no component in it: neither the output "
                            "of OpenOCD's dap info nor the log of pyOCD");
    if (r.etmv4)
        return etm_diag_say(diag, ETM_ERR_UNSUPPORTED, "ROM table",
                            "the macrocell is an ETMv4");
    return ETM_OK;
}
