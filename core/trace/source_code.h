#pragma once

#include <cstddef>
#include <string_view>

namespace highwater {

/// The top-level entry of a snapshot in which another program (torch-snapkit) keeps source files: an object
/// from path to text. It is one of `TraceMetadata::unknownEntries`.
inline constexpr std::string_view kSourceCodeEntry = "source_code";
/// A larger entry is cut off, and then not used.
inline constexpr std::size_t kMaxSourceCodeBytes = std::size_t{16} << 20;

} // namespace highwater
