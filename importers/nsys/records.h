#pragma once

#include <cstdint>
#include <optional>

#include "core/trace/trace.h"

/// What an Nsight Systems export holds, before it becomes a Trace (tables: FORMAT.md).
namespace highwater::nsys {

/// A process or thread as Nsight Systems numbers it: host and virtual machine above bit 48, then 24 bits of
/// the process's and 24 bits of the thread's number.
using GlobalId = std::int64_t;

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

/// ENUM_CUDA_MEM_KIND. These are not the numbers of CUPTI.
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

/// "pageable", "device static", …
std::string_view toText(MemoryKind kind);

inline bool isOfHost(MemoryKind kind)
{
    return kind == MemoryKind::Pageable || kind == MemoryKind::Pinned;
}

/// A call that a thread made into the CUDA runtime or driver.
struct RuntimeCall
{
    StringId name; ///< without the suffix that tells its version
    GlobalId thread = 0;
    std::int64_t callChain = 0; ///< 0: none was taken
};

/// A row of CUDA_GPU_MEMORY_USAGE_EVENTS.
struct MemoryRow
{
    Nanoseconds time = 0;
    GlobalId process = 0;
    std::int64_t device = 0; ///< the process's own number for it
    std::int64_t context = 0;
    Address address = 0;
    Bytes bytes = 0;
    std::int64_t correlation = 0; ///< within the process; 0: none
    std::int64_t stream = 0;
    std::uint64_t pool = 0; ///< base address; 0: in none
    std::optional<Bytes> poolSize;
    std::optional<Bytes> poolUtilized;
    StringId variable; ///< what static memory is for
    MemoryKind kind = MemoryKind::Device;
    bool isFree = false;
    bool hasStream = false;
    bool byTimeAlone = false; ///< its stack was found without a call that it belongs to
    std::int32_t call = -1; ///< index of its RuntimeCall; −1: none
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
    bool nests = false; ///< pushed and popped on its thread; others may overlap and change threads
    bool isOpen = false; ///< had not ended when the recording stopped
};

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
