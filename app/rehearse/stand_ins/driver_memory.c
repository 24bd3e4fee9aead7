/* The driver's virtual memory: reserved addresses, physical memory, and the mappings between them. */
#include <pthread.h>
#include <stdlib.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/range_table.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

typedef unsigned long long DevicePointer;
typedef unsigned long long MemoryHandle;

/* CUmemAllocationProp, as far as it is used. */
typedef struct AllocationProperties
{
    int type;
    int handle_types;
    int location_type; /* 1: a device */
    int location;
    void* win32;
    unsigned char flags[8];
} AllocationProperties;

typedef struct Physical
{
    AllocationProperties properties;
    size_t bytes;
    int holders; /* the handle and each mapping */
} Physical;

static RangeTable mappings; /* owner is a Physical */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void dropLocked(Physical* physical)
{
    if (--physical->holders > 0)
        return;
    releaseBytes(physical->properties.location, physical->bytes);
    free(physical);
}

STAND_IN CudaError cuMemGetAllocationGranularity(size_t* bytes, const AllocationProperties* p, int option)
{
    (void)p, (void)option;
    *bytes = kMemoryGranularity;
    return kCudaSuccess;
}

STAND_IN CudaError cuMemAddressReserve(
    DevicePointer* target, size_t bytes, size_t alignment, DevicePointer wanted, unsigned long long flags)
{
    (void)wanted, (void)flags;
    if (bytes == 0 || bytes % kMemoryGranularity || alignment > kMemoryGranularity)
        return kCudaInvalidValue;
    *target = (DevicePointer)(uintptr_t)allocateAddresses(currentDevice(), bytes, kAddressesOnly);
    return *target ? kCudaSuccess : kCudaOutOfMemory;
}

STAND_IN CudaError cuMemAddressFree(DevicePointer begin, size_t bytes)
{
    void* place = NULL;
    size_t reserved = 0;
    if (!allocationAround((void*)(uintptr_t)begin, &place, &reserved) || (uintptr_t)place != begin
        || reserved != bytes)
        return kCudaInvalidValue;
    return releaseAddresses(place, kAddressesOnly) ? kCudaSuccess : kCudaInvalidValue;
}

STAND_IN CudaError cuMemCreate(
    MemoryHandle* result, size_t bytes, const AllocationProperties* properties, unsigned long long flags)
{
    (void)flags;
    if (bytes == 0 || bytes % kMemoryGranularity)
        return kCudaInvalidValue;
    const bool on_device = properties->location_type == 1;
    if (on_device && !allocateBytes(properties->location, bytes))
        return kCudaOutOfMemory;
    Physical* physical = calloc(1, sizeof *physical);
    if (!physical)
        return kCudaOutOfMemory;
    physical->properties = *properties;
    physical->bytes = bytes;
    physical->holders = 1;
    if (!on_device)
        physical->properties.location = -1;
    *result = (MemoryHandle)(uintptr_t)physical;
    return kCudaSuccess;
}

STAND_IN CudaError cuMemRelease(MemoryHandle handle)
{
    if (!handle)
        return kCudaInvalidValue;
    pthread_mutex_lock(&lock);
    dropLocked((Physical*)(uintptr_t)handle);
    pthread_mutex_unlock(&lock);
    return kCudaSuccess;
}

/* Maps memory. Fails unless the addresses are reserved and nothing is mapped there. */
static CudaError mapLocked(uintptr_t begin, size_t bytes, Physical* physical)
{
    void* place = NULL;
    size_t reserved = 0;
    if (!allocationAround((void*)begin, &place, &reserved) || begin - (uintptr_t)place > reserved
        || bytes > reserved - (begin - (uintptr_t)place))
        return kCudaInvalidValue;
    if (!insertRange(&mappings, (Range){begin, bytes, 0, physical}))
        return kCudaInvalidValue;
    physical->holders++;
    return kCudaSuccess;
}

STAND_IN CudaError cuMemMap(
    DevicePointer begin, size_t bytes, size_t offset, MemoryHandle handle, unsigned long long flags)
{
    (void)flags;
    Physical* physical = (Physical*)(uintptr_t)handle;
    if (!physical || offset != 0 || bytes != physical->bytes)
        return kCudaInvalidValue;
    pthread_mutex_lock(&lock);
    const CudaError error = mapLocked((uintptr_t)begin, bytes, physical);
    pthread_mutex_unlock(&lock);
    return error;
}

/* Returns true if mappings tile the range without a gap and without extending past its ends. */
static bool isTiledLocked(uintptr_t begin, size_t bytes)
{
    const uintptr_t end = begin + bytes;
    while (begin < end) {
        const Range* range = rangeAround(&mappings, begin);
        if (!range || range->begin != begin || range->bytes > end - begin)
            return false;
        begin += range->bytes;
    }
    return bytes > 0;
}

