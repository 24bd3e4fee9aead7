#pragma once

#include <cstdint>

namespace highwater::gui {

/// Time since this process was started, to the hundredth of a second recorded by the kernel; 0 if unknown.
double millisecondsSinceProcessStart();
/// The maximum resident memory of this process so far.
std::int64_t peakResidentBytes();
/// Processor time of the calling thread, independent of the rest of the machine.
double processorMs();

} // namespace highwater::gui
