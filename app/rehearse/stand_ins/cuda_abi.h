/* Data that programs pass to the CUDA runtime and driver, declared from the documented interface. Handles
   are pointers. */
#pragma once

#include <assert.h>
#include <stddef.h>

typedef int CudaError;
enum
{
    kCudaSuccess = 0,
    kCudaInvalidValue = 1,
    kCudaOutOfMemory = 2,
    kCudaNotSupported = 801,
    kCudaInvalidDevice = 101,
    kCudaMissingConfiguration = 52,
    kCudaSymbolNotFound = 500,
    kCudaNotReady = 600,
};

typedef struct Dim3
{
    unsigned x, y, z;
} Dim3;

typedef struct PointerAttributes
{
    int type; /* 0 unregistered, 1 host, 2 device */
    int device;
    void* device_pointer;
    void* host_pointer; /* CUDA 13 has reserved words after this, which nobody reads */
} PointerAttributes;

typedef struct FunctionAttributes
{
    size_t shared_bytes, const_bytes, local_bytes;
    int max_threads_per_block, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared_bytes;
    int preferred_carveout, cluster_must_be_set, cluster_width, cluster_height, cluster_depth;
    int cluster_scheduling, non_portable_cluster, reserved[16];
} FunctionAttributes;
static_assert(sizeof(FunctionAttributes) == 144, "as in CUDA 12 and 13");

typedef struct LaunchConfig
{
    Dim3 grid, block;
    size_t dynamic_shared_bytes;
    void* stream;
    void* attributes;
    unsigned attribute_count;
} LaunchConfig;

/* cudaDeviceProp: FIELD is in CUDA 12 and 13, OLD only in CUDA 12. */
#define DEVICE_PROPERTIES(FIELD, OLD)                                                                        \
    FIELD(char, name[256])                                                                                   \
    FIELD(unsigned char, uuid[16])                                                                           \
    FIELD(char, luid[8])                                                                                     \
    FIELD(unsigned, luid_device_node_mask)                                                                   \
    FIELD(size_t, total_memory)                                                                              \
    FIELD(size_t, shared_per_block)                                                                          \
    FIELD(int, registers_per_block)                                                                          \
    FIELD(int, warp_size)                                                                                    \
    FIELD(size_t, max_pitch)                                                                                 \
    FIELD(int, max_threads_per_block)                                                                        \
    FIELD(int, max_threads_dim[3])                                                                           \
    FIELD(int, max_grid_size[3])                                                                             \
    OLD(int, clock_khz)                                                                                      \
    FIELD(size_t, total_constant)                                                                            \
    FIELD(int, major)                                                                                        \
    FIELD(int, minor)                                                                                        \
    FIELD(size_t, texture_alignment)                                                                         \
    FIELD(size_t, texture_pitch_alignment)                                                                   \
    OLD(int, device_overlap)                                                                                 \
    FIELD(int, multiprocessors)                                                                              \
    OLD(int, kernel_timeout)                                                                                 \
    FIELD(int, integrated)                                                                                   \
    FIELD(int, can_map_host_memory)                                                                          \
    OLD(int, compute_mode)                                                                                   \
    FIELD(int, max_texture_1d)                                                                               \
    FIELD(int, max_texture_1d_mipmap)                                                                        \
    OLD(int, max_texture_1d_linear)                                                                          \
    FIELD(int, max_textures_and_surfaces[37])                                                                \
    FIELD(size_t, surface_alignment)                                                                         \
    FIELD(int, concurrent_kernels)                                                                           \
    FIELD(int, ecc)                                                                                          \
    FIELD(int, pci_bus)                                                                                      \
    FIELD(int, pci_device)                                                                                   \
    FIELD(int, pci_domain)                                                                                   \
    FIELD(int, tcc_driver)                                                                                   \
    FIELD(int, async_engines)                                                                                \
    FIELD(int, unified_addressing)                                                                           \
    OLD(int, memory_clock_khz)                                                                               \
    FIELD(int, memory_bus_bits)                                                                              \
    FIELD(int, l2_bytes)                                                                                     \
    FIELD(int, persisting_l2_bytes)                                                                          \
    FIELD(int, threads_per_multiprocessor)                                                                   \
    FIELD(int, stream_priorities)                                                                            \
    FIELD(int, global_l1)                                                                                    \
    FIELD(int, local_l1)                                                                                     \
    FIELD(size_t, shared_per_multiprocessor)                                                                 \
    FIELD(int, registers_per_multiprocessor)                                                                 \
    FIELD(int, managed_memory)                                                                               \
    FIELD(int, multi_gpu_board)                                                                              \
    FIELD(int, multi_gpu_board_group)                                                                        \
    FIELD(int, host_native_atomic)                                                                           \
    OLD(int, single_to_double_ratio)                                                                         \
    FIELD(int, pageable_memory_access)                                                                       \
    FIELD(int, concurrent_managed_access)                                                                    \
    FIELD(int, compute_preemption)                                                                           \
    FIELD(int, host_pointer_for_registered)                                                                  \
    FIELD(int, cooperative_launch)                                                                           \
    OLD(int, cooperative_multi_device_launch)                                                                \
    FIELD(size_t, shared_per_block_optin)                                                                    \
    FIELD(int, pageable_uses_host_tables)                                                                    \
    FIELD(int, direct_managed_from_host)                                                                     \
    FIELD(int, blocks_per_multiprocessor)                                                                    \
    FIELD(int, access_policy_window)                                                                         \
    FIELD(size_t, reserved_shared_per_block)                                                                 \
    FIELD(int, host_register)                                                                                \
    FIELD(int, sparse_arrays)                                                                                \
    FIELD(int, host_register_read_only)                                                                      \
    FIELD(int, timeline_semaphore)                                                                           \
    FIELD(int, memory_pools)                                                                                 \
    FIELD(int, rdma)                                                                                         \
    FIELD(unsigned, rdma_flush_options)                                                                      \
    FIELD(int, rdma_writes_ordering)                                                                         \
    FIELD(unsigned, memory_pool_handle_types)                                                                \
    FIELD(int, deferred_mapping_arrays)                                                                      \
    FIELD(int, ipc_events)                                                                                   \
    FIELD(int, cluster_launch)                                                                               \
    FIELD(int, unified_function_pointers)                                                                    \
    FIELD(int, reserved[63])

#define DECLARE_FIELD(type, name) type name;
#define NO_FIELD(type, name)
typedef struct Properties12
{
    DEVICE_PROPERTIES(DECLARE_FIELD, DECLARE_FIELD)
} Properties12;
typedef struct Properties13
{
    DEVICE_PROPERTIES(DECLARE_FIELD, NO_FIELD)
} Properties13;
static_assert(sizeof(Properties12) == 1032, "as cudaGetDeviceProperties_v2 of CUDA 12 writes it");
static_assert(sizeof(Properties13) == 1008, "as cudaGetDeviceProperties of CUDA 13 writes it");

/* Sets the error of the thread's last failed call, as every runtime function does, and returns it. */
CudaError failWith(CudaError error);
