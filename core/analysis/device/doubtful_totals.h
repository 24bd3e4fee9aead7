#pragma once

#include <string_view>

#include "core/trace/trace.h"

/// Judges if the totals of a file can be trusted.
namespace highwater {

/// True if an entry of the import log with this code means that totals may be wrong: the file contradicts
/// itself, or records of memory were left out or repaired.
bool makesTotalsDoubtful(std::string_view code);

/// Returns why totals of the file may be wrong, "The file contradicts itself" or "Parts of the file could not
/// be read"; empty if nothing speaks against them. O(entries of the import log).
std::string_view doubtOfTotals(const Trace& trace);

/// The action that a file with doubtful totals calls for.
inline constexpr std::string_view kDoubtfulTotalsRemedy
    = "Use the file as the recorder wrote it, not trimmed or edited";

} // namespace highwater
