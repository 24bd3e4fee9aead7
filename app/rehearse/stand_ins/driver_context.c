/* The driver's functions about devices and contexts. */
#include <stdio.h>
#include <string.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

int deviceAttribute(int attribute, int device);
void fillUuid(unsigned char* uuid, int device);

static char contexts[kMaxDevices]; /* their addresses are the handles */

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
    *count = visibleDevices();
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
    *context = hasContext(currentDevice()) ? &contexts[currentDevice()] : NULL;
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxSetCurrent(void* context)
{
    const char* chosen = context;
    if (chosen >= contexts && chosen < contexts + kMaxDevices)
        setCurrentDevice((int)(chosen - contexts));
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
        *active = hasContext(device);
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

/* Returns attribute 1 (context), 2 (memory type: 1 host, 2 device), 3 and 4 (the address on the device and
   on the host) or 9 (device). */
STAND_IN CudaError cuPointerGetAttribute(void* target, int attribute, unsigned long long address)
{
    const int device = deviceOfAddress((void*)(uintptr_t)address);
    if (device < 0 && !isPinnedHostMemory((void*)(uintptr_t)address))
        return kCudaInvalidValue;
    switch (attribute) {
    case 1: *(void**)target = &contexts[device >= 0 ? device : currentDevice()]; break;
    case 2: *(unsigned*)target = device >= 0 ? 2 : 1; break;
    case 3: *(unsigned long long*)target = address; break;
    case 4: *(unsigned long long*)target = device >= 0 ? 0 : address; break;
    case 9: *(int*)target = device >= 0 ? device : currentDevice(); break;
    default: return kCudaNotSupported;
    }
    return kCudaSuccess;
}

/* Succeeds for an unknown address and returns zeros, unlike the function above. */
STAND_IN CudaError cuPointerGetAttributes(
    unsigned count, int* attributes, void** result, unsigned long long address)
{
    for (unsigned i = 0; i < count; i++) {
        const bool is_int = attributes[i] == 2 || attributes[i] == 9;
        if (cuPointerGetAttribute(result[i], attributes[i], address) != kCudaSuccess)
            memset(result[i], 0, is_int ? sizeof(int) : sizeof(void*));
    }
    return kCudaSuccess;
}

/* Limits for stacks, printing and the heap of kernels: nothing is printed, and nothing needs a stack. */
STAND_IN CudaError cuCtxGetLimit(size_t* value, int limit)
{
    (void)limit;
    *value = 0;
    return kCudaSuccess;
}

STAND_IN CudaError cuCtxSetLimit(int limit, size_t value)
{
    (void)limit, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cuStreamIsCapturing(void* stream, int* status)
{
    *status = streamOf(stream)->capturing != NULL;
    return kCudaSuccess;
}

STAND_IN CudaError cuStreamGetCtx(void* stream, void** context)
{
    *context = &contexts[streamOf(stream)->device];
    return kCudaSuccess;
}

/* `status` is 1 if there is neither the function nor room for one that reports its name, otherwise 0. */
STAND_IN CudaError cuGetProcAddress_v2(
    const char* name, void** result, int version, unsigned long long flags, int* status)
{
    (void)version, (void)flags;
    *result = functionByName(name);
    if (!*result)
        *result = unknownFunction(name);
    if (status)
        *status = *result ? 0 : 1;
    return *result ? kCudaSuccess : kCudaSymbolNotFound;
}

/* The driver's own log stays empty. */
STAND_IN CudaError cuLogsRegisterCallback(void* callback, void* data, void** handle)
{
    (void)callback, (void)data;
    *handle = &contexts[0];
    return kCudaSuccess;
}

STAND_IN CudaError cuLogsUnregisterCallback(void* handle)
{
    (void)handle;
    return kCudaSuccess;
}
