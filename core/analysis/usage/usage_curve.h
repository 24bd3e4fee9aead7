#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/usage/allocations.h"
#include "core/analysis/usage/removed_bytes.h"

namespace highwater {

/// The first event of a range with the range's largest total, and that total.
struct CurvePeak
{
    std::int64_t event = -1;
    Bytes bytes = 0;

    bool operator==(const CurvePeak&) const = default;
};

/// The live bytes of one device after each event, and its reserved bytes where they change. A pyramid of
/// maxima finds the largest total of a range in O(log n).
class UsageCurve
{
public:
    /// One change of the reserved bytes: the value after `event`, valid up to the next change.
    struct ReservedChange
    {
        std::int64_t event;
        Bytes bytes;
    };

    /// O(events + allocations + segments). Does not refer to the arguments afterwards.
    explicit UsageCurve(const Trace& trace, const AllocationTable& allocations);
    /// Makes the curve that remains when bytes are removed. The changes must ascend by event. Reserved bytes
    /// are unknown and thus 0. O(events).
    UsageCurve(const UsageCurve& curve, const std::vector<RemovedBytes>& removed);

    std::int64_t eventCount() const { return static_cast<std::int64_t>(m_total.size()) - 1; }
    /// Returns the live bytes after the event; −1 means before the first.
    Bytes at(std::int64_t event) const { return m_total[static_cast<std::size_t>(event + 1)]; }
    /// Returns the reserved bytes after the event; nullopt before the first total that the file reports,
    /// since nothing shows how much was reserved then. −1 means before the first event. O(log changes).
    std::optional<Bytes> reservedAt(std::int64_t event) const;
    const std::vector<ReservedChange>& reservedChanges() const { return m_reserved; }
    Bytes reservedPeak() const;

    /// Returns the largest total after the events [first, last), and the first event with this total. `first`
    /// may be −1 to include the moment before the first event; an empty range counts as its first event.
    /// O(log n).
    CurvePeak peak(std::int64_t first, std::int64_t last) const;
    /// Returns the peak of the whole trace, including the moment before the first event.
    CurvePeak peak() const { return peak(-1, eventCount()); }

    std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kFanOut = 64;

    void buildPyramid();
    CurvePeak larger(CurvePeak largest, std::size_t index) const;

    PackedColumn<Bytes> m_total; ///< [0] before the first event, [e + 1] after event e
    std::vector<ReservedChange> m_reserved; ///< by event; begins with −1 unless the file reports totals
    /// Level k has, for each group of kFanOut^(k+1) totals, the index of its first largest one.
    std::vector<Column<std::uint32_t>> m_levels;
};

} // namespace highwater
