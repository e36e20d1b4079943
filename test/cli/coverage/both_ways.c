/* SPDX-License-Identifier: Apache-2.0 */
/* Code whose counts are those of gcov, line by line, built without optimization
 * for an Arm processor and for the machine that tests. */
struct point {
    int x, y;
};

static int numbers[10] = {5, 3, 8, 1, 9, 2, 7, 4, 6, 0};
static int calls;

static int square(int n)
{
    calls++;
    return n * n;
}

static int sign(int n)
{
    if (n > 0)
        return 1;
    else if (n < 0)
        return -1;
    return 0;
}

static int never_called(int n)
{
    if (n != 0)
        n++;
    return n;
}

static int both(int a, int b)
{
    int n = 0;

    if (a > 2 && b > 2)
        n++;
    if (a > 8 || b > 8)
        n += 2;
    return n;
}

static int kind(int n)
{
    switch (n) {
    case 0:
        return 10;
    case 1:
    case 2:
        return 20;
    case 100:
        return 30;
    default:
        break;
    }
    return 40;
}

static int table(int n)
{
    int result = 0;

    switch (n) {
    case 0:
        result = 3;
        break;
    case 1:
        result = 1;
        break;
    case 2:
        result = 4;
        break;
    case 3:
        result = 1;
        break;
    case 4:
        result = 5;
        break;
    case 5:
        result = 9;
        break;
    }
    return result;
}

static int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static void sort(int *first, int n)
{
    for (int i = 1; i < n; i++) {
        int value = first[i];
        int at = i;

        while (at > 0 && first[at - 1] > value) {
            first[at] = first[at - 1];
            at--;
        }
        first[at] = value;
    }
}

static int until(int limit)
{
    int sum = 0;

    for (int i = 0;; i++) {
        if (i == limit)
            break;
        if (i % 3 == 0)
            continue;
        sum += i;
    }
    do {
        sum--;
    } while (sum > 10);
    return sum;
}

static int length(const char *text)
{
    const char *end = text;

    while (*end) end++;
    return (int)(end - text);
}

static int in_one_line(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) sum += i;
    for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) sum ^= j;
    return sum;
}

static struct point moved(struct point from, int by)
{
    return (struct point){from.x + by,
                          from.y - by};
}

static int with_goto(int n)
{
again:
    if (n > 10) {
        n -= 3;
        goto again;
    }
    return n;
}

static int (*const steps[3])(int) = {square, sign, factorial};

int main(void)
{
    struct point p = {1, 2};
    unsigned long long wide = 0;
    int sum = 0;

    for (int i = -2; i < 5; i++)
        sum += sign(i) + square(i);
    for (int i = 0; i < 10; i += 3)
        for (int j = 0; j < 10; j += 3)
            sum += both(i, j);
    for (int i = 0; i < 4; i++)
        sum += kind(i) + table(i);
    sum += factorial(5);
    sort(numbers, 10);
    sum += until(9) + length("a text") + in_one_line(4);
    p = moved(p,
              sum > 3 ? 1 : 2);
    for (int i = 0; i < 3; i++)
        sum += steps[i](3);
    if (sum == -1)
        sum += never_called(sum);
    wide += (unsigned)sum;
    wide *= 3;
    sum += with_goto(20) + p.x + (int)(wide & 1);
    return sum > 0 ? 0
                   : 1;
}
