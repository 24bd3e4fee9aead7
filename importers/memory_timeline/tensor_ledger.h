#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/column.h"
#include "core/base/hash.h"
#include "core/base/units.h"

namespace highwater::memory_timeline {

/// Index of a category in the order that the files use, from 0.
using CategoryIndex = std::uint8_t;
inline constexpr std::size_t kTimelineCategoryCount = 8;

/// Bytes in one category between two moments: a tensor, a part of one, or a layer of the levels.
struct Interval
{
    std::uint32_t birth = 0; ///< moment of birth
    std::uint32_t death = 0; ///< moment of death, or TensorLedger::kNever
    Bytes bytes = 0;
    CategoryIndex category = 0;
};

/// Numbers of assumptions that the ledger had to make.
struct LedgerCounts
{
    std::int64_t cancelled = 0; ///< intervals that begin and end at one moment, which are dropped
    std::int64_t layered = 0; ///< removals without an interval of that size, cut from the latest intervals
    std::int64_t borrowed = 0; ///< removals larger than their category, cut from other categories
    std::int64_t belowZero = 0; ///< moments after which more bytes were removed than existed
};

/// Derives intervals from bytes added to and removed from categories. The tensors are unknown.
///
/// Moment 0 is the time before the trace. Bytes removed at a moment are taken, in this order, from: an
/// addition at the same moment with that category and size (both are dropped); the latest interval of that
/// category and size (only if equal sizes are matched); the latest intervals of that category, the last of
/// which is cut; other additions at the same moment to that category. So every category's level is exact
/// after every moment. If a category has less than is removed, the rest is taken from other categories, and
/// if all are empty, from later additions: the total is exact wherever it is not negative.
class TensorLedger
{
public:
    static constexpr std::uint32_t kNever = 0xFFFFFFFF;

    enum class Matching : std::uint8_t
    {
        EqualSizesFirst, ///< rows are complete tensors
        LayersOnly, ///< rows are differences of levels
    };

    explicit TensorLedger(Matching matching)
        : m_matching(matching)
    {
    }

    /// Ends the current moment, if any, and begins the next one.
    void beginMoment(Nanoseconds time);
    /// Adds or removes bytes at this moment, in any order. `bytes` must be above 0. Returns false, without
    /// any change, if the sums would overflow.
    bool addBytes(CategoryIndex category, Bytes bytes);
    bool removeBytes(CategoryIndex category, Bytes bytes);
    /// Ends the last moment; call it once, at the end.
    void finish() { finishMoment(); }

    /// Returns the intervals, ordered by birth, except for parts that were cut off later. An interval's index
    /// stays the same.
    const Column<Interval>& intervals() const { return m_intervals; }
    /// Returns the time of each moment from 1 on.
    const Column<Nanoseconds>& times() const { return m_times; }
    const LedgerCounts& counts() const { return m_counts; }
    /// True if the tables may have no room for another row.
    bool isFull() const;
    /// Returns the memory in use, plus what creating events from it will need.
    std::uint64_t memoryBytes() const;

private:
    struct Piece
    {
        CategoryIndex category;
        Bytes bytes;
    };
    using IntervalIndex = std::uint32_t;
    using SizeKey = std::uint64_t;

    static SizeKey keyOf(const Piece& piece)
    {
        return static_cast<SizeKey>(piece.bytes) << 3 | piece.category;
    }
    std::uint32_t moment() const { return static_cast<std::uint32_t>(m_times.size()); }

    void finishMoment();
    void cancelWithinMoment();
    bool endIntervalOfSize(const Piece& piece);
    void endLatestBytes();
    /// Ends an interval of that size in any category. If there is none, cuts from all categories, parameters
    /// last. Returns the bytes that no category has.
    Bytes takeFromAnyCategory(Bytes bytes);
    /// Cuts at most `bytes` from the category's latest intervals; returns the bytes that remain.
    Bytes cutIntervals(CategoryIndex category, Bytes bytes);
    /// Cuts at most `bytes` from the bytes added to the category at this moment; returns the bytes that
    /// remain.
    Bytes cutAdded(CategoryIndex category, Bytes bytes);
    void add(Piece piece);

    Matching m_matching;
    Column<Interval> m_intervals;
    Column<Nanoseconds> m_times;
    std::array<std::vector<IntervalIndex>, kTimelineCategoryCount>
        m_latest; ///< ordered by birth; some have ended
    NumberMap<SizeKey, std::vector<IntervalIndex>> m_bySize; ///< some have ended or were cut
    std::vector<Piece> m_added; ///< additions at this moment
    std::vector<Piece> m_removed; ///< removals at this moment
    /// Indices of the items of `m_added` that have bytes left, by category.
    std::array<std::vector<std::size_t>, kTimelineCategoryCount> m_addedOfCategory;
    Bytes m_total = 0;
    Bytes m_missing = 0; ///< bytes that were removed without ever existing
    LedgerCounts m_counts;
};

} // namespace highwater::memory_timeline
