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
    Result<std::size_t> read(std::span<std::byte> into) override
    {
        Result<std::size_t> got = m_inner.read(into);
        if (got.value_or(0) > 0)
            m_last = static_cast<char>(into[*got - 1]);
        return got;
    }
    SourcePosition position() const override { return m_inner.position(); }
    bool endsInLine() const { return m_last != '\n'; }

private:
    ByteSource& m_inner;
    char m_last = '\n';
};

} // namespace highwater::cupti_text
