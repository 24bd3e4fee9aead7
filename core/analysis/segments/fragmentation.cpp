#include "core/analysis/segments/fragmentation.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/base/text_format.h"

namespace highwater {

namespace {

/// A segment in use counts as held if more than 1/kHeldDivisor of it is free.
constexpr std::int64_t kHeldDivisor = 4;
constexpr Bytes kSmallestClass = 4 * kKiB;
constexpr std::int64_t kClassFactor = 16;
constexpr std::size_t kClassCount = 8;

/// Returns the index of the size class in `emptyClasses`.
std::size_t classOfSize(Bytes blockSize)
{
    std::size_t index = 0;
    for (Bytes below = kSmallestClass; blockSize >= below && index + 1 < kClassCount; below *= kClassFactor)
        ++index;
    return index;
}

std::vector<FreeBlockClass> emptyClasses()
{
    std::vector<FreeBlockClass> classes(kClassCount);
    Bytes below = kSmallestClass;
    for (std::size_t i = 0; i < kClassCount; ++i) {
        classes[i].from = i == 0 ? 0 : classes[i - 1].below;
        classes[i].below = i + 1 == kClassCount ? 0 : below;
        below *= kClassFactor;
    }
    return classes;
}

/// Adds a segment with this number of free blocks to the totals.
void addSegment(FreeListFigures& figures, const SegmentAt& segment, std::int64_t freeBlockCount)
{
    ++figures.segmentCount;
    figures.reservedBytes += segment.range.size;
    figures.activeBytes += segment.activeBytes;
    figures.pendingBytes += segment.pendingBytes;
    figures.freeBytes += segment.freeBytes;
    figures.freeBlockCount += freeBlockCount;
    figures.largestFree = std::max(figures.largestFree, segment.largestFree);
    if (segment.isUnused()) {
        ++figures.unusedSegmentCount;
        figures.unusedBytes += segment.range.size;
    }
}

class FragmentationAnalysis
{
public:
    FragmentationAnalysis(const Trace& trace, const SegmentState& state)
        : m_trace(trace)
        , m_state(state)
    {
        m_result.freeBlockClasses = emptyClasses();
    }

    Fragmentation analyze()
    {
        for (std::uint32_t i = 0; i < m_state.segments.size(); ++i)
            addFiguresOf(i);
        std::erase_if(
            m_result.freeBlockClasses, [](const FreeBlockClass& sizeClass) { return sizeClass.count == 0; });
        std::ranges::stable_sort(m_result.lists, std::greater(), &FreeListFigures::reservedBytes);
        std::ranges::stable_sort(m_result.partlyFree, [this](const HeldSegment& a, const HeldSegment& b) {
            return m_state.segments.freeBytes(a.segment) > m_state.segments.freeBytes(b.segment);
        });
        std::ranges::copy_if(m_result.partlyFree, std::back_inserter(m_result.held),
            [this](const HeldSegment& each) { return isHeld(m_state.segments[each.segment]); });
        return std::move(m_result);
    }

private:
    static bool isHeld(const SegmentAt& segment)
    {
        return !segment.isUnused() && segment.freeBytes * kHeldDivisor > segment.range.size;
    }

    void addFiguresOf(std::uint32_t index)
    {
        const SegmentAt& segment = m_state.segments[index];
        HeldSegment held{index, 0, AllocationTable::kNoAllocation, AllocationTable::kNoAllocation};
        std::int64_t freeBlockCount = 0;
        Bytes largestSize = 0;
        for (const BlockAt& block : m_state.blocksOf(segment)) {
            if (block.isFreeBlock()) {
                ++freeBlockCount;
                FreeBlockClass& sizeClass = m_result.freeBlockClasses[classOfSize(block.size)];
                ++sizeClass.count;
                sizeClass.bytes += block.size;
                continue;
            }
            ++held.liveBlockCount;
            held.oldest = std::min(held.oldest, block.allocation); // the smallest index is the oldest
            if (block.size > largestSize)
                held.largest = block.allocation;
            largestSize = std::max(largestSize, block.size);
        }
        addSegment(m_result.all, segment, freeBlockCount);
        addSegment(figuresOf({segment.range.pool, segment.range.stream, segment.range.type}), segment,
            freeBlockCount);
        if (segment.isUnused() && !m_trace.isPrivate(segment.range.pool))
            m_result.releasableBytes += segment.range.size;
        if (segment.freeBytes > 0)
            m_result.partlyFree.push_back(held);
        if (isHeld(segment))
            m_result.heldFreeBytes += segment.freeBytes;
    }

    FreeListFigures& figuresOf(const FreeListKey& key)
    {
        const auto [entry, isNew] = m_listIndex.try_emplace(key, m_result.lists.size());
        if (isNew)
            m_result.lists.emplace_back().key = key;
        return m_result.lists[entry->second];
    }

    const Trace& m_trace;
    const SegmentState& m_state;
    Fragmentation m_result;
    std::map<FreeListKey, std::size_t> m_listIndex; ///< one entry per stream and pool in the worst case
};

} // namespace

std::string toText(const Trace& trace, const FreeListKey& key)
{
    std::string text = trace.poolLabel(key.pool) + " · " + trace.streamLabel(key.stream);
    if (key.type != SegmentType::Unknown)
        text += key.type == SegmentType::Small ? " · small" : " · large";
    return text;
}

std::string toText(const FreeBlockClass& sizeClass)
{
    if (sizeClass.below == 0)
        return "from " + formatBytes(sizeClass.from);
    return sizeClass.from == 0 ? "below " + formatBytes(sizeClass.below)
                               : formatBytes(sizeClass.from) + " – " + formatBytes(sizeClass.below);
}

Fragmentation measureFragmentation(const Trace& trace, const SegmentState& state)
{
    return FragmentationAnalysis(trace, state).analyze();
}

} // namespace highwater
