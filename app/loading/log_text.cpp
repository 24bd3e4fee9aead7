#include "app/loading/log_text.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "core/base/text_format.h"
#include "importers/source/compressed_source.h"
#include "importers/source/file_source.h"
#include "importers/source/peekable_source.h"

namespace highwater {

namespace {

constexpr std::size_t kIndexedPieceBytes = std::size_t{1} << 20;
constexpr std::size_t kReadBytes = std::size_t{64} << 10;

/// Returns the last piece between carriage returns that is not blank.
std::string_view lastPiece(std::string_view line)
{
    while (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    while (true) {
        const std::size_t carriageReturn = line.rfind('\r');
        const std::string_view piece
            = carriageReturn == std::string_view::npos ? line : line.substr(carriageReturn + 1);
        if (carriageReturn == std::string_view::npos
            || piece.find_first_not_of(" \t") != std::string_view::npos)
            return piece;
        line = line.substr(0, carriageReturn);
    }
}

std::string withoutColors(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            out += text[i];
            continue;
        }
        if (i + 1 < text.size() && text[i + 1] == '[')
            for (i += 2; i < text.size() && !(text[i] >= '@' && text[i] <= '~'); ++i) { }
    }
    return out;
}

} // namespace

std::string shownLine(std::string_view raw)
{
    const std::string_view piece = lastPiece(raw);
    std::string text = withoutColors(piece.substr(0, LogText::kLongestLineBytes));
    std::ranges::replace(text, '\t', ' ');
    text = sanitizedText(text);
    if (piece.size() > LogText::kLongestLineBytes)
        text += " …";
    return text;
}

LogText::~LogText()
{
    if (m_file >= 0)
        ::close(m_file);
}

std::string LogText::read(std::uint64_t offset, std::size_t bytes) const
{
    if (m_file < 0)
        return offset < m_text.size() ? m_text.substr(static_cast<std::size_t>(offset), bytes)
                                      : std::string();
    std::string text(bytes, '\0');
    const ssize_t got = ::pread(m_file, text.data(), bytes, static_cast<off_t>(offset));
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
}

void LogText::indexPiece(std::string_view piece)
{
    while (!piece.empty()) {
        if (m_atLineBegin && m_lineCount++ % kLinesPerMark == 0)
            m_marks.push_back(m_bytes);
        const void* end = std::memchr(piece.data(), '\n', piece.size());
        m_atLineBegin = end != nullptr;
        const std::size_t length
            = end ? static_cast<std::size_t>(static_cast<const char*>(end) - piece.data()) + 1 : piece.size();
        m_bytes += length;
        piece.remove_prefix(length);
    }
}

Result<void> LogText::index(ByteSource& source, bool keepText, ProgressSink* progress, const StopToken& stop)
{
    ThrottledProgress report(progress);
    std::vector<std::byte> piece(kIndexedPieceBytes);
    while (!stop.stopRequested()) {
        const Result<std::size_t> got = source.read(piece);
        if (!got && m_bytes == 0)
            return tl::unexpected<Error>(got.error());
        // The lines before an error can still be shown; the import reports that the file ends early.
        m_isCut = !got && got.error().code == ErrorCode::LimitExceeded;
        if (!got || *got == 0)
            return {};
        const std::string_view text(reinterpret_cast<const char*>(piece.data()), *got);
        indexPiece(text);
        if (keepText)
            m_text.append(text);
        if (keepText && m_text.size() >= kMaxUnpackedBytes) {
            m_isCut = true;
            return {};
        }
        report.report(source.position().consumed, source.position().total);
    }
    return fail(ErrorCode::Cancelled, "cancelled");
}

Result<std::shared_ptr<const LogText>> LogText::open(
    const std::string& path, ProgressSink* progress, const StopToken& stop)
{
    Result<std::unique_ptr<ByteSource>> file = openFile(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    auto source = std::make_unique<PeekableSource>(std::move(*file));
    const Result<std::string_view> prefix = source->peek(64);
    if (!prefix)
        return tl::unexpected<Error>(prefix.error());
    const std::string compression(detectCompression(*prefix));
    const std::shared_ptr<LogText> text(new LogText);
    if (compression.empty()) {
        text->m_file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (text->m_file < 0)
            return fail(ErrorCode::CannotRead, "cannot be read");
    } else {
        source = std::make_unique<PeekableSource>(
            decompress(compression, std::move(source), kMaxUnpackedBytes + kIndexedPieceBytes));
    }
    if (auto indexed = text->index(*source, !compression.empty(), progress, stop); !indexed)
        return tl::unexpected<Error>(indexed.error());
    return text;
}

std::vector<std::string> LogText::lines(std::uint64_t first, std::size_t count) const
{
    std::vector<std::string> found;
    if (first >= m_lineCount)
        return found;
    std::uint64_t line = first / kLinesPerMark * kLinesPerMark;
    std::uint64_t offset = m_marks[static_cast<std::size_t>(first / kLinesPerMark)];
    std::string raw;
    while (found.size() < count && offset < m_bytes) {
        const std::string piece = read(offset, kReadBytes);
        if (piece.empty())
            break;
        offset += piece.size();
        for (std::size_t begin = 0; begin < piece.size() && found.size() < count;) {
            const std::size_t end = piece.find('\n', begin);
            const std::size_t stop = end == std::string::npos ? piece.size() : end;
            // Bounds the memory for a line that was repainted for megabytes.
            if (raw.size() < 4 * kLongestLineBytes)
                raw.append(piece, begin, stop - begin);
            begin = stop + 1;
            if (end == std::string::npos)
                break;
            if (line++ >= first)
                found.push_back(shownLine(raw));
            raw.clear();
        }
    }
    if (found.size() < count && line < m_lineCount && line >= first)
        found.push_back(shownLine(raw));
    return found;
}

} // namespace highwater
