#include "importers/source/exact_reader.h"

#include <algorithm>
#include <span>

namespace highwater {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

} // namespace

Result<void> ExactReader::read(char* buffer, std::size_t bytes)
{
    while (bytes > 0) {
        const Result<std::size_t> got = m_source.read(std::as_writable_bytes(std::span(buffer, bytes)));
        if (!got)
            return tl::unexpected<Error>(got.error());
        if (*got == 0)
            return fail(ErrorCode::Truncated, std::string(m_endMessage), Place::byte(m_offset));
        buffer += *got;
        bytes -= *got;
        m_offset += *got;
    }
    return {};
}

Result<void> ExactReader::readInto(std::string& out, std::uint64_t bytes)
{
    out.clear();
    while (out.size() < bytes) {
        const std::size_t bytesSoFar = out.size();
        out.resize(bytesSoFar + std::min<std::uint64_t>(kPieceBytes, bytes - bytesSoFar));
        if (auto outcome = read(out.data() + bytesSoFar, out.size() - bytesSoFar); !outcome)
            return outcome;
    }
    return {};
}

} // namespace highwater
