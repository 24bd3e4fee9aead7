#include "importers/wandb/record_blocks.h"

#include <span>

#include <zlib.h>

#include "importers/source/little_endian.h"

namespace highwater::wandb {

namespace {

constexpr std::size_t kBlockBytes = 32'768;
constexpr std::size_t kPieceHeadBytes = 7;
constexpr std::size_t kFileHeadBytes = 7;

} // namespace

RecordBlocks::RecordBlocks(ByteSource& source, std::uint64_t maxBytes)
    : m_source(source)
    , m_maxBytes(maxBytes)
{
}

/// Returns false at the end of the file.
Result<bool> RecordBlocks::loadBlock()
{
    if (m_sourceError)
        return tl::unexpected<Error>(*m_sourceError);
    m_blockOffset += m_block.size();
    m_block.resize(kBlockBytes);
    std::size_t bytesSoFar = 0;
    for (std::size_t got = 1; bytesSoFar < kBlockBytes && got > 0; bytesSoFar += got) {
        const Result<std::size_t> read
            = m_source.read(std::as_writable_bytes(std::span(m_block)).subspan(bytesSoFar));
        if (!read)
            m_sourceError = read.error();
        got = read.value_or(0);
    }
    m_block.resize(bytesSoFar);
    if (bytesSoFar == 0 && m_sourceError)
        return tl::unexpected<Error>(*m_sourceError);
    m_position = m_isFirstBlock ? kFileHeadBytes : 0;
    m_isFirstBlock = false;
    return bytesSoFar > 0;
}

/// Returns the error for a block that ends within the piece that begins there.
Error RecordBlocks::truncatedAt(std::size_t begin) const
{
    return m_sourceError
        ? *m_sourceError
        : Error{ErrorCode::Truncated, "the file ends within a record", Place::byte(m_blockOffset + begin)};
}

Result<std::optional<RecordBlocks::PieceType>> RecordBlocks::nextPiece()
{
    if (m_block.size() < m_position + kPieceHeadBytes) {
        const bool isCut = m_block.size() < kBlockBytes && m_block.size() > m_position;
        if (isCut)
            return tl::unexpected<Error>(truncatedAt(m_position));
        const Result<bool> loaded = loadBlock();
        if (!loaded)
            return tl::unexpected<Error>(loaded.error());
        if (!*loaded || m_block.size() <= m_position)
            return std::nullopt;
        return nextPiece();
    }
    const std::string_view rest = std::string_view(m_block).substr(m_position);
    const std::uint64_t length = littleEndian(rest.substr(4, 2));
    const Place place = Place::byte(m_blockOffset + m_position);
    if (kPieceHeadBytes + length > rest.size())
        return m_block.size() < kBlockBytes
            ? tl::unexpected<Error>(truncatedAt(m_position))
            : fail(ErrorCode::Malformed, "a record is longer than its block", place);
    const std::string_view checkedBytes = rest.substr(6, 1 + length);
    const auto sum = static_cast<std::uint32_t>(crc32(
        0, reinterpret_cast<const Bytef*>(checkedBytes.data()), static_cast<uInt>(checkedBytes.size())));
    if (sum != littleEndian(rest.substr(0, 4)))
        return fail(ErrorCode::Malformed, "a record does not match its checksum", place);
    m_piece = rest.substr(kPieceHeadBytes, length);
    m_position += kPieceHeadBytes + length;
    return static_cast<PieceType>(rest[6]);
}

Result<std::optional<std::string_view>> RecordBlocks::next()
{
    m_record.clear();
    for (bool isOpen = false;;) {
        const Result<std::optional<PieceType>> type = nextPiece();
        if (!type)
            return tl::unexpected<Error>(type.error());
        const Place place = Place::byte(m_blockOffset + m_position);
        if (!*type)
            return isOpen ? fail(ErrorCode::Truncated, "the file ends within a record", place)
                          : Result<std::optional<std::string_view>>(std::nullopt);
        const bool begins = **type == PieceType::Full || **type == PieceType::First;
        const bool ends = **type == PieceType::Full || **type == PieceType::Last;
        const bool isKnown = begins || ends || **type == PieceType::Middle;
        if (!isKnown || begins == isOpen)
            return fail(ErrorCode::Malformed, "the pieces of a record do not fit together", place);
        if (m_record.size() + m_piece.size() > m_maxBytes)
            return fail(ErrorCode::LimitExceeded,
                "a record is larger than the memory limit (see --max-memory)", place);
        m_record += m_piece;
        if (ends)
            return m_record;
        isOpen = true;
    }
}

} // namespace highwater::wandb
