#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run/run.h"

namespace highwater {

/// A file that may belong to a run.
struct RunInput
{
    RunMember member; ///< as its name tells
    std::uint64_t fileBytes = 0; ///< 0: not known
    /// Found in a folder: files that are not inputs are skipped there.
    bool fromFolder = false;
    bool isSummary = false; ///< of a rank, by its first bytes
};

/// The files that these paths expand to (`expandInputs`), in order of rank. Reads the first bytes of each.
std::vector<RunInput> runInputs(const std::vector<std::string>& paths);
/// As its name tells.
RunMember runMember(const std::string& path);
/// The content takes precedence over the name.
RunMember runMember(const std::string& path, const Trace& trace);

/// Tracks the memory of a run's files and decides whether another one fits under the limit. Files of one run
/// are alike: each takes about as much memory for a byte of file as the most costly before it.
class MemoryBudget
{
public:
    explicit MemoryBudget(std::uint64_t limitBytes)
        : m_limit(limitBytes)
    {
    }

    std::uint64_t limitBytes() const { return m_limit; }
    std::uint64_t heldBytes() const { return m_held; }
    /// How much memory files of this size will take.
    std::uint64_t expectedBytes(std::uint64_t fileBytes) const;
    /// Whether a file fits into memory together with the loaded files and the `loadingBytes` of files that
    /// are being loaded.
    bool fits(std::uint64_t fileBytes, std::uint64_t loadingBytes) const;
    bool isExceeded() const { return m_held > m_limit; }

    /// Registers a loaded file of this size and its memory.
    void add(std::uint64_t fileBytes, std::uint64_t memoryBytes);
    void remove(std::uint64_t memoryBytes) { m_held -= memoryBytes; }

private:
    std::uint64_t m_limit;
    std::uint64_t m_held = 0;
    double m_memoryPerFileByte = 0; ///< 0: nothing loaded yet
};

} // namespace highwater
