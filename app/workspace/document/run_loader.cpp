#include "app/workspace/document/run_loader.h"

#include <algorithm>
#include <utility>

#include <QThread>

#include "app/loading/background.h"
#include "app/loading/device_choice.h"
#include "app/loading/run/main_candidate.h"
#include "app/loading/run/rank_files.h"
#include "app/loading/run/run_assembly.h"
#include "app/workspace/document/document_loader.h"
#include "core/analysis/logs/auxiliary_lines.h"
#include "core/analysis/logs/log_failures.h"

// Loads the files of one run in the background within a memory limit.
// Input: the files of the run. The window loads and shows the first one, then calls `loadRest`.
// Idea: a file that fits in the limit together with what is loaded and being loaded stays in memory. A file
// that does not fit is loaded when nothing else is being loaded, reduced to its figures and unloaded. Showing
// such a file loads it again and unloads the least recently shown one.
// Example: four ranks of equal size, limit 2.5 ranks, rank 2 ran out of memory.
//   rank 0: loaded by the window, on screen        loaded: 0
//   rank 1: 1 + 1 ≤ 2.5, stays in memory           loaded: 0, 1
//   rank 2: 2 + 1 > 2.5, figures only              loaded: 0, 1
//   rank 3: 2 + 1 > 2.5, figures only              loaded: 0, 1
//   rank 2 is shown: 3 > 2.5, so rank 1, which was never shown, is unloaded; loaded: 0, 2

namespace highwater::gui {

namespace {

using State = RunFile::State;

/// More threads would only compete for memory and disk.
constexpr int kMaxThreads = 4;

/// Returns the figures of all devices of a file.
std::shared_ptr<const RankFile> figuresOf(const Document& document)
{
    std::vector<RankDevice> devices;
    for (const std::shared_ptr<const DeviceAnalysis>& device : document.devices) {
        devices.push_back(rankDevice(document.trace(), device->allocations, device->sites, device->figures));
        devices.back().outline = curveOutline(document.trace(), device->device, device->curve);
    }
    auto file = rankFile(runMember(document.path, document.trace()), std::move(devices));
    file.isIncomplete = document.imported.incomplete.has_value();
    return std::make_shared<const RankFile>(std::move(file));
}

/// Returns the facts for choosing the run's main file.
MainCandidate factsOf(const Document& document)
{
    const std::optional<DeviceIndex> device = document.mainDevice;
    return mainCandidate(
        document.path, document.trace(), device, device ? &document.devices[*device]->figures : nullptr);
}

} // namespace

std::optional<Error> reasonToPassOver(const RunInput& input, const Trace& trace)
{
    if (!input.fromFolder || !isEmptyLog(trace))
        return std::nullopt;
    return Error{ErrorCode::UnknownFormat, "is text without figures or messages", {}};
}

RunLoader::RunLoader(QObject* parent)
    : QObject(parent)
    , m_memoryLimit(memoryLimitForLoading())
    , m_budget(m_memoryLimit)
    , m_jobs(std::clamp(QThread::idealThreadCount(), 2, kMaxThreads))
{
}

void RunLoader::begin(std::vector<RunInput> inputs)
{
    m_jobs.drop();
    m_jobCount = 0;
    m_loadingBytes = 0;
    m_isReadingSummaries = false;
    m_mergeTask.drop();
    m_merge = std::make_shared<RankMerge>();
    m_isMergeStale = false;
    m_isMerging = false;
    m_ranks.reset();
    m_shownPath.clear();
    m_budget = MemoryBudget(m_memoryLimit);
    m_files.clear();
    for (RunInput& input : inputs) {
        m_files.emplace_back();
        m_files.back().input = std::move(input);
    }
    const bool wasLoading = std::exchange(m_loading, false);
    emit merged();
    noteChange();
    if (wasLoading)
        emit finished();
}

std::optional<std::size_t> RunLoader::indexOf(const std::string& path) const
{
    const auto file = std::find_if(
        m_files.begin(), m_files.end(), [&](const RunFile& one) { return one.input.member.path == path; });
    return file == m_files.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(file - m_files.begin()));
}

