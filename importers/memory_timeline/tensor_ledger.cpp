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
    settle();
    m_times.push_back(time);
}

bool TensorLedger::come(CategoryIndex category, Bytes bytes)
{
    if (m_total > kMaxTotal - bytes)
        return false;
    m_total += bytes;
    m_coming.push_back({category, bytes});
    return true;
}

bool TensorLedger::leave(CategoryIndex category, Bytes bytes)
{
    if (m_total < bytes - kMaxTotal)
        return false;
    m_total -= bytes;
    m_leaving.push_back({category, bytes});
    return true;
}

void TensorLedger::settle()
{
    cancelWithinMoment();
    std::erase_if(m_leaving,
        [this](const Piece& piece) { return m_matching == Matching::EqualSizesFirst && endEqual(piece); });
    if (!m_leaving.empty())
        endLayers();
    for (const Piece& piece : m_coming)
        add(piece);
    m_coming.clear();
    m_leaving.clear();
}

void TensorLedger::cancelWithinMoment()
{
    if (m_coming.empty() || m_leaving.empty())
        return;
    NumberMap<SizeKey, std::int64_t> leaving;
    for (const Piece& piece : m_leaving)
        ++leaving[keyOf(piece)];
    NumberMap<SizeKey, std::int64_t> cancelled;
    std::erase_if(m_coming, [&](const Piece& piece) {
        const auto found = leaving.find(keyOf(piece));
        if (found == leaving.end() || found->second == 0)
            return false;
        --found.value();
        ++cancelled[keyOf(piece)];
        ++m_counts.cancelled;
        return true;
    });
    std::erase_if(m_leaving, [&](const Piece& piece) {
        const auto found = cancelled.find(keyOf(piece));
        return found != cancelled.end() && found->second > 0 && found.value()-- > 0;
    });
}

bool TensorLedger::endEqual(const Piece& piece)
{
    const auto found = m_ofSize.find(keyOf(piece));
    if (found == m_ofSize.end())
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

void TensorLedger::endLayers()
{
    for (std::size_t i = 0; i < m_coming.size(); ++i)
        m_comingOf[m_coming[i].category].push_back(i);
    const Bytes missing = m_missing;
    for (const Piece& piece : m_leaving) {
        m_counts.layered += m_matching == Matching::EqualSizesFirst;
        Bytes left = cutComing(piece.category, cutIntervals(piece.category, piece.bytes));
        m_counts.borrowed += left > 0;
        m_missing += left > 0 ? borrow(left) : 0;
    }
    m_counts.belowZero += m_missing > missing;
    for (std::vector<std::size_t>& coming : m_comingOf)
        coming.clear();
}

Bytes TensorLedger::borrow(Bytes bytes)
{
    const auto endsEqual = [&](CategoryIndex category) {
        return m_matching == Matching::EqualSizesFirst && endEqual({category, bytes});
    };
    for (CategoryIndex other = kCategories; other-- > 0;)
        if (endsEqual(other))
            return 0;
    for (CategoryIndex other = kCategories; other-- > 0 && bytes > 0;)
        bytes = cutComing(other, cutIntervals(other, bytes));
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
                m_ofSize[keyOf({category, interval.bytes})].push_back(index);
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

Bytes TensorLedger::cutComing(CategoryIndex category, Bytes bytes)
{
    std::vector<std::size_t>& latest = m_comingOf[category];
    while (bytes > 0 && !latest.empty()) {
        Piece& piece = m_coming[latest.back()];
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
    const Bytes paid = std::min(piece.bytes, m_missing);
    m_missing -= paid;
    piece.bytes -= paid;
    if (piece.bytes == 0)
        return;
    const auto index = static_cast<IntervalIndex>(m_intervals.size());
    m_intervals.push_back({moment(), kNever, piece.bytes, piece.category});
    m_latest[piece.category].push_back(index);
    if (m_matching == Matching::EqualSizesFirst)
        m_ofSize[keyOf(piece)].push_back(index);
}

bool TensorLedger::isFull() const
{
    return m_intervals.size() + m_coming.size() + m_leaving.size() >= kMaxIntervals
        || m_times.size() >= kMaxMoments;
}

std::uint64_t TensorLedger::memoryBytes() const
{
    return m_intervals.size() * kBytesPerInterval + m_times.size() * kBytesPerMoment
        + m_ofSize.size() * kBytesPerSize + (m_coming.size() + m_leaving.size()) * sizeof(Piece);
}

} // namespace highwater::memory_timeline
