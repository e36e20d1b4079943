/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptions in a snapshot, as CoreSight tools read them. */
#include "write/snapshot.h"

#include <inttypes.h>

static void write_registers(FILE *out, const struct etm_vec *registers)
{
    const struct etm_register *r = registers->data;

    if (registers->n == 0)
        return;
    fputs("\n[regs]\n", out);
    for (size_t i = 0; i < registers->n; i++) {
        if (r[i].number == ETM_REGISTER_NONE)
            fprintf(out, "%s=0x%08" PRIX64 "\n", r[i].name, r[i].value);
        else
            fprintf(out, "%s(0x%03" PRIX32 ")=0x%08" PRIX64 "\n", r[i].name,
                    r[i].number, r[i].value);
    }
}

static const char *space_name(const struct etm_space *space)
{
    switch (space->secure) {
    case ETM_UNKNOWN:
        break;
    case ETM_FALSE:
        return "N";
    case ETM_TRUE:
        return "S";
    }
    return NULL;
}

static void write_memory(FILE *out, const struct etm_vec *memory)
{
    const struct etm_snap_memory *m = memory->data;

    for (size_t i = 0; i < memory->n; i++) {
        fprintf(out, "\n[dump%zu]\nfile=%s\naddress=0x%08" PRIX32 "\n", i + 1,
                m[i].file, m[i].address);
        if (m[i].piece)
            fprintf(out, "offset=0x%08" PRIX32 "\nlength=0x%08" PRIX32 "\n",
                    m[i].offset, m[i].length);
        if (space_name(&m[i].space) != NULL)
            fprintf(out, "space=%s\n", space_name(&m[i].space));
        if (m[i].space.has_context)
            fprintf(out, "context_id=0x%08" PRIX32 "\n", m[i].space.context_id);
    }
}

/* The file of a device, up to its memory. */
static int begin_device(struct etm_snapshot_writer *w, size_t number,
                        const char *name, const char *class, const char *type,
                        const struct etm_vec *registers, FILE **out,
                        struct etm_diag *diag)
{
    char file[ETM_SNAPSHOT_NAME];
    int status;

    (void)snprintf(file, sizeof file, "device_%zu.ini", number);
    status = etm_snap_create(w, file, out, diag);
    if (status != ETM_OK)
        return status;
    fprintf(*out, "[device]\nname=%s\nclass=%s\n", name, class);
    if (type[0] != '\0')
        fprintf(*out, "type=%s\n", type);
    write_registers(*out, registers);
    return ETM_OK;
}

static int write_core(struct etm_snapshot_writer *w, size_t number,
                      const struct etm_snap_core *core, struct etm_diag *diag)
{
    FILE *out;
    int status = begin_device(w, number, core->name, "core", core->type,
                              &core->registers, &out, diag);

    if (status != ETM_OK)
        return status;
    write_memory(out, &core->memory);
    return etm_snap_close(w, out, diag);
}

static int write_source(struct etm_snapshot_writer *w, size_t number,
                        const struct etm_snap_source *source,
                        struct etm_diag *diag)
{
    FILE *out;
    int status = begin_device(w, number, source->name, "trace_source",
                              source->type, &source->registers, &out, diag);

    return status == ETM_OK ? etm_snap_close(w, out, diag) : status;
}

static const char *format_name(enum etm_framing framing)
{
    switch (framing) {
    case ETM_FRAMING_NONE:
    case ETM_FRAMING_TPIU_PORT: /* refused, and so is that after it */
    case ETM_FRAMING_SWO:
    case ETM_FRAMING_MTB: /* the bytes of one source */
    case ETM_FRAMING_ORBFLOW:
        break;
    case ETM_FRAMING_CORESIGHT:
        return "coresight";
    case ETM_FRAMING_DSTREAM:
        return "dstream_coresight";
    case ETM_FRAMING_TPIU:
        return "tpiu";
    case ETM_FRAMING_PORT:
        return "trace_port";
    }
    return "source_data";
}

static int write_trace(struct etm_snapshot_writer *w, struct etm_diag *diag)
{
    FILE *out;
    int status = etm_snap_create(w, "trace.ini", &out, diag);

    if (status != ETM_OK)
        return status;
    fputs("[trace_buffers]\nbuffers=", out);
    for (size_t i = 0; i < w->buffers.n; i++)
        fprintf(out, "%sbuffer%zu", i > 0 ? "," : "", i);
    fputs("\n", out);
    for (size_t i = 0; i < w->buffers.n; i++) {
        const struct etm_snap_buffer *b = etm_snap_buffer(w, i);

        fprintf(out, "\n[buffer%zu]\nname=%s\nfile=%s\nformat=%s\n", i, b->name,
                b->file, format_name(b->framing));
    }
    fputs("\n[source_buffers]\n", out);
    for (size_t i = 0; i < w->sources.n; i++) {
        const struct etm_snap_source *s = etm_snap_source(w, i);

        fprintf(out, "%s=%s\n", s->name, etm_snap_buffer(w, s->buffer)->name);
    }
    fputs("\n[core_trace_sources]\n", out);
    for (size_t i = 0; i < w->sources.n; i++) {
        const struct etm_snap_source *s = etm_snap_source(w, i);

        if (s->core != ETM_SNAPSHOT_NONE)
            fprintf(out, "%s=%s\n", etm_snap_core(w, s->core)->name, s->name);
    }
    return etm_snap_close(w, out, diag);
}

static int write_list(struct etm_snapshot_writer *w, struct etm_diag *diag)
{
    FILE *out;
    int status = etm_snap_create(w, "snapshot.ini", &out, diag);

    if (status != ETM_OK)
        return status;
    fputs("[snapshot]\nversion=1.0\n\n[device_list]\n", out);
    for (size_t i = 0; i < w->cores.n + w->sources.n; i++)
        fprintf(out, "device%zu=device_%zu.ini\n", i, i);
    fputs("\n[trace]\nmetadata=trace.ini\n", out);
    return etm_snap_close(w, out, diag);
}

int etm_snap_describe(struct etm_snapshot_writer *w, struct etm_diag *diag)
{
    int status = ETM_OK;
    size_t n = 0;

    for (size_t i = 0; i < w->cores.n && status == ETM_OK; i++)
        status = write_core(w, n++, etm_snap_core(w, i), diag);
    for (size_t i = 0; i < w->sources.n && status == ETM_OK; i++)
        status = write_source(w, n++, etm_snap_source(w, i), diag);
    if (status == ETM_OK)
        status = write_trace(w, diag);
    /* last: with it the snapshot is complete */
    return status == ETM_OK ? write_list(w, diag) : status;
}
