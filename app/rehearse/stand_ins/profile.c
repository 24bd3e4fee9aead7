#include "app/rehearse/stand_ins/simulation.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static Profile the_profile = {
    .name = "Simulated GPU",
    .devices = 1,
    .cuda_version = 12040,
    .major = 8,
    .minor = 0,
    .ptx_version = 80,
    .multiprocessors = 108,
    .threads_per_multiprocessor = 2048,
    .blocks_per_multiprocessor = 32,
    .registers_per_multiprocessor = 65536,
    .shared_per_multiprocessor = 164 << 10,
    .shared_per_block_optin = 163 << 10,
    .l2_bytes = 40 << 20,
    .clock_khz = 1410000,
    .memory_clock_khz = 1215000,
    .memory_bus_bits = 5120,
    .cudnn_version = 90100,
    .nccl_version = 22105,
    .memory_bytes = (size_t)16 << 30,
};

typedef struct Field
{
    const char* key;
    int* value;
} Field;

/* Parses "0-fffff,…": hexadecimal offsets from the device's first address. */
static void setRegions(const char* text)
{
    char* end = (char*)text;
    the_profile.region_count = 0;
    while (*text && the_profile.region_count < kMaxRegions) {
        Region region;
        region.begin = (size_t)strtoull(text, &end, 16);
        if (*end != '-')
            return;
        region.end = (size_t)strtoull(end + 1, &end, 16);
        the_profile.regions[the_profile.region_count++] = region;
        text = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return;
    }
}

static void setField(const char* key, const char* value)
{
    const Field fields[] = {
        {"devices", &the_profile.devices},
        {"cuda", &the_profile.cuda_version},
        {"major", &the_profile.major},
        {"minor", &the_profile.minor},
        {"ptx", &the_profile.ptx_version},
        {"multiprocessors", &the_profile.multiprocessors},
        {"threads_per_multiprocessor", &the_profile.threads_per_multiprocessor},
        {"blocks_per_multiprocessor", &the_profile.blocks_per_multiprocessor},
        {"shared_per_multiprocessor", &the_profile.shared_per_multiprocessor},
        {"shared_per_block", &the_profile.shared_per_block_optin},
        {"l2", &the_profile.l2_bytes},
        {"clock_khz", &the_profile.clock_khz},
        {"memory_clock_khz", &the_profile.memory_clock_khz},
        {"memory_bus_bits", &the_profile.memory_bus_bits},
        {"cudnn", &the_profile.cudnn_version},
        {"nccl", &the_profile.nccl_version},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcmp(key, fields[i].key) == 0)
            *fields[i].value = atoi(value);
    if (strcmp(key, "name") == 0)
        strncpy(the_profile.name, value, sizeof the_profile.name - 1);
    if (strcmp(key, "regions") == 0)
        setRegions(value);
    if (strcmp(key, "memory") == 0)
        the_profile.memory_bytes = (size_t)strtoull(value, NULL, 10);
    if (strcmp(key, "outside") == 0)
        the_profile.outside_bytes = (size_t)strtoull(value, NULL, 10);
    if (strcmp(key, "kernel_ns") == 0)
        the_profile.kernel_ns = strtoll(value, NULL, 10);
}

static void readProfile(void)
{
    const char* text = getenv("HIGHWATER_SIMULATED_GPU");
    char* copy = text ? strdup(text) : NULL;
    char* rest = copy;
    for (char* word; (word = strsep(&rest, ";")) != NULL;) {
        char* equals = strchr(word, '=');
        if (!equals)
            continue;
        *equals = '\0';
        setField(word, equals + 1);
    }
    free(copy);
    if (the_profile.devices < 0)
        the_profile.devices = 0;
    if (the_profile.devices > kMaxDevices)
        the_profile.devices = kMaxDevices;
    if (the_profile.outside_bytes > the_profile.memory_bytes)
        the_profile.outside_bytes = the_profile.memory_bytes;
}

const Profile* profile(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, readProfile);
    return &the_profile;
}

/* Hides devices that CUDA_VISIBLE_DEVICES does not name. Only their number matters, since all are alike.
   As on a GPU, the list ends at the first entry that names no device. */
static void hideDevices(void)
{
    profile();
    const char* list = getenv("CUDA_VISIBLE_DEVICES");
    if (!list)
        return;
    int count = 0;
    for (const char* entry = list;
         (*entry >= '0' && *entry <= '9') || !strncmp(entry, "GPU-", 4) || !strncmp(entry, "MIG-", 4);
         entry++) {
        count++;
        entry += strcspn(entry, ",");
        if (!*entry)
            break;
    }
    if (count == 0)
        reportNote("! CUDA_VISIBLE_DEVICES hides the simulated GPU");
    if (count < the_profile.devices)
        the_profile.devices = count;
}

int visibleDevices(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hideDevices);
    return the_profile.devices;
}

void highwaterSetPtxVersion(int version)
{
    profile();
    the_profile.ptx_version = version;
}
