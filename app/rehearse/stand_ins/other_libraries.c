/* Versions, messages and handles of the other libraries, and a run-time compiler that compiles nothing. */
#include <stdlib.h>
#include <string.h>

#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kHandleBytes = 256
};

static int newHandle(void** result, int no_memory)
{
    *result = calloc(1, kHandleBytes);
    return *result ? 0 : no_memory;
}

static int dropHandle(void* handle)
{
    free(handle);
    return 0;
}

STAND_IN int nvrtcVersion(int* major, int* minor)
{
    *major = profile()->cuda_version / 1000;
    *minor = profile()->cuda_version % 1000 / 10;
    return 0;
}

STAND_IN const char* nvrtcGetErrorString(int error)
{
    return error ? "error of the simulated run-time compiler" : "NVRTC_SUCCESS";
}

STAND_IN int nvrtcCreateProgram(void** result, const char* source, const char* name, int headers,
    const char* const* header_sources, const char* const* header_names)
{
    (void)source, (void)name, (void)headers, (void)header_sources, (void)header_names;
    return newHandle(result, 1);
}

STAND_IN int nvrtcDestroyProgram(void** program)
{
    dropHandle(*program);
    *program = NULL;
    return 0;
}

STAND_IN int nvrtcAddNameExpression(void* program, const char* name)
{
    (void)program, (void)name;
    return 0;
}

STAND_IN int nvrtcCompileProgram(void* program, int count, const char* const* options)
{
    (void)program, (void)count, (void)options;
    return 0;
}

STAND_IN int nvrtcGetLoweredName(void* program, const char* expression, const char** name)
{
    (void)program;
    *name = expression;
    return 0;
}

static int oneByte(size_t* bytes)
{
    *bytes = 1;
    return 0;
}

static int emptyText(char* target)
{
    *target = '\0';
    return 0;
}

STAND_IN int nvrtcGetPTXSize(void* program, size_t* bytes)
{
    (void)program;
    return oneByte(bytes);
}

STAND_IN int nvrtcGetPTX(void* program, char* target)
{
    (void)program;
    return emptyText(target);
}

STAND_IN int nvrtcGetCUBINSize(void* program, size_t* bytes)
{
    (void)program;
    return oneByte(bytes);
}

STAND_IN int nvrtcGetCUBIN(void* program, char* target)
{
    (void)program;
    return emptyText(target);
}

STAND_IN int nvrtcGetProgramLogSize(void* program, size_t* bytes)
{
    (void)program;
    return oneByte(bytes);
}

STAND_IN int nvrtcGetProgramLog(void* program, char* target)
{
    (void)program;
    return emptyText(target);
}

/* CUPTI is not simulated: PyTorch's profiler works without the device's activity. */
STAND_IN int cuptiGetResultString(int result, const char** text)
{
    *text = result ? "the simulated GPU has no CUPTI" : "CUPTI_SUCCESS";
    return 0;
}

STAND_IN int cuptiGetVersion(unsigned* version)
{
    *version = 0;
    return 0;
}

STAND_IN int cuptiSubscribe(void** subscriber, void* callback, void* data)
{
    (void)callback, (void)data;
    *subscriber = NULL;
    return 15; /* not initialised */
}
