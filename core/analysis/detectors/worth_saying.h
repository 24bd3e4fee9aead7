#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/analysis/detectors/detector_input.h"

namespace highwater {

/// Whether this many bytes deserve a finding: a hundredth of the peak, or 64 MiB.
bool isWorthSaying(const DetectorInput& input, Bytes bytes);

/// Stacks in which a frame has some property. O(frames + stacks) to make.
class StacksWith
{
public:
    StacksWith(const Trace& trace, const std::function<bool(const Frame&)>& holds);

    bool contains(StackId stack) const { return !stack.isNone() && m_ofNode[stack.index()]; }

private:
    std::vector<bool> m_ofNode; ///< by stack id
};

/// Sum in the table's quantity.
Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& some);

/// Where the allocations are made: labels of the call sites with most bytes, at most three, "…" for others.
std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& some);

/// "1 block", "1,024 blocks".
std::string blocksText(std::size_t count);

} // namespace highwater
