#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::tensorboard {

/// Returns the CRC-32C (Castagnoli), masked as in TensorFlow's record files.
std::uint32_t maskedChecksum(std::string_view content);

/// Splits a TensorBoard event file into records: u64 length, u32 masked CRC of the length, payload, u32
/// masked CRC of the payload, all little-endian (TensorFlow's record_writer.h).
class EventRecords
{
public:
    /// The source must outlive the object. A record longer than `maxBytes` is an error.
    EventRecords(ByteSource& source, std::uint64_t maxBytes);

    /// Returns the next payload, valid until the next call; nothing at the end. Fails with
    /// - Truncated if the source ends within a record, also within one that is too long: a false length
    ///   usually means that the file ends there;
    /// - LimitExceeded for a whole record that is too long;
    /// - Malformed for a false checksum; or with the source's own error.
    /// All but the last have the byte at which the record begins. The position after an error is undefined,
    /// so do not call it again.
    Result<std::optional<std::string_view>> next();

private:
    /// Fills `m_record` up to that length. Returns true if it is full, false if the source ends earlier.
    Result<bool> fill(std::size_t bytes);
    /// Reads and drops bytes. Returns true if all were there, false if the source ends earlier.
    Result<bool> skip(std::uint64_t bytes);

    ByteSource& m_source;
    std::uint64_t m_maxBytes;
    std::uint64_t m_offset = 0; ///< start of the current record
    std::string m_record;
};

/// True if a file begins with a length and its checksum, as every record does; the payload is not examined.
bool beginsWithRecord(std::string_view prefix);

} // namespace highwater::tensorboard
