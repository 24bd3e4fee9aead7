#include "app/loading/report_files.h"

#include <algorithm>
#include <future>

#include <fmt/format.h>

#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "app/loading/files/file_hash.h"
#include "app/loading/input_paths.h"
#include "app/loading/run_description.h"
#include "app/loading/run_inputs.h"
#include "core/analysis/diff/common_quantity.h"
#include "core/analysis/diff/log_diff.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

std::string nameOf(const std::string& path)
{
    return path == "-" ? "standard input" : std::string(fileName(path));
}

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

/// One file that could be read.
struct ReadFile
{
    std::size_t source = 0; ///< in `sources`
    std::shared_ptr<const Trace> trace;
    std::optional<DeviceIndex> device; ///< to be shown; none: it has none
    Bytes peakBytes = 0; ///< of the device, else what the log tells
    bool tellsAllocations = false;
};

/// A run whose device is not studied yet: of two runs the bytes that both count are to be found first.
struct ReadRun
{
    RunParts parts;
    std::optional<DeviceIndex> device; ///< of the main file; none: it tells no memory of a device
    LoadedReportRun loaded; ///< without a study

    const Device& about() const { return parts.trace->devices[*device]; }
};

/// Reads the files of a run one after the other.
class RunReader
{
public:
    RunReader(const ReportFiles& files, const ReportLoadOptions& options, std::string role)
        : m_files(files)
        , m_options(options)
        , m_role(std::move(role))
    {
    }

    Result<ReadRun> read()
    {
        if (Result<void> configured = readConfiguration(); !configured)
            return tl::unexpected(configured.error());
        for (const InputPath& path : expandInputs(m_files.paths)) {
            if (Result<void> taken = take(path); !taken)
                return tl::unexpected(taken.error());
        }
        for (const ReportSource& source : m_files.unusable)
            addUnusable(source);
        if (m_read.empty() || (m_files.device && !best().device && !best().trace->devices.empty()))
            return tl::unexpected(nothing());
        sortOut();
        return std::move(m_run);
    }

private:
    RunParts& parts() { return m_run.parts; }
    std::vector<ReportSource>& sources() { return m_run.loaded.run.sources; }
    const std::vector<ReportSource>& sources() const { return m_run.loaded.run.sources; }

    Error nothing() const
    {
        return m_firstError.value_or(m_files.paths.empty()
                ? Error{ErrorCode::BadRequest, "there is no file of the run to read", {}}
                : nothingKnown());
    }

    Result<void> readConfiguration()
    {
        parts().capacity = m_files.capacity;
        if (m_files.configuration.empty())
            return {};
        Result<RunDescription> description = loadRunDescription(m_files.configuration);
        if (!description)
            return fail(description.error().code,
                fmt::format("{}: {}", nameOf(m_files.configuration), description.error().message),
                description.error().place);
        parts().settings = std::move(description->settings);
        if (!parts().capacity)
            parts().capacity = description->capacity;
        parts().shape = std::move(description->shape);
        if (!parts().shape && !m_files.isConfigurationShared)
            m_run.loaded.warnings.push_back(fmt::format(
                "{} gives no budget: {}", nameOf(m_files.configuration), description->shapeTrouble));
        return {};
    }

    /// Fails where the user has stopped it, or the device is in none of the files.
    Result<void> take(const InputPath& path)
    {
        auto hash = inBackground([&] { return sha256OfFile(path.path); });
        Result<ImportedTrace> imported = loadFile(path.path, m_options.load);
        ReportSource source;
        source.path = path.path;
        source.sha256 = hash.get().value_or("");
        if (!imported && imported.error().code == ErrorCode::Cancelled)
            return tl::unexpected(imported.error());
        const bool isUnknown = path.fromFolder
            && (imported ? isEmptyLog(*imported->trace) : imported.error().code == ErrorCode::UnknownFormat);
        if (isUnknown)
            return {};
        if (!imported) {
            source.error = toText(imported.error());
            m_firstError = m_firstError.value_or(imported.error());
            addUnusable(std::move(source));
            return {};
        }
        source.format = imported->trace->metadata.format;
        source.fileBytes = imported->fileBytes;
        source.trace = imported->trace;
        if (imported->incomplete)
            source.cutOff = toText(*imported->incomplete);
        m_run.loaded.hasIncomplete = m_run.loaded.hasIncomplete || imported->incomplete.has_value();
        sources().push_back(std::move(source));
        addFile(imported->trace);
        return {};
    }

    void addUnusable(ReportSource source)
    {
        m_run.loaded.hasUnreadable = true;
        sources().push_back(std::move(source));
    }

    void addFile(const std::shared_ptr<const Trace>& trace)
    {
        ReadFile file{sources().size() - 1, trace, std::nullopt, 0, tellsAllocations(*trace)};
        const std::vector<DeviceFigures> figures = allFigures(*trace);
        const Result<DeviceIndex> device = chooseDevice(*trace, figures, m_files.device);
        if (device) {
            file.device = *device;
            file.peakBytes = figures[*device].peakBytes;
        } else if (!trace->devices.empty()) {
            m_firstError = m_firstError.value_or(device.error());
        }
        if (trace->devices.empty())
            if (const std::optional<SeriesPair> best = bestMemorySeries(*trace))
                file.peakBytes = wholeBytes(best->beforeFigures.largest);
        if (file.tellsAllocations)
            addRank(file);
        m_read.push_back(std::move(file));
        keepBest();
    }

