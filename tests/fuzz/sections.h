#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::fuzz {

/// Returns a file of Highwater's own formats (.hwt, .hws) with one section changed and with correct
/// checksums, because otherwise hardly any change gets past them. `which` selects the section. Returns
/// nothing if the bytes are not such a file, or are already damaged.
std::optional<std::string> withSectionChanged(std::string_view file, std::uint64_t which,
    const std::function<std::string(std::string section)>& change);

} // namespace highwater::fuzz
