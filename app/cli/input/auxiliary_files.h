#pragma once

#include <string>
#include <vector>

#include "app/cli/input/inputs.h"
#include "core/analysis/logs/auxiliary_lines.h"

namespace highwater::cli {

/// The auxiliary files that a command shows with a device of its file.
struct AuxiliaryOptions
{
    std::vector<std::string> files; ///< `--with`
    /// Seconds to add to the times of the auxiliary files (`--offset`). If nullopt, the files' clocks
    /// determine the offset; without a common clock, both recordings begin together.
    std::optional<double> offsetSeconds;
};

/// Loads the files and returns their series for the device, each on the device's clock; if the files share no
/// clock, the assumed offset is printed on standard error. Ends the command at the first file that cannot be
/// read, or if the device's events have no times; `path` is the device's file.
std::vector<AuxiliaryLine> auxiliaryFilesOf(const std::string& path, const Trace& trace, DeviceIndex device,
    const AuxiliaryOptions& auxiliaryFiles, const CommonOptions& options);

} // namespace highwater::cli
