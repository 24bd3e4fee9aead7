#include "core/analysis/logs/oom_message.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text_format.h"

namespace highwater {

std::string notOnDeviceText(const OomReading& reading)
{
    return fmt::format("at least {} of the {} that PyTorch counts is not on the GPU",
        formatBytes(*reading.notOnDevice), formatBytes(reading.counted->bytes));
}

std::string processesText(const std::vector<ProcessUse>& processes)
{
    std::string text;
    for (const ProcessUse& process : processes)
        text += fmt::format("{}process {} holds {}", text.empty() ? "" : ", ", process.process,
            formatBytes(process.used.bytes));
    return text;
}

std::string figuresText(const OomFigures& figures)
{
    std::vector<std::string> parts;
    const auto add = [&](const std::optional<WrittenBytes>& written, std::string_view name) {
        if (written)
            parts.push_back(fmt::format("{} {}", formatBytes(written->bytes), name));
    };
    add(figures.requested, "requested");
    add(figures.free, "free");
    add(figures.capacity, "capacity");
    add(figures.allowed, "allowed");
    add(figures.processUsed, "in use by this process");
    add(figures.allocated, "allocated by PyTorch");
    add(figures.privatePools, "in private pools");
    add(figures.reservedUnallocated, "reserved but unallocated");
    add(figures.reserved, "reserved");
    add(figures.outside, "in other allocations");
    add(figures.largestFree, "in the largest free block");
    add(figures.largestAllowed, "allowed for one allocation");
    add(figures.needed, "needed by the program");
    for (const ProcessUse& process : figures.otherProcesses)
        add(process.used, fmt::format("in use by process {}", process.process));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace highwater
