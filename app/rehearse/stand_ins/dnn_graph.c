/* cuDNN's graphs, with which PyTorch runs convolutions: descriptors keep what is set, one engine is always
   found, and it needs no workspace. The bytes of the largest convolution are reported, from which the size of
   its workspace is estimated. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/dnn.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kHeuristicResults = 202,
    kWorkspaceSize = 402,
    kTensorType = 901,
    kTensorDimensions = 902,
    kNumericalNote = 1303,
    kBehaviorNote = 1305,
    kBackendDescriptor = 15,
    kMaxAttributes = 32,
};

typedef struct Attribute
{
    int name;
    int type; /* cudnnBackendAttributeType_t */
    int64_t count;
    void* values;
} Attribute;

typedef struct GraphDescriptor
{
    int type;
    int64_t tensor_bytes; /* of a tensor, or of all tensors that it refers to; 0 until it is finalized */
    int attribute_count;
    Attribute attributes[kMaxAttributes];
} GraphDescriptor;

/* Returns the size of a cudnnBackendAttributeType_t in bytes; enumerations are ints. */
static size_t bytesOf(int type)
{
    switch (type) {
    case 0:
    case 3:
    case 5:
    case 6:
    case kBackendDescriptor: return 8; /* handle, int64, double, pointer */
    case 2:
    case 24: return 1; /* boolean, char */
    case 26: return 16; /* fraction */
    default: return 4;
    }
}

static Attribute* attributeOf(GraphDescriptor* descriptor, int name)
{
    for (int i = 0; i < descriptor->attribute_count; i++)
        if (descriptor->attributes[i].name == name)
            return &descriptor->attributes[i];
    return NULL;
}

STAND_IN int cudnnBackendCreateDescriptor(int type, GraphDescriptor** result)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return kDnnNoMemory;
    (*result)->type = type;
    return kDnnSuccess;
}

STAND_IN int cudnnBackendInitialize(GraphDescriptor* descriptor)
{
    (void)descriptor;
    return kDnnSuccess;
}

static int64_t tensorBytes(GraphDescriptor* tensor, const Attribute* dimensions)
{
    const Attribute* type = attributeOf(tensor, kTensorType);
    int64_t bytes = type ? bytesOfDnnType(*(const int*)type->values) : 4;
    for (int64_t i = 0; i < dimensions->count; i++)
        bytes *= ((const int64_t*)dimensions->values)[i];
    return bytes;
}

/* Sums up the tensors while the caller holds all descriptors that this one refers to. */
STAND_IN int cudnnBackendFinalize(GraphDescriptor* descriptor)
{
    const Attribute* dimensions = attributeOf(descriptor, kTensorDimensions);
    descriptor->tensor_bytes = dimensions ? tensorBytes(descriptor, dimensions) : 0;
    for (int i = 0; i < descriptor->attribute_count; i++) {
        const Attribute* attribute = &descriptor->attributes[i];
        for (int64_t j = 0; attribute->type == kBackendDescriptor && j < attribute->count; j++)
            descriptor->tensor_bytes += ((GraphDescriptor* const*)attribute->values)[j]->tensor_bytes;
    }
    return kDnnSuccess;
}

static void reportConvolution(int64_t tensor_bytes)
{
    static _Atomic int64_t largest = -1;
    if (tensor_bytes <= largest)
        return;
    largest = tensor_bytes;
    char text[96];
    snprintf(text, sizeof text, "~ %" PRId64 " bytes are the tensors of a convolution", tensor_bytes);
    reportNote(text);
}

STAND_IN int cudnnBackendDestroyDescriptor(GraphDescriptor* descriptor)
{
    for (int i = 0; descriptor && i < descriptor->attribute_count; i++)
        free(descriptor->attributes[i].values);
    free(descriptor);
    return kDnnSuccess;
}

STAND_IN int cudnnBackendSetAttribute(
    GraphDescriptor* descriptor, int name, int type, int64_t count, const void* values)
{
    Attribute* attribute = attributeOf(descriptor, name);
    if (!attribute && descriptor->attribute_count == kMaxAttributes)
        return kDnnNoMemory;
    if (!attribute)
        attribute = &descriptor->attributes[descriptor->attribute_count++];
    const size_t bytes = count > 0 && values ? (size_t)count * bytesOf(type) : 0;
    free(attribute->values);
    *attribute = (Attribute){name, type, count, malloc(bytes ? bytes : 1)};
    if (!attribute->values)
        return kDnnNoMemory;
    if (bytes)
        memcpy(attribute->values, values, bytes);
    return kDnnSuccess;
}

/* Returns the number of elements of an attribute that was never set: no notes, one of everything
   else. */
static int64_t countOfUnset(int name)
{
    return name == kNumericalNote || name == kBehaviorNote ? 0 : 1;
}

STAND_IN int cudnnBackendGetAttribute(
    GraphDescriptor* descriptor, int name, int type, int64_t wanted, int64_t* count, void* values)
{
    const Attribute* attribute = attributeOf(descriptor, name);
    const int64_t all = attribute ? attribute->count : countOfUnset(name);
    if (count)
        *count = all;
    const int64_t given = wanted < all ? wanted : all;
    if (!values || given <= 0)
        return kDnnSuccess;
    if (name == kWorkspaceSize)
        reportConvolution(descriptor->tensor_bytes);
    if (type == kBackendDescriptor && !attribute) { /* a descriptor of the caller, who wants it filled */
        GraphDescriptor* filled = *(GraphDescriptor**)values;
        if (filled)
            filled->tensor_bytes = descriptor->tensor_bytes;
    } else if (attribute)
        memcpy(values, attribute->values, (size_t)given * bytesOf(type));
    else
        memset(values, 0, (size_t)given * bytesOf(type));
    return kDnnSuccess;
}

STAND_IN int cudnnBackendExecute(void** handle, GraphDescriptor* plan, GraphDescriptor* variables)
{
    (void)plan, (void)variables;
    launchOn(*handle);
    return kDnnSuccess;
}
