#pragma once

#include <string_view>

namespace highwater {

/// Name of the entry of TraceMetadata::producer that describes the part of a recording that `highwater cut`
/// kept: "events 100 to 200 of 19,464 of cuda:0".
inline constexpr std::string_view kCutEntry = "cut";

/// The top-level entry of a snapshot, a dict, that holds this text, and the text's key in it.
inline constexpr std::string_view kCutKey = "highwater_cut";
inline constexpr std::string_view kCutKeptKey = "kept";

} // namespace highwater
