#pragma once

#include <cstdint>

#include "core/base/column.h"
#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/memory_event.h"

namespace highwater {

/// What a GPU or its driver was doing.
enum class ActivityKind : std::uint8_t
{
    Kernel,
    Copy, ///< memcpy
    Set, ///< memset
    RuntimeCall, ///< cudaMalloc, cudaLaunchKernel, …: on a thread of the host
};

/// "kernel", "copy", "set", "runtime_call".
std::string_view toText(ActivityKind kind);

struct Activity
{
    ActivityKind kind = ActivityKind::Kernel;
    StringId name;
    std::int32_t device = -1; ///< ordinal; −1 for calls on the host
    std::int64_t lane = 0; ///< the stream's number; for calls on the host the thread's
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Bytes bytes = 0; ///< copied or set; 0 for other kinds
};

/// Kernels, copies and driver calls of a trace as columns of equal length. Millions of them are common, so
/// importers fill it only if `ImportOptions::activities` is set.
struct ActivityTable
{
    Column<ActivityKind> kind;
    Column<StringId> name;
    Column<std::int32_t> device;
    Column<std::int64_t> lane;
    Column<Nanoseconds> begin;
    Column<Nanoseconds> end;
    Column<Bytes> bytes;

    std::size_t rows() const { return kind.size(); }
    std::size_t memoryBytes() const;
    void push(const Activity& activity);
    Activity row(std::size_t index) const;
    /// Removes all but the first rows.
    void truncate(std::size_t rows);
    /// Sorts by begin, stably. O(rows) if they are already in order.
    void order();
};

} // namespace highwater
