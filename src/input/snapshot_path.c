/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files a snapshot may name. It may come from anybody, and what it names
 * is shown as trace or as code, so the files are those in its folder, and no
 * devices or pipes, which have no end, or for which one waits.
 */
#if defined(__unix__) || defined(__APPLE__)
#define _XOPEN_SOURCE 700
#define HAS_LINKS 1
#endif

#include "input/snapshot.h"

#include "input/text.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAS_LINKS
#include <sys/stat.h>
#endif

/* Does a name lead out of the folder by its words alone? */
static bool leads_out(const char *name)
{
    size_t depth = 0;

    if (name[0] == '/' || name[0] == '\\')
        return true;
    while (*name != '\0') {
        size_t n = strcspn(name, "/\\");

        if (n == 2 && name[0] == '.' && name[1] == '.') {
            if (depth-- == 0)
                return true;
        } else if (n != 0 && !(n == 1 && name[0] == '.')) {
            depth++;
        }
        name += n + strspn(name + n, "/\\");
    }
    return false;
}

#ifdef HAS_LINKS
char *etm_snapshot_root(const struct etm_allocator *allocator,
                        const char *directory)
{
    char *real = realpath(directory[0] != '\0' ? directory : ".", NULL);
    char *root = NULL;

    /* opening the snapshot says what is wrong with its folder */
    root = etm_text_copy(allocator, real != NULL ? real : directory,
                         strlen(real != NULL ? real : directory));
    free(real);
    return root;
}

/* Is a path that has no links any more below the folder? */
static bool is_below(const char *root, const char *path)
{
    size_t n = strlen(root);

    while (n > 0 && root[n - 1] == '/')
        n--;
    return strncmp(path, root, n) == 0 && path[n] == '/';
}

static bool is_outside(const char *root, const char *path, const char *name)
{
    char *real = realpath(path, NULL);
    bool outside = real != NULL ? !is_below(root, real) : leads_out(name);

    free(real);
    return outside;
}

static bool is_special(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) &&
           !S_ISDIR(info.st_mode);
}
#else
char *etm_snapshot_root(const struct etm_allocator *allocator,
                        const char *directory)
{
    return etm_text_copy(allocator, directory, strlen(directory));
}

static bool is_outside(const char *root, const char *path, const char *name)
{
    (void)root;
    (void)path;
    return leads_out(name) || strchr(name, ':') != NULL;
}

static bool is_special(const char *path)
{
    (void)path;
    return false;
}
#endif

/* Remember the path that was checked last. */
static int pass(struct etm_snapshot *snapshot, const char *path)
{
    const struct etm_allocator *a = &snapshot->capture->allocator;

    etm_alloc_free(a, snapshot->passed);
    snapshot->passed = etm_text_copy(a, path, strlen(path));
    return snapshot->passed != NULL ? ETM_OK : ETM_ERR_MEMORY;
}

int etm_snapshot_path(struct etm_snapshot *snapshot, const char *where,
                      uint64_t line, const char *name, char **path)
{
    const char *what = NULL;

    *path =
        etm_text_path(&snapshot->capture->allocator, snapshot->directory, name);
    if (*path == NULL)
        return ETM_ERR_MEMORY;
    if (snapshot->passed != NULL && strcmp(snapshot->passed, *path) == 0)
        return ETM_OK; /* a recorded log has 100,000 pieces in one file */
    if (is_special(*path))
        what = "a device, a pipe or a socket";
    else if (!snapshot->outside && is_outside(snapshot->root, *path, name))
        what = "outside of the snapshot's folder (--allow-outside permits it)";
    if (what == NULL && pass(snapshot, *path) == ETM_OK)
        return ETM_OK;
    etm_alloc_free(&snapshot->capture->allocator, *path);
    *path = NULL;
    if (what == NULL)
        return ETM_ERR_MEMORY;
    return etm_text_fail(&snapshot->diag, ETM_ERR_IO, where, line,
                         "cannot read the file %.120s: it is %s", name, what);
}
