#include "app/rehearse/address_order.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "core/base/text_parts.h"

namespace highwater::rehearse {

namespace {

constexpr std::size_t kMaxRegions = 32; // equals kMaxRegions of the stand-ins

std::optional<std::uint64_t> addressFrom(std::string_view text)
{
    if (text.starts_with("0x"))
        text.remove_prefix(2);
    return parsedNumber<std::uint64_t>(text, 16);
}

/// Parses "0x710000000-0x775200000"; nullopt for other texts.
std::optional<AddressRegion> regionFrom(std::string_view text)
{
    const std::size_t dash = text.find('-');
    if (dash == text.npos)
        return std::nullopt;
    const auto begin = addressFrom(text.substr(0, dash));
    const auto end = addressFrom(text.substr(dash + 1));
    return begin && end && *begin < *end ? std::optional(AddressRegion{*begin, *end}) : std::nullopt;
}

bool hasOverlap(AddressOrder order)
{
    std::ranges::sort(order, {}, &AddressRegion::begin);
    return std::ranges::adjacent_find(order, [](const AddressRegion& a, const AddressRegion& b) {
        return b.begin < a.end;
    }) != order.end();
}

} // namespace

Result<AddressOrder> addressOrderFrom(std::string_view text)
{
    if (text == "down")
        return AddressOrder{};
    if (text == "up")
        return AddressOrder{{0, std::numeric_limits<std::uint64_t>::max()}};
    AddressOrder order;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t length = std::min(rest.find(','), rest.size());
        const std::optional<AddressRegion> region = regionFrom(rest.substr(0, length));
        if (!region)
            return fail(ErrorCode::BadRequest,
                fmt::format("\"{}\" is not a region of addresses such as 0x710000000-0x775200000",
                    rest.substr(0, length)));
        order.push_back(*region);
        rest.remove_prefix(std::min(length + 1, rest.size()));
    }
    if (order.empty() || order.size() > kMaxRegions || hasOverlap(order))
        return fail(ErrorCode::BadRequest,
            "addresses must be \"down\", \"up\", or up to 32 regions that do not overlap");
    const std::uint64_t lowest = std::ranges::min(order, {}, &AddressRegion::begin).begin;
    for (AddressRegion& region : order)
        region = {region.begin - lowest, region.end - lowest};
    return order;
}

std::string toText(const AddressOrder& order)
{
    std::string text;
    for (const AddressRegion& region : order)
        text += fmt::format("{}{:x}-{:x}", text.empty() ? "" : ",", region.begin, region.end);
    return text;
}

} // namespace highwater::rehearse
