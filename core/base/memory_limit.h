#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace highwater {

/// A limit on what this process allocates with operator new and in columns. The program replaces operator
/// new to count; C libraries that call malloc themselves and mapped files are not counted.
///
/// Past the limit allocation fails with std::bad_alloc in every thread that is not exempt. Where work is
/// started, that is caught and told as `outOfMemoryText`.

/// Bytes; 0: none. May be called from any thread.
void setMemoryLimit(std::uint64_t bytes);
std::uint64_t memoryLimit();

/// What is allocated now, to within 256 KiB a thread.
std::int64_t allocatedBytes();

/// This thread may allocate past the limit from now on: a window must go on while its work is refused.
void exemptThreadFromMemoryLimit();

/// "needs more than the 18.0 GiB of memory that --max-memory allows", or that the system has no more: which
/// of them it is follows from the last allocation that failed.
std::string outOfMemoryText();

/// std::realloc within the limit. Null where the memory cannot be had; `memory` is then as it was.
void* reallocateWithinLimit(void* memory, std::size_t bytes);

/// Frees what `reallocateWithinLimit` gave.
void freeWithinLimit(void* memory);

} // namespace highwater
