#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/composition/composition.h"
#include "core/analysis/detectors/detector_input.h"
#include "core/trace/stack_bits.h"

namespace highwater {

/// Whether this many bytes deserve a finding: a hundredth of the peak, or 64 MiB.
bool isWorthSaying(const DetectorInput& input, Bytes bytes);

/// Stacks in which a frame has some property that its line does not decide. O(frames + stacks) to make.
class StacksWith
{
public:
    template <typename Holds>
    StacksWith(const Trace& trace, Holds holds)
        : m_ofNode(stackBitsByFunction(trace.stacks, holds))
    {
    }
    /// With a function whose name is one of some.
    static StacksWith function(const Trace& trace, bool (*isOne)(std::string_view name))
    {
        return {trace, [&](const Frame& frame) { return isOne(trace.text(frame.function)); }};
    }

    bool contains(StackId stack) const { return !stack.isNone() && m_ofNode[stack.index()]; }

private:
    std::vector<std::uint8_t> m_ofNode; ///< by stack id
};

/// How many blocks have each recorded size.
using BlocksBySize = std::map<Bytes, std::int64_t>;
/// Of all allocations of a category.
BlocksBySize sizesOf(const DeviceStudy& study, Category category);

/// Sum in the table's quantity.
Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& some);

/// Where the allocations are made: labels of the call sites with most bytes, at most three, "…" for others.
std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& some);

/// "1 block", "1,024 blocks".
std::string blocksText(std::size_t count);

/// The largest group of a composition by call site of which it is known where it was allocated, where that is
/// a twentieth of all or more; null: none.
const CompositionGroup* largestWithPlace(const DeviceStudy& study, const Composition& bySite);

} // namespace highwater
