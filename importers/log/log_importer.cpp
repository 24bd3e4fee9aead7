#include "importers/log/log_importer.h"

#include <algorithm>

#include "core/base/valid_text.h"
#include "importers/conclude_import.h"
#include "importers/log/column_reader.h"
#include "importers/log/content_kind.h"
#include "importers/log/document_reader.h"
#include "importers/log/log_reader.h"
#include "importers/log/patterns/user_patterns.h"
#include "importers/log/text/text_kind.h"
#include "importers/log/text/utf16_source.h"
#include "importers/source/limit_error.h"
#include "importers/source/peekable_source.h"

namespace highwater {

namespace {

using namespace logs;

constexpr std::size_t kSniffBytes = 64 * 1024;
constexpr std::uint64_t kLinesBetweenChecks = 4096;

/// True for control characters that texts do not contain.
bool isUnusualControl(unsigned char c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\x1b' && c != '\b' && c != '\f')
        || c == 0x7f;
}

/// Returns the length in bytes of the UTF-8 character at the beginning of the text, which may end within the
/// character; 0 if there is none.
std::size_t characterLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80 ? 1
        : lead < 0xC2                      ? 0
        : lead < 0xE0                      ? 2
        : lead < 0xF0                      ? 3
        : lead < 0xF5                      ? 4
                                           : 0;
    if (length > text.size())
        return text.size();
    for (std::size_t i = 1; i < length; ++i)
        if (!isContinuationByte(text[i]))
            return 0;
    return length;
}

/// Passes lines to `takeLine` until the end or the first error, which is returned.
template <typename TakeLine>
std::optional<Error> readLines(
    ByteSource& source, LogReader& reader, const ImportOptions& options, ImportLog& log, TakeLine takeLine)
{
    LineSource lines(source);
    for (std::uint64_t pieces = 0;; ++pieces) {
        const Result<std::optional<LinePiece>> piece = lines.next();
        if (!piece)
            return piece.error();
        if (!*piece)
            return std::nullopt;
        if ((*piece)->cut)
            log.add(Severity::Info, "line-cut", "a line is longer than 64 KiB; the rest of it is ignored",
                Place::line((*piece)->line));
        takeLine((*piece)->text, (*piece)->line);
        if (pieces % kLinesBetweenChecks == 0 && reader.memoryBytes() > options.maxMemoryBytes) {
            Error error = memoryLimitError(options.maxMemoryBytes);
            error.place = Place::line((*piece)->line);
            return error;
        }
    }
}

/// Largest document that is read as a whole.
constexpr std::size_t kMaxDocumentBytes = std::size_t{256} << 20;

/// Chooses the reader by the content. Returns the error that ended reading.
std::optional<Error> readText(
    PeekableSource& source, LogReader& reader, const ImportOptions& options, TraceBuilder& builder)
{
    const Result<std::string_view> prefix = source.peek(kSniffBytes);
    if (!prefix)
        return prefix.error();
    const ContentKind kind = contentKind(*prefix);
    if (kind == ContentKind::Notebook || kind == ContentKind::Document) {
        const std::size_t maxBytes = static_cast<std::size_t>(
            std::min<std::uint64_t>(kMaxDocumentBytes, options.maxMemoryBytes / 2));
        const Result<std::string_view> document = source.peek(maxBytes);
        if (!document)
            return document.error();
        if (kind == ContentKind::Notebook) {
            const bool isComplete = readNotebook(*document, reader);
            return isComplete || source.pending() ? source.pending()
                                                  : std::optional(Error{ErrorCode::Truncated,
                                                      "the notebook ends early or is not valid JSON", {}});
        }
        if (document->size() < maxBytes && readDocument(*document, reader, builder.metadata()))
            return source.pending();
    }
    if (kind == ContentKind::NvidiaSmi)
        builder.metadata().kind = TraceKind::NvidiaSmi;
    const bool hasColumns
        = kind == ContentKind::Commas || kind == ContentKind::NvidiaSmi || kind == ContentKind::NvidiaSmiDmon;
    if (!hasColumns)
        return readLines(source, reader, options, builder.log(),
            [&](std::string_view text, std::uint64_t line) { reader.read(text, line); });
    ColumnReader columns(kind, reader);
    return readLines(source, reader, options, builder.log(),
        [&](std::string_view text, std::uint64_t line) { columns.read(text, line); });
}

} // namespace

bool sniffLog(std::string_view prefix)
{
    if (prefix.empty())
        return false;
    if (isUtf16(prefix))
        return true;
    std::size_t wrongBytes = 0;
    for (std::size_t i = 0; i < prefix.size();) {
        const std::size_t length = characterLength(prefix.substr(i));
        wrongBytes += length == 0 || isUnusualControl(static_cast<unsigned char>(prefix[i]));
        i += std::max(length, std::size_t{1});
    }
    return wrongBytes * 50 <= prefix.size(); // 2%: blocks of NULs that were never written, Latin-1 names
}

Result<ImportedTrace> importLog(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    auto peekable = std::make_unique<PeekableSource>(std::move(source));
    const Result<std::string_view> prefix = peekable->peek(2);
    if (!prefix)
        return tl::unexpected<Error>(prefix.error());
    if (isUtf16(*prefix))
        peekable = std::make_unique<PeekableSource>(std::make_unique<Utf16Source>(std::move(peekable)));
    TraceBuilder builder;
    builder.metadata().kind = TraceKind::TrainerLog;
    const std::shared_ptr<const PatternTable> table = patternsFor(options, builder.log());
    LogReader reader(*table, builder.strings(), options.fileTime);
    const std::string beginning(peekable->peek(kSniffBytes).value_or(""));
    reader.setTextKind(textKind(beginning));
    const std::optional<Error> error = readText(*peekable, reader, options, builder);
    return concludeImport(error, reader.linesRead() == 0, [&] {
        reader.moveTo(builder);
        return builder.finish();
    });
}

} // namespace highwater
