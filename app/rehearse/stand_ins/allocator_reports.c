/* PyTorch's allocators report each block that they allocate or free to this function of libc10, by its C++
   name. This library is loaded earlier and its names are found first, so the stand-ins learn where tensors
   begin and end within the segments that the allocator requested. */
#include <dlfcn.h>

#include "app/rehearse/stand_ins/simulation.h"

/* void c10::reportMemoryUsageToProfiler(void*, int64_t, size_t, size_t, c10::Device), where Device has two
   bytes. A negative number of bytes means that the block was freed. */
typedef void Report(void* block, int64_t bytes, size_t allocated, size_t reserved, uint16_t device);

STAND_IN Report _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE;

static Report* genuineReport(void)
{
    static Report* genuine;
    Report* found = __atomic_load_n(&genuine, __ATOMIC_RELAXED);
    void* library = found ? NULL : dlopen("libc10.so", RTLD_LAZY | RTLD_NOLOAD);
    if (library) {
        found = (Report*)dlsym(library, "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE");
        __atomic_store_n(&genuine, found, __ATOMIC_RELAXED);
    }
    return found;
}

void _ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE(
    void* block, int64_t bytes, size_t allocated, size_t reserved, uint16_t device)
{
    if (deviceOfAddress(block) >= 0)
        forgetBytes(block, (size_t)(bytes < 0 ? -bytes : bytes));
    Report* genuine = genuineReport();
    if (genuine)
        genuine(block, bytes, allocated, reserved, device);
}
