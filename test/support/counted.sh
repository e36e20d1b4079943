# SPDX-License-Identifier: Apache-2.0
# A recording with cycle counts, which the demos do not have. To be sourced,
# with $etm set.

# In the current folder: a loop of a Cortex-R4, as the snapshot `counted`, with
# more arguments for etm record.
record_counted() { # ARGUMENT...
    awk 'BEGIN { print "version 1\nplace 00008000"
        for (i = 0; i < 300; i++)
            print "00008000 e3a00003\n00008004 e2500001 +4\n" \
                "00008008 1afffffd\n00008004 e2500001\n00008008 1afffffd\n" \
                "00008004 e2500001 +3\n00008008 1afffffd fail\n" \
                "0000800c eafffffb" }' >loop.log
    "$etm" record --execution loop.log --core cortex-r4 --cycle-accurate \
        --sync 150 "$@" -o counted >out 2>err
}
