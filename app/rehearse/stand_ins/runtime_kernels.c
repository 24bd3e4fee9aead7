/* The runtime's functions about kernels: all of them exist, none does anything. */
#include "app/rehearse/stand_ins/cuda_abi.h"
#include "app/rehearse/stand_ins/simulation.h"
#include "app/rehearse/stand_ins/work.h"

enum
{
    kMaxNestedLaunches = 64
};

typedef struct Configuration
{
    Dim3 grid, block;
    size_t shared_bytes;
    void* stream;
} Configuration;

static __thread Configuration configurations[kMaxNestedLaunches];
static __thread int depth;

STAND_IN unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, size_t shared_bytes, void* stream)
{
    if (depth == kMaxNestedLaunches)
        return 1;
    configurations[depth++] = (Configuration){grid, block, shared_bytes, stream};
    return 0;
}

STAND_IN CudaError __cudaPopCallConfiguration(Dim3* grid, Dim3* block, size_t* shared_bytes, void** stream)
{
    if (depth == 0)
        return failWith(kCudaMissingConfiguration);
    const Configuration* top = &configurations[--depth];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *stream = top->stream;
    return kCudaSuccess;
}

STAND_IN void** __cudaRegisterFatBinary(void* binary)
{
    (void)binary;
    static void* handle;
    return &handle;
}

STAND_IN void __cudaRegisterFatBinaryEnd(void** handle)
{
    (void)handle;
}

STAND_IN void __cudaUnregisterFatBinary(void** handle)
{
    (void)handle;
}

STAND_IN void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name,
    int thread_limit, void* thread, void* block, void* block_dim, void* grid_dim, int* warp)
{
    (void)handle, (void)host, (void)device, (void)name, (void)thread_limit;
    (void)thread, (void)block, (void)block_dim, (void)grid_dim, (void)warp;
}

STAND_IN void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external,
    size_t bytes, int constant, int global)
{
    (void)handle, (void)host, (void)device, (void)name;
    (void)external, (void)bytes, (void)constant, (void)global;
}

STAND_IN void __cudaRegisterManagedVar(void** handle, void** host, char* device, const char* name,
    int external, size_t bytes, int constant, int global)
{
    (void)handle, (void)host, (void)device, (void)name;
    (void)external, (void)bytes, (void)constant, (void)global;
}

STAND_IN char __cudaInitModule(void** handle)
{
    (void)handle;
    return 1;
}

STAND_IN CudaError __cudaGetKernel(const void** kernel, const void* function)
{
    *kernel = function;
    return kCudaSuccess;
}

static CudaError launch(void* stream)
{
    touchDevice(currentDevice());
    launchOn(stream);
    return kCudaSuccess;
}

STAND_IN CudaError cudaLaunchKernel(
    const void* function, Dim3 grid, Dim3 block, void** arguments, size_t shared_bytes, void* stream)
{
    (void)function, (void)grid, (void)block, (void)arguments, (void)shared_bytes;
    return launch(stream);
}

STAND_IN CudaError __cudaLaunchKernel(
    const void* kernel, Dim3 grid, Dim3 block, void** arguments, size_t shared_bytes, void* stream)
{
    return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

STAND_IN CudaError cudaLaunchCooperativeKernel(
    const void* function, Dim3 grid, Dim3 block, void** arguments, size_t shared_bytes, void* stream)
{
    return cudaLaunchKernel(function, grid, block, arguments, shared_bytes, stream);
}

STAND_IN CudaError cudaLaunchKernelExC(const LaunchConfig* config, const void* function, void** arguments)
{
    (void)function, (void)arguments;
    return launch(config->stream);
}

STAND_IN CudaError cudaFuncGetAttributes(FunctionAttributes* result, const void* function)
{
    (void)function;
    /* CUB looks up its tuning by this PTX version, and knows only versions for which the kernels were
       compiled. */
    *result = (FunctionAttributes){.max_threads_per_block = 1024,
        .registers = 32,
        .ptx_version = profile()->ptx_version,
        .binary_version = profile()->ptx_version,
        .max_dynamic_shared_bytes = 48 << 10};
    return kCudaSuccess;
}

STAND_IN CudaError cudaFuncSetAttribute(const void* function, int attribute, int value)
{
    (void)function, (void)attribute, (void)value;
    return kCudaSuccess;
}

STAND_IN CudaError cudaKernelSetAttributeForDevice(const void* kernel, int attribute, int value, int device)
{
    (void)kernel, (void)attribute, (void)value, (void)device;
    return kCudaSuccess;
}

STAND_IN CudaError cudaFuncSetCacheConfig(const void* function, int config)
{
    (void)function, (void)config;
    return kCudaSuccess;
}

/* Returns as many blocks as threads and block slots allow; registers and shared memory of the kernels are
   unknown. */
int blocksPerMultiprocessor(int block_threads)
{
    const Profile* p = profile();
    const int blocks = block_threads > 0 ? p->threads_per_multiprocessor / block_threads : 0;
    return blocks > p->blocks_per_multiprocessor ? p->blocks_per_multiprocessor : blocks;
}

STAND_IN CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int block_threads, size_t shared_bytes, unsigned flags)
{
    (void)function, (void)shared_bytes, (void)flags;
    *blocks = blocksPerMultiprocessor(block_threads);
    return kCudaSuccess;
}

STAND_IN CudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* function, int block_threads, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, block_threads, shared_bytes, 0);
}

/* Finds a driver function by name; the requested version makes no difference to those that exist here. */
STAND_IN CudaError cudaGetDriverEntryPointByVersion(
    const char* name, void** function, unsigned version, unsigned long long flags, int* status)
{
    (void)version, (void)flags;
    *function = functionByName(name);
    if (!*function)
        *function = unknownFunction(name);
    if (status)
        *status = *function ? 0 : 1;
    return *function ? kCudaSuccess : failWith(kCudaSymbolNotFound);
}

STAND_IN CudaError cudaGetDriverEntryPoint(
    const char* name, void** function, unsigned long long flags, int* status)
{
    return cudaGetDriverEntryPointByVersion(name, function, (unsigned)profile()->cuda_version, flags, status);
}
