#pragma once

#include <cstdint>

#include "core/base/column.h"
#include "core/base/string_pool.h"
#include "core/base/units.h"
#include "core/trace/memory_event.h"

namespace highwater {

/// The kind of work of a GPU or its driver.
enum class ActivityKind : std::uint8_t
{
    Kernel,
    Copy, ///< memcpy
    Set, ///< memset
    RuntimeCall, ///< cudaMalloc, cudaLaunchKernel, …: on a host thread
};

/// Returns "kernel", "copy", "set", "runtime_call".
std::string_view toText(ActivityKind kind);

/// One row of an ActivityTable.
struct Activity
{
    ActivityKind kind = ActivityKind::Kernel;
    StringId name;
    std::int32_t device = -1; ///< Ordinal; −1 for calls on the host
    std::int64_t lane = 0; ///< Number of the stream; of the thread for calls on the host
    Nanoseconds begin = 0; ///< `begin` and `end` are on the clock of TraceMetadata::clock
    Nanoseconds end = 0;
    Bytes bytes = 0; ///< Bytes copied or set; 0 for other kinds
};

/// Kernels, copies, memsets and driver calls of a trace as columns of equal length. There are often millions,
/// so importers fill the table only if `ImportOptions::activities` is set.
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
    /// Keeps only the first `rows` rows.
    void truncate(std::size_t rows);
    /// Sorts the rows by begin, stably. O(rows) if they are already in order, else O(rows × log(rows)).
    void order();
};

} // namespace highwater
