/* The runtime's functions about devices and errors. */
#include <stdio.h>
#include <string.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

static __thread CudaError last_error;

CudaError failWith(CudaError error)
{
    last_error = error;
    return error;
}

STAND_IN CudaError cudaGetLastError(void)
{
    const CudaError error = last_error;
    last_error = kCudaSuccess;
    return error;
}

STAND_IN CudaError cudaPeekAtLastError(void)
{
    return last_error;
}

STAND_IN const char* cudaGetErrorString(CudaError error)
{
    switch (error) {
    case kCudaSuccess: return "no error";
    case kCudaInvalidValue: return "invalid argument";
    case kCudaOutOfMemory: return "out of memory";
    case kCudaInvalidDevice: return "invalid device ordinal";
    case kCudaNotReady: return "device not ready";
    case kCudaNotSupported: return "operation not supported by the simulated GPU";
    default: return "error of the simulated GPU";
    }
}

STAND_IN const char* cudaGetErrorName(CudaError error)
{
    switch (error) {
    case kCudaSuccess: return "cudaSuccess";
    case kCudaInvalidValue: return "cudaErrorInvalidValue";
    case kCudaOutOfMemory: return "cudaErrorMemoryAllocation";
    case kCudaInvalidDevice: return "cudaErrorInvalidDevice";
    case kCudaNotReady: return "cudaErrorNotReady";
    case kCudaNotSupported: return "cudaErrorNotSupported";
    default: return "cudaErrorUnknown";
    }
}

STAND_IN CudaError cudaGetDeviceCount(int* count)
{
    *count = visibleDevices();
    return *count ? kCudaSuccess : failWith(100); /* cudaErrorNoDevice */
}

STAND_IN CudaError cudaGetDevice(int* device)
{
    *device = currentDevice();
    return kCudaSuccess;
}

STAND_IN CudaError cudaSetDevice(int device)
{
    if (!setCurrentDevice(device)) {
        reportMissingDevice(device, visibleDevices());
        return failWith(kCudaInvalidDevice);
    }
    touchDevice(device);
    return kCudaSuccess;
}

STAND_IN CudaError cudaDriverGetVersion(int* version)
{
    *version = profile()->cuda_version;
    return kCudaSuccess;
}

