#pragma once

#include <string>
#include <vector>

#include "app/cli/input/inputs.h"
#include "core/analysis/logs/companion_lines.h"

namespace highwater::cli {

/// Auxiliary files of the run, to be shown with a device.
struct CompanionOptions
{
    std::vector<std::string> files; ///< `--with`
    std::optional<double> offsetSeconds; ///< `--offset`; none: what the files tell, else both begin together
};

/// Loads the files and gives what they tell of the device, each on the device's clock; how the clocks relate
/// is said on standard error where the files share none. Fails with the first file that cannot be read (its
/// trouble is printed then).
Result<std::vector<CompanionLine>> companionsOf(
    const Trace& trace, DeviceIndex device, const CompanionOptions& companions, const CommonOptions& options);

} // namespace highwater::cli
