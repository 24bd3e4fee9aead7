#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/detector_input.h"
#include "core/trace/stack_bits.h"

namespace highwater {

/// True if this many bytes deserve a finding: a hundredth of the peak, or 64 MiB.
bool isWorthSaying(const DetectorInput& input, Bytes bytes);

/// The set of stacks in which a frame has a property that depends on its function, not on its line. O(frames
/// + stacks) to make.
class StacksWith
{
public:
    template <typename Holds>
    StacksWith(const Trace& trace, Holds holds)
        : m_ofNode(stackBitsByFunction(trace.stacks, holds))
    {
    }
    /// Returns the stacks with a function whose name satisfies `isOne`.
    static StacksWith function(const Trace& trace, bool (*isOne)(std::string_view name))
    {
        return {trace, [&](const Frame& frame) { return isOne(trace.text(frame.function)); }};
    }

    bool contains(StackId stack) const { return !stack.isNone() && m_ofNode[stack.index()]; }

private:
    std::vector<std::uint8_t> m_ofNode; ///< by stack id
};

/// The number of blocks of each recorded size.
using BlocksBySize = std::map<Bytes, std::int64_t>;
/// Counts all allocations of a category by size.
BlocksBySize sizesOf(const DeviceStudy& study, Category category);

/// Returns their total in the table's quantity.
Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& some);

/// Returns the labels of the call sites with most bytes, at most three, then "…" if there are others.
std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& some);

/// Returns "1 block" or "1,024 blocks".
std::string blocksText(std::size_t count);

/// Returns the largest group of a composition by call site whose place of allocation is known, if it is a
/// twentieth of all or more; else null.
const CompositionGroup* largestWithPlace(const DeviceStudy& study, const Composition& bySite);

} // namespace highwater
