/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers and sources of a file of Linux's perf. */
#include "input/perf_private.h"
#include "input/text.h"

#include <string.h>

int etm_perf_buffers(struct etm_perf *p, struct etm_diag *diag)
{
    struct etm_capture_buffer *all, whole;
    struct etm_perf_sink *sinks = p->sinks.data;
    const char *path = p->capture->path;
    int status = ETM_OK;

    for (size_t i = 0; i < p->sinks.n && status == ETM_OK; i++) {
        const struct etm_vec *pieces = &sinks[i].pieces;
        struct etm_file file;
        char *name = etm_text_print(&p->capture->allocator, "aux_%u",
                                    (unsigned)sinks[i].index);

        if (name == NULL)
            return ETM_ERR_MEMORY;
        status = etm_build_join(&file, pieces->data, pieces->n, path,
                                &p->capture->allocator, diag);
        if (status == ETM_OK)
            status = etm_build_buffer(p->capture, name, path,
                                      ETM_FRAMING_CORESIGHT, &file, 1, diag);
        etm_alloc_free(&p->capture->allocator, name);
    }
    if (status != ETM_OK)
        return status;
    all = p->capture->buffers.data;
    whole = all[0];
    memmove(all, all + 1, (p->capture->buffers.n - 1) * sizeof *all);
    all[p->capture->buffers.n - 1] = whole;
    etm_build_drop_buffer(p->capture);
    return ETM_OK;
}

static int add_source(struct etm_perf *p, const struct etm_perf_cpu *cpu,
                      const struct etm_raw_options *o, struct etm_diag *diag)
{
    static const char *const names[ETM_PERF_PARAMS] = {"ETMCR", "ETMTRACEIDR",
                                                       "ETMCCER", "ETMIDR"};
    const struct etm_source_facts facts = {ETM_PROTOCOL_NONE, -1, o->profile};
    struct etm_capture *capture = p->capture;
    bool ptm = (cpu->registers[3] >> 8 & 0xf) == 3;
    char *name = etm_text_print(&capture->allocator, "%s_%u",
                                ptm ? "PTM" : "ETM", (unsigned)cpu->number);
    struct etm_diag why = {0};
    struct etm_capture_source *s;
    int status =
        name == NULL ? ETM_ERR_MEMORY : etm_build_source(capture, name, "");

    etm_alloc_free(&capture->allocator, name);
    if (status != ETM_OK)
        return status;
    s = etm_build_source_at(capture, capture->sources.n - 1);
    s->core = 0;
    s->id = (uint8_t)(cpu->registers[1] & 0x7f);
    for (size_t i = 0; i < ETM_PERF_PARAMS && status == ETM_OK; i++) {
        struct etm_register r = {.number = etm_register_number(names[i]),
                                 .value = cpu->registers[i]};

        /* [31] of the ID says that it is only what older kernels would use */
        if (i == 1)
            r.value &= 0x7f;
        memcpy(r.name, names[i], strlen(names[i]) + 1);
        status = etm_vec_append(&s->registers, &r, 1);
    }
    for (size_t i = 0; i < capture->buffers.n && status == ETM_OK; i++)
        status = etm_vec_append(&s->buffers, &i, 1);
    if (status == ETM_OK)
        status =
            etm_build_configure(capture, capture->sources.n - 1, &facts, &why);
    if (status == ETM_ERR_CONFIG || status == ETM_ERR_FORMAT)
        status =
            etm_build_why_not(capture, capture->sources.n - 1, "%s", why.what);
    else if (status != ETM_OK && diag != NULL)
        *diag = why;
    return status;
}

int etm_perf_sources(struct etm_perf *p, const struct etm_raw_options *o,
                     struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = p->capture->buffers.data;
    const struct etm_perf_cpu *cpus = p->cpus.data;
    const struct etm_perf_cpu *owner[ETM_ID_RESERVED] = {NULL};
    uint64_t found[ETM_ID_RESERVED] = {0};
    int status = ETM_OK;

    for (size_t i = 0; i < p->capture->buffers.n && status == ETM_OK; i++) {
        struct etm_frame_counts counts;

        status =
            etm_buffer_survey(&b[i], b[i].n, &p->capture->allocator, &counts);
        for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
            found[id] += counts.bytes[id];
    }
    for (size_t i = 0; i < p->cpus.n && status == ETM_OK; i++) {
        uint32_t id = cpus[i].registers[1] & 0x7f;

        if (id != 0 && id < ETM_ID_RESERVED && found[id] != 0) {
            status = add_source(p, &cpus[i], o, diag);
            found[id] = 0;
            owner[id] = &cpus[i];
        } else if (id != 0 && id < ETM_ID_RESERVED && owner[id] != NULL) {
            status = etm_build_note(p->capture,
                                    "%s: CPU %u has the trace ID 0x%02x of CPU "
                                    "%u, to which the trace is attributed",
                                    p->capture->path, (unsigned)cpus[i].number,
                                    (unsigned)id, (unsigned)owner[id]->number);
        }
    }
    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
        if (found[id] != 0)
            status = etm_build_note(
                p->capture,
                "%s: no CPU with an ETMv3 or PTM has trace ID 0x%02x",
                p->capture->path, id);
    return status;
}
