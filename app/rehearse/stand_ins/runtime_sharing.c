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

STAND_IN CudaError cudaIpcGetMemHandle(SharedMemory* to, const void* of)
{
    void* begin = NULL;
    size_t bytes = 0;
    if (!allocationAround(of, &begin, &bytes))
        return failWith(kCudaInvalidValue);
    memset(to, 0, sizeof *to);
    to->bytes = bytes;
    memcpy(to->rest, &begin, sizeof begin); /* makes handles differ */
    return kCudaSuccess;
}

STAND_IN CudaError cudaIpcOpenMemHandle(void** to, SharedMemory memory, unsigned flags)
{
    (void)flags;
    touchDevice(currentDevice());
    *to = allocateAddresses(currentDevice(), memory.bytes, kAddressesOnly);
    return *to ? kCudaSuccess : failWith(kCudaOutOfMemory);
}

STAND_IN CudaError cudaIpcCloseMemHandle(void* begin)
{
    return releaseAddresses(begin, kAddressesOnly) ? kCudaSuccess : failWith(kCudaInvalidValue);
}

STAND_IN CudaError cudaIpcGetEventHandle(SharedMemory* to, Event* event)
{
    memset(to, 0, sizeof *to);
    memcpy(to->rest, &event, sizeof event);
    return kCudaSuccess;
}

/* An event of another process is always done: nothing here waits for the clock of another process. */
STAND_IN CudaError cudaIpcOpenEventHandle(Event** to, SharedMemory handle)
{
    (void)handle;
    *to = calloc(1, sizeof **to);
    if (!*to)
        return failWith(kCudaOutOfMemory);
    (*to)->device = currentDevice();
    return kCudaSuccess;
}

typedef struct UserObject
{
    void* held;
    void (*destroy)(void*);
    unsigned references;
} UserObject;

STAND_IN CudaError cudaUserObjectCreate(
    UserObject** to, void* held, void (*destroy)(void*), unsigned references, unsigned flags)
{
    (void)flags;
    *to = malloc(sizeof **to);
    if (!*to)
        return failWith(kCudaOutOfMemory);
    **to = (UserObject){held, destroy, references};
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