    void addRank(const ReadFile& file)
    {
        const ReportSource& source = sources()[file.source];
        RankFile rank = rankFile(runMember(source.path, *file.trace), *file.trace, false);
        rank.incomplete = !source.cutOff.empty();
        parts().ranks.push_back(std::make_shared<const RankFile>(std::move(rank)));
    }

    /// Files with allocations of a device come first, then others with devices, then logs.
    bool isBetter(const ReadFile& a, const ReadFile& b) const
    {
        const auto rankOf
            = [&](const ReadFile& file) { return file.device ? file.tellsAllocations ? 2 : 1 : 0; };
        const auto isShown = [&](const ReadFile& file) {
            return !m_files.shown.empty() && sources()[file.source].path == m_files.shown;
        };
        if (isShown(a) != isShown(b))
            return isShown(a);
        return rankOf(a) != rankOf(b) ? rankOf(a) > rankOf(b) : a.peakBytes > b.peakBytes;
    }
    const ReadFile& best() const { return m_read[m_best]; }

    /// The newest file against the best of those before it. Of two ranks the one that is not the main file is
    /// given up at once; each file is, at most once.
    void keepBest()
    {
        std::size_t given = m_read.size() - 1;
        if (given == m_best)
            return;
        if (isBetter(m_read[given], m_read[m_best]))
            std::swap(given, m_best);
        ReadFile& file = m_read[given];
        if (!file.tellsAllocations || !file.device)
            return;
        file.trace = withoutEvents(*file.trace);
        sources()[file.source].trace = file.trace;
    }

    void sortOut()
    {
        const ReadFile& main = best();
        const ReportSource& source = sources()[main.source];
        parts().name = nameOf(source.path);
        parts().trace = main.trace;
        parts().cutOff = source.cutOff;
        if (m_files.isConfigurationShared)
            leaveOutRecorded(parts().settings, *main.trace);
        m_run.device = main.device;
        for (const ReadFile& file : m_read)
            if (&file != &main && !(file.tellsAllocations && main.tellsAllocations))
                parts().companions.push_back({nameOf(sources()[file.source].path), file.trace});
        if (parts().ranks.size() < 2)
            parts().ranks.clear();
        std::ranges::stable_sort(
            parts().ranks, [](const auto& a, const auto& b) { return isBefore(a->member, b->member); });
        nameRoles(main.source);
    }

    void nameRoles(std::size_t main)
    {
        const std::string of = m_role.empty() ? "" : " " + m_role;
        auto read = m_read.begin(); // in the order of the sources
        for (std::size_t i = 0; i < sources().size(); ++i) {
            while (read != m_read.end() && read->source < i)
                ++read;
            const bool wasRead = read != m_read.end() && read->source == i;
            const bool isRank = wasRead && read->tellsAllocations && parts().ranks.size() > 1;
            const std::string rank = isRank ? runMember(sources()[i].path, *read->trace).label() : "";
            if (i == main)
                sources()[i].role = m_role.empty() || rank.empty() ? m_role + rank : m_role + ", " + rank;
            else
                sources()[i].role
                    = isRank ? rank + (of.empty() ? "" : " of the run" + of) : "beside the run" + of;
        }
        std::rotate(sources().begin(), sources().begin() + static_cast<std::ptrdiff_t>(main),
            sources().begin() + static_cast<std::ptrdiff_t>(main) + 1);
    }

    const ReportFiles& m_files;
    const ReportLoadOptions& m_options;
    std::string m_role;
    ReadRun m_run;
    std::vector<ReadFile> m_read;
    std::size_t m_best = 0; ///< in `m_read`: the main file of those read so far
    std::optional<Error> m_firstError;
};

LoadedReportRun studied(ReadRun read, Quantity quantity, const ReportLoadOptions& options)
{
    RunParts& parts = read.parts;
    if (read.device)
        parts.device = std::make_shared<const DeviceStudy>(
            *parts.trace, *read.device, quantity, options.rules, options.steps);
    auto study = std::make_shared<const RunStudy>(std::move(parts));
    study->findings();
    read.loaded.run.study = std::move(study);
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

Result<LoadedReportRuns> loadReportRuns(
    const ReportFiles& files, const ReportFiles* before, const ReportLoadOptions& options)
{
    ReportLoadOptions silent = options; // a sink hears from one thread
    silent.load.progress = nullptr;
    std::future<Result<ReadRun>> other;
    if (before)
        other = inBackground([&] { return RunReader(*before, silent, "before").read(); });
    Result<ReadRun> read = RunReader(files, options, before ? "after" : "").read();
    if (!before) {
        if (!read)
            return tl::unexpected(read.error());
        const Quantity quantity = ownQuantity(*read);
        return LoadedReportRuns{studied(*std::move(read), quantity, options), std::nullopt};
    }
    Result<ReadRun> readBefore = other.get();
    if (!readBefore)
        return tl::unexpected(readBefore.error());
    if (!read)
        return tl::unexpected(read.error());
    return studiedBoth(*std::move(readBefore), *std::move(read), options);
}

} // namespace highwater
