/* What descriptors of cuDNN hold that somebody asks for again. */
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

/* By cudnnDataType_t. */
int bytesOfDnnType(int type);
/* A dense matrix, or a column with one column. */
void describeMatrix(TensorDescription* to, int type, int rows, int columns);
/* Work on the handle's stream that gives nothing back to the host. */
int computedByDnn(void** handle);
