/* cuDNN: versions, handles, descriptors, dropout states, batch normalisation and other computations. */
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/dnn.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
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

static int create(void** result)
{
    *result = calloc(1, kDescriptorBytes);
    return *result ? kDnnSuccess : kDnnNoMemory;
}

static int destroy(void* descriptor)
{
    free(descriptor);
    return kDnnSuccess;
}

STAND_IN int cudnnCreate(void** result)
{
    touchDevice(currentDevice());
    return create(result);
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
    STAND_IN int cudnnCreate##kind##Descriptor(void** result)                                                \
    {                                                                                                        \
        return create(result);                                                                               \
    }                                                                                                        \
    STAND_IN int cudnnDestroy##kind##Descriptor(void* descriptor)                                            \
    {                                                                                                        \
        return destroy(descriptor);                                                                          \
    }
DESCRIPTOR(Activation)
DESCRIPTOR(Convolution)
DESCRIPTOR(CTCLoss)
DESCRIPTOR(Dropout)
DESCRIPTOR(Filter)
DESCRIPTOR(Pooling)
DESCRIPTOR(SpatialTransformer)
DESCRIPTOR(Tensor)

STAND_IN int cudnnDropoutGetStatesSize(void* handle, size_t* bytes)
{
    (void)handle;
    /* One state of the generator (48 bytes) for each thread that can be resident. */
    *bytes = (size_t)profile()->multiprocessors * (size_t)profile()->threads_per_multiprocessor * 48;
    return kDnnSuccess;
}

int bytesOfDnnType(int type)
{
    switch (type) {
    case 1:
    case 10: return 8; /* double, int64 */
    case 2:
    case 9: return 2; /* half, bfloat16 */
    case 3:
    case 6:
    case 11:
    case 12:
    case 13: return 1; /* int8, uint8, boolean, fp8 */
    default: return 4;
    }
}

void describeMatrix(TensorDescription* target, int type, int rows, int columns)
{
    *target = (TensorDescription){type, 3, {1, rows, columns}, {rows * columns, columns, 1}};
}

STAND_IN int cudnnSetTensorNdDescriptor(
    TensorDescription* target, int type, int dimensions, const int* sizes, const int* strides)
{
    if (dimensions < 0 || dimensions > kMaxTensorDimensions)
        return kDnnBadValue;
    target->type = type;
    target->dimensions = dimensions;
    memcpy(target->sizes, sizes, (size_t)dimensions * sizeof *sizes);
    memcpy(target->strides, strides, (size_t)dimensions * sizeof *strides);
    return kDnnSuccess;
}

STAND_IN int cudnnGetTensorNdDescriptor(
    const TensorDescription* description, int wanted, int* type, int* dimensions, int* sizes, int* strides)
{
    const int given = wanted < description->dimensions ? wanted : description->dimensions;
    *type = description->type;
    *dimensions = description->dimensions;
    memcpy(sizes, description->sizes, (size_t)given * sizeof *sizes);
    memcpy(strides, description->strides, (size_t)given * sizeof *strides);
    return kDnnSuccess;
}

/* Nothing reads the content of these descriptors again. */
#define SETS(name)                                                                                           \
    STAND_IN int cudnnSet##name(void)                                                                        \
    {                                                                                                        \
        return kDnnSuccess;                                                                                  \
    }
SETS(ActivationDescriptor)
SETS(CTCLossDescriptorEx)
SETS(CTCLossDescriptor_v8)
SETS(CTCLossDescriptor_v9)
SETS(DropoutDescriptor)
SETS(FilterNdDescriptor)
SETS(Pooling2dDescriptor)
SETS(SpatialTransformerNdDescriptor)

STAND_IN int cudnnRestoreDropoutDescriptor(void)
{
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

STAND_IN int cudnnGetCTCLossWorkspaceSize(void* handle, void* probabilities, void* gradients,
    const int* labels, const int* label_lengths, const int* lengths, int algorithm, void* loss, size_t* bytes)
{
    (void)handle, (void)probabilities, (void)gradients, (void)labels, (void)label_lengths, (void)lengths;
    (void)algorithm, (void)loss;
    reportNote("the work space of cuDNN's CTC loss counts as 0");
    return noBytes(bytes);
}

STAND_IN int cudnnGetCTCLossWorkspaceSize_v8(
    void* handle, int algorithm, void* loss, void* probabilities, void* gradients, size_t* bytes)
{
    (void)handle, (void)algorithm, (void)loss, (void)probabilities, (void)gradients;
    reportNote("the work space of cuDNN's CTC loss counts as 0");
    return noBytes(bytes);
}

int computedByDnn(void** handle)
{
    launchOn(*handle);
    return kDnnSuccess;
}

#define COMPUTES(name)                                                                                       \
    STAND_IN int cudnn##name(void** handle)                                                                  \
    {                                                                                                        \
        return computedByDnn(handle);                                                                        \
    }
COMPUTES(BatchNormalizationForwardTrainingEx)
COMPUTES(BatchNormalizationForwardInference)
COMPUTES(BatchNormalizationBackwardEx)
COMPUTES(CTCLoss)
COMPUTES(CTCLoss_v8)
COMPUTES(PoolingForward)
COMPUTES(SpatialTfGridGeneratorForward)
COMPUTES(SpatialTfGridGeneratorBackward)
COMPUTES(SpatialTfSamplerForward)
COMPUTES(SpatialTfSamplerBackward)
