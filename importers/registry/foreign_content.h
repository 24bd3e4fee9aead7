#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater {

/// Describes content that is not a recording, and how to proceed, judging by the beginning of the content:
/// pointer files of Git LFS and git-annex, reports of other programs, Perfetto traces, archives and
/// compressed files that no importer opens, pictures and programs. Returns nothing for other content.
std::optional<std::string> describeForeignContent(std::string_view prefix);

} // namespace highwater
