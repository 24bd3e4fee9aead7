#include "importers/tensorboard/event_records.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "importers/source/little_endian.h"

namespace highwater::tensorboard {

namespace {

constexpr std::size_t kHeadBytes = 12; ///< the length and its checksum
constexpr std::size_t kTailBytes = 4;
constexpr std::size_t kPieceBytes = 1 << 20;
constexpr std::uint32_t kPolynomial = 0x82F63B78; ///< Castagnoli's, reflected
constexpr std::uint32_t kMaskDelta = 0xA282EAD8;

constexpr std::array<std::uint32_t, 256> checksumTable()
{
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) ? kPolynomial : 0);
        table[i] = value;
    }
    return table;
}

} // namespace

std::uint32_t maskedChecksum(std::string_view content)
{
    static constexpr std::array<std::uint32_t, 256> kTable = checksumTable();
    std::uint32_t sum = 0xFFFFFFFF;
    for (const char byte : content)
        sum = (sum >> 8) ^ kTable[(sum ^ static_cast<unsigned char>(byte)) & 0xFF];
    sum = ~sum;
    return ((sum >> 15) | (sum << 17)) + kMaskDelta;
}

bool beginsWithRecord(std::string_view prefix)
{
    return prefix.size() >= kHeadBytes
        && maskedChecksum(prefix.substr(0, 8)) == littleEndian(prefix.substr(8, 4));
}

EventRecords::EventRecords(ByteSource& source, std::uint64_t maxBytes)
    : m_source(source)
    , m_maxBytes(maxBytes)
{
}

/// Reads in pieces, so that memory grows only with the bytes that arrive, whatever length a record claims.
Result<bool> EventRecords::fill(std::size_t bytes)
{
    while (m_record.size() < bytes) {
        const std::size_t bytesSoFar = m_record.size();
        m_record.resize(bytesSoFar + std::min(bytes - bytesSoFar, kPieceBytes));
        const Result<std::size_t> got
            = m_source.read(std::as_writable_bytes(std::span(m_record)).subspan(bytesSoFar));
        m_record.resize(bytesSoFar + (got ? *got : 0));
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return false;
    }
    return true;
}

Result<bool> EventRecords::skip(std::uint64_t bytes)
{
    std::vector<std::byte> piece(kPieceBytes);
    while (bytes > 0) {
        const std::size_t pieceBytes = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece.size()));
        const Result<std::size_t> got = m_source.read(std::span(piece).first(pieceBytes));
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return false;
        bytes -= *got;
    }
    return true;
}

Result<std::optional<std::string_view>> EventRecords::next()
{
    m_offset += m_record.size();
    m_record.clear();
    const auto problem
        = [this](ErrorCode code, const char* message) { return fail(code, message, Place::byte(m_offset)); };
    Result<bool> complete = fill(kHeadBytes);
    if (complete && !*complete && m_record.empty())
        return std::nullopt;
    if (complete && *complete) {
        if (!beginsWithRecord(m_record))
            return problem(ErrorCode::Malformed, "the length of a record does not match its checksum");
        const std::uint64_t length = littleEndian(std::string_view(m_record).substr(0, 8));
        const bool isTooLong = length > m_maxBytes;
        complete = isTooLong ? skip(length) : fill(kHeadBytes + length + kTailBytes);
        if (complete && *complete && isTooLong)
            return problem(
                ErrorCode::LimitExceeded, "a record is larger than the memory limit (see --max-memory)");
    }
    if (!complete)
        return tl::unexpected<Error>(complete.error());
    if (!*complete)
        return problem(ErrorCode::Truncated, "the file ends within a record");
    const std::string_view payload
        = std::string_view(m_record).substr(kHeadBytes, m_record.size() - kHeadBytes - kTailBytes);
    if (maskedChecksum(payload)
        != littleEndian(std::string_view(m_record).substr(m_record.size() - kTailBytes)))
        return problem(ErrorCode::Malformed, "a record does not match its checksum");
    return payload;
}

} // namespace highwater::tensorboard
