/* SPDX-License-Identifier: Apache-2.0 */
/* A program of the C library, as newlib's rdimon.specs links it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    char *text = malloc(64);

    if (text == NULL)
        return 2;
    strcpy(text, "hello");
    printf("%s, %d arguments: %s\n", text, argc, argc > 1 ? argv[1] : "none");
    free(text);
    return 7;
}
