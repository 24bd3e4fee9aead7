#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace highwater {

/// Name of the entry of TraceMetadata::producer by which a trace recorded on a simulated GPU is recognized.
inline constexpr std::string_view kRehearsedEntry = "rehearsed";

/// Returns "rehearsed on a simulated L4: real allocator and stacks, nothing computed"; empty if the file is a
/// recording of a real device.
inline std::string rehearsedText(const TraceMetadata& metadata)
{
    for (const auto& [name, value] : metadata.producer)
        if (name == kRehearsedEntry)
            return name + " " + value;
    return {};
}

/// Returns the value of the entry `kRehearsedEntry` for a GPU of this name.
inline std::string rehearsedOn(std::string_view gpu)
{
    return "on a simulated " + std::string(gpu) + ": real allocator and stacks, nothing computed";
}

/// Returns the name of the simulated GPU; empty if the file is a recording of a real device.
inline std::string rehearsedGpu(const TraceMetadata& metadata)
{
    const std::string emptyText = rehearsedOn("");
    const std::size_t gpuBegin = emptyText.find(':');
    for (const auto& [name, value] : metadata.producer)
        if (name == kRehearsedEntry && value.size() > emptyText.size())
            return value.substr(gpuBegin, value.size() - emptyText.size());
    return {};
}

} // namespace highwater
