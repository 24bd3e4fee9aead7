#include "importers/kineto/trace_text.h"

#include <algorithm>
#include <bit>

#include <sys/mman.h>

#include "importers/source/limit_error.h"

namespace highwater::kineto {

namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
/// Positions in the text are 32-bit numbers.
constexpr std::size_t kMaxTextBytes = (std::size_t{1} << 32) - 4096;

/// Address space to begin with; pages are taken as they are filled.
constexpr std::size_t kFirstReserve = std::size_t{256} << 20;

/// Asks for large pages: with small ones a third of the time goes into getting them.
void preferLargePages(Column<char>& bytes, std::size_t capacity)
{
    constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
    const auto begin = std::bit_cast<std::uintptr_t>(bytes.data());
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
    const std::uintptr_t last = (begin + capacity) / kLargePage * kLargePage;
    if (first < last) // a wish: nothing depends on it
        (void)madvise(std::bit_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

} // namespace

Result<TraceText> readTraceText(ByteSource& source, std::uint64_t maxMemoryBytes)
{
    TraceText text;
    std::size_t capacity = 0;
    while (true) {
        if (text.size > kMaxTextBytes)
            return fail(
                ErrorCode::LimitExceeded, "is a trace of 4 GiB or more, which this version does not read");
        if (text.memoryBytes() > maxMemoryBytes)
            return tl::unexpected(memoryLimitError(maxMemoryBytes));
        if (capacity < text.size + kPieceBytes) {
            capacity = std::max(kFirstReserve, text.size * 2);
            text.bytes.reserve(capacity);
            preferLargePages(text.bytes, capacity);
        }
        text.bytes.resizeForOverwrite(text.size + kPieceBytes);
        const Result<std::size_t> got
            = source.read(std::as_writable_bytes(std::span(text.bytes.data() + text.size, kPieceBytes)));
        if (!got
            && (got.error().code == ErrorCode::Cancelled || got.error().code == ErrorCode::LimitExceeded))
            return tl::unexpected<Error>(got.error());
        if (!got)
            text.cutShort = got.error();
        if (got.value_or(0) == 0)
            break;
        text.size += *got;
    }
    text.bytes.resizeForOverwrite(text.size);
    text.bytes.resize(text.size + TraceText::kPadding, '\0');
    return text;
}

} // namespace highwater::kineto
