#pragma once

namespace highwater::gui {

/// Returns the time since this process was started, to the hundredth of a second recorded by the kernel; 0 if
/// unknown.
double millisecondsSinceProcessStart();
/// Returns the processor time of the calling thread, which does not depend on other load of the machine.
double processorMs();

} // namespace highwater::gui
