/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Public structs that begin with their size and grow from version to version
 * (doc/abi.md). A function takes a copy as its own version has the struct, and
 * uses only the copy:
 *
 *     struct etm_framer_config config;
 *     int status = ETM_TAKE(etm_framer_config, &config, given, diag);
 */
#ifndef ETM_BASE_SIZE_H
#define ETM_BASE_SIZE_H

#include <stddef.h>

#include <etm/types.h>

/*
 * The last member that each has in the first version of the library. A member
 * that is added later comes behind it, beyond the size of the first version:
 * not where that has padding.
 */
#define ETM_LAST_etm_calls_config sizeof_element
#define ETM_LAST_etm_clock_config allocator
#define ETM_LAST_etm_config reserve
#define ETM_LAST_etm_decoder_config allocator
#define ETM_LAST_etm_deframer_config allocator
#define ETM_LAST_etm_element u
#define ETM_LAST_etm_execution_reader_config allocator
#define ETM_LAST_etm_execution_writer_config allocator
#define ETM_LAST_etm_explain_config names
#define ETM_LAST_etm_framer_config allocator
#define ETM_LAST_etm_generator_config data_only_addresses
#define ETM_LAST_etm_listing_config allocator
#define ETM_LAST_etm_listing_source name
#define ETM_LAST_etm_macrocell_config allocator
#define ETM_LAST_etm_macrocell_output trace_waits
#define ETM_LAST_etm_packet_decoder_config allocator
#define ETM_LAST_etm_point context_id_known
#define ETM_LAST_etm_port_config allocator
#define ETM_LAST_etm_portions element_size
#define ETM_LAST_etm_realigner_config allocator
#define ETM_LAST_etm_request stop_ice
#define ETM_LAST_etm_session_fallback profile
#define ETM_LAST_etm_session_options protocol_sure
#define ETM_LAST_etm_session_points packets
#define ETM_LAST_etm_session_run gap
#define ETM_LAST_etm_setup_script shared
#define ETM_LAST_etm_snapshot_buffer full_sync
#define ETM_LAST_etm_snapshot_core n_registers
#define ETM_LAST_etm_snapshot_source buffer
#define ETM_LAST_etm_snapshot_writer_config allocator
#define ETM_LAST_etm_trace_path read_out
#define ETM_LAST_etm_vcd_writer_config allocator

struct etm_sized {
    const char *name; /* of the struct */
    size_t first;     /* its size in the first version */
    size_t size;      /* in this version */
};

/* The size of a struct that ends with a member. */
#define ETM_SIZE_TO(type, last)                                                \
    ((offsetof(type, last) + sizeof((type *)NULL)->last + _Alignof(type) -     \
      1) /                                                                     \
     _Alignof(type) * _Alignof(type))
#define ETM_FIRST_SIZE(name) ETM_SIZE_TO_(struct name, ETM_LAST_##name)
#define ETM_SIZE_TO_(type, last) ETM_SIZE_TO(type, last)
#define ETM_SIZED(name)                                                        \
    (&(const struct etm_sized){"struct " #name, ETM_FIRST_SIZE(name),          \
                               sizeof(struct name)})

/*
 * Copy a struct of the caller's version: members that it does not have are
 * zero, those that this version does not have must be. `own` gets the size in
 * this version. ETM_ERR_ARGUMENT: none is given, or its size is that of no
 * struct; ETM_ERR_UNSUPPORTED: a member that this version does not have is set.
 * Then `own` is all zero.
 */
int etm_size_take(void *own, const void *given, const struct etm_sized *sized,
                  struct etm_diag *diag);
#define ETM_TAKE(name, own, given, diag)                                       \
    etm_size_take(1 ? (own) : (struct name *)NULL, given, ETM_SIZED(name), diag)

/*
 * The reverse: fill a caller's struct as far as its size says. No version had
 * less than the first, and beyond what this version has nothing is written, so
 * a size that was never set does no harm as long as both have the same version.
 */
void etm_size_give(void *given, const void *own, const struct etm_sized *sized);
#define ETM_GIVE(name, given, own)                                             \
    etm_size_give(given, 1 ? (own) : (struct name *)NULL, ETM_SIZED(name))

/* Copy an array of n structs to one in which they have another size. */
void etm_size_convert(void *to, size_t to_size, const void *from,
                      size_t from_size, size_t n);

#endif
