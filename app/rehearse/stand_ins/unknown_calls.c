#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kMaxNames = 4096
};

static char* names[kMaxNames];
static size_t name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* True the first time for each text; false also if there are too many. */
static bool isNew(const char* name)
{
    for (size_t i = 0; i < name_count; i++)
        if (strcmp(names[i], name) == 0)
            return false;
    if (name_count == kMaxNames || !(names[name_count] = strdup(name)))
        return false;
    name_count++;
    return true;
}

static void appendToFile(const char* line)
{
    const char* path = getenv("HIGHWATER_NOTES");
    const int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (file < 0)
        return;
    dprintf(file, "%s\n", line);
    close(file);
}

static bool isFirstTime(const char* name)
{
    pthread_mutex_lock(&lock);
    const bool is_new = isNew(name);
    pthread_mutex_unlock(&lock);
    return is_new;
}

void reportNote(const char* note)
{
    if (isFirstTime(note))
        appendToFile(note);
}

void reportMissingDevice(int device, int devices)
{
    char text[96];
    snprintf(text, sizeof text,
        "! the command asked for cuda:%d, but only %d are simulated; --gpus N simulates more", device,
        devices);
    reportNote(text);
}

void reportUnknown(const char* name)
{
    if (!isFirstTime(name))
        return;
    fprintf(stderr, "highwater: Highwater does not simulate %s: the call fails\n", name);
    appendToFile(name);
}

long highwaterUnknownCall(const char* name, long error)
{
    reportUnknown(name);
    return error;
}

void* functionByName(const char* name)
{
    static void* self;
    if (!self) {
        Dl_info info;
        if (dladdr((void*)&highwaterUnknownCall, &info))
            self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
    return self ? dlsym(self, name) : NULL;
}

/* Functions for names that are only known at run time: each of them reports the name that it was given. */
enum
{
    kMaxLateNames = 64,
    kNotSupported = 801
};

static const char* late_names[kMaxLateNames];

#define LATE(n)                                                                                              \
    static int late##n(void)                                                                                 \
    {                                                                                                        \
        reportUnknown(late_names[0##n]);                                                                     \
        return kNotSupported;                                                                                \
    }
#define EIGHT(make, n) make(n##0) make(n##1) make(n##2) make(n##3) make(n##4) make(n##5) make(n##6) make(n##7)
/* clang-format off */
#define ALL(make) /* octal: 00 to 77 */ \
    EIGHT(make, 0) EIGHT(make, 1) EIGHT(make, 2) EIGHT(make, 3) \
    EIGHT(make, 4) EIGHT(make, 5) EIGHT(make, 6) EIGHT(make, 7)
/* clang-format on */
ALL(LATE)

#define ENTRY(n) late##n,
static int (*const late_functions[kMaxLateNames])(void) = {ALL(ENTRY)};

void* unknownFunction(const char* name)
{
    pthread_mutex_lock(&lock);
    int i = 0;
    while (i < kMaxLateNames && late_names[i] && strcmp(late_names[i], name) != 0)
        i++;
    if (i < kMaxLateNames && !late_names[i])
        late_names[i] = strdup(name);
    pthread_mutex_unlock(&lock);
    return i < kMaxLateNames ? (void*)late_functions[i] : NULL;
}
