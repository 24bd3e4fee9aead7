/* The simulated devices that all stand-ins share: what they are, which memory is in use, and when work on
   them is done. Every function may be called from any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Functions that PyTorch finds by name; everything else stays inside of the library. */
#define STAND_IN __attribute__((visibility("default")))

enum
{
    kMaxDevices = 64,
    kMaxRegions = 32,
    kMemoryGranularity = 2 << 20
};

/* Addresses [begin, end), from where those of the device begin. */
typedef struct Region
{
    size_t begin, end;
} Region;

/* What a device says about itself. All devices are alike. */
typedef struct Profile
{
    char name[256];
    int devices;
    int cuda_version; /* 12040 */
    int major, minor; /* compute capability */
    int ptx_version; /* 86: the newest that the wheel's kernels were compiled for and this device can run */
    int multiprocessors;
    int threads_per_multiprocessor;
    int blocks_per_multiprocessor;
    int registers_per_multiprocessor;
    int shared_per_multiprocessor; /* bytes */
    int shared_per_block_optin; /* bytes */
    int l2_bytes;
    int clock_khz, memory_clock_khz, memory_bus_bits;
    int cudnn_version; /* 90100 */
    int nccl_version; /* 22105 */
    size_t memory_bytes; /* what cudaMemGetInfo gives as total */
    size_t outside_bytes; /* of these, what context and kernels take */
    Region regions[kMaxRegions]; /* that the driver fills in this order, each from the bottom up */
    int region_count; /* 0: all there is, from the top down */
    int64_t kernel_ns; /* device time of one launch or copy; 0: everything is done at once */
} Profile;

/* Read from the environment variable HIGHWATER_SIMULATED_GPU at the first call: "name=NVIDIA L4;devices=1;…".
 */
const Profile* profile(void);

/* Of the profile's devices, those that CUDA_VISIBLE_DEVICES leaves the program when it first asks. */
int visibleDevices(void);

typedef enum DeviceUse
{
    kCounted,
    kAddressesOnly
} DeviceUse;

/* For the recorder, which knows what the installed kernels were compiled for. */
STAND_IN void highwaterSetPtxVersion(int version);

/* The device of this thread. */
int currentDevice(void);
bool setCurrentDevice(int device);

/* A device has a context from the first call that needs one; only then is its overhead in use. */
void touchDevice(int device);
bool deviceIsTouched(int device);

/* Addresses that are never mapped, in multiples of 2 MiB; with kCounted their bytes are taken from the
   device. NULL: the device is full. */
void* takeAddresses(int device, size_t bytes, DeviceUse use);
/* false: not the begin of such a range of that use. */
bool giveAddresses(void* begin, DeviceUse use);
/* Physical memory without addresses: false where the device is full. */
bool takeBytes(int device, size_t bytes);
void giveBytes(int device, size_t bytes);
void memoryInfo(int device, size_t* free_bytes, size_t* total_bytes);
/* -1: host memory. */
int deviceOfAddress(const void* address);
/* The allocation that holds the address. */
bool allocationAround(const void* address, void** begin, size_t* bytes);

/* Host memory that the program pinned. */
void rememberHostMemory(void* begin, size_t bytes, bool registered);
/* false: unknown. */
bool forgetHostMemory(void* begin, bool registered);
bool isPinnedHostMemory(const void* address);

/* Copies between host and device: what small copies brought to the device can be read back, all else reads as
 * 0. */
void copyBytes(void* to, const void* from, size_t bytes);
void setBytes(void* to, int value, size_t bytes);
void forgetBytes(const void* begin, size_t bytes);
/* As many of the first bytes as are known; how many those are. */
size_t readKnownBytes(void* to, const void* from, size_t bytes);
/* What a library answered with 0: not unknown, as what a kernel leaves is. */
void setKnownZero(void* to, size_t bytes);
/* The same for the recorder, which knows when a tensor was changed in place. */
STAND_IN void highwaterForgetBytes(const void* begin, size_t bytes);
/* While it is on, single values that this thread reads back are True, or the integer 1: for checks inside of
   PyTorch that no rule of the recorder can reach. */
STAND_IN void highwaterGiveOnes(int on);
/* Whether a copy of these bytes to the host would give what the program sent there. */
STAND_IN int highwaterKnowsBytes(const void* from, size_t bytes);
/* Is called in the thread that copies bytes to the host of which at least one is unknown, which is 0 then;
 * the observer may change them. NULL: there is none. */
typedef void (*ReadObserver)(void* to, size_t bytes);
STAND_IN void highwaterObserveReads(ReadObserver observer);

/* Says once for each name on standard error, and in the file HIGHWATER_UNKNOWN_CALLS if that is set, that a
   function was called that the stand-ins do not have. */
void reportUnknown(const char* name);

/* Says in the same file, once, which size is not that of a real GPU: a sentence without its full stop. */
void reportInexact(const char* what);

/* Says there, once, that a device was asked for which there is not. */
void reportMissingDevice(int device, int devices);

/* For functions that are not here, which are written for the installed PyTorch. */
STAND_IN long highwaterUnknownCall(const char* name, long error);

/* A function by its name in this library; NULL: there is none. */
void* functionByName(const char* name);
/* One that reports the name when it is called, and fails; NULL: there were too many. */
void* unknownFunction(const char* name);
