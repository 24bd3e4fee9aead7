#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/interruption.h"

namespace highwater {

/// SHA-256 of a file's bytes as 64 hexadecimal digits; none when it cannot be read (again), as no pipe can,
/// or when `stop` was requested meanwhile. Progress counts its bytes.
std::optional<std::string> sha256OfFile(const std::string& path, ProgressSink* progress = nullptr,
    const StopToken& stop = InterruptibleScope::currentToken());

/// Caches the hashes of files while their size and modification time are unchanged. Thread-safe.
class FileHashes
{
public:
    /// As `sha256OfFile`.
    std::optional<std::string> of(
        const std::string& path, ProgressSink* progress = nullptr, const StopToken& stop = {});

private:
    struct Known
    {
        std::uintmax_t bytes = 0;
        std::int64_t changed = 0;
        std::string hash;
    };

    std::mutex m_mutex;
    std::map<std::string, Known> m_known; ///< by path
};

} // namespace highwater