std::size_t RunLoader::fileCount() const
{
    return static_cast<std::size_t>(std::count_if(
        m_files.begin(), m_files.end(), [](const RunFile& file) { return file.state != State::NoInput; }));
}

std::size_t RunLoader::knownCount() const
{
    return static_cast<std::size_t>(std::count_if(
        m_files.begin(), m_files.end(), [](const RunFile& file) { return file.figures || file.isMerged; }));
}

std::optional<std::size_t> RunLoader::next(std::optional<std::size_t> file, int direction) const
{
    const auto count = static_cast<std::ptrdiff_t>(m_files.size());
    std::ptrdiff_t i = file ? static_cast<std::ptrdiff_t>(*file) : direction > 0 ? -1 : count;
    for (i += direction; i >= 0 && i < count; i += direction) {
        const auto index = static_cast<std::size_t>(i);
        if (m_files[index].state != State::NoInput && m_files[index].state != State::Failed)
            return index;
    }
    return std::nullopt;
}

std::size_t RunLoader::rankCount() const
{
    return static_cast<std::size_t>(std::count_if(m_files.begin(), m_files.end(),
        [](const RunFile& file) { return file.state != State::NoInput && file.recordsAllocations; }));
}

bool RunLoader::claim(std::size_t file)
{
    if (m_files[file].state == State::Loading)
        return false;
    m_files[file].state = State::Loading;
    emit changed();
    return true;
}

void RunLoader::release(std::size_t file)
{
    RunFile& runFile = m_files[file];
    if (runFile.state == State::Loading)
        runFile.state = runFile.figures ? State::FiguresOnly : State::Waiting;
    emit changed();
}

void RunLoader::adopt(std::size_t file, const std::shared_ptr<const Document>& document)
{
    if (!m_files[file].figures || !m_files[file].figures->error.empty())
        m_files[file].figures = figuresOf(*document);
    m_files[file].facts = factsOf(*document);
    setShown(file);
    hold(file, document);
    if (m_files.size() > 1)
        summarizeAdopted(file);
    noteChange();
}

void RunLoader::reject(std::size_t file, const Error& error)
{
    RunFile& runFile = m_files[file];
    const bool isNoInput = runFile.input.fromFolder && error.code == ErrorCode::UnknownFormat;
    runFile.state = isNoInput ? State::NoInput : State::Failed;
    runFile.error = error;
    m_isMergeStale = true;
    if (!isNoInput)
        runFile.figures
            = std::make_shared<const RankFile>(unreadableRank(runFile.input.member, toText(error)));
    noteChange();
}

void RunLoader::setShown(std::size_t file)
{
    m_files[file].shown = ++m_shownCount;
    m_shownPath = m_files[file].input.member.path;
    if (m_ranks && !m_ranks->shown.others.empty()) {
        m_isMergeStale = true;
        merge();
    }
}

void RunLoader::hold(std::size_t file, const std::shared_ptr<const Document>& document)
{
    RunFile& runFile = m_files[file];
    m_budget.remove(runFile.memoryBytes);
    runFile.state = State::Loaded;
    runFile.document = document;
    runFile.recordsAllocations = recordsAllocations(document->trace());
    runFile.memoryBytes = document->memoryBytes();
    m_budget.add(runFile.input.fileBytes, runFile.memoryBytes);
    makeRoom();
}

/// Unloads the least recently shown files until the limit is kept, but never the one on screen.
void RunLoader::makeRoom()
{
    while (m_budget.isExceeded()) {
        RunFile* oldest = nullptr;
        for (RunFile& file : m_files)
            if (file.document && file.shown < m_shownCount && (!oldest || file.shown <= oldest->shown))
                oldest = &file;
        if (!oldest)
            return;
        m_budget.remove(oldest->memoryBytes);
        oldest->memoryBytes = 0;
        oldest->document.reset();
        oldest->state = State::FiguresOnly;
    }
}

void RunLoader::loadRest()
{
    m_loading = true;
    startMore();
}

