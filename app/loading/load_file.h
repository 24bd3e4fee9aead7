#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/loading/files/kept_files.h"
#include "app/loading/files/trace_cache.h"
#include "importers/registry/open_trace.h"

namespace highwater {

struct LoadOptions
{
    std::uint64_t maxMemoryBytes = 0; ///< 0: the process's limit
    std::uint64_t maxInflateBytes = 0; ///< 0: as many as the compressed bytes make credible
    bool activities = false; ///< also kernels, copies and runtime calls; never from the cache
    /// The user's own patterns of log lines as JSON text; none: those of the configuration folder.
    std::optional<std::string> logPatterns;
    ProgressSink* progress = nullptr;
    StopToken stop;
    const TraceCache* cache = nullptr; ///< where large files may be kept in the compact form
    KeptFiles* kept = nullptr; ///< files that were read before and stay as they are; null: none
};

/// Opens one file, for both the window and the command line. Compressed input is decompressed in another
/// thread while this one parses it. With a cache, a large file that was read before is loaded from there;
/// storing it (TraceCache::store) is left to the caller, who need not wait for it. A workspace is refused
/// with UnknownFormat.
Result<ImportedTrace> loadFile(const std::string& path, const LoadOptions& options);

/// The error for a folder without any file in a known format.
Error nothingKnown();

/// Three quarters of the machine's memory.
std::uint64_t defaultMemoryLimit();

/// The limit of the process (`setMemoryLimit`), else the default.
std::uint64_t memoryLimitForLoading();

} // namespace highwater
