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
#include "app/loading/run_shape_file.h"
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
    std::size_t source = 0; ///< in ReportRun::sources
    std::shared_ptr<const Trace> trace;
    std::optional<DeviceIndex> device; ///< to be shown; none: it has none
    Bytes peakBytes = 0; ///< of the device, else what the log tells
    bool tellsAllocations = false;
};

/// Reads the files of a run one after the other.
class RunReader
{
public:
    RunReader(const ReportFiles& files, const ReportLoadOptions& options, std::string role)
        : m_files(files)
        , m_options(options)
        , m_role(std::move(role))
        , m_loaded(std::make_unique<LoadedReportRun>())
    {
    }

    Result<std::unique_ptr<LoadedReportRun>> read()
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
        return std::move(m_loaded);
    }

private:
    ReportRun& run() { return m_loaded->run; }

    Error nothing() const
    {
        return m_firstError.value_or(m_files.paths.empty()
                ? Error{ErrorCode::BadRequest, "there is no file of the run to read", {}}
                : nothingKnown());
    }

    Result<void> readConfiguration()
    {
        run().capacity = m_files.capacity;
        if (m_files.configuration.empty())
            return {};
        Result<RunDescription> description = loadRunDescription(m_files.configuration);
        if (!description)
            return fail(description.error().code,
                fmt::format("{}: {}", nameOf(m_files.configuration), description.error().message),
                description.error().place);
        run().settings = std::move(description->settings);
        if (!run().capacity)
            run().capacity = description->capacity;
        Result<RunShape> shape = loadRunShape(m_files.configuration);
        if (shape)
            run().shape = *std::move(shape);
        else if (!m_files.isConfigurationShared)
            m_loaded->warnings.push_back(
                fmt::format("{} gives no budget: {}", nameOf(m_files.configuration), toText(shape.error())));
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
        m_loaded->hasIncomplete = m_loaded->hasIncomplete || imported->incomplete.has_value();
        run().sources.push_back(std::move(source));
        addFile(imported->trace);
        return {};
    }

    void addUnusable(ReportSource source)
    {
        m_loaded->hasUnreadable = true;
        run().sources.push_back(std::move(source));
    }

    void addFile(const std::shared_ptr<const Trace>& trace)
    {
        ReadFile file{run().sources.size() - 1, trace, std::nullopt, 0, tellsAllocations(*trace)};
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
        const ReportSource& source = run().sources[file.source];
        RankFile rank = rankFile(runMember(source.path, *file.trace), *file.trace, false);
        rank.incomplete = !source.cutOff.empty();
        run().ranks.push_back(std::make_shared<const RankFile>(std::move(rank)));
    }

    /// Files with allocations of a device come first, then others with devices, then logs.
    bool isBetter(const ReadFile& a, const ReadFile& b) const
    {
        const auto rankOf
            = [&](const ReadFile& file) { return file.device ? file.tellsAllocations ? 2 : 1 : 0; };
        const auto isShown = [&](const ReadFile& file) {
            return !m_files.shown.empty() && run().sources[file.source].path == m_files.shown;
        };
        if (isShown(a) != isShown(b))
            return isShown(a);
        return rankOf(a) != rankOf(b) ? rankOf(a) > rankOf(b) : a.peakBytes > b.peakBytes;
    }
    const ReportRun& run() const { return m_loaded->run; }

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
        run().sources[file.source].trace = file.trace;
    }

    void sortOut()
    {
        const ReadFile& main = best();
        const ReportSource& source = run().sources[main.source];
        run().name = nameOf(source.path);
        run().trace = main.trace;
        run().cutOff = source.cutOff;
        if (m_files.isConfigurationShared)
            leaveOutRecorded(run().settings, *main.trace);
        m_loaded->device = main.device;
        for (const ReadFile& file : m_read)
            if (&file != &main && !(file.tellsAllocations && main.tellsAllocations))
                run().companions.push_back({nameOf(run().sources[file.source].path), file.trace});
        if (run().ranks.size() < 2)
            run().ranks.clear();
        std::ranges::stable_sort(
            run().ranks, [](const auto& a, const auto& b) { return isBefore(a->member, b->member); });
        nameRoles(main.source);
    }

    void nameRoles(std::size_t main)
    {
        const std::string of = m_role.empty() ? "" : " " + m_role;
        auto read = m_read.begin(); // in the order of the sources
        for (std::size_t i = 0; i < run().sources.size(); ++i) {
            while (read != m_read.end() && read->source < i)
                ++read;
            const bool wasRead = read != m_read.end() && read->source == i;
            const bool isRank = wasRead && read->tellsAllocations && run().ranks.size() > 1;
            const std::string rank = isRank ? runMember(run().sources[i].path, *read->trace).label() : "";
            if (i == main)
                run().sources[i].role = m_role.empty() || rank.empty() ? m_role + rank : m_role + ", " + rank;
            else
                run().sources[i].role
                    = isRank ? rank + (of.empty() ? "" : " of the run" + of) : "beside the run" + of;
        }
        std::rotate(run().sources.begin(), run().sources.begin() + static_cast<std::ptrdiff_t>(main),
            run().sources.begin() + static_cast<std::ptrdiff_t>(main) + 1);
    }

    const ReportFiles& m_files;
    const ReportLoadOptions& m_options;
    std::string m_role;
    std::unique_ptr<LoadedReportRun> m_loaded;
    std::vector<ReadFile> m_read;
    std::size_t m_best = 0; ///< in `m_read`: the main file of those read so far
    std::optional<Error> m_firstError;
};

