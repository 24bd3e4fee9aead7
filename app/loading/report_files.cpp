#include "app/loading/report_files.h"

#include <algorithm>
#include <filesystem>
#include <future>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/input_paths.h"
#include "app/loading/rank_files.h"
#include "app/loading/run_inputs.h"
#include "app/loading/run_parts.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/analysis/diff/series_pairs.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/analysis/ranks/rank_merge.h"

namespace highwater {

namespace fs = std::filesystem;

namespace {

/// What is kept of a trace that is neither the main file nor an auxiliary one: its import messages and its
/// devices.
std::shared_ptr<const Trace> withoutEvents(const Trace& trace)
{
    auto light = std::make_shared<Trace>();
    light->metadata = trace.metadata;
    light->devices = trace.devices;
    light->log = trace.log;
    return light;
}

/// A file of the run; one that could not be read has no trace.
struct ReadFile
{
    RunSource source;
    std::optional<DeviceIndex> device; ///< to be shown; none: it has none
    Bytes peakBytes = 0; ///< of the device, else what the log tells
};

/// A run whose device is not studied yet: of two runs the bytes that both count are to be found first.
struct ReadRun
{
    RunParts parts;
    std::optional<DeviceIndex> device; ///< of the main file; none: it tells no memory of a device
    LoadedReportRun loaded; ///< without a study

    const Device& about() const { return parts.trace->devices[*device]; }
};

using ReadResult = tl::expected<ReadRun, ReportLoadError>;

bool isUnknown(const Result<ImportedTrace>& imported)
{
    return imported ? isEmptyLog(*imported->trace) : imported.error().code == ErrorCode::UnknownFormat;
}

bool isSummary(const InputPath& path)
{
    return path.path.ends_with(".hws");
}

/// A file that is named twice is one file of the run.
std::vector<InputPath> eachOnce(std::vector<InputPath> paths)
{
    std::set<fs::path> known;
    std::erase_if(paths, [&](const InputPath& path) {
        std::error_code error;
        const fs::path absolute = fs::absolute(path.path, error);
        // A link keeps its own name: a rank may be told by it.
        return !known.insert(fs::weakly_canonical(absolute.parent_path(), error) / absolute.filename())
                    .second;
    });
    return paths;
}

/// Reads the files of a run: several summaries for their figures, all other files one after the other.
class RunReader
{
public:
    RunReader(const ReportFiles& files, const ReportLoadOptions& options, std::string role)
        : m_files(files)
        , m_options(options)
        , m_role(std::move(role))
    {
    }

    ReadResult read()
    {
        if (const Result<void> configured = readConfiguration(); !configured)
            return tl::unexpected(ReportLoadError{configured.error(), m_files.configuration});
        std::vector<InputPath> paths = eachOnce(expandInputs(m_files.paths));
        m_hasSeveral = paths.size() > 1;
        if (const Result<void> read = readSummaries(paths); !read)
            return tl::unexpected(ReportLoadError{read.error(), {}});
        for (const InputPath& path : paths)
            if (const Result<void> taken = take(path); !taken)
                return tl::unexpected(ReportLoadError{taken.error(), path.path});
        for (const ReportSource& source : m_files.unusable)
            m_read.push_back({{source, nullptr}, std::nullopt, 0});
        if (!m_best || (m_files.device && !best().device && !best().source.file.trace->devices.empty()))
            return tl::unexpected(nothing());
        return conclude();
    }

private:
    ReportLoadError nothing() const
    {
        if (m_firstError)
            return *m_firstError;
        if (m_files.paths.empty())
            return {{ErrorCode::BadRequest, "there is no file of the run to read", {}}, {}};
        return {nothingKnown(), m_files.paths.front()};
    }

    void keepFirst(const Error& error, const std::string& path)
    {
        if (!m_firstError)
            m_firstError = ReportLoadError{error, path};
    }

    Result<void> readConfiguration()
    {
        if (m_files.configuration.empty())
            return {};
        Result<RunDescription> description = loadRunDescription(m_files.configuration);
        if (!description)
            return tl::unexpected(description.error());
        m_description = *std::move(description);
        return {};
    }

