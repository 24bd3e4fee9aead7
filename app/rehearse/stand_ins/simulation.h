/* The simulated devices that all stand-ins share: their properties, the memory in use, and when their work
   is done. Every function may be called from any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks functions that PyTorch finds by name; everything else stays inside of the library. */
#define STAND_IN __attribute__((visibility("default")))

enum
{
    kMaxDevices = 64,
    kMaxRegions = 32,
    kMemoryGranularity = 2 << 20
};

/* Addresses [begin, end), as offsets from the device's first address. */
typedef struct Region
{
    size_t begin, end;
} Region;

/* The properties that a device reports. All devices are alike. */
typedef struct Profile
{
    char name[256];
    int devices;
    int cuda_version; /* 12040 */
    int major, minor; /* compute capability */
    int ptx_version; /* 86; the newest for which the wheel has kernels that this device can run */
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
    size_t memory_bytes; /* total of cudaMemGetInfo */
    size_t outside_bytes; /* part of it that context and kernels take */
    Region regions[kMaxRegions]; /* filled by the driver in this order, each from the bottom up */
    int region_count; /* 0 means all addresses, from the top down */
    int64_t kernel_ns; /* device time of one launch or copy; 0 means that everything is done at once */
} Profile;

/* Returns the profile, which the first call reads from the environment variable HIGHWATER_SIMULATED_GPU:
   "name=NVIDIA L4;devices=1;…". */
const Profile* profile(void);

/* Returns the number of devices that CUDA_VISIBLE_DEVICES leaves of the profile's at the first call. From
   then on the profile has only those. */
int visibleDevices(void);

typedef enum DeviceUse
{
    kCounted, /* takes memory of the device */
    kAddressesOnly
} DeviceUse;

/* Sets the profile's PTX version. The recorder calls it, since it knows the versions for which the installed
   kernels were compiled. */
STAND_IN void highwaterSetPtxVersion(int version);

/* Returns the device of this thread. */
int currentDevice(void);
/* Returns false if there is no such device. */
bool setCurrentDevice(int device);

/* Creates the context of a device unless it has one. The memory of the context is in use from then on. */
void touchDevice(int device);
bool hasContext(int device);

/* Takes addresses that are never mapped, in multiples of 2 MiB, and creates the device's context; with
   kCounted their bytes are taken from the device. Returns NULL if there is no room or no such device. */
void* allocateAddresses(int device, size_t bytes, DeviceUse use);
/* Releases addresses. Returns false if no range of that use begins at `begin`. */
bool releaseAddresses(void* begin, DeviceUse use);
/* Takes physical memory without addresses, and creates the device's context. Returns false if the device is
   full. */
bool allocateBytes(int device, size_t bytes);
void releaseBytes(int device, size_t bytes);
/* Gives the free and the total memory; either pointer may be NULL. In a rehearsal without a limit, notes that
   the command asked. */
void memoryInfo(int device, size_t* free_bytes, size_t* total_bytes);
/* Returns the device of an address; -1 for host memory. */
int deviceOfAddress(const void* address);
/* Finds the allocation that contains the address; false if there is none. Either pointer may be NULL. */
bool allocationAround(const void* address, void** begin, size_t* bytes);

/* Records pinned host memory. `registered` is true if the program had allocated it itself. */
void rememberHostMemory(void* begin, size_t bytes, bool registered);
/* Forgets pinned host memory. Returns false if it is unknown. */
bool forgetHostMemory(void* begin, bool registered);
bool isPinnedHostMemory(const void* address);

/* Copies between host and device: bytes that copies of up to 1 MiB brought to the device can be read back,
   all others read as 0, unless an observer or highwaterGiveOnes changes them. */
void copyBytes(void* target, const void* source, size_t bytes);
/* Sets bytes of host or device. Zeros on the device are unknown from then on, as are more than 1 MiB. */
void setBytes(void* target, int value, size_t bytes);
/* Makes bytes of the device unknown. */
void forgetBytes(const void* begin, size_t bytes);
/* Reads as many of the first bytes on the device as are known, and returns their number. */
size_t readKnownBytes(void* target, const void* source, size_t bytes);
/* Makes bytes 0, on host or device, because a library returned 0 there: they are known, unlike bytes that a
   kernel wrote. */
void setKnownZero(void* target, size_t bytes);
/* Does the same as forgetBytes for the recorder, which knows when a tensor was changed in place. */
STAND_IN void highwaterForgetBytes(const void* begin, size_t bytes);
/* While this is on, single values that this thread reads back are True, or the integer 1: for checks
   inside of PyTorch that no rule of the recorder can reach. */
STAND_IN void highwaterGiveOnes(int on);
/* Returns true if a copy of these bytes, at most 1 MiB, to the host would return what the program sent to the
   device. */
STAND_IN int highwaterKnowsBytes(const void* source, size_t bytes);
/* Called in the thread that copies bytes to the host if at least one of them is unknown, which then reads
   as 0; the observer may change them. NULL removes the observer. */
typedef void (*ReadObserver)(void* target, size_t bytes);
STAND_IN void highwaterObserveReads(ReadObserver observer);

/* Reports once for each name, on standard error and in the file HIGHWATER_NOTES if that is set,
   that a function was called that the stand-ins do not have. */
void reportUnknown(const char* name);

/* Writes a note once to the same file. It says which size differs from a real GPU's, in a sentence without
   its full stop, or begins with the sign of another kind (readNotes in rehearsal.cpp). */
void reportNote(const char* note);

/* Writes a note once that a device was requested that does not exist. */
void reportMissingDevice(int device, int devices);

/* Reports the name and returns the error. Called by the functions of the written libraries that have no
   stand-in. */
STAND_IN long highwaterUnknownCall(const char* name, long error);

/* Returns a function of this library by its name, or NULL. */
void* functionByName(const char* name);
/* Returns a function that reports the name when it is called, and fails; NULL if there were too many. */
void* unknownFunction(const char* name);