STAND_IN CudaError cuMemUnmap(DevicePointer begin, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const bool tiled = isTiledLocked((uintptr_t)begin, bytes);
    for (uintptr_t place = (uintptr_t)begin; tiled && place < begin + bytes;) {
        Range* range = rangeAround(&mappings, place);
        place += range->bytes;
        dropLocked(range->owner);
        removeRange(&mappings, range);
    }
    pthread_mutex_unlock(&lock);
    if (tiled)
        forgetBytes((void*)(uintptr_t)begin, bytes);
    return tiled ? kCudaSuccess : kCudaInvalidValue;
}

STAND_IN CudaError cuMemSetAccess(DevicePointer begin, size_t bytes, const void* access, size_t count)
{
    (void)access, (void)count;
    pthread_mutex_lock(&lock);
    const bool tiled = isTiledLocked((uintptr_t)begin, bytes);
    pthread_mutex_unlock(&lock);
    return tiled ? kCudaSuccess : kCudaInvalidValue;
}

STAND_IN CudaError cuMemRetainAllocationHandle(MemoryHandle* result, void* address)
{
    pthread_mutex_lock(&lock);
    const Range* range = rangeAround(&mappings, (uintptr_t)address);
    Physical* physical = range ? range->owner : NULL;
    if (physical)
        physical->holders++;
    pthread_mutex_unlock(&lock);
    *result = (MemoryHandle)(uintptr_t)physical;
    return physical ? kCudaSuccess : kCudaInvalidValue;
}

STAND_IN CudaError cuMemGetAllocationPropertiesFromHandle(AllocationProperties* target, MemoryHandle handle)
{
    if (!handle)
        return kCudaInvalidValue;
    *target = ((const Physical*)(uintptr_t)handle)->properties;
    return kCudaSuccess;
}

STAND_IN CudaError cuMemGetAddressRange_v2(DevicePointer* begin, size_t* bytes, DevicePointer address)
{
    void* place = NULL;
    if (!allocationAround((void*)(uintptr_t)address, &place, bytes))
        return kCudaInvalidValue;
    if (begin)
        *begin = (DevicePointer)(uintptr_t)place;
    return kCudaSuccess;
}

STAND_IN CudaError cuMemGetAddressRange(DevicePointer* begin, size_t* bytes, DevicePointer address)
{
    return cuMemGetAddressRange_v2(begin, bytes, address);
}

STAND_IN CudaError cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes)
{
    touchDevice(currentDevice());
    memoryInfo(currentDevice(), free_bytes, total_bytes);
    return kCudaSuccess;
}

STAND_IN CudaError cuMemsetD32Async(DevicePointer target, unsigned value, size_t count, void* stream)
{
    for (size_t i = 0; i < count && i < 64; i++)
        copyBytes((char*)(uintptr_t)target + i * sizeof value, &value, sizeof value);
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cuStreamWriteValue32(void* stream, DevicePointer target, unsigned value, unsigned flags)
{
    (void)flags;
    return cuMemsetD32Async(target, value, 1, stream);
}

/* Memory cannot be shared between processes: each of them simulates devices of its own. */
STAND_IN CudaError cuMemExportToShareableHandle(
    void* target, MemoryHandle handle, int type, unsigned long long flags)
{
    (void)target, (void)handle, (void)type, (void)flags;
    return kCudaNotSupported;
}

STAND_IN CudaError cuMemImportFromShareableHandle(MemoryHandle* result, void* handle, int type)
{
    (void)result, (void)handle, (void)type;
    return kCudaNotSupported;
}

STAND_IN CudaError cuMulticastCreate(MemoryHandle* result, const void* properties)
{
    (void)result, (void)properties;
    return kCudaNotSupported;
}

STAND_IN CudaError cuMulticastAddDevice(MemoryHandle handle, int device)
{
    (void)handle, (void)device;
    return kCudaNotSupported;
}

STAND_IN CudaError cuMulticastBindMem(MemoryHandle multicast, size_t place, MemoryHandle memory,
    size_t source, size_t bytes, unsigned long long flags)
{
    (void)multicast, (void)place, (void)memory, (void)source, (void)bytes, (void)flags;
    return kCudaNotSupported;
}

STAND_IN CudaError cuMulticastUnbind(MemoryHandle multicast, int device, size_t place, size_t bytes)
{
    (void)multicast, (void)device, (void)place, (void)bytes;
    return kCudaNotSupported;
}
