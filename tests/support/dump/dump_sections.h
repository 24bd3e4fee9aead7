#pragma once

#include <string>
#include <string_view>

namespace highwater::test {

/// Shortens the result of dumpTrace() to a form whose diff shows a reviewer where a trace changed. A text of
/// up to 150 lines stays unchanged. In a longer text the metadata stay. Every other section (segments, events
/// and older blocks of each device, spans, activities, counters, messages of a log, stacks, import log)
/// becomes one line per 1,000 events or 100 other items, with the number of each kind and a 64-bit FNV-1a
/// hash, followed by its first lines. Stacks are numbered in order of first use, so `rows` omits their number
/// and `stacks` hashes their frames instead. A new stack then changes only the pieces that contain it, not
/// everything after it. The last line has the count and hash of the complete text. Linear in the length of
/// the text.
std::string bySections(std::string_view dump);

} // namespace highwater::test
