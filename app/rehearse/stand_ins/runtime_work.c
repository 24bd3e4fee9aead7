/* The runtime's functions about streams, events and graphs. */
#include <stdlib.h>

#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

typedef void (*HostFunction)(void*);
typedef void (*StreamCallback)(void* stream, CudaError status, void* data);

STAND_IN CudaError cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority)
{
    *stream = newStream(flags, priority);
    return *stream ? kCudaSuccess : failWith(kCudaOutOfMemory);
}

STAND_IN CudaError cudaStreamCreateWithFlags(void** stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

STAND_IN CudaError cudaStreamCreate(void** stream)
{
    return cudaStreamCreateWithPriority(stream, 0, 0);
}

STAND_IN CudaError cudaStreamDestroy(void* stream)
{
    (void)stream;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamGetPriority(void* stream, int* priority)
{
    *priority = streamOf(stream)->priority;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamGetFlags(void* stream, unsigned* flags)
{
    *flags = streamOf(stream)->flags;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamGetDevice(void* stream, int* device)
{
    *device = streamOf(stream)->device;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamQuery(void* stream)
{
    return streamIsIdle(streamOf(stream)) ? kCudaSuccess : failWith(kCudaNotReady);
}

STAND_IN CudaError cudaStreamSynchronize(void* stream)
{
    waitForStream(streamOf(stream));
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamWaitEvent(void* stream, void* event, unsigned flags)
{
    (void)flags;
    if (event)
        streamWaitsFor(streamOf(stream), event);
    return kCudaSuccess;
}

STAND_IN CudaError cudaLaunchHostFunc(void* stream, HostFunction function, void* data)
{
    (void)stream;
    function(data);
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamAddCallback(void* stream, StreamCallback callback, void* data, unsigned flags)
{
    (void)flags;
    callback(stream, kCudaSuccess, data);
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventCreateWithFlags(void** result, unsigned flags)
{
    Event* event = calloc(1, sizeof *event);
    *result = event;
    if (!event)
        return failWith(kCudaOutOfMemory);
    touchDevice(currentDevice());
    event->device = currentDevice();
    event->flags = flags;
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventCreate(void** result)
{
    return cudaEventCreateWithFlags(result, 0);
}

STAND_IN CudaError cudaEventDestroy(void* event)
{
    free(event);
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventRecord(void* event, void* stream)
{
    recordEvent(event, streamOf(stream));
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventRecordWithFlags(void* event, void* stream, unsigned flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

STAND_IN CudaError cudaEventQuery(void* event)
{
    return eventIsDone(event) ? kCudaSuccess : failWith(kCudaNotReady);
}

STAND_IN CudaError cudaEventSynchronize(void* event)
{
    waitForEvent(event);
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventElapsedTime(float* milliseconds, const Event* begin, const Event* end)
{
    *milliseconds = (float)(end->done_ns - begin->done_ns) / 1e6F;
    return kCudaSuccess;
}

STAND_IN CudaError cudaEventElapsedTime_v2(float* milliseconds, const Event* begin, const Event* end)
{
    return cudaEventElapsedTime(milliseconds, begin, end);
}

/* Graphs: launches are counted while a stream is captured; a replay counts as one launch. */

STAND_IN CudaError cudaThreadExchangeStreamCaptureMode(int* mode)
{
    static __thread int current;
    const int before = current;
    current = *mode;
    *mode = before;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamBeginCapture(void* handle, int mode)
{
    (void)mode;
    Stream* stream = streamOf(handle);
    if (stream->capturing)
        return failWith(kCudaInvalidValue);
    stream->capturing = calloc(1, sizeof *stream->capturing);
    stream->capture_id = nextCaptureId();
    return stream->capturing ? kCudaSuccess : failWith(kCudaOutOfMemory);
}

STAND_IN CudaError cudaStreamEndCapture(void* handle, void** graph)
{
    Stream* stream = streamOf(handle);
    if (!stream->capturing)
        return failWith(kCudaInvalidValue);
    *graph = stream->capturing;
    stream->capturing = NULL;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamIsCapturing(void* stream, int* status)
{
    *status = streamOf(stream)->capturing != NULL;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamGetCaptureInfo_v2(void* handle, int* status, unsigned long long* id,
    void** graph, const void*** dependencies, size_t* count)
{
    const Stream* stream = streamOf(handle);
    *status = stream->capturing != NULL;
    if (id)
        *id = stream->capture_id;
    if (graph)
        *graph = stream->capturing;
    if (dependencies)
        *dependencies = NULL;
    if (count)
        *count = 0;
    return kCudaSuccess;
}

STAND_IN CudaError cudaStreamGetCaptureInfo_v3(void* stream, int* status, unsigned long long* id,
    void** graph, const void*** dependencies, const void** edges, size_t* count)
{
    if (edges)
        *edges = NULL;
    return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, dependencies, count);
}

/* In CUDA 13 this is what was _v3; in CUDA 12 it has only the first three arguments. */
STAND_IN CudaError cudaStreamGetCaptureInfo(void* stream, int* status, unsigned long long* id, void** graph,
    const void*** dependencies, const void** edges, size_t* count)
{
    if (profile()->cuda_version < 13000)
        return cudaStreamGetCaptureInfo_v2(stream, status, id, NULL, NULL, NULL);
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edges, count);
}

STAND_IN CudaError cudaGraphGetNodes(const Graph* graph, void** nodes, size_t* count)
{
    if (nodes)
        return failWith(kCudaNotSupported);
    *count = (size_t)graph->launches;
    return kCudaSuccess;
}

STAND_IN CudaError cudaGraphInstantiate(void** executable, const Graph* graph, unsigned long long flags)
{
    (void)flags;
    Graph* copy = calloc(1, sizeof *copy);
    if (!copy)
        return failWith(kCudaOutOfMemory);
    *copy = *graph;
    *executable = copy;
    return kCudaSuccess;
}

STAND_IN CudaError cudaGraphInstantiateWithFlags(
    void** executable, const Graph* graph, unsigned long long flags)
{
    return cudaGraphInstantiate(executable, graph, flags);
}

STAND_IN CudaError cudaGraphLaunch(void* executable, void* stream)
{
    (void)executable;
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cudaGraphUpload(void* executable, void* stream)
{
    (void)executable, (void)stream;
    return kCudaSuccess;
}

STAND_IN CudaError cudaGraphDestroy(void* graph)
{
    free(graph);
    return kCudaSuccess;
}

STAND_IN CudaError cudaGraphExecDestroy(void* executable)
{
    free(executable);
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, unsigned long long* value)
{
    (void)device, (void)attribute;
    *value = 0;
    return kCudaSuccess;
}

STAND_IN CudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, void* value)
{
    (void)device, (void)attribute, (void)value;
    return kCudaSuccess;
}
