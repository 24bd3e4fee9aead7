/* The driver's functions about devices, contexts and modules. */
#include <stdio.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

int deviceAttribute(int attribute, int device);
void fillUuid(unsigned char* uuid, int device);
int blocksPerMultiprocessor(int block_threads);

static char contexts[kMaxDevices]; /* their addresses are the handles */
static char module, function;

STAND_IN CudaError cuInit(unsigned flags)
{
    (void)flags;
    return kCudaSuccess;
}

STAND_IN CudaError cuDriverGetVersion(int* version)
{
    *version = profile()->cuda_version;
    return kCudaSuccess;
}

STAND_IN CudaError cuDeviceGetCount(int* count)
{
    *count = profile()->devices;
    return kCudaSuccess;
}

STAND_IN CudaError cuDeviceGet(int* device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < profile()->devices ? kCudaSuccess : kCudaInvalidDevice;
}

STAND_IN CudaError cuDeviceGetName(char* name, int bytes, int device)
{
    (void)device;
    snprintf(name, (size_t)bytes, "%s", profile()->name);
    return kCudaSuccess;
}

STAND_IN CudaError cuDeviceGetUuid(unsigned char* uuid, int device)
{
    fillUuid(uuid, device);
    return kCudaSuccess;
}

STAND_IN CudaError cuDeviceGetUuid_v2(unsigned char* uuid, int device)
{
    return cuDeviceGetUuid(uuid, device);
}

STAND_IN CudaError cuDeviceTotalMem_v2(size_t* bytes, int device)
{
    (void)device;
    *bytes = profile()->memory_bytes;
    return kCudaSuccess;
}

STAND_IN CudaError cuDeviceGetAttribute(int* value, int attribute, int device)
{
    if (device < 0 || device >= profile()->devices)
        return kCudaInvalidDevice;
    *value = deviceAttribute(attribute, device);
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxGetCurrent(void** context)
{
    *context = deviceIsTouched(currentDevice()) ? &contexts[currentDevice()] : NULL;
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxSetCurrent(void* context)
{
    const char* at = context;
    if (at >= contexts && at < contexts + kMaxDevices)
        setCurrentDevice((int)(at - contexts));
    return kCudaSuccess;
}

static __thread int pushed[16];
static __thread int pushed_count;

STAND_IN CudaError cuCtxPushCurrent(void* context)
{
    if (pushed_count < 16)
        pushed[pushed_count++] = currentDevice();
    return cuCtxSetCurrent(context);
}

STAND_IN CudaError cuCtxPushCurrent_v2(void* context)
{
    return cuCtxPushCurrent(context);
}

STAND_IN CudaError cuCtxPopCurrent(void** context)
{
    if (context)
        cuCtxGetCurrent(context);
    if (pushed_count > 0)
        setCurrentDevice(pushed[--pushed_count]);
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxPopCurrent_v2(void** context)
{
    return cuCtxPopCurrent(context);
}

STAND_IN CudaError cuCtxGetDevice(int* device)
{
    *device = currentDevice();
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxSynchronize(void)
{
    waitForDevice(currentDevice());
    return kCudaSuccess;
}

STAND_IN CudaError cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active)
{
    if (device < 0 || device >= profile()->devices)
        return kCudaInvalidDevice;
    if (flags)
        *flags = 0;
    if (active)
        *active = deviceIsTouched(device);
    return kCudaSuccess;
}

STAND_IN CudaError cuDevicePrimaryCtxRetain(void** context, int device)
{
    if (device < 0 || device >= profile()->devices)
        return kCudaInvalidDevice;
    touchDevice(device);
    *context = &contexts[device];
    return kCudaSuccess;
}

STAND_IN CudaError cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return kCudaSuccess;
}

STAND_IN CudaError cuGetErrorString(CudaError error, const char** text)
{
    *text = error == kCudaSuccess   ? "no error"
        : error == kCudaOutOfMemory ? "out of memory"
                                    : "error of the simulated GPU";
    return kCudaSuccess;
}

STAND_IN CudaError cuGetErrorName(CudaError error, const char** text)
{
    *text = error == kCudaSuccess   ? "CUDA_SUCCESS"
        : error == kCudaOutOfMemory ? "CUDA_ERROR_OUT_OF_MEMORY"
                                    : "CUDA_ERROR_UNKNOWN";
    return kCudaSuccess;
}

STAND_IN CudaError cuPointerGetAttribute(void* to, int attribute, unsigned long long address)
{
    const int device = deviceOfAddress((void*)(uintptr_t)address);
    switch (attribute) {
    case 1: *(void**)to = device >= 0 ? &contexts[device] : NULL; break;
    case 2: *(unsigned*)to = device >= 0 ? 2 : 1; break; /* memory type: device, host */
    case 9: *(int*)to = device; break;
    default: return kCudaNotSupported;
    }
    return device >= 0 ? kCudaSuccess : kCudaInvalidValue;
}

STAND_IN CudaError cuStreamGetCtx(void* stream, void** context)
{
    *context = &contexts[streamOf(stream)->device];
    return kCudaSuccess;
}

/* Modules: whatever is loaded has every function that is asked for. */

STAND_IN CudaError cuModuleLoad(void** to, const char* path)
{
    (void)path;
    *to = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadData(void** to, const void* image)
{
    (void)image;
    *to = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadDataEx(
    void** to, const void* image, unsigned options, const int* keys, void** values)
{
    (void)options, (void)keys, (void)values;
    return cuModuleLoadData(to, image);
}

STAND_IN CudaError cuModuleUnload(void* from)
{
    (void)from;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleGetFunction(void** to, void* from, const char* name)
{
    (void)from, (void)name;
    *to = &function;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncGetAttribute(int* value, int attribute, void* of)
{
    (void)of;
    *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0; /* threads of a block, registers */
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetAttribute(void* of, int attribute, int value)
{
    (void)of, (void)attribute, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetCacheConfig(void* of, int config)
{
    (void)of, (void)config;
    return kCudaSuccess;
}

STAND_IN CudaError cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, void* of, int block_threads, size_t shared_bytes)
{
    (void)of, (void)shared_bytes;
    *blocks = blocksPerMultiprocessor(block_threads);
    return kCudaSuccess;
}

STAND_IN CudaError cuLaunchKernel(void* what, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
    void** arguments, void** extra)
{
    (void)what, (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z;
    (void)shared_bytes, (void)arguments, (void)extra;
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cuLaunchCooperativeKernel(void* what, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
    void** arguments)
{
    return cuLaunchKernel(
        what, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, arguments, NULL);
}

STAND_IN CudaError cuTensorMapEncodeTiled(void* map)
{
    (void)map;
    return kCudaSuccess;
}

/* status: 0 found, 1 there is none. */
STAND_IN CudaError cuGetProcAddress_v2(
    const char* name, void** to, int version, unsigned long long flags, int* status)
{
    (void)version, (void)flags;
    *to = functionByName(name);
    if (!*to)
        *to = unknownFunction(name);
    if (status)
        *status = *to ? 0 : 1;
    return *to ? kCudaSuccess : kCudaSymbolNotFound;
}

/* The driver's own log stays empty. */
STAND_IN CudaError cuLogsRegisterCallback(void* callback, void* data, void** handle)
{
    (void)callback, (void)data;
    *handle = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuLogsUnregisterCallback(void* handle)
{
    (void)handle;
    return kCudaSuccess;
}
