#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "importers/source/byte_source.h"

namespace highwater::test {

/// Returns at most `piece` bytes per read, and at the end an error, if one is given.
class PiecewiseSource : public ByteSource
{
public:
    PiecewiseSource(std::string bytes, std::size_t piece, std::optional<Error> atEnd = {})
        : m_bytes(std::move(bytes))
        , m_piece(piece)
        , m_atEnd(std::move(atEnd))
    {
    }

    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        const std::size_t count = std::min({buffer.size(), m_piece, m_bytes.size() - m_taken});
        if (count == 0 && m_atEnd)
            return tl::unexpected<Error>(*m_atEnd);
        std::memcpy(buffer.data(), m_bytes.data() + m_taken, count);
        m_taken += count;
        return count;
    }
    SourcePosition position() const override { return {m_taken, m_bytes.size()}; }

private:
    std::string m_bytes;
    std::size_t m_piece;
    std::size_t m_taken = 0;
    std::optional<Error> m_atEnd;
};

/// Reads a source completely, at most `piece` bytes at a time.
inline Result<std::string> readAll(ByteSource& source, std::size_t piece = 4096)
{
    std::string out;
    std::string buffer(piece, '\0');
    for (;;) {
        const Result<std::size_t> got = source.read(std::as_writable_bytes(std::span(buffer)));
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return out;
        out.append(buffer, 0, *got);
    }
}

} // namespace highwater::test
