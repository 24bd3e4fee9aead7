#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/interruption.h"
#include "importers/source/file_identity.h"

namespace highwater {

/// Returns the SHA-256 of a file's bytes as 64 hexadecimal digits; nullopt if the file cannot be read, is
/// no stored file (`isStoredFile`), changed meanwhile, or `stop` was requested. Progress counts bytes.
std::optional<std::string> sha256OfFile(const std::string& path, ProgressSink* progress = nullptr,
    const StopToken& stop = InterruptibleScope::currentToken());

/// Initializes the library that computes hashes. Call it before threads that use much memory start: OpenSSL 3
/// crashes if memory runs out while one thread initializes it and another one waits.
void prepareHashes();

/// Caches the hashes of files until their identity changes, but not of files that changed a moment ago.
/// Thread-safe.
class FileHashes
{
public:
    /// Returns the hash as `sha256OfFile` does; from the cache if possible, then without progress.
    std::optional<std::string> hashOf(
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
