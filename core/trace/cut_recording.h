#pragma once

#include <string_view>

namespace highwater {

/// Name of the entry of TraceMetadata::producer that describes the part of a recording that `highwater cut`
/// kept: "events 100 to 199 of 19,464 of cuda:0".
inline constexpr std::string_view kCutEntry = "cut";

/// A snapshot that `highwater cut` wrote has a top-level entry `kCutKey`, a dict. Its value for the key
/// `kCutKeptKey` is the text of `kCutEntry`.
inline constexpr std::string_view kCutKey = "highwater_cut";
inline constexpr std::string_view kCutKeptKey = "kept";

} // namespace highwater
