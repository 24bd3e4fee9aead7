/* The runtime's functions about memory. */
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

/* Reports an allocation for which memory ran out, unless it is PyTorch's: its allocator records its own
   failures, and tries again after it has freed its cache. */
static void reportRefusal(const void* caller)
{
    Dl_info info;
    if (dladdr(caller, &info) && info.dli_fname && !strstr(info.dli_fname, "libc10")
        && !strstr(info.dli_fname, "libtorch"))
        reportNote("? memory ran out for an allocation that is not PyTorch's");
}

static CudaError allocate(void** result, size_t bytes, const void* caller)
{
    *result = NULL;
    touchDevice(currentDevice());
    if (bytes == 0)
        return kCudaSuccess;
    *result = allocateAddresses(currentDevice(), bytes, kCounted);
    if (*result)
        return kCudaSuccess;
    reportRefusal(caller);
    return failWith(kCudaOutOfMemory);
}

STAND_IN CudaError cudaMalloc(void** result, size_t bytes)
{
    return allocate(result, bytes, __builtin_return_address(0));
}

STAND_IN CudaError cudaFree(void* begin)
{
    void* start = NULL;
    size_t bytes = 0;
    touchDevice(currentDevice());
    if (!begin)
        return kCudaSuccess;
    if (allocationAround(begin, &start, &bytes) && start == begin)
        forgetBytes(begin, bytes);
    return releaseAddresses(begin, kCounted) ? kCudaSuccess : failWith(kCudaInvalidValue);
}

STAND_IN CudaError cudaMallocAsync(void** result, size_t bytes, void* stream)
{
    (void)stream;
    return allocate(result, bytes, __builtin_return_address(0));
}

STAND_IN CudaError cudaFreeAsync(void* begin, void* stream)
{
    (void)stream;
    return cudaFree(begin);
}

STAND_IN CudaError cudaMallocManaged(void** result, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(result, bytes, __builtin_return_address(0));
}

STAND_IN CudaError cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes)
{
    touchDevice(currentDevice());
    memoryInfo(currentDevice(), free_bytes, total_bytes);
    return kCudaSuccess;
}

STAND_IN CudaError cudaHostAlloc(void** result, size_t bytes, unsigned flags)
{
    (void)flags;
    if (posix_memalign(result, 4096, bytes ? bytes : 1) != 0)
        return failWith(kCudaOutOfMemory);
    rememberHostMemory(*result, bytes, false);
    return kCudaSuccess;
}

STAND_IN CudaError cudaMallocHost(void** result, size_t bytes)
{
    return cudaHostAlloc(result, bytes, 0);
}

STAND_IN CudaError cudaFreeHost(void* begin)
{
    if (!begin)
        return kCudaSuccess;
    if (!forgetHostMemory(begin, false))
        return failWith(kCudaInvalidValue);
    free(begin);
    return kCudaSuccess;
}

STAND_IN CudaError cudaHostRegister(void* begin, size_t bytes, unsigned flags)
{
    (void)flags;
    rememberHostMemory(begin, bytes, true);
    return kCudaSuccess;
}

STAND_IN CudaError cudaHostUnregister(void* begin)
{
    return forgetHostMemory(begin, true) ? kCudaSuccess : failWith(713); /* not registered */
}

STAND_IN CudaError cudaHostGetDevicePointer(void** result, void* host, unsigned flags)
{
    (void)flags;
    *result = host;
    return kCudaSuccess;
}

STAND_IN CudaError cudaPointerGetAttributes(PointerAttributes* result, const void* pointer)
{
    const int device = deviceOfAddress(pointer);
    *result = (PointerAttributes){.device = -1};
    if (device >= 0) {
        *result = (PointerAttributes){.type = 2, .device = device, .device_pointer = (void*)pointer};
    } else if (isPinnedHostMemory(pointer)) {
        *result = (PointerAttributes){.type = 1, .device = currentDevice(), .device_pointer = (void*)pointer};
        result->host_pointer = (void*)pointer;
    } else {
        result->host_pointer = (void*)pointer;
    }
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemcpy(void* target, const void* source, size_t bytes, int kind)
{
    (void)kind;
    copyBytes(target, source, bytes);
    waitForStream(streamOf(NULL));
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemcpyAsync(void* target, const void* source, size_t bytes, int kind, void* stream)
{
    (void)kind;
    copyBytes(target, source, bytes);
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemcpyPeerAsync(
    void* target, int to_device, const void* source, int from_device, size_t bytes, void* stream)
{
    (void)to_device, (void)from_device;
    return cudaMemcpyAsync(target, source, bytes, 3, stream);
}

STAND_IN CudaError cudaMemcpyPeer(
    void* target, int to_device, const void* source, int from_device, size_t bytes)
{
    (void)to_device, (void)from_device;
    return cudaMemcpy(target, source, bytes, 3);
}

STAND_IN CudaError cudaMemcpy2DAsync(void* target, size_t to_pitch, const void* source, size_t from_pitch,
    size_t width, size_t height, int kind, void* stream)
{
    (void)kind;
    for (size_t row = 0; row < height; row++)
        copyBytes((char*)target + row * to_pitch, (const char*)source + row * from_pitch, width);
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemset(void* target, int value, size_t bytes)
{
    setBytes(target, value, bytes);
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemsetAsync(void* target, int value, size_t bytes, void* stream)
{
    setBytes(target, value, bytes);
    launchOn(stream);
    return kCudaSuccess;
}

/* Pools of cudaMallocAsync: there is one per device, and it keeps nothing. */
STAND_IN CudaError cudaDeviceGetDefaultMemPool(void** pool, int device)
{
    static char pools[kMaxDevices];
    *pool = &pools[device >= 0 && device < kMaxDevices ? device : 0];
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemPoolGetAttribute(void* pool, int attribute, void* value)
{
    (void)pool;
    /* The first three are ints, the others are byte counts. */
    memset(value, 0, attribute <= 3 ? sizeof(int) : sizeof(unsigned long long));
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemPoolSetAttribute(void* pool, int attribute, void* value)
{
    (void)pool, (void)attribute, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemPoolSetAccess(void* pool, const void* access, size_t count)
{
    (void)pool, (void)access, (void)count;
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemPoolTrimTo(void* pool, size_t bytes)
{
    (void)pool, (void)bytes;
    return kCudaSuccess;
}

/* Variables of kernels: nothing reads values that are written to them. */
STAND_IN CudaError cudaGetSymbolAddress(void** result, const void* symbol)
{
    *result = (void*)symbol;
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemcpyToSymbol(
    const void* symbol, const void* source, size_t bytes, size_t offset, int kind)
{
    (void)symbol, (void)source, (void)bytes, (void)offset, (void)kind;
    return kCudaSuccess;
}

STAND_IN CudaError cudaMemcpyToSymbolAsync(
    const void* symbol, const void* source, size_t bytes, size_t offset, int kind, void* stream)
{
    launchOn(stream);
    return cudaMemcpyToSymbol(symbol, source, bytes, offset, kind);
}

STAND_IN CudaError cudaMemcpyFromSymbol(
    void* target, const void* symbol, size_t bytes, size_t offset, int kind)
{
    (void)symbol, (void)offset, (void)kind;
    memset(target, 0, bytes);
    return kCudaSuccess;
}
