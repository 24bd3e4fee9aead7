#include "core/analysis/composition/band_spans.h"

#include <algorithm>

namespace highwater {

void visitBandSpans(const LiveIndex& live, const BandGroups& bands, std::span<const std::int64_t> events,
    const std::function<void(const LiveSpan&, GroupRank)>& visit)
{
    visitLiveSpans(live, events, [&](const LiveSpan& span) {
        const std::int64_t keptSince = bands.keptBlocks
            ? std::int64_t{bands.keptBlocks->keptSince(span.allocation)}
            : KeptBlocks::kNever;
        if (keptSince > events[span.first] && keptSince <= events[span.last - 1]) {
            const auto keptIndex
                = static_cast<std::uint32_t>(std::ranges::lower_bound(events, keptSince) - events.begin());
            visit({span.allocation, span.first, keptIndex}, bands.rank(span.allocation));
            visit({span.allocation, keptIndex, span.last}, bands.rankAt(span.allocation, events[keptIndex]));
        } else {
            visit(span, bands.rankAt(span.allocation, events[span.first]));
        }
    });
}

std::vector<std::vector<Bytes>> groupBytesAt(
    const LiveIndex& live, const BandGroups& bands, std::span<const std::int64_t> events)
{
    // At first, each row contains the difference from the row before it. The extra last row is for spans that
    // outlive all events.
    std::vector<std::vector<Bytes>> rows(events.size() + 1, std::vector<Bytes>(bands.groups.size(), 0));
    visitBandSpans(live, bands, events, [&](const LiveSpan& span, GroupRank group) {
        const Bytes bytes = live.allocations().bytes(span.allocation);
        rows[span.first][group] += bytes;
        rows[span.last][group] -= bytes;
    });
    rows.pop_back();
    for (std::size_t row = 1; row < rows.size(); ++row)
        for (std::size_t group = 0; group < rows[row].size(); ++group)
            rows[row][group] += rows[row - 1][group];
    return rows;
}

} // namespace highwater
