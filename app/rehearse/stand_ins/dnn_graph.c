/* cuDNN's graphs, with which PyTorch runs convolutions: descriptors keep what is set, one engine is always
   found, and it needs no workspace. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/dnn.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kHeuristicResults = 202,
    kNumericalNote = 1303,
    kBehaviorNote = 1305,
    kBackendDescriptor = 15,
    kMaxAttributes = 32,
};

typedef struct Attribute
{
    int name;
    int64_t count;
    void* values;
} Attribute;

typedef struct GraphDescriptor
{
    int type;
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

STAND_IN int cudnnBackendCreateDescriptor(int type, GraphDescriptor** to)
{
    reportInexact("the work space of cuDNN's convolutions counts as 0");
    *to = calloc(1, sizeof **to);
    if (!*to)
        return kDnnNoMemory;
    (*to)->type = type;
    return kDnnSuccess;
}

STAND_IN int cudnnBackendInitialize(GraphDescriptor* descriptor)
{
    (void)descriptor;
    return kDnnSuccess;
}

STAND_IN int cudnnBackendFinalize(GraphDescriptor* descriptor)
{
    (void)descriptor;
    return kDnnSuccess;
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
    *attribute = (Attribute){name, count, malloc(bytes ? bytes : 1)};
    if (!attribute->values)
        return kDnnNoMemory;
    if (bytes)
        memcpy(attribute->values, values, bytes);
    return kDnnSuccess;
}

/* Returns the number of elements of an attribute that was never set: one engine, no notes, and one of each
   number. */
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
    /* Descriptors belong to the caller, who wants them filled; there is no content that they would need. */
    if (!values || given <= 0 || (type == kBackendDescriptor && !attribute))
        return kDnnSuccess;
    if (attribute)
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
