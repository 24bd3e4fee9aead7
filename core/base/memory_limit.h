#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace highwater {

/// A limit on the memory that this process allocates with operator new and in columns. The program replaces
/// operator new to count, except in builds with sanitizers. Mapped files, and C libraries that call malloc
/// themselves, are not counted.
///
/// Past the limit, allocation fails with std::bad_alloc in every thread that is in a `MemoryLimitScope`. The
/// code that starts work opens the scope, catches the exception outside it, and reports `outOfMemoryText`.

/// Sets the limit in bytes; 0 means no limit. Thread-safe.
void setMemoryLimit(std::uint64_t bytes);
std::uint64_t memoryLimit();

/// Returns the bytes allocated now, to within 256 KiB for each thread that has run.
std::int64_t allocatedBytes();

/// Returns the maximum resident memory of this process so far, in bytes, including mapped files.
std::int64_t peakResidentBytes();

/// Applies the limit to the allocations of this thread until the scope ends. Threads outside such a scope can
/// always allocate: they report that work ran out of memory, and the window must stay responsive.
class MemoryLimitScope
{
public:
    /// `isLimited` is false for work started by a thread that was in no scope itself.
    explicit MemoryLimitScope(bool isLimited = true);
    ~MemoryLimitScope();
    MemoryLimitScope(const MemoryLimitScope&) = delete;
    MemoryLimitScope& operator=(const MemoryLimitScope&) = delete;

    /// True if the limit applies to this thread.
    static bool isOpen();

private:
    bool m_wasLimited;
};

/// Describes the last failed allocation of any thread: "needs more memory than --max-memory allows (18
/// GiB)", or "needs more memory than the system has".
std::string outOfMemoryText();

/// Calls std::realloc within the limit. Returns null on failure; `memory` is then unchanged. `bytes` must not
/// be 0.
void* reallocateWithinLimit(void* memory, std::size_t bytes);

/// Frees memory from `reallocateWithinLimit`.
void freeWithinLimit(void* memory);

} // namespace highwater
