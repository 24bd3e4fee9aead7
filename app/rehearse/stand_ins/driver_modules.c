/* The driver's functions about modules and kernels: every module has every function that is requested. */
#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

int blocksPerMultiprocessor(int block_threads);

static char module, function; /* their addresses are the handles */

STAND_IN CudaError cuModuleLoad(void** result, const char* path)
{
    (void)path;
    *result = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadData(void** result, const void* image)
{
    (void)image;
    *result = &module;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleLoadDataEx(
    void** result, const void* image, unsigned options, const int* keys, void** values)
{
    (void)options, (void)keys, (void)values;
    return cuModuleLoadData(result, image);
}

STAND_IN CudaError cuModuleUnload(void* loaded)
{
    (void)loaded;
    return kCudaSuccess;
}

STAND_IN CudaError cuModuleGetFunction(void** result, void* loaded, const char* name)
{
    (void)loaded, (void)name;
    *result = &function;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncGetAttribute(int* value, int attribute, void* kernel)
{
    (void)kernel;
    *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0; /* threads per block, registers */
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetAttribute(void* kernel, int attribute, int value)
{
    (void)kernel, (void)attribute, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cuFuncSetCacheConfig(void* kernel, int config)
{
    (void)kernel, (void)config;
    return kCudaSuccess;
}

STAND_IN CudaError cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, void* kernel, int block_threads, size_t shared_bytes)
{
    (void)kernel, (void)shared_bytes;
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

STAND_IN CudaError cuOccupancyMaxActiveClusters(int* clusters, void* kernel, const DriverLaunch* how)
{
    (void)kernel;
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