    /// Of several summaries only the one to be shown by stays among the paths. Fails where the user has
    /// stopped it.
    Result<void> readSummaries(std::vector<InputPath>& paths)
    {
        std::vector<std::string> summaries;
        for (const InputPath& path : paths)
            if (isSummary(path))
                summaries.push_back(path.path);
        if (summaries.size() < 2)
            return {};
        std::string main;
        Bytes highest = -1;
        const Result<void> read = readRanks(
            summaries, m_options.load, [&](std::size_t at, Result<RankSummary> summary) {
                const std::string& path = summaries[at];
                if (!summary) {
                    refuse(path, summary.error());
                } else if (auto rank = m_merge.add(path, *std::move(summary))) {
                    const bool isShown = path == m_files.shown;
                    if (isShown || rank->mainDevice()->peakBytes > highest) {
                        main = path;
                        highest = isShown ? std::numeric_limits<Bytes>::max() : rank->mainDevice()->peakBytes;
                    }
                    m_summarized.emplace(path, std::move(rank));
                }
            });
        std::erase_if(paths, [&](const InputPath& path) { return isSummary(path) && path.path != main; });
        return read;
    }

    void refuse(const std::string& path, const Error& error)
    {
        ReadFile file;
        file.source.file.path = path;
        file.source.file.error = toText(error);
        m_read.push_back(std::move(file));
        m_merge.addTrouble(rankTrouble(path, error));
        keepFirst(error, path);
    }

    /// Fails where the user has stopped it.
    Result<void> take(const InputPath& path)
    {
        const std::optional<FileIdentity> hashed = identityAt(path.path);
        auto hash = inBackground([&] { return sha256OfFile(path.path, nullptr, m_options.load.stop); });
        const Result<ImportedTrace> imported = loadFile(path.path, m_options.load);
        ReadFile file;
        file.source.file.path = path.path;
        file.source.file.sha256 = hash.get().value_or("");
        if (imported && imported->file != hashed)
            file.source.file.sha256.clear(); // the figures are those of other bytes
        if (!imported && imported.error().code == ErrorCode::Cancelled)
            return tl::unexpected(imported.error());
        if (path.fromFolder && isUnknown(imported))
            return {};
        if (imported) {
            describe(*imported, file);
        } else {
            file.source.file.error = toText(imported.error());
            m_merge.addTrouble(rankTrouble(path.path, imported.error()));
            keepFirst(imported.error(), path.path);
        }
        m_read.push_back(std::move(file));
        if (imported)
            keepBest();
        return {};
    }

    void describe(const ImportedTrace& imported, ReadFile& file)
    {
        const Trace& trace = *imported.trace;
        ReportSource& source = file.source.file;
        source.format = trace.metadata.format;
        source.fileBytes = imported.fileBytes;
        source.trace = imported.trace;
        if (imported.incomplete)
            source.cutOff = toText(*imported.incomplete);
        const std::vector<DeviceFigures> figures = allFigures(trace);
        const Result<DeviceIndex> device = chooseDevice(trace, figures, m_files.device);
        if (device) {
            file.device = *device;
            file.peakBytes = figures[*device].peakBytes;
        } else if (!trace.devices.empty()) {
            keepFirst(device.error(), source.path);
        } else if (const std::optional<SeriesPair> series = bestMemorySeries(trace)) {
            file.peakBytes = wholeBytes(series->beforeFigures.largest);
        }
        if (!m_hasSeveral || !tellsAllocations(trace)) // alone it is nobody's rank
            return;
        if (const auto known = m_summarized.find(source.path); known != m_summarized.end()) {
            file.source.rank = known->second;
            return;
        }
        RankFile rank = rankFile(runMember(source.path, trace), trace, false);
        rank.incomplete = imported.incomplete.has_value();
        mergeRank(imported, source.path, rank);
        file.source.rank = std::make_shared<const RankFile>(std::move(rank));
    }

    void mergeRank(const ImportedTrace& imported, const std::string& path, const RankFile& rank)
    {
        DeviceRequest request;
        request.device = m_files.device;
        if (Result<RunParts> parts = partsOf(shownName(path), imported, request))
            m_merge.add(path, rankSummary(path, RunStudy(*std::move(parts))), &rank);
    }

    /// Files with allocations of a device come first, then others with devices, then logs.
    bool isBetter(const ReadFile& a, const ReadFile& b) const
    {
        const auto classOf = [&](const ReadFile& file) { return file.device ? file.source.rank ? 2 : 1 : 0; };
        const auto isShown = [&](const ReadFile& file) {
            return !m_files.shown.empty() && file.source.file.path == m_files.shown;
        };
        if (isShown(a) != isShown(b))
            return isShown(a);
        return classOf(a) != classOf(b) ? classOf(a) > classOf(b) : a.peakBytes > b.peakBytes;
    }
    const ReadFile& best() const { return m_read[*m_best]; }

    /// The newest file against the best of those before it. Of two ranks the one that is not the main file is
    /// given up at once; each file is, at most once.
    void keepBest()
    {
        std::size_t given = m_read.size() - 1;
        if (!m_best) {
            m_best = given;
            return;
        }
        if (isBetter(m_read[given], best()))
            std::swap(given, *m_best);
        ReadFile& file = m_read[given];
        if (file.source.rank && file.device)
            file.source.file.trace = withoutEvents(*file.source.file.trace);
    }

