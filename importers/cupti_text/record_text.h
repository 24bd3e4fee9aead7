#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "importers/nsys/records.h"

/// Words and numbers of CUPTI's memory records, as tools write them.
namespace highwater::cupti_text {

/// Lower-case letters and digits only: "memoryOperationType", "Memory Operation Type" and
/// "memory_operation_type" become equal.
std::string plainWord(std::string_view text);

/// An unsigned integer, decimal or with 0x, and nothing else. None: it is not one, or needs more than 64
/// bits.
std::optional<std::uint64_t> wholeNumber(std::string_view text);

/// "ALLOCATE", "Allocation", "CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE", "free": whether it is a release.
/// None: neither.
std::optional<bool> isReleaseWord(std::string_view text);

/// "DEVICE", "Device Static", "CUPTI_ACTIVITY_MEMORY_KIND_PINNED"; any other word is MemoryKind::Unknown.
nsys::MemoryKind kindOfWord(std::string_view text);

/// CUpti_ActivityMemoryKind.
nsys::MemoryKind kindOfCuptiNumber(std::uint64_t number);

} // namespace highwater::cupti_text
