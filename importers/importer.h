#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/trace/trace.h"
#include "importers/source/byte_source.h"
#include "importers/source/file_identity.h"

namespace highwater {

/// Options of all importers.
struct ImportOptions
{
    std::uint64_t maxMemoryBytes = std::uint64_t{8} << 30; ///< limit for tables and working memory
    std::uint64_t maxInflateBytes = 0; ///< limit for decompressed bytes; 0 for the default of `decompress`
    /// Also read all kernels, copies, memsets and runtime calls (`Trace::activities`).
    bool activities = false;
    /// Path of the file if its bytes are read unmodified, for formats that cannot be read as a stream; empty
    /// for standard input and compressed files.
    std::string plainFilePath;
    std::string logPatterns; ///< the user's own log-line patterns: JSON as in resources/log-patterns.json
    /// When the file was last written, in ns since the Unix epoch, for logs without years; 0 if unknown.
    Nanoseconds fileTime = 0;
    ProgressSink* progress = nullptr; ///< receives the compressed bytes read, and the file's size or 0
    StopToken stop;
    /// Wraps the decompressed stream, for instance to read ahead on another thread; may be empty.
    std::function<std::unique_ptr<ByteSource>(std::unique_ptr<ByteSource>)> readAhead;
};

/// The result of importing one file.
struct ImportedTrace
{
    std::shared_ptr<const Trace> trace;
    std::vector<std::string> containers; ///< "gzip", "zstd", "html", outermost first
    std::optional<Error> incomplete; ///< why reading stopped early; `trace` holds what was read before
    std::uint64_t fileBytes = 0; ///< set by `openTrace`: size of the file, or bytes read from a pipe
    /// Identity of the file that everything was read from; unset for a stream or a pipe, or if the file was
    /// replaced or written to meanwhile. To keep the trace for later, use this identity: the path may lead to
    /// another file by then.
    std::optional<FileIdentity> file = {};
    bool fileIsSettled = false; ///< a later change alters `file`, so the trace may be cached by it
};

} // namespace highwater