STAND_IN CudaError cudaRuntimeGetVersion(int* version)
{
    *version = profile()->cuda_version;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceSynchronize(void)
{
    waitForDevice(currentDevice());
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceReset(void)
{
    return kCudaSuccess;
}

STAND_IN CudaError cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceGetPCIBusId(char* text, int bytes, int device)
{
    snprintf(text, (size_t)bytes, "0000:%02x:00.0", device + 1);
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceGetStreamPriorityRange(int* least, int* greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceCanAccessPeer(int* can, int device, int peer)
{
    (void)device, (void)peer;
    *can = 0;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return failWith(217); /* cudaErrorPeerAccessUnsupported */
}

STAND_IN CudaError cudaDeviceSetLimit(int limit, size_t value)
{
    (void)limit, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceGetLimit(size_t* value, int limit)
{
    (void)limit;
    *value = 0;
    return kCudaSuccess;
}

STAND_IN CudaError cudaCtxResetPersistingL2Cache(void)
{
    return kCudaSuccess;
}

STAND_IN CudaError cudaProfilerStart(void)
{
    return kCudaSuccess;
}

STAND_IN CudaError cudaProfilerStop(void)
{
    return kCudaSuccess;
}

/* Returns an attribute by its number in cudaDeviceAttr, which is the same in CUdevice_attribute. */
int deviceAttribute(int attribute, int device)
{
    const Profile* p = profile();
    switch (attribute) {
    case 1: return 1024; /* threads per block */
    case 2:
    case 3: return 1024; /* block x, y */
    case 4: return 64; /* block z */
    case 5: return 2147483647; /* grid x */
    case 6:
    case 7: return 65535;
    case 8: return 48 << 10; /* shared memory per block */
    case 9: return 64 << 10; /* constant memory */
    case 10: return 32; /* warp */
    case 11: return 2147483647; /* pitch */
    case 12: return p->registers_per_multiprocessor; /* per block */
    case 13: return p->clock_khz;
    case 14: return 512; /* texture alignment */
    case 15:
    case 19:
    case 31: return 1; /* overlap, host memory mapped, concurrent kernels */
    case 16: return p->multiprocessors;
    case 33: return device + 1; /* PCI bus */
    case 36: return p->memory_clock_khz;
    case 37: return p->memory_bus_bits;
    case 38: return p->l2_bytes;
    case 39: return p->threads_per_multiprocessor;
    case 40: return 2; /* copy engines */
    case 41: return 1; /* unified addressing */
    case 75: return p->major;
    case 76: return p->minor;
    case 78:
    case 79:
    case 80: return 1; /* stream priorities, L1 caches */
    case 81: return p->shared_per_multiprocessor;
    case 82: return p->registers_per_multiprocessor;
    case 83:
    case 90:
    case 91:
    case 95: return 1; /* managed memory, preemption, host pointers, cooperative */
    case 97: return p->shared_per_block_optin;
    case 99: return 1; /* host memory can be registered */
    case 102: return 1; /* virtual memory management */
    case 106: return p->blocks_per_multiprocessor;
    case 111: return p->major >= 8 ? 1024 : 0; /* shared memory that a block cannot use */
    case 115: return 1; /* memory pools */
    case 120: return p->major >= 9; /* clusters */
    default: return 0;
    }
}

STAND_IN CudaError cudaDeviceGetAttribute(int* value, int attribute, int device)
{
    if (device < 0 || device >= profile()->devices)
        return failWith(kCudaInvalidDevice);
    *value = deviceAttribute(attribute, device);
    return kCudaSuccess;
}

void fillUuid(unsigned char* uuid, int device)
{
    memcpy(uuid, "highwater-sim-00", 16);
    uuid[14] = (unsigned char)('0' + device / 10);
    uuid[15] = (unsigned char)('0' + device % 10);
}

static void fillProperties(Properties12* result, int device)
{
    const Profile* p = profile();
    memset(result, 0, sizeof *result);
    snprintf(result->name, sizeof result->name, "%s", p->name);
    fillUuid(result->uuid, device);
    result->total_memory = p->memory_bytes;
    result->shared_per_block = 48 << 10;
    result->registers_per_block = result->registers_per_multiprocessor = p->registers_per_multiprocessor;
    result->warp_size = 32;
    result->max_pitch = 2147483647;
    result->max_threads_per_block = result->max_threads_dim[0] = result->max_threads_dim[1] = 1024;
    result->max_threads_dim[2] = 64;
    result->max_grid_size[0] = 2147483647;
    result->max_grid_size[1] = result->max_grid_size[2] = 65535;
    result->clock_khz = p->clock_khz;
    result->total_constant = 64 << 10;
    result->major = p->major;
    result->minor = p->minor;
    result->texture_alignment = 512;
    result->texture_pitch_alignment = 32;
    result->multiprocessors = p->multiprocessors;
    result->can_map_host_memory = result->concurrent_kernels = result->unified_addressing = 1;
    result->surface_alignment = 512;
    result->pci_bus = device + 1;
    result->async_engines = 2;
    result->memory_clock_khz = p->memory_clock_khz;
    result->memory_bus_bits = p->memory_bus_bits;
    result->l2_bytes = p->l2_bytes;
    result->threads_per_multiprocessor = p->threads_per_multiprocessor;
    result->stream_priorities = result->global_l1 = result->local_l1 = result->managed_memory = 1;
    result->shared_per_multiprocessor = (size_t)p->shared_per_multiprocessor;
    result->compute_preemption = result->host_pointer_for_registered = result->cooperative_launch
        = result->host_register = 1;
    result->shared_per_block_optin = (size_t)p->shared_per_block_optin;
    result->blocks_per_multiprocessor = p->blocks_per_multiprocessor;
    result->reserved_shared_per_block = p->major >= 8 ? 1024 : 0;
    result->memory_pools = 1;
    result->cluster_launch = p->major >= 9;
}

static void shorten(Properties13* target, const Properties12* source)
{
    /* Ranges of fields that both layouts have, between those that CUDA 13 dropped. A size_t after ints
       begins a new range, since the padding before it may differ. */
    const struct
    {
        size_t target, source, bytes;
    } ranges[] = {
#define RANGE(first, last)                                                                                   \
    {offsetof(Properties13, first), offsetof(Properties12, first),                                           \
        offsetof(Properties12, last) + sizeof source->last - offsetof(Properties12, first)}
        RANGE(name, max_grid_size), RANGE(total_constant, texture_pitch_alignment),
        RANGE(multiprocessors, multiprocessors), RANGE(integrated, can_map_host_memory),
        RANGE(max_texture_1d, max_texture_1d_mipmap),
        RANGE(max_textures_and_surfaces, max_textures_and_surfaces),
        RANGE(surface_alignment, unified_addressing), RANGE(memory_bus_bits, local_l1),
        RANGE(shared_per_multiprocessor, host_native_atomic),
        RANGE(pageable_memory_access, cooperative_launch),
        RANGE(shared_per_block_optin, unified_function_pointers)
#undef RANGE
    };
    memset(target, 0, sizeof *target);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        memcpy((char*)target + ranges[i].target, (const char*)source + ranges[i].source, ranges[i].bytes);
}

STAND_IN CudaError cudaGetDeviceProperties_v2(Properties12* result, int device)
{
    if (device < 0 || device >= profile()->devices)
        return failWith(kCudaInvalidDevice);
    fillProperties(result, device);
    return kCudaSuccess;
}

/* In CUDA 12 this name has an older layout, which no PyTorch since 2.1 uses. */
STAND_IN CudaError cudaGetDeviceProperties(Properties13* result, int device)
{
    Properties12 all;
    if (profile()->cuda_version < 13000)
        return failWith(kCudaNotSupported);
    const CudaError error = cudaGetDeviceProperties_v2(&all, device);
    if (error == kCudaSuccess)
        shorten(result, &all);
    return error;
}
