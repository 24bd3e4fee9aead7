#include "app/cli/input/auxiliary_files.h"

#include <cmath>

#include "app/cli/console/output.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

constexpr double kNanosecondsPerSecond = 1e9;

/// Prints how the offset was found, unless both clocks are the same.
void printOffset(const Trace& trace, const ClockedTrace& other, const CommonOptions& options)
{
    if (options.quiet
        || clockRelation(trace.metadata.clock, other.trace->metadata.clock) == ClockRelation::Same)
        return;
    printErr("highwater: {}: {}; its times are shifted by {:.3f} s (--offset overrides it)\n",
        sanitizedText(other.name), offsetReason(trace, *other.trace),
        static_cast<double>(other.offset) / kNanosecondsPerSecond);
}

} // namespace

std::vector<AuxiliaryLine> loadAuxiliaryLines(const std::string& path, const Trace& trace, DeviceIndex device,
    const AuxiliaryOptions& auxiliaryFiles, const CommonOptions& options)
{
    std::vector<AuxiliaryLine> lines;
    if (!auxiliaryFiles.files.empty() && !trace.hasTimes(device))
        refuse(path, "--with: the events of this device have no times");
    for (const std::string& file : auxiliaryFiles.files) {
        const LoadedInput input = needInput(file, options);
        ClockedTrace other{input.imported->trace, std::string(fileName(file)), 0};
        if (auxiliaryFiles.offsetSeconds)
            other.offset = static_cast<Nanoseconds>(
                std::llround(*auxiliaryFiles.offsetSeconds * kNanosecondsPerSecond));
        else
            other.offset = suggestedOffset(trace, *other.trace).value_or(0);
        if (!auxiliaryFiles.offsetSeconds)
            printOffset(trace, other, options);
        const std::vector<AuxiliaryLine> fileLines = auxiliaryLines(trace, device, other);
        if (fileLines.empty())
            printErr(
                "highwater: {}: has no figures of {}\n", sanitizedText(file), trace.devices[device].words());
        lines.insert(lines.end(), fileLines.begin(), fileLines.end());
    }
    return lines;
}

} // namespace highwater::cli
