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
    std::uint64_t maxInflateBytes = 0; ///< decompressed; 0: as the compressed size makes plausible
    bool activities = false; ///< also kernels, copies and runtime calls (`Trace::activities`)
    /// Path of the file if its bytes are read unmodified (not decompressed): for formats that cannot be read
    /// as a stream.
    std::string plainFilePath;
    std::string logPatterns; ///< the user's own patterns of log lines: JSON as in resources/log-patterns.json
    Nanoseconds fileTime = 0; ///< when the file was last written: logs leave out the year; 0: not known
    ProgressSink* progress = nullptr; ///< receives the compressed bytes read, of the file's size
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
    std::uint64_t fileBytes = 0; ///< as read from the file
    /// The file that all of it was read from; none if the file was replaced or written to meanwhile, or is a
    /// pipe. Whoever keeps the trace for later keeps it under this identity, never under the path's at the
    /// time.
    std::optional<FileIdentity> file = {};
    bool fileIsSettled = false; ///< a later change of `file` will show: the trace may be kept for it
};

} // namespace highwater
