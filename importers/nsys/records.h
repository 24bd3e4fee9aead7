#pragma once

#include <cstdint>
#include <optional>

#include "core/trace/trace.h"

/// The contents of an Nsight Systems export, before they become a Trace (tables: FORMAT.md).
namespace highwater::nsys {

/// Nsight Systems' id of a process or thread: host and virtual machine above bit 48, then 24 bits for the
/// process's number and 24 bits for the thread's number.
using GlobalId = std::int64_t;

/// Returns the id of a thread's process: the number of the thread is 0.
inline GlobalId processOf(GlobalId thread)
{
    return thread & ~std::int64_t{0xFFFFFF};
}
inline std::int64_t processNumber(GlobalId id)
{
    return (id >> 24) & 0xFFFFFF;
}
inline std::int64_t threadNumber(GlobalId id)
{
    return id & 0xFFFFFF;
}

/// ENUM_CUDA_MEM_KIND, whose numbers differ from CUPTI's.
enum class MemoryKind : std::uint8_t
{
    Pageable,
    Pinned,
    Device,
    Array,
    Managed,
    DeviceStatic,
    ManagedStatic,
    Unknown,
};

/// Returns "pageable", "device static", …
std::string_view toText(MemoryKind kind);

inline bool isOfHost(MemoryKind kind)
{
    return kind == MemoryKind::Pageable || kind == MemoryKind::Pinned;
}

/// A call by a thread into the CUDA runtime or driver.
struct RuntimeCall
{
    StringId name; ///< without the suffix that denotes its version
    GlobalId thread = 0;
    std::int64_t callChain = 0; ///< 0 if none was recorded
};

/// A row of CUDA_GPU_MEMORY_USAGE_EVENTS.
struct MemoryRow
{
    Nanoseconds time = 0;
    GlobalId process = 0;
    std::int64_t device = 0; ///< the process's own number for the device
    std::int64_t context = 0;
    Address address = 0;
    Bytes bytes = 0;
    std::int64_t correlation = 0; ///< unique within the process; 0 if there is none
    std::int64_t stream = 0;
    std::uint64_t pool = 0; ///< base address of the pool; 0 if the memory is in no pool
    std::optional<Bytes> poolSize;
    std::optional<Bytes> poolUtilized;
    StringId variable; ///< name of the variable that static memory belongs to
    MemoryKind kind = MemoryKind::Device;
    bool isFree = false;
    bool hasStream = false;
    bool stackFoundByTime = false; ///< its stack was found by time, because its call is unknown
    std::int32_t call = -1; ///< index of its RuntimeCall; −1 if there is none
    StackId stack;
};

/// A row of NVTX_EVENTS that is a range or a mark.
struct NvtxRange
{
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    GlobalId thread = 0;
    StringId name;
    bool isOperator = false;
    bool nests = false; ///< pushed and popped on one thread; others may overlap and change threads
    bool isOpen = false; ///< had not ended when the recording stopped
};

/// The size of a memory pool from `time` on, and the bytes allocated from it.
struct PoolFigure
{
    Nanoseconds time = 0;
    GlobalId process = 0;
    std::int64_t device = 0;
    std::uint64_t pool = 0;
    std::optional<Bytes> size;
    std::optional<Bytes> utilized;
    bool isGone = false; ///< the pool was destroyed
};

} // namespace highwater::nsys
