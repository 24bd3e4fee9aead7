#include "app/cli/input/companions.h"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/console/output.h"
#include "core/base/text_format.h"
#include "core/base/text_parts.h"

namespace highwater::cli {

namespace {

constexpr double kNanosecondsPerSecond = 1e9;

void sayOffset(const Trace& trace, const ClockedTrace& other, const CommonOptions& options)
{
    if (options.quiet
        || clockRelation(trace.metadata.clock, other.trace->metadata.clock) == ClockRelation::Same)
        return;
    printErr("highwater: {}: {}; its times are moved by {:.3f} s (--offset sets another)\n",
        sanitizedText(other.name), offsetReason(trace, *other.trace),
        static_cast<double>(other.offset) / kNanosecondsPerSecond);
}

} // namespace

Result<std::vector<CompanionLine>> companionsOf(
    const Trace& trace, DeviceIndex device, const CompanionOptions& companions, const CommonOptions& options)
{
    std::vector<CompanionLine> lines;
    if (!companions.files.empty() && !trace.hasTimes(device))
        return fail(ErrorCode::BadRequest, "--with: the events of this device have no times");
    for (const std::string& path : companions.files) {
        const LoadedInput input = loadInput(path, options);
        if (!input.imported)
            return tl::unexpected(input.imported.error());
        ClockedTrace other{input.imported->trace, std::string(fileName(path)), 0};
        if (companions.offsetSeconds)
            other.offset
                = static_cast<Nanoseconds>(std::llround(*companions.offsetSeconds * kNanosecondsPerSecond));
        else
            other.offset = suggestedOffset(trace, *other.trace).value_or(0);
        if (!companions.offsetSeconds)
            sayOffset(trace, other, options);
        const std::vector<CompanionLine> told = companionLines(trace, device, other);
        if (told.empty())
            printErr(
                "highwater: {}: tells nothing of {}\n", sanitizedText(path), trace.devices[device].label());
        lines.insert(lines.end(), told.begin(), told.end());
    }
    return lines;
}

} // namespace highwater::cli
