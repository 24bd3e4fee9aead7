#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// Names content that is no recording, by its beginning, and says what to do: stand-ins for files (Git LFS,
/// git-annex), reports of other programs, archives and compressed files that no importer opens, pictures and
/// programs. None: it is none of these.
std::optional<std::string> foreignContent(std::string_view prefix);

} // namespace highwater
