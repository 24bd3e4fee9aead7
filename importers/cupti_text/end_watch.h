#pragma once

#include "importers/source/byte_source.h"

namespace highwater::cupti_text {

/// Passes on the bytes of a source and remembers whether the last one was a line feed.
class EndWatch : public ByteSource
{
public:
    explicit EndWatch(ByteSource& inner)
        : m_inner(inner)
    {
    }
    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        Result<std::size_t> count = m_inner.read(buffer);
        if (count.value_or(0) > 0)
            m_lastCharacter = static_cast<char>(buffer[*count - 1]);
        return count;
    }
    SourcePosition position() const override { return m_inner.position(); }
    bool endsWithinLine() const { return m_lastCharacter != '\n'; }

private:
    ByteSource& m_inner;
    char m_lastCharacter = '\n';
};

} // namespace highwater::cupti_text
