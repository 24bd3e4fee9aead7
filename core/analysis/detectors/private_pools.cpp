#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/allocator/allocator_moment.h"
#include "core/analysis/detectors/rules.h"
#include "core/analysis/detectors/worth_reporting.h"
#include "core/analysis/usage/pool_names.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr std::size_t kPoolsNamed = 8;

/// One private pool at one moment; sizes are in bytes.
struct Pool
{
    PoolId id;
    std::int64_t segments = 0;
    Bytes reservedBytes = 0;
    Bytes idleBytes = 0;
    Address largestSegment = 0; ///< start of its largest segment
    Bytes largestSize = 0;
    std::vector<AllocationIndex> liveBlocks; ///< ascending
};

void addSegment(const SegmentState& state, const SegmentAt& segment, Pool& pool)
{
    ++pool.segments;
    pool.reservedBytes += segment.range.size;
    pool.idleBytes += segment.freeBytes;
    if (segment.range.size > pool.largestSize) {
        pool.largestSize = segment.range.size;
        pool.largestSegment = segment.range.begin;
    }
    for (const BlockAt& block : state.blocksOf(segment))
        if (block.allocation != AllocationTable::kNoAllocation)
            pool.liveBlocks.push_back(block.allocation);
}

/// Returns the private pools, ordered by reserved bytes, largest first.
std::vector<Pool> privatePools(const Trace& trace, const SegmentState& state)
{
    std::map<PoolId, Pool> byId;
    for (const SegmentAt& segment : state.segments) {
        const PoolId id = segment.range.pool;
        if (!trace.isPrivate(id))
            continue;
        Pool& pool = byId[id];
        pool.id = id;
        addSegment(state, segment, pool);
    }
    std::vector<Pool> pools;
    for (auto& [id, pool] : byId) {
        std::ranges::sort(pool.liveBlocks);
        pools.push_back(std::move(pool));
    }
    std::ranges::stable_sort(pools, std::ranges::greater(), &Pool::reservedBytes);
    return pools;
}

Evidence evidenceOf(const DeviceStudy& study, const PoolNames& names, Pool pool, std::int64_t event)
{
    const std::string liveText = pool.liveBlocks.empty()
        ? "nothing is in use"
        : fmt::format("{} {} in use: {}", blocksText(pool.liveBlocks.size()),
            pool.liveBlocks.size() == 1 ? "is" : "are", placesOf(study, pool.liveBlocks));
    return {fmt::format("{} has {} in {}; {} of it is idle, and {}", upperFirst(names.label(pool.id)),
                formatBytes(pool.reservedBytes), counted(pool.segments, "segment", "segments"),
                formatBytes(pool.idleBytes), liveText),
        pool.liveBlocks.empty() ? EvidenceTarget(SegmentTarget{pool.largestSegment, event})
                                : EvidenceTarget(AllocationsTarget{pool.liveBlocks})};
}

} // namespace

std::vector<Finding> findPrivatePools(const DetectorInput& input)
{
    const DeviceStudy& study = *input.study;
    if (std::ranges::all_of(study.trace.pools, &PoolKey::isDefault) || !study.about().canDeriveSegments())
        return {};
    const LiveIndex live(study.allocations);
    const SegmentHistory history(study.trace, study.allocations, live);
    const std::int64_t event = initialEvent(input.figures);
    const SegmentState state = history.at(event);
    Bytes reservedBytes = 0;
    Bytes idleBytes = 0;
    std::vector<Pool> pools = privatePools(study.trace, state);
    for (const Pool& pool : pools) {
        reservedBytes += pool.reservedBytes;
        idleBytes += pool.idleBytes;
    }
    if (!isWorthReporting(input, reservedBytes))
        return {};
    Finding finding
        = findingAt(input, event, "private-pools", state.isExact() ? Grade::A : Grade::B, FindingKind::Fact);
    finding.bytes = reservedBytes;
    finding.title = fmt::format("{} {} of {} reserved: {} in use, {} idle",
        counted(pools.size(), "private pool keeps", "private pools keep"), formatBytes(reservedBytes),
        formatBytes(state.reservedBytes), formatBytes(reservedBytes - idleBytes), formatBytes(idleBytes));
    const PoolNames names(study.allocations);
    for (std::size_t i = 0; i < pools.size() && i < kPoolsNamed; ++i)
        finding.evidence.push_back(evidenceOf(study, names, std::move(pools[i]), event));
    if (pools.size() > kPoolsNamed)
        finding.addEvidence({}, "{} smaller pools are not listed", pools.size() - kPoolsNamed);
    finding.remedy.action = "Capture fewer or smaller graphs, let graphs share one pool, and drop pools that "
                            "are no longer used: idle memory serves its own pool only";
    finding.wouldDisprove = "Wrong if the graphs are replayed: they use the idle memory at each replay";
    return {std::move(finding)};
}

} // namespace highwater
