/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as trace of which nothing is known: what is guessed can be
 * decoded, and registers for it say the same. */
#include "fuzz.h"

#include <etm/session.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const enum etm_protocol only =
        (enum etm_protocol)(take(&data, &size) % (ETM_PROTOCOL_PFT + 1));
    struct etm_session *session;
    struct etm_guess guess;
    struct etm_register registers[3];
    struct etm_config config = {0};
    enum etm_framing framing;
    size_t n;

    write_file("trace", data, size);
    if (etm_session_open(&session, in_directory("trace"), NULL, NULL) != ETM_OK)
        return 0;
    must(etm_session_guess_framing(session, 0, &framing) == ETM_OK);
    must(etm_session_guess(session, 0, only, &guess) == ETM_OK);
    n = etm_guess_registers(&guess, registers);
    if (guess.protocol != ETM_PROTOCOL_NONE)
        must(etm_config_check(&guess.config, NULL) == ETM_OK);
    if (n > 0)
        must(etm_config_from_registers(&config, guess.protocol, registers, n,
                                       NULL) == ETM_OK);
    etm_session_free(session);
    return 0;
}
