#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace highwater {

/// A file that may belong to a run.
struct RunInput
{
    RunMember member; ///< as far as its name shows
    std::uint64_t fileBytes = 0; ///< 0 if unknown
    /// Found in a folder, where files that are not inputs are skipped.
    bool fromFolder = false;
    bool isSummary = false; ///< a rank's summary, by its first bytes
};

/// Returns the files that these paths expand to (`expandInputs`), each once and in order of rank. Reads the
/// first bytes of regular files.
std::vector<RunInput> runInputs(const std::vector<std::string>& paths);
/// Returns the member as far as the file's name shows.
RunMember runMember(const std::string& path);
/// Returns that member, but with the rank of the content if it states one.
RunMember runMember(const std::string& path, const Trace& trace);

/// Tracks the memory of a run's files and decides if another file fits under the limit. `fileBytes` are sizes
/// of files; how much memory a file needs is estimated from the loaded file that took most memory per byte,
/// and before the first one from a fixed ratio.
class MemoryBudget
{
public:
    explicit MemoryBudget(std::uint64_t limitBytes)
        : m_limit(limitBytes)
    {
    }

    std::uint64_t limitBytes() const { return m_limit; }
    /// Estimates the memory that files of this size will take.
    std::uint64_t expectedBytes(std::uint64_t fileBytes) const;
    /// True if a file fits into memory together with the loaded files, and with files of `loadingBytes` bytes
    /// that are being loaded.
    bool fits(std::uint64_t fileBytes, std::uint64_t loadingBytes) const;
    bool isExceeded() const { return m_held > m_limit; }

    /// Registers a loaded file of this size and its memory.
    void add(std::uint64_t fileBytes, std::uint64_t memoryBytes);
    void remove(std::uint64_t memoryBytes) { m_held -= memoryBytes; }

private:
    std::uint64_t m_limit;
    std::uint64_t m_held = 0;
    double m_memoryPerFileByte = 0; ///< 0 until a file is loaded
};

} // namespace highwater
