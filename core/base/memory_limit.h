#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace highwater {

/// A limit on the memory that this process allocates with operator new and in columns. The program replaces
/// operator new to count, except in builds with sanitizers. Mapped files, and C libraries that call malloc
/// themselves, are not counted.
///
/// Past the limit, allocation fails with std::bad_alloc in every thread that is not exempt. The code that
/// starts work catches it and reports `outOfMemoryText`.

/// Sets the limit in bytes; 0 means no limit. Thread-safe.
void setMemoryLimit(std::uint64_t bytes);
std::uint64_t memoryLimit();

/// Returns the bytes allocated now, to within 256 KiB for each thread that has run.
std::int64_t allocatedBytes();

/// Lets this thread allocate past the limit: the window must stay responsive when its background work runs
/// out of memory.
void exemptThreadFromMemoryLimit();

/// Describes the last failed allocation of any thread: "needs more memory than --max-memory allows (18
/// GiB)", or "needs more memory than the system has".
std::string outOfMemoryText();

/// Calls std::realloc within the limit. Returns null on failure; `memory` is then unchanged. `bytes` must not
/// be 0.
void* reallocateWithinLimit(void* memory, std::size_t bytes);

/// Frees memory from `reallocateWithinLimit`.
void freeWithinLimit(void* memory);

} // namespace highwater
