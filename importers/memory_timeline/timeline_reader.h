#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/trace/import_log.h"
#include "importers/memory_timeline/tensor_ledger.h"
#include "importers/source/byte_source.h"

namespace highwater::memory_timeline {

enum class TimelineForm : std::uint8_t
{
    Levels, ///< [[time, …], [[0, bytes of category 0, …], …]]: levels after each moment
    Rows, ///< [[time, action, bytes, category], …]: every change
    Empty, ///< [] or [[], []]: the profiler saw no tensor
};

/// Numbers of a row.
inline constexpr std::size_t kRowLength = 4;

/// What a file holds, before it becomes a Trace.
struct Timeline
{
    TimelineForm form = TimelineForm::Empty;
    TensorLedger ledger{TensorLedger::Matching::EqualSizesFirst};
    std::int64_t rows = 0; ///< that were readable
    std::int64_t writesInPlace = 0; ///< versions of a tensor that stay in its category
    std::int64_t categoryChanges = 0; ///< of a tensor
    /// Whether bytes were allocated or freed in the trace at all, and only in multiples of 512.
    bool allocates = false;
    bool inBlocks = true;
    std::optional<Error> error; ///< why reading ended early
};

/// Reads either form from the stream. Rows with anything but integers in range are dropped and counted in the
/// log, with the offset of the first one.
Timeline readTimeline(ByteSource& source, std::uint64_t maxMemoryBytes, ImportLog& log);

} // namespace highwater::memory_timeline
