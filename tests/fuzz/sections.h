#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::fuzz {

/// A recording or a summary of the own formats (.hwt, .hws) with one of its sections changed and checksums
/// that fit again: else no change but a lucky one gets past them. `which` chooses the section. None: the
/// bytes are no such file, or are damaged already.
std::optional<std::string> withSectionChanged(std::string_view file, std::uint64_t which,
    const std::function<std::string(std::string section)>& change);

} // namespace highwater::fuzz