    ReadRun conclude()
    {
        ReadRun run;
        run.device = best().device;
        std::rotate(m_read.begin(), m_read.begin() + static_cast<std::ptrdiff_t>(*m_best),
            m_read.begin() + static_cast<std::ptrdiff_t>(*m_best) + 1);
        std::vector<RunSource> files;
        for (ReadFile& file : m_read)
            files.push_back(std::move(file.source));
        run.parts = partsOf(files);
        const bool hasMain = !run.parts.ranks.empty(); // alone it has no ranks beside it
        for (const auto& [path, rank] : m_summarized)
            if (!hasMain || path != files.front().file.path)
                run.parts.ranks.push_back(rank);
        if (m_merge.size() > 1)
            run.loaded.ranks = std::make_shared<const RunRanks>(m_merge.finish());
        run.parts.capacity = m_files.capacity;
        if (m_description)
            addDescription(run.parts, *m_description, m_files.isConfigurationShared);
        if (m_description && !m_description->shape && !m_files.isConfigurationShared)
            run.loaded.warnings.push_back(fmt::format(
                "{} gives no budget: {}", shownName(m_files.configuration), m_description->shapeTrouble));
        run.loaded.hasUnreadable
            = std::ranges::any_of(files, [](const RunSource& file) { return !file.file.trace; });
        run.loaded.hasIncomplete
            = std::ranges::any_of(files, [](const RunSource& file) { return !file.file.cutOff.empty(); });
        run.loaded.sources = reportSources(std::move(files), m_role);
        return run;
    }

    const ReportFiles& m_files;
    const ReportLoadOptions& m_options;
    std::string m_role;
    std::optional<RunDescription> m_description;
    std::vector<ReadFile> m_read;
    std::optional<std::size_t> m_best; ///< in `m_read`: the main file of those read so far
    std::optional<ReportLoadError> m_firstError;
    bool m_hasSeveral = false; ///< files
    RankMerge m_merge;
    std::map<std::string, std::shared_ptr<const RankFile>> m_summarized; ///< by path
};

LoadedReportRun studied(ReadRun read, Quantity quantity, const ReportLoadOptions& options)
{
    RunParts& parts = read.parts;
    if (read.device)
        parts.device = std::make_shared<const DeviceStudy>(
            *parts.trace, *read.device, quantity, options.rules, options.steps);
    auto study = std::make_shared<const RunStudy>(std::move(parts));
    study->findings();
    read.loaded.study = std::move(study);
    return std::move(read.loaded);
}

Quantity ownQuantity(const ReadRun& read)
{
    return read.device ? read.about().quantity : Quantity::Requested;
}

/// Runs that count other bytes are each studied in their own: `buildReport` refuses to compare them.
LoadedReportRuns studiedBoth(ReadRun before, ReadRun after, const ReportLoadOptions& options)
{
    const std::optional<CommonQuantity> common
        = before.device && after.device ? commonQuantity(before.about(), after.about()) : std::nullopt;
    const auto quantityOf
        = [&](const ReadRun& read) { return common ? common->quantity : ownQuantity(read); };
    const Quantity ofBefore = quantityOf(before);
    const Quantity ofAfter = quantityOf(after);
    auto other = inBackground([&] { return studied(std::move(before), ofBefore, options); });
    LoadedReportRuns runs{studied(std::move(after), ofAfter, options), std::nullopt};
    runs.before = other.get();
    return runs;
}

} // namespace

tl::expected<LoadedReportRuns, ReportLoadError> loadReportRuns(
    const ReportFiles& files, const ReportFiles* before, const ReportLoadOptions& options)
{
    ReportLoadOptions silent = options; // a sink hears from one thread
    silent.load.progress = nullptr;
    std::future<ReadResult> other;
    if (before)
        other = inBackground([&] { return RunReader(*before, silent, "before").read(); });
    ReadResult read = RunReader(files, options, before ? "after" : "").read();
    if (!before) {
        if (!read)
            return tl::unexpected(read.error());
        const Quantity quantity = ownQuantity(*read);
        read->parts.sideBySide = sideBySide;
        return LoadedReportRuns{studied(*std::move(read), quantity, options), std::nullopt};
    }
    ReadResult readBefore = other.get();
    if (!readBefore)
        return tl::unexpected(readBefore.error());
    if (!read)
        return tl::unexpected(read.error());
    return studiedBoth(*std::move(readBefore), *std::move(read), options);
}

} // namespace highwater
