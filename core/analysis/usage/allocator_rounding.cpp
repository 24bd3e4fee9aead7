#include "core/analysis/usage/allocator_rounding.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <string_view>

#include "core/trace/allocator_sizes.h"

namespace highwater {

namespace {

/// No machine has this much memory. Only a broken file requests more, and rounding could overflow.
constexpr Bytes kLargestRequest = std::numeric_limits<Bytes>::max() / 4;
constexpr std::string_view kDivisions = "roundup_power2_divisions.";

int log2Floor(Bytes bytes)
{
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes))) - 1;
}

std::int64_t divisionsFor(Bytes requested, const RoundingSettings& settings)
{
    constexpr int firstInterval = 20; // 1 MiB
    const int last = static_cast<int>(settings.divisions.size()) - 1;
    const int interval = std::clamp(log2Floor(requested) - firstInterval, 0, last);
    return settings.divisions[static_cast<std::size_t>(interval)];
}

/// Returns the smallest step between two powers of two that is not below `bytes`.
Bytes nextDivision(Bytes bytes, std::int64_t divisions)
{
    const Bytes floor = Bytes{1} << log2Floor(bytes);
    if (bytes == floor)
        return bytes;
    // The allocator also rounds the number of divisions down to a power of two.
    const Bytes step = floor >> log2Floor(divisions);
    return step == 0 ? 2 * floor : (bytes + step - 1) / step * step;
}

} // namespace

RoundingSettings roundingSettings(const TraceMetadata& metadata)
{
    RoundingSettings settings;
    for (const auto& [name, value] : metadata.settings) {
        if (!name.starts_with(kDivisions))
            continue;
        std::uint64_t mebibytes = 0;
        std::int64_t divisions = 0;
        const std::string_view key = std::string_view(name).substr(kDivisions.size());
        const bool isKey = std::from_chars(key.data(), key.data() + key.size(), mebibytes).ec == std::errc();
        const bool isValue
            = std::from_chars(value.data(), value.data() + value.size(), divisions).ec == std::errc();
        const auto interval = static_cast<std::size_t>(std::bit_width(mebibytes)) - 1;
        if (isKey && isValue && std::has_single_bit(mebibytes) && interval < settings.divisions.size())
            settings.divisions[interval] = divisions;
    }
    return settings;
}

Bytes roundedSize(Bytes requested, const RoundingSettings& settings)
{
    if (requested < 0 || requested > kLargestRequest)
        return requested;
    if (requested < kSmallestBlock)
        return kSmallestBlock;
    const std::int64_t divisions = divisionsFor(requested, settings);
    if (divisions > 1 && requested / kSmallestBlock >= divisions && requested > kSmallestBlock * divisions)
        return nextDivision(requested, divisions);
    return (requested + kSmallestBlock - 1) / kSmallestBlock * kSmallestBlock;
}

bool hasKnownRounding(const Device& device)
{
    const bool isSnapshot = device.hasFinalSegments || device.eventsRead == Extent::Part;
    return device.quantity == Quantity::Requested && isSnapshot && device.kind != DeviceKind::HostPinned
        && device.kind != DeviceKind::Cpu;
}

} // namespace highwater
