#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/loading/files/kept_files.h"
#include "app/loading/files/trace_cache.h"
#include "importers/registry/open_trace.h"

namespace highwater {

/// How to load a file. Pointers may be null and must outlive the loading.
struct LoadOptions
{
    std::uint64_t maxMemoryBytes = 0; ///< 0 selects the process's limit
    std::uint64_t maxInflateBytes = 0; ///< 0 selects a plausible multiple of the compressed size
    bool activities = false; ///< also reads kernels, copies and runtime calls, and does not use the cache
    /// The user's own patterns of log lines as JSON text, with which the cache is not used; nullopt selects
    /// those of the configuration folder.
    std::optional<std::string> logPatterns;
    ProgressSink* progress = nullptr;
    StopToken stop;
    const TraceCache* cache = nullptr; ///< holds large files in the compact format
    /// Files that were read before, used as long as they do not change, whatever the other options are.
    KeptFiles* kept = nullptr;
};

/// Opens one file, for both the window and the command line. Compressed input is decompressed in another
/// thread while this one parses it. With a cache, a large file that was read before is loaded from its entry.
/// The caller stores new entries (`TraceCache::store`), so that it need not wait for that. Fails with
/// UnknownFormat for a workspace, with LimitExceeded if memory runs out, and otherwise as `openTrace` does.
Result<ImportedTrace> loadFile(const std::string& path, const LoadOptions& options);

/// True if a file that was found in a folder is skipped: its format is unknown, or it is a text without
/// figures and messages.
bool isOfNoUse(const Result<ImportedTrace>& imported);

/// Returns the error for a folder without any file in a known format.
Error noKnownFormatError();

/// Returns three quarters of the machine's memory, in bytes; 8 GiB if its memory is unknown.
std::uint64_t defaultMemoryLimit();

/// Returns the limit of the process (`setMemoryLimit`), or the default if it has none.
std::uint64_t memoryLimitForLoading();

} // namespace highwater
