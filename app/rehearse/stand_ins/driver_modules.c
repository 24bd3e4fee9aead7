/* The driver's functions about modules and kernels: every module has every function that is requested. */
#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

int blocksPerMultiprocessor(int block_threads);

static char module, function; /* their addresses are the handles */

STAND_IN CudaError cuModuleLoad(void** to, const char* path)
{
    (void)path;
    *to = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadData(void** to, const void* image)
{
    (void)image;
    *to = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadDataEx(
    void** to, const void* image, unsigned options, const int* keys, void** values)
{
    (void)options, (void)keys, (void)values;
    return cuModuleLoadData(to, image);
}

STAND_IN CudaError cuModuleUnload(void* from)
{
    (void)from;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleGetFunction(void** to, void* from, const char* name)
{
    (void)from, (void)name;
    *to = &function;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncGetAttribute(int* value, int attribute, void* of)
{
    (void)of;
    *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0; /* threads per block, registers */
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetAttribute(void* of, int attribute, int value)
{
    (void)of, (void)attribute, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetCacheConfig(void* of, int config)
{
    (void)of, (void)config;
    return kCudaSuccess;
}

STAND_IN CudaError cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, void* of, int block_threads, size_t shared_bytes)
{
    (void)of, (void)shared_bytes;
    *blocks = blocksPerMultiprocessor(block_threads);
    return kCudaSuccess;
}

STAND_IN CudaError cuLaunchKernel(void* what, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
    void** arguments, void** extra)
{
    (void)what, (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y, (void)block_z;
    (void)shared_bytes, (void)arguments, (void)extra;
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cuLaunchCooperativeKernel(void* what, unsigned grid_x, unsigned grid_y, unsigned grid_z,
    unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream,
    void** arguments)
{
    return cuLaunchKernel(
        what, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, arguments, NULL);
}

/* CUlaunchConfig, as far as it is used. */
typedef struct DriverLaunch
{
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    void* stream;
} DriverLaunch;
static_assert(offsetof(DriverLaunch, stream) == 32, "as in CUDA 12 and 13");

STAND_IN CudaError cuLaunchKernelEx(const DriverLaunch* how, void* what, void** arguments, void** extra)
{
    (void)what, (void)arguments, (void)extra;
    launchOn(how->stream);
    return kCudaSuccess;
}

STAND_IN CudaError cuOccupancyMaxActiveClusters(int* clusters, void* of, const DriverLaunch* how)
{
    (void)of;
    const unsigned threads = how->block[0] * how->block[1] * how->block[2];
    *clusters = profile()->multiprocessors * blocksPerMultiprocessor((int)threads);
    return kCudaSuccess;
}

/* Descriptions of tensors are read only by kernels. */

STAND_IN CudaError cuTensorMapEncodeTiled(void* map)
{
    (void)map;
    return kCudaSuccess;
}

STAND_IN CudaError cuTensorMapEncodeIm2col(void* map)
{
    (void)map;
    return kCudaSuccess;
}
