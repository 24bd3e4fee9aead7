#include "core/analysis/segments/fragmentation.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace highwater {

namespace {

/// A segment counts as pinned if more than 1/kPinnedShare of it is free.
constexpr Bytes kPinnedShare = 4;
constexpr Bytes kSmallestClass = 4 * kKiB;
constexpr Bytes kClassFactor = 16;
constexpr std::size_t kClasses = 8;

std::size_t classOf(Bytes hole)
{
    std::size_t index = 0;
    for (Bytes below = kSmallestClass; hole >= below && index + 1 < kClasses; below *= kClassFactor)
        ++index;
    return index;
}

std::vector<HoleClass> emptyClasses()
{
    std::vector<HoleClass> classes(kClasses);
    Bytes below = kSmallestClass;
    for (std::size_t i = 0; i < kClasses; ++i) {
        classes[i].from = i == 0 ? 0 : classes[i - 1].below;
        classes[i].below = i + 1 == kClasses ? 0 : below;
        below *= kClassFactor;
    }
    return classes;
}

void addSegment(FreeListFigures& figures, const SegmentAt& segment, std::int64_t holes)
{
    ++figures.segments;
    figures.reservedBytes += segment.range.size;
    figures.activeBytes += segment.activeBytes;
    figures.pendingBytes += segment.pendingBytes;
    figures.freeBytes += segment.freeBytes;
    figures.holes += holes;
    figures.largestFree = std::max(figures.largestFree, segment.largestFree);
    if (segment.isUnused()) {
        ++figures.unusedSegments;
        figures.unusedBytes += segment.range.size;
    }
}

class Figures
{
public:
    Figures(const Trace& trace, const SegmentState& state)
        : m_trace(trace)
        , m_state(state)
    {
        m_result.holes = emptyClasses();
    }

    Fragmentation run()
    {
        for (std::uint32_t i = 0; i < m_state.segments.size(); ++i)
            add(i);
        std::erase_if(m_result.holes, [](const HoleClass& holes) { return holes.holes == 0; });
        std::ranges::stable_sort(m_result.lists, std::greater(), &FreeListFigures::reservedBytes);
        std::ranges::stable_sort(m_result.pinned, [this](const PinnedSegment& a, const PinnedSegment& b) {
            return m_state.segments.freeBytes(a.segment) > m_state.segments.freeBytes(b.segment);
        });
        return std::move(m_result);
    }

private:
    void add(std::uint32_t index)
    {
        const SegmentAt& segment = m_state.segments[index];
        PinnedSegment pinned{index, 0, AllocationTable::kNoAllocation, AllocationTable::kNoAllocation};
        std::int64_t holes = 0;
        Bytes largest = 0;
        for (const BlockAt& block : m_state.blocksOf(segment)) {
            if (block.isHole()) {
                ++holes;
                HoleClass& its = m_result.holes[classOf(block.size)];
                ++its.holes;
                its.bytes += block.size;
                continue;
            }
            ++pinned.liveBlocks;
            pinned.oldest = std::min(pinned.oldest, block.allocation); // the smallest index is the oldest
            if (block.size > largest)
                pinned.largest = block.allocation;
            largest = std::max(largest, block.size);
        }
        addSegment(m_result.all, segment, holes);
        addSegment(list({segment.range.pool, segment.range.stream, segment.range.type}), segment, holes);
        if (segment.isUnused() && !m_trace.isPrivate(segment.range.pool))
            m_result.releasableBytes += segment.range.size;
        if (!segment.isUnused() && segment.freeBytes * kPinnedShare > segment.range.size) {
            m_result.pinned.push_back(pinned);
            m_result.pinnedFreeBytes += segment.freeBytes;
        }
    }

    FreeListFigures& list(const FreeListKey& key)
    {
        const auto [entry, isNew] = m_listOf.try_emplace(key, m_result.lists.size());
        if (isNew)
            m_result.lists.emplace_back().key = key;
        return m_result.lists[entry->second];
    }

    const Trace& m_trace;
    const SegmentState& m_state;
    Fragmentation m_result;
    std::map<FreeListKey, std::size_t> m_listOf; ///< one entry per stream and pool in the worst case
};

/// Formats powers of two: "4 KiB", not "4.000 KiB".
std::string limitText(Bytes bytes)
{
    if (bytes >= kGiB)
        return fmt::format("{} GiB", bytes / kGiB);
    return bytes >= kMiB ? fmt::format("{} MiB", bytes / kMiB) : fmt::format("{} KiB", bytes / kKiB);
}

} // namespace

std::string toText(const Trace& trace, const FreeListKey& key)
{
    std::string text = trace.poolLabel(key.pool) + " · " + trace.streamLabel(key.stream);
    if (key.type != SegmentType::Unknown)
        text += key.type == SegmentType::Small ? " · small" : " · large";
    return text;
}

std::string toText(const HoleClass& holes)
{
    if (holes.below == 0)
        return "from " + limitText(holes.from);
    return holes.from == 0 ? "below " + limitText(holes.below)
                           : limitText(holes.from) + " – " + limitText(holes.below);
}

Fragmentation fragmentationOf(const Trace& trace, const SegmentState& state)
{
    return Figures(trace, state).run();
}

} // namespace highwater
