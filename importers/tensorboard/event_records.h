#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::tensorboard {

/// CRC-32C (Castagnoli), masked as TensorFlow's record files store it.
std::uint32_t maskedChecksum(std::string_view bytes);

/// Splits a stream into records: u64 length, u32 masked CRC of the length, payload, u32 masked CRC of the
/// payload, all little-endian.
class EventRecords
{
public:
    /// `mostBytes`: longer records are refused, but only where the source has their bytes: a length that lies
    /// is that of a file which ends within a record.
    EventRecords(ByteSource& source, std::uint64_t mostBytes);

    /// The next payload, valid until the next call; none at the end. Errors tell the byte where the record
    /// begins.
    Result<std::optional<std::string_view>> next();

private:
    /// Fills `m_record` up to that length; false where the source ends before.
    Result<bool> fill(std::size_t bytes);
    /// Reads on without keeping anything; false where the source ends before.
    Result<bool> skip(std::uint64_t bytes);

    ByteSource& m_source;
    std::uint64_t m_mostBytes;
    std::uint64_t m_offset = 0; ///< of the record at hand
    std::string m_record;
};

/// Whether a file begins with such a record.
bool beginsWithRecord(std::string_view prefix);

} // namespace highwater::tensorboard
