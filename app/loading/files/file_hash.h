#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/file_identity.h"

namespace highwater {

/// SHA-256 of a file's bytes as 64 hexadecimal digits; none when it cannot be read (again), as no pipe can,
/// when it changed meanwhile, or when `stop` was requested. Progress counts its bytes.
std::optional<std::string> sha256OfFile(const std::string& path, ProgressSink* progress = nullptr,
    const StopToken& stop = InterruptibleScope::currentToken());

/// Caches the hashes of files while their identity is the same. Thread-safe.
class FileHashes
{
public:
    /// As `sha256OfFile`.
    std::optional<std::string> of(
        const std::string& path, ProgressSink* progress = nullptr, const StopToken& stop = {});

private:
    struct Known
    {
        FileIdentity file;
        std::string hash;
    };

    std::mutex m_mutex;
    std::map<std::string, Known> m_known; ///< by path
};

} // namespace highwater
