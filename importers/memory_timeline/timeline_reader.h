#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/result.h"
#include "core/trace/import_log.h"
#include "importers/memory_timeline/tensor_ledger.h"
#include "importers/source/byte_source.h"

namespace highwater::memory_timeline {

/// The forms of the file, told apart by nesting.
enum class TimelineForm : std::uint8_t
{
    Levels, ///< [[time, …], [[0, bytes of category 0, …], …]]: levels after each moment
    Rows, ///< [[time, action, bytes, category], …]: every change
    Empty, ///< [] or [[], []]: the profiler saw no tensor
};

inline constexpr std::size_t kRowLength = 4;

/// The contents of a file, before they become a Trace.
struct Timeline
{
    TimelineForm form = TimelineForm::Empty;
    TensorLedger ledger{TensorLedger::Matching::EqualSizesFirst};
    std::int64_t rowCount = 0; ///< readable rows
    std::int64_t writeInPlaceCount = 0; ///< new versions of tensors, in the same category
    std::int64_t categoryChangeCount = 0; ///< changes of a tensor's category
    /// `allocates` is true if bytes were allocated or freed in the trace. `inBlocks` is true if the sizes of
    /// all these allocations and frees (with levels: all changes of the total) are multiples of 512.
    bool allocates = false;
    bool inBlocks = true;
    std::optional<Error> error; ///< why reading ended early
};

/// Reads either form from the stream. Drops rows with a wrong count of numbers, or anything except integers
/// in range; the log has their number and the offset of the first one. After an error, the result has what
/// was read before.
Timeline readTimeline(ByteSource& source, std::uint64_t maxMemoryBytes, ImportLog& log);

} // namespace highwater::memory_timeline
