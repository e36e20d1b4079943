/* SPDX-License-Identifier: Apache-2.0 */
/* Types for the tests of src/input: members of what has no name, and pointers
 * to pointers. Made by ./types.sh. */
struct base {
    int first;
};

struct derived : base {
    struct {
        short low, high;
    };
    union {
        unsigned all;
        unsigned char bytes[4];
    };
    int last;
};

derived object;
int *******************************pointers_31;
int ********************************pointers_32;
void (*function)(int);
