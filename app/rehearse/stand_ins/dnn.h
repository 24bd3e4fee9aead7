/* The content of cuDNN descriptors that is read again. */
#pragma once

enum
{
    kDnnSuccess = 0,
    kDnnNoMemory = 2001,
    kDnnBadValue = 2000,
    kMaxTensorDimensions = 8
};

typedef struct TensorDescription
{
    int type; /* cudnnDataType_t */
    int dimensions;
    int sizes[kMaxTensorDimensions];
    int strides[kMaxTensorDimensions];
} TensorDescription;

/* Returns the size of a cudnnDataType_t in bytes; 4 for float, int32 and types that PyTorch does not use. */
int bytesOfDnnType(int type);
/* Describes a dense matrix, or a vector as a matrix with one column, as a tensor of three dimensions. */
void describeMatrix(TensorDescription* target, int type, int rows, int columns);
/* Does work on the handle's stream that returns nothing to the host. Returns success. */
int computedByDnn(void** handle);
