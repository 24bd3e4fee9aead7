#include "importers/open_trace.h"

#include <algorithm>

#include "importers/kineto/kineto_importer.h"
#include "importers/native/native_reader.h"
#include "importers/pytorch_snapshot/snapshot_importer.h"
#include "importers/source/compressed_source.h"
#include "importers/source/file_source.h"
#include "importers/source/peekable_source.h"

namespace highwater {

namespace {

constexpr std::size_t kSniffBytes = 64 * 1024;
/// A file may be compressed twice by mistake; more is an attack.
constexpr int kMaxCompressionLayers = 3;

/// Reports progress and hears the wish to stop between two pieces.
class MonitoredSource : public ByteSource
{
public:
    MonitoredSource(std::unique_ptr<ByteSource> inner, const ImportOptions& options)
        : m_inner(std::move(inner))
        , m_progress(options.progress)
        , m_stop(options.stop)
    {
    }
    Result<std::size_t> read(std::span<std::byte> into) override
    {
        if (m_stop.stopRequested())
            return fail(ErrorCode::Cancelled, "cancelled");
        Result<std::size_t> got = m_inner->read(into);
        const SourcePosition at = m_inner->position();
        m_progress.report(at.consumed, at.total);
        return got;
    }
    SourcePosition position() const override { return m_inner->position(); }

private:
    std::unique_ptr<ByteSource> m_inner;
    ThrottledProgress m_progress;
    StopToken m_stop;
};

bool isText(std::string_view prefix)
{
    return std::none_of(prefix.begin(), prefix.end(), [](char c) { return c == '\0' || c == '\x7f'; });
}

/// Names what the content seems to be, where that helps to understand why it is not read.
std::string describeUnknown(std::string_view prefix)
{
    if (prefix.empty())
        return "is empty";
    if (prefix.starts_with("SQLite format 3"))
        return "is an SQLite database, which this version does not read";
    if (prefix.starts_with("PK\x03\x04"))
        return "is a zip archive; unpack it first";
    return isText(prefix) ? "is text in no form that this version reads" : "is in no known form";
}

} // namespace

Result<ImportedTrace> importTrace(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    std::vector<std::string> containers;
    auto peekable = std::make_unique<PeekableSource>(std::move(source));
    Result<std::string_view> prefix = peekable->peek(kSniffBytes);
    for (int layer = 0; prefix && !compressionOf(*prefix).empty() && layer < kMaxCompressionLayers; ++layer) {
        const std::string compression(compressionOf(*prefix));
        containers.push_back(compression);
        peekable = std::make_unique<PeekableSource>(
            decompress(compression, std::move(peekable), options.maxInflateBytes));
        prefix = peekable->peek(kSniffBytes);
    }
    if (!prefix)
        return tl::unexpected<Error>(prefix.error());
    const bool native = sniffNative(*prefix);
    const SnapshotContainer snapshot = native ? SnapshotContainer::None : sniffSnapshot(*prefix);
    const bool kineto = !native && snapshot == SnapshotContainer::None && sniffKineto(*prefix);
    if (!native && !kineto && snapshot == SnapshotContainer::None)
        return fail(ErrorCode::UnknownFormat, describeUnknown(*prefix));
    std::unique_ptr<ByteSource> stream = std::move(peekable);
    if (options.readAhead)
        stream = options.readAhead(std::move(stream));
    stream = std::make_unique<MonitoredSource>(std::move(stream), options);
    Result<ImportedTrace> imported = native ? importNative(std::move(stream), options)
        : kineto                            ? importKineto(std::move(stream), options)
                                            : importSnapshot(snapshot, std::move(stream), options);
    if (!imported)
        return imported;
    imported->containers.insert(imported->containers.begin(), containers.begin(), containers.end());
    return imported;
}

Result<ImportedTrace> openTrace(const std::string& path, const ImportOptions& options)
{
    Result<std::unique_ptr<ByteSource>> file = openFile(path);
    if (!file)
        return tl::unexpected<Error>(file.error());
    const std::uint64_t bytes = (*file)->position().total;
    Result<ImportedTrace> imported = importTrace(std::move(*file), options);
    if (imported)
        imported->fileBytes = bytes;
    return imported;
}

} // namespace highwater
