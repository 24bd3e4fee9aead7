#pragma once

#include <cstdint>

namespace highwater::gui {

/// Since this process was started, to the hundredth of a second that the kernel notes; 0 if it does not say.
double millisecondsSinceProcessStart();
/// The most memory that this process ever had resident.
std::int64_t peakResidentBytes();
/// Of the calling thread, whatever else the machine does.
double processorMs();

} // namespace highwater::gui
