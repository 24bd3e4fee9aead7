/* cuDNN: versions, handles, descriptors, dropout states and batch normalisation. */
#include <stdlib.h>

#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kDnnSuccess = 0,
    kDnnNoMemory = 2001,
    kDescriptorBytes = 256
};

STAND_IN size_t cudnnGetVersion(void)
{
    return (size_t)profile()->cudnn_version;
}

STAND_IN size_t cudnnGetCudartVersion(void)
{
    return (size_t)profile()->cuda_version;
}

STAND_IN int cudnnGetProperty(int type, int* value)
{
    const int version = profile()->cudnn_version;
    *value = type == 0 ? version / 10000 : type == 1 ? version % 10000 / 100 : version % 100;
    return kDnnSuccess;
}

STAND_IN const char* cudnnGetErrorString(int status)
{
    return status == kDnnSuccess ? "CUDNN_STATUS_SUCCESS" : "error of the simulated cuDNN";
}

STAND_IN void cudnnGetLastErrorString(char* text, size_t bytes)
{
    if (bytes)
        *text = '\0';
}

static int create(void** to)
{
    *to = calloc(1, kDescriptorBytes);
    return *to ? kDnnSuccess : kDnnNoMemory;
}

static int destroy(void* from)
{
    free(from);
    return kDnnSuccess;
}

STAND_IN int cudnnCreate(void** to)
{
    touchDevice(currentDevice());
    return create(to);
}

STAND_IN int cudnnDestroy(void* handle)
{
    return destroy(handle);
}

STAND_IN int cudnnSetStream(void** handle, void* stream)
{
    *handle = stream;
    return kDnnSuccess;
}

STAND_IN int cudnnGetStream(void** handle, void** stream)
{
    *stream = *handle;
    return kDnnSuccess;
}

#define DESCRIPTOR(kind)                                                                                     \
    STAND_IN int cudnnCreate##kind##Descriptor(void** to)                                                    \
    {                                                                                                        \
        return create(to);                                                                                   \
    }                                                                                                        \
    STAND_IN int cudnnDestroy##kind##Descriptor(void* from)                                                  \
    {                                                                                                        \
        return destroy(from);                                                                                \
    }
DESCRIPTOR(Activation)
DESCRIPTOR(Convolution)
DESCRIPTOR(CTCLoss)
DESCRIPTOR(Dropout)
DESCRIPTOR(Filter)
DESCRIPTOR(Pooling)
DESCRIPTOR(RNN)
DESCRIPTOR(RNNData)
DESCRIPTOR(SpatialTransformer)
DESCRIPTOR(Tensor)

STAND_IN int cudnnDropoutGetStatesSize(void* handle, size_t* bytes)
{
    (void)handle;
    /* One state of the generator (48 bytes) for each thread that can be resident. */
    *bytes = (size_t)profile()->multiprocessors * (size_t)profile()->threads_per_multiprocessor * 48;
    return kDnnSuccess;
}

/* Descriptions need no content: nothing asks for what was set. */
STAND_IN int cudnnSetTensorNdDescriptor(
    void* descriptor, int type, int dimensions, const int* sizes, const int* strides)
{
    (void)descriptor, (void)type, (void)dimensions, (void)sizes, (void)strides;
    return kDnnSuccess;
}

STAND_IN int cudnnSetActivationDescriptor(void* descriptor, int mode, int nan, double coefficient)
{
    (void)descriptor, (void)mode, (void)nan, (void)coefficient;
    return kDnnSuccess;
}

static int noBytes(size_t* bytes)
{
    *bytes = 0;
    return kDnnSuccess;
}

STAND_IN int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void* handle, int mode, int operations,
    void* x, void* z, void* y, void* scale, void* activation, size_t* bytes)
{
    (void)handle, (void)mode, (void)operations, (void)x, (void)z, (void)y, (void)scale, (void)activation;
    return noBytes(bytes);
}

STAND_IN int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void* handle, int mode, int operations,
    void* x, void* y, void* dy, void* dz, void* dx, void* scale, void* activation, size_t* bytes)
{
    (void)handle, (void)mode, (void)operations, (void)x, (void)y, (void)dy, (void)dz, (void)dx, (void)scale;
    (void)activation;
    return noBytes(bytes);
}

STAND_IN int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    void* handle, int mode, int operations, void* activation, void* x, size_t* bytes)
{
    (void)handle, (void)mode, (void)operations, (void)activation, (void)x;
    return noBytes(bytes);
}

static int computed(void** handle)
{
    launchOn(*handle);
    return kDnnSuccess;
}

STAND_IN int cudnnBatchNormalizationForwardTrainingEx(void** handle)
{
    return computed(handle);
}

STAND_IN int cudnnBatchNormalizationForwardInference(void** handle)
{
    return computed(handle);
}

STAND_IN int cudnnBatchNormalizationBackwardEx(void** handle)
{
    return computed(handle);
}
