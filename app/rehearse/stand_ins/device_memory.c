/* The addresses of each device, and how much of its memory is in use. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "app/rehearse/stand_ins/range_table.h"
#include "app/rehearse/stand_ins/simulation.h"

typedef struct Device
{
    uintptr_t begin, end; /* its addresses */
    RangeTable taken; /* tag is a DeviceUse */
    size_t used_bytes;
    bool touched;
} Device;

static Device devices[kMaxDevices];
static RangeTable host_ranges; /* tag is 1 if the program allocated the memory itself */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int current;

static void reserveAddresses(void)
{
    /* Addresses cost nothing until they are mapped; expandable segments reserve more than the device has. */
    for (size_t each = (size_t)4 << 40; each >= (size_t)64 << 30; each /= 2) {
        const size_t all = each * (size_t)profile()->devices + kMemoryGranularity;
        void* place = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (place == MAP_FAILED)
            continue;
        const uintptr_t mask = kMemoryGranularity - 1;
        uintptr_t begin = ((uintptr_t)place + mask) & ~mask;
        for (int i = 0; i < profile()->devices; i++, begin += each) {
            devices[i].begin = begin;
            devices[i].end = begin + each;
        }
        return;
    }
    fprintf(stderr, "highwater: no addresses left for the memory of the simulated devices (ulimit -v?)\n");
    abort();
}

static Device* deviceAt(int index)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, reserveAddresses);
    return index >= 0 && index < profile()->devices ? &devices[index] : NULL;
}

int currentDevice(void)
{
    return current;
}

bool setCurrentDevice(int device)
{
    if (device < 0 || device >= profile()->devices)
        return false;
    current = device;
    return true;
}

static void touchLocked(Device* device)
{
    if (device && !device->touched) {
        device->touched = true;
        device->used_bytes += profile()->outside_bytes;
    }
}

void touchDevice(int device)
{
    pthread_mutex_lock(&lock);
    touchLocked(deviceAt(device));
    pthread_mutex_unlock(&lock);
}

bool hasContext(int device)
{
    pthread_mutex_lock(&lock);
    const Device* entry = deviceAt(device);
    const bool touched = entry && entry->touched;
    pthread_mutex_unlock(&lock);
    return touched;
}

static size_t wholePages(size_t bytes)
{
    const size_t mask = kMemoryGranularity - 1;
    return bytes > SIZE_MAX - mask ? 0 : (bytes + mask) & ~mask;
}

static bool hasRoom(const Device* device, size_t bytes)
{
    return bytes <= profile()->memory_bytes && device->used_bytes <= profile()->memory_bytes - bytes;
}

/* Chooses an address. The choice matters, since PyTorch prefers the lower of two blocks that fit equally
   well. */
static uintptr_t placeFor(const Device* device, size_t bytes)
{
    const Profile* gpu = profile();
    if (gpu->region_count == 0)
        return highestGap(&device->taken, device->begin, device->end, bytes);
    const size_t most = device->end - device->begin;
    for (int i = 0; i < gpu->region_count; i++) {
        const Region region = gpu->regions[i];
        const uintptr_t end = device->begin + (region.end < most ? region.end : most);
        const uintptr_t place
            = region.begin < most ? lowestGap(&device->taken, device->begin + region.begin, end, bytes) : 0;
        if (place)
            return place;
    }
    return 0;
}

static void* takeLocked(Device* device, size_t bytes, DeviceUse use)
{
    touchLocked(device);
    if (!device || bytes == 0 || (use == kCounted && !hasRoom(device, bytes)))
        return NULL;
    const uintptr_t place = placeFor(device, bytes);
    if (!place || !insertRange(&device->taken, (Range){place, bytes, use, NULL}))
        return NULL;
    if (use == kCounted)
        device->used_bytes += bytes;
    return (void*)place;
}

void* allocateAddresses(int device, size_t bytes, DeviceUse use)
{
    pthread_mutex_lock(&lock);
    void* place = takeLocked(deviceAt(device), wholePages(bytes), use);
    pthread_mutex_unlock(&lock);
    return place;
}

int deviceOfAddress(const void* address)
{
    deviceAt(0);
    const uintptr_t place = (uintptr_t)address;
    for (int i = 0; i < profile()->devices; i++)
        if (place >= devices[i].begin && place < devices[i].end)
            return i;
    return -1;
}

bool releaseAddresses(void* begin, DeviceUse use)
{
    Device* device = deviceAt(deviceOfAddress(begin));
    if (!device)
        return false;
    pthread_mutex_lock(&lock);
    Range* range = rangeAround(&device->taken, (uintptr_t)begin);
    const bool found = range && range->begin == (uintptr_t)begin && range->tag == (int)use;
    if (found) {
        if (use == kCounted)
            device->used_bytes -= range->bytes;
        removeRange(&device->taken, range);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

bool allocateBytes(int device, size_t bytes)
{
    pthread_mutex_lock(&lock);
    Device* entry = deviceAt(device);
    touchLocked(entry);
    const bool fits = entry && hasRoom(entry, bytes);
    if (fits)
        entry->used_bytes += bytes;
    pthread_mutex_unlock(&lock);
    return fits;
}

void releaseBytes(int device, size_t bytes)
{
    pthread_mutex_lock(&lock);
    Device* entry = deviceAt(device);
    if (entry)
        entry->used_bytes -= bytes < entry->used_bytes ? bytes : entry->used_bytes;
    pthread_mutex_unlock(&lock);
}

void memoryInfo(int device, size_t* free_bytes, size_t* total_bytes)
{
    /* A rehearsal without a limit has no true answer. PyTorch itself asks only when memory runs out. */
    if (profile()->memory_bytes >= (size_t)1 << 40)
        reportNote("? the command asked for the free memory and may adapt its sizes to the answer, so "
                   "rehearse it with one GPU");
    pthread_mutex_lock(&lock);
    const Device* entry = deviceAt(device);
    const size_t used = entry ? entry->used_bytes : 0;
    pthread_mutex_unlock(&lock);
    if (free_bytes)
        *free_bytes = profile()->memory_bytes - used;
    if (total_bytes)
        *total_bytes = profile()->memory_bytes;
}

bool allocationAround(const void* address, void** begin, size_t* bytes)
{
    const Device* device = deviceAt(deviceOfAddress(address));
    if (!device)
        return false;
    pthread_mutex_lock(&lock);
    const Range* range = rangeAround(&device->taken, (uintptr_t)address);
    if (range && begin)
        *begin = (void*)range->begin;
    if (range && bytes)
        *bytes = range->bytes;
    pthread_mutex_unlock(&lock);
    return range != NULL;
}

void rememberHostMemory(void* begin, size_t bytes, bool registered)
{
    pthread_mutex_lock(&lock);
    insertRange(&host_ranges, (Range){(uintptr_t)begin, bytes ? bytes : 1, registered, NULL});
    pthread_mutex_unlock(&lock);
}

bool forgetHostMemory(void* begin, bool registered)
{
    pthread_mutex_lock(&lock);
    Range* range = rangeAround(&host_ranges, (uintptr_t)begin);
    const bool found = range && range->begin == (uintptr_t)begin && (range->tag != 0) == registered;
    if (found)
        removeRange(&host_ranges, range);
    pthread_mutex_unlock(&lock);
    return found;
}

bool isPinnedHostMemory(const void* address)
{
    pthread_mutex_lock(&lock);
    const bool found = rangeAround(&host_ranges, (uintptr_t)address) != NULL;
    pthread_mutex_unlock(&lock);
    return found;
}
