#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "importers/source/byte_source.h"

namespace highwater {

/// A source whose beginning can be examined before it is read, because formats are detected by content.
class PeekableSource : public ByteSource
{
public:
    explicit PeekableSource(std::unique_ptr<ByteSource> inner)
        : m_inner(std::move(inner))
    {
    }

    /// Returns the bytes that `read` will return next, at most `bytes`; fewer only at the end or before an
    /// error. Fails with the error if there is none before it. The view is valid until the next `peek`.
    Result<std::string_view> peek(std::size_t bytes);
    /// Returns the error that `peek` met, which `read` will report after the bytes before it.
    const std::optional<Error>& pending() const { return m_pending; }
    Result<std::size_t> read(std::span<std::byte> buffer) override;
    SourcePosition position() const override { return m_inner->position(); }

private:
    std::unique_ptr<ByteSource> m_inner;
    std::vector<std::byte> m_ahead;
    std::size_t m_taken = 0;
    std::optional<Error> m_pending; ///< error met while peeking; reported after the bytes before it
};

/// A source of bytes in memory, which must outlive it.
class MemorySource : public ByteSource
{
public:
    explicit MemorySource(std::string_view content)
        : m_content(content)
    {
    }
    Result<std::size_t> read(std::span<std::byte> buffer) override;
    SourcePosition position() const override { return {m_taken, m_content.size()}; }

private:
    std::string_view m_content;
    std::size_t m_taken = 0;
};

} // namespace highwater
