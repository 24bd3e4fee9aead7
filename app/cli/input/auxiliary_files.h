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

/// Loads the auxiliary files and returns their series for the device, on the clock of the device's file,
/// which is at `path`. Prints on standard error which offset was assumed for another clock, unless the
/// command is quiet, and which file has no series for the device. Ends the command if a file cannot be read,
/// or if there are files and the device's events have no times.
std::vector<AuxiliaryLine> loadAuxiliaryLines(const std::string& path, const Trace& trace, DeviceIndex device,
    const AuxiliaryOptions& auxiliaryFiles, const CommonOptions& options);

} // namespace highwater::cli
