#pragma once

#include <string>

#include "core/trace/trace.h"

namespace highwater {

/// Name of the entry of TraceMetadata::producer that says so.
inline constexpr std::string_view kRehearsedEntry = "rehearsed";

/// "rehearsed on a simulated L4: real allocator and stacks, nothing computed"; empty: the file is a recording
/// of a real device. Every place that shows the file's figures says this as well.
inline std::string rehearsedText(const TraceMetadata& metadata)
{
    for (const auto& [name, value] : metadata.producer)
        if (name == kRehearsedEntry)
            return name + " " + value;
    return {};
}

} // namespace highwater
