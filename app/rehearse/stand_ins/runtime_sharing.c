/* The runtime's functions with which processes share memory and events, and objects live as long as
   graphs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

/* Each process has its own devices. A process that opens a handle gets addresses of the same size; the
   memory is counted only in the process that allocated it. */
typedef struct SharedMemory
{
    uint64_t bytes;
    unsigned char rest[56];
} SharedMemory;

_Static_assert(sizeof(SharedMemory) == 64, "CUDA_IPC_HANDLE_SIZE");

STAND_IN CudaError cudaIpcGetMemHandle(SharedMemory* result, const void* pointer)
{
    void* begin = NULL;
    size_t bytes = 0;
    if (!allocationAround(pointer, &begin, &bytes))
        return failWith(kCudaInvalidValue);
    memset(result, 0, sizeof *result);
    result->bytes = bytes;
    memcpy(result->rest, &begin, sizeof begin); /* makes handles differ */
    return kCudaSuccess;
}

STAND_IN CudaError cudaIpcOpenMemHandle(void** result, SharedMemory memory, unsigned flags)
{
    (void)flags;
    touchDevice(currentDevice());
    *result = allocateAddresses(currentDevice(), memory.bytes, kAddressesOnly);
    return *result ? kCudaSuccess : failWith(kCudaOutOfMemory);
}

STAND_IN CudaError cudaIpcCloseMemHandle(void* begin)
{
    return releaseAddresses(begin, kAddressesOnly) ? kCudaSuccess : failWith(kCudaInvalidValue);
}

STAND_IN CudaError cudaIpcGetEventHandle(SharedMemory* result, Event* event)
{
    memset(result, 0, sizeof *result);
    memcpy(result->rest, &event, sizeof event);
    return kCudaSuccess;
}

/* An event of another process is always done: nothing here waits for the clock of another process. */
STAND_IN CudaError cudaIpcOpenEventHandle(Event** result, SharedMemory handle)
{
    (void)handle;
    *result = calloc(1, sizeof **result);
    if (!*result)
        return failWith(kCudaOutOfMemory);
    (*result)->device = currentDevice();
    return kCudaSuccess;
}

typedef struct UserObject
{
    void* held;
    void (*destroy)(void*);
    unsigned references;
} UserObject;

STAND_IN CudaError cudaUserObjectCreate(
    UserObject** result, void* held, void (*destroy)(void*), unsigned references, unsigned flags)
{
    (void)flags;
    *result = malloc(sizeof **result);
    if (!*result)
        return failWith(kCudaOutOfMemory);
    **result = (UserObject){held, destroy, references};
    return kCudaSuccess;
}

STAND_IN CudaError cudaUserObjectRetain(UserObject* object, unsigned count)
{
    object->references += count;
    return kCudaSuccess;
}

STAND_IN CudaError cudaUserObjectRelease(UserObject* object, unsigned count)
{
    object->references = object->references > count ? object->references - count : 0;
    if (object->references == 0) {
        object->destroy(object->held);
        free(object);
    }
    return kCudaSuccess;
}

/* Graphs are kept to the end of the process, together with the objects that they hold. */
STAND_IN CudaError cudaGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count, unsigned flags)
{
    enum
    {
        kMove = 1
    };
    (void)graph;
    return flags & kMove ? kCudaSuccess : cudaUserObjectRetain(object, count);
}

STAND_IN CudaError cudaGraphDebugDotPrint(const Graph* graph, const char* path, unsigned flags)
{
    (void)graph, (void)path, (void)flags;
    return kCudaSuccess;
}
