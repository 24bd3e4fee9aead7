#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "importers/open_trace.h"

namespace highwater {

struct LoadOptions
{
    std::uint64_t maxMemoryBytes = 0; ///< 0: three quarters of the machine's memory
    std::uint64_t maxInflateBytes = 0; ///< 0: no limit but memory
    ProgressSink* progress = nullptr;
    StopToken stop;
};

/// Opens one file for window and command line alike. Compressed input is decompressed on a thread of its own
/// while this one interprets it.
Result<ImportedTrace> loadFile(const std::string& path, const LoadOptions& options);

/// Three quarters of the machine's memory.
std::uint64_t defaultMemoryLimit();

} // namespace highwater
