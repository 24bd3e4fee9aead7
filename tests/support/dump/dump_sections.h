#pragma once

#include <string>
#include <string_view>

namespace highwater::test {

/// What dumpTrace() gives, in a form whose diff tells a reviewer where a trace changed. A text of up to 150
/// lines stays whole. Of a longer one the metadata stay; every other section (segments, events and older
/// blocks of each device, spans, activities, counters, messages of a log, stacks, import log) is one line for
/// each 1,000 events or 100 other items with the kinds counted and hashed by 64-bit FNV-1a, and the first
/// lines of it. Stacks are numbered in order of first use, so `rows` leaves the number out and `stacks`
/// hashes the frames in its place: one more stack changes the thousand events that it is in, not all after
/// it. The last line counts and hashes the whole text. Linear in the length of the text.
std::string bySections(std::string_view dump);

} // namespace highwater::test
