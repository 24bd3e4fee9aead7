#include "importers/registry/open_trace.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "importers/cupti_text/cupti_text_importer.h"
#include "importers/kineto/kineto_importer.h"
#include "importers/log/log_importer.h"
#include "importers/memory_timeline/memory_timeline_importer.h"
#include "importers/native/native_reader.h"
#include "importers/nsys/nsys_importer.h"
#include "importers/pytorch_snapshot/snapshot_importer.h"
#include "importers/registry/foreign_content.h"
#include "importers/source/compressed_source.h"
#include "importers/source/file_source.h"
#include "importers/source/peekable_source.h"
#include "importers/summary/summary_importer.h"
#include "importers/summary/summary_reader.h"
#include "importers/tensorboard/tensorboard_importer.h"
#include "importers/wandb/wandb_importer.h"

namespace highwater {

namespace {

constexpr std::size_t kSniffBytes = 64 * 1024;
/// A file may be compressed twice by mistake. Layers beyond this number, which suggest an attack, stay
/// compressed.
constexpr int kMaxCompressionLayers = 3;

/// Reports progress and checks for cancellation between two reads.
class MonitoredSource : public ByteSource
{
public:
    MonitoredSource(std::unique_ptr<ByteSource> inner, const ImportOptions& options)
        : m_inner(std::move(inner))
        , m_progress(options.progress)
        , m_stop(options.stop)
    {
    }
    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        if (m_stop.stopRequested())
            return fail(ErrorCode::Cancelled, "cancelled");
        Result<std::size_t> got = m_inner->read(buffer);
        const SourcePosition place = m_inner->position();
        m_progress.report(place.consumed, place.total);
        return got;
    }
    SourcePosition position() const override { return m_inner->position(); }

private:
    std::unique_ptr<ByteSource> m_inner;
    ThrottledProgress m_progress;
    StopToken m_stop;
};

using Import = Result<ImportedTrace> (*)(std::unique_ptr<ByteSource>, const ImportOptions&);

struct Format
{
    bool (*sniff)(std::string_view prefix);
    Import import;
};

/// Counts the bytes read, because the size of a pipe is known only at its end.
class CountingSource : public ByteSource
{
public:
    CountingSource(std::unique_ptr<ByteSource> source, std::shared_ptr<std::atomic<std::uint64_t>> bytes)
        : m_source(std::move(source))
        , m_bytes(std::move(bytes))
    {
    }
    Result<std::size_t> read(std::span<std::byte> buffer) override
    {
        const Result<std::size_t> got = m_source->read(buffer);
        m_bytes->fetch_add(got.value_or(0));
        return got;
    }
    SourcePosition position() const override { return m_source->position(); }

private:
    std::unique_ptr<ByteSource> m_source;
    std::shared_ptr<std::atomic<std::uint64_t>> m_bytes; ///< outlives the source, which another thread reads
};

/// Returns the format for snapshots in one kind of container, which `sniffSnapshot` recognizes.
template <SnapshotContainer container>
constexpr Format snapshotFormat()
{
    return {[](std::string_view prefix) { return sniffSnapshot(prefix) == container; },
        [](std::unique_ptr<ByteSource> source, const ImportOptions& options) {
            return importSnapshot(container, std::move(source), options);
        }};
}

/// The order matters: the first importer that accepts the content reads it.
constexpr std::array kFormats = {
    Format{sniffNative, importNative}, Format{sniffSummary, importSummary},
    snapshotFormat<SnapshotContainer::Pickle>(), snapshotFormat<SnapshotContainer::Json>(),
    Format{sniffMemoryTimelinePage, importMemoryTimelinePage}, snapshotFormat<SnapshotContainer::HtmlPage>(),
    Format{sniffKineto, importKineto}, Format{sniffMemoryTimeline, importMemoryTimeline},
    Format{sniffNsys, importNsys}, Format{sniffCuptiText, importCuptiText},
    Format{sniffTensorBoard, importTensorBoard}, Format{sniffWandb, importWandb},
    Format{sniffLog, importLog}, // accepts any text
};

/// Returns the importer of the content; null if none reads it, or only as a log although it is foreign
/// content.
Import findImport(std::string_view prefix)
{
    const auto format = std::ranges::find_if(
        kFormats, [prefix](const Format& candidate) { return candidate.sniff(prefix); });
    const bool isText = format != kFormats.end() && format->import == importLog;
    return format == kFormats.end() || (isText && describeForeignContent(prefix)) ? nullptr : format->import;
}

/// Names the apparent kind of the content, if that explains why it cannot be read.
std::string describeUnknown(std::string_view prefix)
{
    return prefix.empty() ? "is empty"
                          : describeForeignContent(prefix).value_or("has an unrecognized format");
}

} // namespace

Result<ImportedTrace> importTrace(std::unique_ptr<ByteSource> source, const ImportOptions& options)
{
    std::vector<std::string> containers;
    auto peekable = std::make_unique<PeekableSource>(std::move(source));
    Result<std::string_view> prefix = peekable->peek(kSniffBytes);
    for (int layer = 0; prefix && !detectCompression(*prefix).empty() && layer < kMaxCompressionLayers;
         ++layer) {
        const std::string compression(detectCompression(*prefix));
        containers.push_back(compression);
        peekable = std::make_unique<PeekableSource>(
            decompress(compression, std::move(peekable), options.maxInflateBytes));
        prefix = peekable->peek(kSniffBytes);
    }
    if (!prefix)
        return tl::unexpected<Error>(prefix.error());
    const Import import = findImport(*prefix);
    if (!import)
        return fail(ErrorCode::UnknownFormat, describeUnknown(*prefix));
    std::unique_ptr<ByteSource> stream = std::move(peekable);
    if (options.readAhead)
        stream = options.readAhead(std::move(stream));
    stream = std::make_unique<MonitoredSource>(std::move(stream), options);
    ImportOptions streamOptions = options;
    if (!containers.empty())
        streamOptions.plainFilePath.clear();
    Result<ImportedTrace> imported = import(std::move(stream), streamOptions);
    if (!imported)
        return imported;
    imported->containers.insert(imported->containers.begin(), containers.begin(), containers.end());
    return imported;
}

Result<ImportedTrace> openTrace(const std::string& path, const ImportOptions& options)
{
    Result<OpenFile> file = openFileWithIdentity(path, options.stop);
    if (!file)
        return tl::unexpected<Error>(file.error());
    const std::uint64_t bytes = file->source->position().total;
    ImportOptions fileOptions = options;
    fileOptions.plainFilePath = path == "-" ? std::string() : path;
    const auto bytesRead = std::make_shared<std::atomic<std::uint64_t>>(0);
    Result<ImportedTrace> imported
        = importTrace(std::make_unique<CountingSource>(std::move(file->source), bytesRead), fileOptions);
    if (!imported)
        return imported;
    imported->fileBytes = bytes > 0 ? bytes : bytesRead->load();
    // The file may have been replaced meanwhile, and databases are opened a second time by their path.
    if (file->identity && identityAt(path) == file->identity) {
        imported->file = file->identity;
        imported->fileIsSettled = isSettled(*file->identity);
    }
    return imported;
}

} // namespace highwater
