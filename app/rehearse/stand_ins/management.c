/* NVML: the functions that PyTorch needs for its out-of-memory message and for counting devices. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kNvmlSuccess = 0,
    kNvmlInvalidArgument = 2,
    kNvmlNotSupported = 3,
    kNvmlInsufficientSize = 7
};

static char handles[kMaxDevices]; /* their addresses are the handles */

static int indexOf(const void* handle)
{
    return (int)((const char*)handle - handles);
}

STAND_IN int nvmlInit_v2(void)
{
    return kNvmlSuccess;
}

STAND_IN int nvmlInit(void)
{
    return kNvmlSuccess;
}

STAND_IN int nvmlInitWithFlags(unsigned flags)
{
    (void)flags;
    return kNvmlSuccess;
}

STAND_IN int nvmlShutdown(void)
{
    return kNvmlSuccess;
}

STAND_IN const char* nvmlErrorString(int error)
{
    return error == kNvmlSuccess ? "success" : "error of the simulated NVML";
}

STAND_IN int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = (unsigned)profile()->devices;
    return kNvmlSuccess;
}

STAND_IN int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle)
{
    if (index >= (unsigned)profile()->devices)
        return kNvmlInvalidArgument;
    *handle = &handles[index];
    return kNvmlSuccess;
}

STAND_IN int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** handle)
{
    unsigned domain = 0;
    unsigned number = 0;
    if (sscanf(bus, "%x:%x", &domain, &number) != 2 || number < 1)
        return kNvmlInvalidArgument;
    return nvmlDeviceGetHandleByIndex_v2(number - 1, handle);
}

STAND_IN int nvmlDeviceGetUUID(void* device, char* text, unsigned bytes)
{
    snprintf(text, bytes, "GPU-73696d75-6c61-7465-6400-%012x", (unsigned)indexOf(device));
    return kNvmlSuccess;
}

STAND_IN int nvmlDeviceGetName(void* device, char* text, unsigned bytes)
{
    (void)device;
    snprintf(text, bytes, "%s", profile()->name);
    return kNvmlSuccess;
}

STAND_IN int nvmlSystemGetDriverVersion(char* text, unsigned bytes)
{
    snprintf(text, bytes, "simulated");
    return kNvmlSuccess;
}

STAND_IN int nvmlSystemGetCudaDriverVersion_v2(int* version)
{
    *version = profile()->cuda_version;
    return kNvmlSuccess;
}

typedef struct MemoryUse
{
    unsigned long long total, free, used;
} MemoryUse;

STAND_IN int nvmlDeviceGetMemoryInfo(void* device, MemoryUse* target)
{
    size_t free_bytes = 0;
    size_t total = 0;
    memoryInfo(indexOf(device), &free_bytes, &total);
    *target = (MemoryUse){total, free_bytes, total - free_bytes};
    return kNvmlSuccess;
}

/* The first two fields, with which all versions of the process record begin. */
typedef struct ProcessUse
{
    unsigned pid;
    unsigned long long used_bytes;
} ProcessUse;

STAND_IN int nvmlDeviceGetComputeRunningProcesses(void* device, unsigned* count, ProcessUse* target)
{
    if (*count < 1 || !target) {
        *count = 1;
        return kNvmlInsufficientSize;
    }
    size_t free_bytes = 0;
    size_t total = 0;
    memoryInfo(indexOf(device), &free_bytes, &total);
    *count = 1;
    *target = (ProcessUse){(unsigned)getpid(), total - free_bytes};
    return kNvmlSuccess;
}

STAND_IN int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, ProcessUse* target)
{
    return nvmlDeviceGetComputeRunningProcesses(device, count, target);
}

STAND_IN int nvmlDeviceGetNvLinkRemoteDeviceType(void* device, unsigned link, int* type)
{
    (void)device, (void)link, (void)type;
    return kNvmlNotSupported;
}

STAND_IN int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned link, void* target)
{
    (void)device, (void)link, (void)target;
    return kNvmlNotSupported;
}

STAND_IN int nvmlDeviceGetP2PStatus(void* device, void* peer, int index, int* status)
{
    (void)device, (void)peer, (void)index;
    *status = 6; /* unknown */
    return kNvmlSuccess;
}
