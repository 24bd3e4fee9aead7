#include "importers/memory_timeline/tensor_ledger.h"

#include <algorithm>

namespace highwater::memory_timeline {

namespace {

/// Sums are limited to more than any machine has, yet low enough that nothing overflows.
constexpr Bytes kMaxTotal = Bytes{1} << 56;

/// Each interval needs its own memory, its places in the orders by size and by birth, and the two events it
/// becomes with their partners.
constexpr std::uint64_t kBytesPerInterval = 24 + 3 * 16 + 2 * 60;
constexpr std::uint64_t kBytesPerMoment = 24;
constexpr std::uint64_t kBytesPerSize = 64;
/// Event and moment numbers have 31 bits; each interval becomes two events.
constexpr std::size_t kMaxIntervals = (std::size_t{1} << 30) - 1;
constexpr std::size_t kMaxMoments = (std::size_t{1} << 31) - 1;

} // namespace

void TensorLedger::beginMoment(Nanoseconds time)
{
    finishMoment();
    m_times.push_back(time);
}

bool TensorLedger::addBytes(CategoryIndex category, Bytes bytes)
{
    if (m_total > kMaxTotal - bytes)
        return false;
    m_total += bytes;
    m_added.push_back({category, bytes});
    return true;
}

bool TensorLedger::removeBytes(CategoryIndex category, Bytes bytes)
{
    if (m_total < bytes - kMaxTotal)
        return false;
    m_total -= bytes;
    m_removed.push_back({category, bytes});
    return true;
}

void TensorLedger::finishMoment()
{
    cancelWithinMoment();
    std::erase_if(m_removed, [this](const Piece& piece) {
        return m_matching == Matching::EqualSizesFirst && endIntervalOfSize(piece);
    });
    if (!m_removed.empty())
        endLatestBytes();
    for (const Piece& piece : m_added)
        add(piece);
    m_added.clear();
    m_removed.clear();
}

void TensorLedger::cancelWithinMoment()
{
    if (m_added.empty() || m_removed.empty())
        return;
    NumberMap<SizeKey, std::int64_t> leaving;
    for (const Piece& piece : m_removed)
        ++leaving[keyOf(piece)];
    NumberMap<SizeKey, std::int64_t> cancelled;
    std::erase_if(m_added, [&](const Piece& piece) {
        const auto found = leaving.find(keyOf(piece));
        if (found == leaving.end() || found->second == 0)
            return false;
        --found.value();
        ++cancelled[keyOf(piece)];
        ++m_counts.cancelled;
        return true;
    });
    std::erase_if(m_removed, [&](const Piece& piece) {
        const auto found = cancelled.find(keyOf(piece));
        return found != cancelled.end() && found->second > 0 && found.value()-- > 0;
    });
}

bool TensorLedger::endIntervalOfSize(const Piece& piece)
{
    const auto found = m_bySize.find(keyOf(piece));
    if (found == m_bySize.end())
        return false;
    std::vector<IntervalIndex>& candidates = found.value();
    while (!candidates.empty()) {
        Interval& interval = m_intervals[candidates.back()];
        candidates.pop_back();
        if (interval.death == kNever && interval.bytes == piece.bytes) {
            interval.death = moment();
            return true;
        }
    }
    return false;
}

void TensorLedger::endLatestBytes()
{
    for (std::size_t i = 0; i < m_added.size(); ++i)
        m_addedOfCategory[m_added[i].category].push_back(i);
    const Bytes missingBefore = m_missing;
    for (const Piece& piece : m_removed) {
        m_counts.layered += m_matching == Matching::EqualSizesFirst;
        Bytes remaining = cutAdded(piece.category, cutIntervals(piece.category, piece.bytes));
        m_counts.borrowed += remaining > 0;
        m_missing += remaining > 0 ? takeFromAnyCategory(remaining) : 0;
    }
    m_counts.belowZero += m_missing > missingBefore;
    for (std::vector<std::size_t>& addedItems : m_addedOfCategory)
        addedItems.clear();
}

Bytes TensorLedger::takeFromAnyCategory(Bytes bytes)
{
    const auto endsIntervalOf = [&](CategoryIndex category) {
        return m_matching == Matching::EqualSizesFirst && endIntervalOfSize({category, bytes});
    };
    for (CategoryIndex otherCategory = kTimelineCategoryCount; otherCategory-- > 0;)
        if (endsIntervalOf(otherCategory))
            return 0;
    for (CategoryIndex otherCategory = kTimelineCategoryCount; otherCategory-- > 0 && bytes > 0;)
        bytes = cutAdded(otherCategory, cutIntervals(otherCategory, bytes));
    return bytes;
}

Bytes TensorLedger::cutIntervals(CategoryIndex category, Bytes bytes)
{
    std::vector<IntervalIndex>& latest = m_latest[category];
    while (bytes > 0 && !latest.empty()) {
        const IntervalIndex index = latest.back();
        Interval& interval = m_intervals[index];
        if (interval.death == kNever && interval.bytes > bytes) { // the part that ends becomes an interval
            const Interval cut{interval.birth, moment(), bytes, category};
            interval.bytes -= bytes;
            if (m_matching == Matching::EqualSizesFirst)
                m_bySize[keyOf({category, interval.bytes})].push_back(index);
            m_intervals.push_back(cut);
            return 0;
        }
        latest.pop_back();
        if (interval.death == kNever) {
            interval.death = moment();
            bytes -= interval.bytes;
        }
    }
    return bytes;
}

Bytes TensorLedger::cutAdded(CategoryIndex category, Bytes bytes)
{
    std::vector<std::size_t>& latest = m_addedOfCategory[category];
    while (bytes > 0 && !latest.empty()) {
        Piece& piece = m_added[latest.back()];
        const Bytes cut = std::min(bytes, piece.bytes);
        piece.bytes -= cut;
        bytes -= cut;
        if (piece.bytes == 0)
            latest.pop_back();
    }
    return bytes;
}

void TensorLedger::add(Piece piece)
{
    const Bytes coveredBytes = std::min(piece.bytes, m_missing);
    m_missing -= coveredBytes;
    piece.bytes -= coveredBytes;
    if (piece.bytes == 0)
        return;
    const auto index = static_cast<IntervalIndex>(m_intervals.size());
    m_intervals.push_back({moment(), kNever, piece.bytes, piece.category});
    m_latest[piece.category].push_back(index);
    if (m_matching == Matching::EqualSizesFirst)
        m_bySize[keyOf(piece)].push_back(index);
}

bool TensorLedger::isFull() const
{
    return m_intervals.size() + m_added.size() + m_removed.size() >= kMaxIntervals
        || m_times.size() >= kMaxMoments;
}

std::uint64_t TensorLedger::memoryBytes() const
{
    return m_intervals.size() * kBytesPerInterval + m_times.size() * kBytesPerMoment
        + m_bySize.size() * kBytesPerSize + (m_added.size() + m_removed.size()) * sizeof(Piece);
}

} // namespace highwater::memory_timeline
