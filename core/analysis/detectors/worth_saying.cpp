#include "core/analysis/detectors/worth_saying.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/text_format.h"

namespace highwater {

namespace {

constexpr Bytes kLeastShareOfPeak = 100;
constexpr Bytes kLeastBytes = 64 * kMiB;
constexpr std::size_t kPlacesNamed = 3;

} // namespace

bool isWorthSaying(const DetectorInput& input, Bytes bytes)
{
    return bytes > 0 && (bytes >= kLeastBytes || bytes >= input.figures.peakBytes / kLeastShareOfPeak);
}

StacksWith::StacksWith(const Trace& trace, const std::function<bool(const Frame&)>& holds)
    : m_ofNode(trace.stacks.nodeCount(), false)
{
    std::vector<bool> ofFrame(trace.stacks.frameCount());
    for (std::size_t frame = 0; frame < ofFrame.size(); ++frame)
        ofFrame[frame] = holds(trace.stacks.frame(FrameId(frame)));
    // A stack is interned after its caller, so callers come first.
    for (std::size_t node = StackTable::kEmpty.index() + 1; node < m_ofNode.size(); ++node) {
        const StackId stack(node);
        m_ofNode[node]
            = ofFrame[trace.stacks.innermost(stack).index()] || m_ofNode[trace.stacks.caller(stack).index()];
    }
}

Bytes bytesOf(const AllocationTable& allocations, const std::vector<AllocationIndex>& some)
{
    Bytes sum = 0;
    for (const AllocationIndex i : some)
        sum += allocations.bytes(i);
    return sum;
}

std::string placesOf(const DeviceStudy& study, const std::vector<AllocationIndex>& some)
{
    std::map<std::string, Bytes> ofLabel;
    for (const AllocationIndex i : some)
        ofLabel[study.sites.site(study.sites.of(i)).label] += study.allocations.bytes(i);
    std::vector<std::pair<Bytes, std::string>> places;
    for (const auto& [label, bytes] : ofLabel)
        places.emplace_back(-bytes, label);
    std::ranges::sort(places);
    std::string text;
    for (std::size_t i = 0; i < places.size() && i < kPlacesNamed; ++i)
        text += (i == 0 ? "" : ", ") + places[i].second;
    return places.size() > kPlacesNamed ? text + ", …" : text;
}

std::string blocksText(std::size_t count)
{
    return counted(static_cast<std::int64_t>(count), "block", "blocks");
}

} // namespace highwater
