/* The library is preloaded into every program that the rehearsed command starts, so that a Python which is
   started with another environment ("env -i", PYTHONPATH=src, subprocess with env=…) is rehearsed as well:
   the variables that lead Python to the rehearsal are restored in the environment of every program that a
   followed one becomes or starts. A program that imports PyTorch without the rehearsal, because Python was
   told to ignore the environment, is reported. */
#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/rehearse/stand_ins/simulation.h"

extern char** environ;

/* Variables with lists of paths, to which an entry is prepended, and plain variables. */
static const char* const kLists[] = {"LD_PRELOAD", "PYTHONPATH"};
static const char* const kPlain[] = {"HIGHWATER_REHEARSAL", "HIGHWATER_SIMULATED_GPU", "HIGHWATER_NOTES",
    "HIGHWATER_TELL_PYTHON", "HIGHWATER_PROCESS", "TRITON_LIBCUDA_PATH"};

enum
{
    kListCount = sizeof kLists / sizeof kLists[0],
    kPlainCount = sizeof kPlain / sizeof kPlain[0],
    kMaxEntries = 1 << 16
};

/* Values that this program found; null if it is not followed. */
static char* lists[kListCount];
static char* plain[kPlainCount];
static atomic_bool is_attached;

/* Returns the first entry of a list that this program found; later ones are the user's. */
static char* firstOf(const char* name)
{
    const char* const value = getenv(name);
    return value ? strndup(value, strcspn(value, ":")) : NULL;
}

static bool isFollowed(void)
{
    return lists[0] && lists[1];
}

static const char* valueIn(char* const* environment, const char* name)
{
    const size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

static bool startsWithEntry(const char* list, const char* entry)
{
    const size_t length = strlen(entry);
    return list && strncmp(list, entry, length) == 0 && (list[length] == '\0' || list[length] == ':');
}

static size_t countOf(char* const* environment)
{
    size_t count = 0;
    while (environment && environment[count] && count < kMaxEntries)
        count++;
    return count;
}

/* Returns the size of the text that `fill` needs. Between vfork and exec nothing may be allocated, so the
   caller provides the memory. */
static size_t bytesFor(char* const* environment)
{
    size_t bytes = 0;
    for (int i = 0; i < kListCount; i++) {
        const char* const old = valueIn(environment, kLists[i]);
        bytes += strlen(kLists[i]) + strlen(lists[i]) + (old ? strlen(old) : 0) + 4;
    }
    for (int i = 0; i < kPlainCount; i++)
        bytes += strlen(kPlain[i]) + (plain[i] ? strlen(plain[i]) : 0) + 4;
    return bytes + sizeof "HIGHWATER_FOLLOW=" + strlen(lists[1]);
}

static bool isReplaced(const char* entry, char* const* environment)
{
    for (int i = 0; i < kListCount; i++) {
        const size_t length = strlen(kLists[i]);
        if (strncmp(entry, kLists[i], length) == 0 && entry[length] == '=')
            return !startsWithEntry(valueIn(environment, kLists[i]), lists[i]);
    }
    return false;
}

static char* put(char** into, size_t* count, char* at, const char* name, const char* value, const char* rest)
{
    into[(*count)++] = at;
    const int written
        = rest && *rest ? sprintf(at, "%s=%s:%s", name, value, rest) : sprintf(at, "%s=%s", name, value);
    return at + written + 1;
}

/* Fills a new environment. `into` has room for all entries that may be added to the old ones, and `text`
   for as many bytes as `bytesFor` returns. */
static void fill(char** into, char* text, char* const* environment)
{
    size_t count = 0;
    for (size_t i = 0, old = countOf(environment); i < old; i++)
        if (!isReplaced(environment[i], environment))
            into[count++] = environment[i];
    for (int i = 0; i < kListCount; i++) {
        const char* const old = valueIn(environment, kLists[i]);
        if (!startsWithEntry(old, lists[i]))
            text = put(into, &count, text, kLists[i], lists[i], old);
    }
    for (int i = 0; i < kPlainCount; i++)
        if (plain[i] && !valueIn(environment, kPlain[i]))
            text = put(into, &count, text, kPlain[i], plain[i], NULL);
    if (!valueIn(environment, "HIGHWATER_FOLLOW"))
        text = put(into, &count, text, "HIGHWATER_FOLLOW", lists[1], NULL);
    into[count] = NULL;
}

/* Declares `followed`: a new environment on the caller's stack, or the old one if this program is not
   followed. */
#define FOLLOWED(environment)                                                                                \
    char* const* followed = (environment);                                                                   \
    if (isFollowed()) {                                                                                      \
        char** const entries = alloca((countOf(followed) + kListCount + kPlainCount + 2) * sizeof *entries); \
        fill(entries, alloca(bytesFor(followed)), followed);                                                 \
        followed = entries;                                                                                  \
    }

#define REAL(name)                                                                                           \
    static name##_t* real;                                                                                   \
    if (!real)                                                                                               \
        real = (name##_t*)dlsym(RTLD_NEXT, #name);                                                           \
    if (!real) {                                                                                             \
        errno = ENOSYS;                                                                                      \
        return -1;                                                                                           \
    }

typedef int execve_t(const char*, char* const*, char* const*);
typedef int execvpe_t(const char*, char* const*, char* const*);
typedef int posix_spawn_t(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
    char* const*, char* const*);
typedef posix_spawn_t posix_spawnp_t;

STAND_IN int execve(const char* path, char* const argv[], char* const envp[])
{
    REAL(execve)
    FOLLOWED(envp)
    return real(path, argv, followed);
}

STAND_IN int execvpe(const char* file, char* const argv[], char* const envp[])
{
    REAL(execvpe)
    FOLLOWED(envp)
    return real(file, argv, followed);
}

STAND_IN int execv(const char* path, char* const argv[])
{
    return execve(path, argv, environ);
}

STAND_IN int execvp(const char* file, char* const argv[])
{
    return execvpe(file, argv, environ);
}

STAND_IN int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
    const posix_spawnattr_t* attributes, char* const argv[], char* const envp[])
{
    REAL(posix_spawn)
    FOLLOWED(envp)
    return real(pid, path, actions, attributes, argv, followed);
}

STAND_IN int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
    const posix_spawnattr_t* attributes, char* const argv[], char* const envp[])
{
    REAL(posix_spawnp)
    FOLLOWED(envp)
    return real(pid, file, actions, attributes, argv, followed);
}

/* Called by the rehearsal's Python before it lets PyTorch be imported. */
STAND_IN void highwaterAttached(void)
{
    is_attached = true;
}

static int findTorch(struct dl_phdr_info* library, size_t size, void* found)
{
    (void)size;
    if (library->dlpi_name && strstr(library->dlpi_name, "libc10_cuda"))
        *(bool*)found = true;
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char* const own = getenv("HIGHWATER_FOLLOW");
    if (!own)
        return;
    for (int i = 0; i < kPlainCount; i++)
        plain[i] = getenv(kPlain[i]) ? strdup(getenv(kPlain[i])) : NULL;
    lists[0] = firstOf("LD_PRELOAD");
    lists[1] = strdup(own);
}

__attribute__((destructor)) static void end(void)
{
    bool has_torch = false;
    if (!isFollowed() || is_attached)
        return;
    dl_iterate_phdr(findTorch, &has_torch);
    if (!has_torch)
        return;
    char text[96];
    snprintf(text, sizeof text,
        "? process %d imported PyTorch outside of the rehearsal: what it did is not judged", (int)getpid());
    reportNote(text);
}
