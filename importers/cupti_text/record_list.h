#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "importers/nsys/records.h"

/// The contents of a text of CUPTI memory records, before they become a Trace.
namespace highwater::cupti_text {

/// CUPTI's "none" in 32-bit stream and context numbers.
inline constexpr std::int64_t kInvalidNumber = 0xFFFFFFFF;

/// The records of a text, and what was lost.
struct RecordList
{
    std::string form; ///< form of the text: "table", "printed, a line a record", …
    std::vector<nsys::MemoryRow> rows; ///< in file order; `process` is the operating system's number
    std::vector<nsys::PoolFigure> pools; ///< MEMORY_POOL records; `process` as in `rows`
    std::string deviceName;
    std::int64_t dropped = 0; ///< records that the recorder reports as lost
    std::int64_t unreadable = 0;
    std::optional<Place> firstUnreadable;
    bool numbersWereSwapped = false; ///< true if `restoreSwappedNumbers` moved numbers
    std::optional<Error> error; ///< why reading ended early

    /// Returns the memory in use, plus what the events made from the rows will need.
    std::uint64_t memoryBytes() const
    {
        constexpr std::uint64_t perEvent = 200;
        return rows.size() * (sizeof(nsys::MemoryRow) + perEvent) + pools.size() * sizeof(nsys::PoolFigure);
    }
    void countUnreadable(std::uint64_t line)
    {
        ++unreadable;
        firstUnreadable = firstUnreadable.value_or(Place::line(line));
    }
};

} // namespace highwater::cupti_text
