#include "core/analysis/composition/histograms.h"

#include <algorithm>
#include <limits>

namespace highwater {

namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

/// Returns [0, 1), [1, base), [base, base²), … up to the largest number.
std::vector<HistogramBin> growingBins(std::int64_t base, BinKind kind = BinKind::Range)
{
    std::vector<HistogramBin> bins{{kind, 0, 1, {}}};
    for (std::int64_t low = 1;;) {
        const std::int64_t high = low > kNoLimit / base ? kNoLimit : low * base;
        bins.push_back({kind, low, high, {}});
        if (high == kNoLimit)
            return bins;
        low = high;
    }
}

/// Returns the index of the bin of this kind that contains the value; for Older, of the only one. bins.size()
/// if there is none.
std::size_t findBin(const std::vector<HistogramBin>& bins, BinKind kind, std::int64_t value)
{
    const auto found = std::ranges::find_if(bins, [&](const HistogramBin& bin) {
        return bin.kind == kind && (kind == BinKind::Older || bin.contains(value));
    });
    return static_cast<std::size_t>(found - bins.begin());
}

BinKind lifetimeKind(const AllocationTable& allocations, AllocationIndex i)
{
    if (allocations.death(i) == AllocationTable::kNeverFreed)
        return BinKind::NotFreed;
    return allocations.birth(i) < 0 ? BinKind::Older : BinKind::Range;
}

/// Drops empty ranges at both ends, and empty bins of the other kinds.
void trim(std::vector<HistogramBin>& bins)
{
    const auto isUsed = [](const HistogramBin& bin) { return bin.total.count > 0; };
    const auto isUsedRange
        = [&](const HistogramBin& bin) { return bin.kind == BinKind::Range && isUsed(bin); };
    const auto first = std::ranges::find_if(bins, isUsedRange) - bins.begin();
    const auto last = bins.rend() - std::find_if(bins.rbegin(), bins.rend(), isUsedRange);
    std::vector<HistogramBin> trimmed;
    for (std::ptrdiff_t i = 0; i < std::ssize(bins); ++i) {
        const HistogramBin& bin = bins[static_cast<std::size_t>(i)];
        if (bin.kind == BinKind::Range ? i >= first && i < last : isUsed(bin))
            trimmed.push_back(bin);
    }
    bins = std::move(trimmed);
}

} // namespace

Histogram sizeHistogram(const AllocationTable& allocations, const LiveSet& set)
{
    Histogram histogram{growingBins(2), set.total};
    for (const AllocationIndex i : set.allocations) {
        const std::size_t bin = findSizeBin(histogram, allocations, i);
        histogram.bins[bin].total.add(allocations.bytes(i));
    }
    trim(histogram.bins);
    return histogram;
}

Histogram lifetimeHistogram(const AllocationTable& allocations, const LiveSet& set)
{
    Histogram histogram{growingBins(10), set.total};
    const std::vector<HistogramBin> notFreed = growingBins(10, BinKind::NotFreed);
    histogram.bins.insert(histogram.bins.end(), notFreed.begin(), notFreed.end());
    histogram.bins.push_back({BinKind::Older, 0, 0, {}});
    for (const AllocationIndex i : set.allocations) {
        const std::size_t bin = findLifetimeBin(histogram, allocations, i);
        histogram.bins[bin].total.add(allocations.bytes(i));
    }
    trim(histogram.bins);
    return histogram;
}

std::size_t findSizeBin(const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i)
{
    // A valid file has no sizes below zero and none of 2⁶³ − 1; in a hostile file they count in the nearest
    // bin.
    const Bytes bytes = std::clamp<Bytes>(allocations.bytes(i), 0, kNoLimit - 1);
    return findBin(histogram.bins, BinKind::Range, bytes);
}

std::size_t findLifetimeBin(const Histogram& histogram, const AllocationTable& allocations, AllocationIndex i)
{
    return findBin(histogram.bins, lifetimeKind(allocations, i), lifetimeInTrace(allocations, i));
}

} // namespace highwater
