#pragma once

#include <cstdint>

namespace highwater::gui {

/// Returns the time since this process was started, to the hundredth of a second recorded by the kernel; 0 if
/// unknown.
double millisecondsSinceProcessStart();
/// Returns the maximum resident memory of this process so far, in bytes.
std::int64_t peakResidentBytes();
/// Returns the processor time of the calling thread, which does not depend on other load of the machine.
double processorMs();

} // namespace highwater::gui
