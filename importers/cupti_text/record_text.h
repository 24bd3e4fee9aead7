#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "importers/nsys/records.h"

/// Words and numbers of CUPTI's memory records, as various tools write them.
namespace highwater::cupti_text {

/// Keeps only letters and digits, in lower case, so that "memoryOperationType", "Memory Operation Type" and
/// "memory_operation_type" become equal.
std::string plainWord(std::string_view text);

/// Parses an unsigned integer, decimal or hexadecimal with 0x. Returns nothing if the text has other
/// characters or the number needs more than 64 bits.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// Returns false for "ALLOCATE" or "Allocation", true for "CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE" or
/// "free", and nothing for other words.
std::optional<bool> isReleaseWord(std::string_view text);

/// Understands "DEVICE", "Device Static", "CUPTI_ACTIVITY_MEMORY_KIND_PINNED"; any other word is
/// MemoryKind::Unknown.
nsys::MemoryKind kindOfWord(std::string_view text);

/// Converts a value of CUpti_ActivityMemoryKind; other numbers are MemoryKind::Unknown.
nsys::MemoryKind kindOfCuptiNumber(std::uint64_t number);

} // namespace highwater::cupti_text
