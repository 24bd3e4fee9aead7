#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "importers/nsys/records.h"

/// What a text of CUPTI memory records holds, before it becomes a Trace.
namespace highwater::cupti_text {

/// Larger sizes than any machine has are refused: the rest of the program relies on sums that do not
/// overflow.
inline constexpr Bytes kMostBytes = Bytes{1} << 48;
/// How CUPTI writes "none" in its 32-bit numbers of streams and contexts.
inline constexpr std::int64_t kInvalidNumber = 0xFFFFFFFF;

struct RecordList
{
    std::string form; ///< form of the text: "printed, a line each", …
    std::vector<nsys::MemoryRow> rows; ///< in file order; `process` as the operating system numbers it
    std::vector<nsys::PoolFigure> pools; ///< of MEMORY_POOL records; the same
    std::string deviceName;
    std::int64_t dropped = 0; ///< records that the recorder says it lost
    std::int64_t unreadable = 0;
    std::optional<Place> firstUnreadable;
    bool numbersPutRight = false; ///< see `putNumbersRight`
    std::optional<Error> error; ///< why reading ended early

    /// Memory in use, plus what making events of it will need.
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