void RunLoader::cancel()
{
    if (!m_loading)
        return;
    m_jobs.requestStop();
    m_loading = false;
    emit changed();
    emit finished();
}

void RunLoader::startMore()
{
    if (m_loading && !m_isReadingSummaries)
        startSummaries();
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        if (!m_loading || m_files[i].state != State::Waiting || m_files[i].isSummary())
            continue;
        const bool fits = m_budget.fits(m_files[i].input.fileBytes, m_loadingBytes);
        // A file that does not fit is loaded alone, for its figures only.
        if (m_jobCount >= static_cast<std::size_t>(m_jobs.threads()) || (!fits && m_jobCount > 0))
            return;
        start(i, fits);
    }
    merge();
    if (m_jobCount == 0 && !m_isMerging && std::exchange(m_loading, false))
        emit finished();
}

void RunLoader::start(std::size_t file, bool keep)
{
    m_files[file].state = State::Loading;
    ++m_jobCount;
    m_loadingBytes += m_files[file].input.fileBytes;
    emit changed();
    m_jobs.start([this, file, keep, cache = m_cache, limit = m_budget.limitBytes(),
                     input = m_files[file].input](const Job& job) {
        LoadOptions options;
        options.maxMemoryBytes = limit;
        options.stop = job.stop();
        options.cache = cache ? &*cache : nullptr;
        const Result<Loaded> loaded = load(input, keep, options);
        job.post([this, file, loaded] { deliver(file, loaded); });
    });
}

Result<RunLoader::Loaded> RunLoader::load(const RunInput& input, bool keep, const LoadOptions& options)
{
    const std::string& path = input.member.path;
    if (keep) {
        const Result<std::shared_ptr<const Document>> document = loadDocument(path, options);
        if (!document)
            return tl::unexpected(document.error());
        if (const std::optional<Error> reason = reasonToPassOver(input, (*document)->trace()))
            return tl::unexpected(*reason);
        if (const std::optional<Error> reason = reasonNotToShow(**document))
            return tl::unexpected(*reason);
        return interruptible(options.stop, [&]() -> Result<Loaded> {
            return Loaded{*document, figuresOf(**document), factsOf(**document), summaryOf(**document)};
        });
    }
    return interruptible(options.stop, [&]() -> Result<Loaded> {
        const Result<ImportedTrace> imported = loadFile(path, options);
        if (!imported)
            return tl::unexpected(imported.error());
        if (const std::optional<Error> reason = reasonToPassOver(input, *imported->trace))
            return tl::unexpected(*reason);
        RankFile figures = rankFile(runMember(path, *imported->trace), *imported->trace);
        figures.isIncomplete = imported->incomplete.has_value();
        Loaded loaded{nullptr, std::make_shared<const RankFile>(std::move(figures)),
            mainCandidate(path, *imported->trace)};
        if (recordsAllocations(*imported->trace))
            if (Result<RunParts> parts = partsOf(shownName(path), *imported, {}))
                loaded.summary = rankSummary(path, RunStudy(*std::move(parts)));
        return loaded;
    });
}

void RunLoader::deliver(std::size_t file, const Result<Loaded>& loaded)
{
    --m_jobCount;
    m_loadingBytes -= m_files[file].input.fileBytes;
    if (loaded) {
        m_files[file].figures = loaded->figures;
        m_files[file].facts = loaded->facts;
        if (loaded->document)
            hold(file, loaded->document);
        else {
            m_files[file].state = State::FiguresOnly;
            m_files[file].recordsAllocations = loaded->facts.content == FileContent::Allocations;
        }
        if (loaded->summary && !m_files[file].isMerged)
            addRank(file, *loaded->summary);
        noteChange();
    } else if (loaded.error().code == ErrorCode::Cancelled) {
        m_files[file].state = State::Waiting;
    } else {
        reject(file, loaded.error());
    }
    emit this->loaded(static_cast<int>(file));
    startMore();
}

void RunLoader::noteChange()
{
    merge();
    emit changed();
}

} // namespace highwater::gui
