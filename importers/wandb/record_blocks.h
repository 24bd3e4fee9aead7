#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "importers/source/byte_source.h"

namespace highwater::wandb {

inline constexpr std::string_view kMagic = ":W&B\xE1\xBE"; ///< followed by a version, which is 0

/// Assembles the records of a `.wandb` file, which has blocks of 32 KiB like LevelDB's log. Each piece of a
/// record has u32 CRC-32 (zlib's, over type and data), u16 length, u8 type, all little-endian. The file's
/// head of 7 bytes is part of the first block.
class RecordBlocks
{
public:
    /// The source must outlive the object, and be at its start; whoever calls has checked the head. A record
    /// longer than `maxBytes` is an error.
    RecordBlocks(ByteSource& source, std::uint64_t maxBytes);

    /// Returns the next record, valid until the next call; nothing at the end. Fails with Truncated,
    /// Malformed or LimitExceeded, or with the source's own error; do not call it again after an error. The
    /// error's place is the byte of the file where the damaged piece begins, or where it ends if the piece
    /// itself can be read.
    Result<std::optional<std::string_view>> next();

private:
    enum class PieceType : std::uint8_t
    {
        Full = 1,
        First = 2,
        Middle = 3,
        Last = 4
    };
    Result<bool> loadBlock();
    Error truncatedAt(std::size_t begin) const;
    Result<std::optional<PieceType>> nextPiece();

    ByteSource& m_source;
    std::uint64_t m_maxBytes;
    std::string m_block;
    std::size_t m_position = 0; ///< in the block
    std::uint64_t m_blockOffset = 0; ///< position of the block in the file
    bool m_isFirstBlock = true;
    std::optional<Error> m_sourceError; ///< error of the source; reported after the pieces before it
    std::string_view m_piece;
    std::string m_record;
};

} // namespace highwater::wandb
