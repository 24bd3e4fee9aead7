#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/detector_input.h"
#include "core/trace/stack_bits.h"

namespace highwater {

/// True if this many bytes are enough for a finding: at least a hundredth of the peak, or at least 64 MiB,
/// but never 0.
bool isWorthReporting(const DetectorInput& input, Bytes bytes);

/// The set of stacks with at least one frame that has a given property. The property must depend on the
/// function of the frame, not on its line. O(frames + stacks) to make.
class StacksWith
{
public:
    template <typename HasProperty>
    StacksWith(const Trace& trace, HasProperty hasProperty)
        : m_hasProperty(stackBitsByFunction(trace.stacks, hasProperty))
    {
    }
    /// Makes the set of stacks with a function whose name satisfies `matches`.
    static StacksWith function(const Trace& trace, bool (*matches)(std::string_view name))
    {
        return {trace, [&](const Frame& frame) { return matches(trace.text(frame.function)); }};
    }

    bool contains(StackId stack) const { return !stack.isNone() && m_hasProperty[stack.index()]; }

private:
    std::vector<std::uint8_t> m_hasProperty; ///< by stack id
};

/// The number of blocks of each recorded size, by size in bytes.
using BlocksBySize = std::map<Bytes, std::int64_t>;
/// Counts all allocations of a category by their recorded size.
BlocksBySize sizesOf(const DeviceStudy& study, Category category);

/// Returns the sum of the sizes of some allocations, in the quantity of the table.
Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& blocks);

/// Returns the labels of the three call sites with most bytes, followed by "…" if there are others.
std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& blocks);

/// Returns "1 block" or "1,024 blocks".
std::string blocksText(std::size_t count);

/// Returns the largest group of a composition by call site whose site is a known place of allocation. Null if
/// there is none, or if that group has less than a twentieth of the bytes.
const CompositionGroup* largestGroupWithSite(const DeviceStudy& study, const Composition& bySite);

} // namespace highwater