void study(LoadedReportRun& loaded, Quantity quantity, const ReportLoadOptions& options)
{
    loaded.study = std::make_unique<DeviceStudy>(
        *loaded.run.trace, *loaded.device, quantity, options.rules, options.steps);
    loaded.run.study = loaded.study.get();
    loaded.run.findings = findingsOf(loaded.run);
}

const Device& deviceOf(const LoadedReportRun& loaded)
{
    return loaded.run.trace->devices[*loaded.device];
}

/// Runs that count other bytes are each studied in their own: `buildReport` refuses to compare them.
void studyBoth(LoadedReportRuns& runs, const ReportLoadOptions& options)
{
    const bool bothHave = runs.before->device && runs.run->device;
    const std::optional<CommonQuantity> common
        = bothHave ? commonQuantity(deviceOf(*runs.before), deviceOf(*runs.run)) : std::nullopt;
    const auto studyOne = [&](LoadedReportRun& loaded) {
        if (loaded.device)
            study(loaded, common ? common->quantity : deviceOf(loaded).quantity, options);
    };
    auto other = inBackground([&] { studyOne(*runs.before); });
    studyOne(*runs.run);
    other.get();
}

} // namespace

Result<LoadedReportRuns> loadReportRuns(
    const ReportFiles& files, const ReportFiles* before, const ReportLoadOptions& options)
{
    using Loaded = Result<std::unique_ptr<LoadedReportRun>>;
    LoadedReportRuns runs;
    ReportLoadOptions silent = options; // a sink hears from one thread
    silent.load.progress = nullptr;
    std::future<Loaded> other;
    if (before)
        other = inBackground([&] { return RunReader(*before, silent, "before").read(); });
    Loaded loaded = RunReader(files, options, before ? "after" : "").read();
    Loaded loadedBefore = before ? other.get() : Loaded(nullptr);
    if (!loadedBefore)
        return tl::unexpected(loadedBefore.error());
    if (!loaded)
        return tl::unexpected(loaded.error());
    runs.run = *std::move(loaded);
    runs.before = *std::move(loadedBefore);
    if (runs.before)
        studyBoth(runs, options);
    else if (runs.run->device)
        study(*runs.run, deviceOf(*runs.run).quantity, options);
    return runs;
}

} // namespace highwater
