#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// Judges by the beginning of the content. Returns a predicate with advice, such as "is a tar archive; unpack
/// it first", for known content that no importer reads; nothing for other content.
std::optional<std::string> describeForeignContent(std::string_view prefix);

} // namespace highwater
