#include "app/workspace/document/run_loader.h"

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include <QMetaObject>
#include <QThread>
#include <QtConcurrent>

#include "app/workspace/document/document_loader.h"
#include "core/analysis/logs/companion_lines.h"
#include "core/analysis/ranks/rank_comparison.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

namespace highwater::gui {

namespace {

using State = RunFile::State;

/// More would only wait for each other's memory and disk.
constexpr int kMostThreads = 4;

std::shared_ptr<const RankFile> figuresOf(const Document& document)
{
    std::vector<RankDevice> devices;
    for (const std::shared_ptr<const DeviceAnalysis>& device : document.devices) {
        devices.push_back(rankDevice(document.trace(), device->allocations, device->sites, device->figures));
        devices.back().outline = curveOutline(document.trace(), device->device, device->curve);
    }
    auto file = rankFile(runMember(document.path, document.trace()), std::move(devices));
    file.incomplete = document.imported.incomplete.has_value();
    return std::make_shared<const RankFile>(std::move(file));
}

} // namespace

std::optional<Error> reasonToPassOver(const RunInput& input, const Trace& trace)
{
    if (!input.fromFolder || !isEmptyLog(trace))
        return std::nullopt;
    return Error{ErrorCode::UnknownFormat, "is text in which nothing was found", {}};
}

RunLoader::RunLoader(QObject* parent)
    : QObject(parent)
    , m_memoryLimit(memoryLimitForLoading())
    , m_budget(m_memoryLimit)
{
    m_pool.setMaxThreadCount(std::clamp(QThread::idealThreadCount(), 2, kMostThreads));
}

RunLoader::~RunLoader()
{
    m_stop.requestStop();
    m_pool.waitForDone();
}

void RunLoader::begin(std::vector<RunInput> inputs)
{
    m_stop.requestStop();
    m_stop = StopToken();
    ++m_run;
    m_running = 0;
    m_runningBytes = 0;
    m_budget = MemoryBudget(m_memoryLimit);
    m_files.clear();
    for (RunInput& input : inputs) {
        m_files.emplace_back();
        m_files.back().input = std::move(input);
    }
    const bool wasLoading = std::exchange(m_loading, false);
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
        m_files.begin(), m_files.end(), [](const RunFile& file) { return file.figures != nullptr; }));
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
        [](const RunFile& file) { return file.state != State::NoInput && file.tellsAllocations; }));
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
    RunFile& of = m_files[file];
    if (of.state == State::Loading)
        of.state = of.figures ? State::FiguresOnly : State::Waiting;
    emit changed();
}

void RunLoader::adopt(std::size_t file, const std::shared_ptr<const Document>& document)
{
    m_files[file].figures = figuresOf(*document);
    setShown(file);
    hold(file, document);
    noteChange();
}

void RunLoader::reject(std::size_t file, const Error& error)
{
    RunFile& of = m_files[file];
    const bool noInput = of.input.fromFolder && error.code == ErrorCode::UnknownFormat;
    of.state = noInput ? State::NoInput : State::Failed;
    if (!noInput)
        of.figures = std::make_shared<const RankFile>(unreadableRank(of.input.member, toText(error)));
    noteChange();
}

void RunLoader::setShown(std::size_t file)
{
    m_files[file].shown = ++m_shownCount;
}

void RunLoader::hold(std::size_t file, const std::shared_ptr<const Document>& document)
{
    RunFile& of = m_files[file];
    m_budget.remove(of.memoryBytes);
    of.state = State::Loaded;
    of.document = document;
    of.tellsAllocations = tellsAllocations(document->trace());
    of.memoryBytes = document->memoryBytes();
    m_budget.add(of.input.fileBytes, of.memoryBytes);
    makeRoom();
}

/// Releases the least recently shown file, never the one on screen.
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
    if (m_stop.stopRequested())
        m_stop = StopToken();
    m_loading = true;
    startMore();
}

void RunLoader::cancel()
{
    if (!m_loading)
        return;
    m_stop.requestStop();
    m_loading = false;
    emit changed();
    emit finished();
}

void RunLoader::startMore()
{
    for (std::size_t i = 0; i < m_files.size(); ++i) {
        if (m_files[i].state != State::Waiting)
            continue;
        const bool fits = m_budget.fits(m_files[i].input.fileBytes, m_runningBytes);
        // One at a time where memory is short.
        if (m_running >= static_cast<std::size_t>(m_pool.maxThreadCount()) || (!fits && m_running > 0))
            return;
        start(i, fits);
    }
    if (m_running == 0 && std::exchange(m_loading, false))
        emit finished();
}

void RunLoader::start(std::size_t file, bool keep)
{
    m_files[file].state = State::Loading;
    ++m_running;
    m_runningBytes += m_files[file].input.fileBytes;
    emit changed();
    LoadOptions options;
    options.maxMemoryBytes = m_budget.limitBytes();
    options.stop = m_stop;
    const auto work = [this, file, keep, run = m_run, cache = m_cache, options, input = m_files[file].input] {
        LoadOptions withCache = options;
        withCache.cache = cache ? &*cache : nullptr;
        const Outcome outcome = load(input, keep, withCache);
        const auto deliverIfCurrent = [this, file, run, outcome] {
            if (run == m_run)
                deliver(file, outcome);
        };
        QMetaObject::invokeMethod(this, deliverIfCurrent, Qt::QueuedConnection);
        if (outcome.document && !options.stop.stopRequested())
            keepInCache(cache, input.member.path, *outcome.document);
    };
    std::ignore = QtConcurrent::run(&m_pool, work);
}

RunLoader::Outcome RunLoader::load(const RunInput& input, bool keep, const LoadOptions& options)
{
    const std::string& path = input.member.path;
    const InterruptibleScope scope(options.stop);
    try {
        if (keep) {
            const Result<std::shared_ptr<const Document>> document = loadDocument(path, options);
            if (!document)
                return {nullptr, nullptr, document.error()};
            if (!*document)
                return {}; // stopped
            if (const std::optional<Error> reason = reasonToPassOver(input, (*document)->trace()))
                return {nullptr, nullptr, reason};
            if (const std::optional<Error> reason = reasonNotToShow(**document))
                return {nullptr, nullptr, reason};
            return {*document, figuresOf(**document), {}};
        }
        const Result<ImportedTrace> imported = loadFile(path, options);
        if (!imported)
            return {nullptr, nullptr, imported.error()};
        if (const std::optional<Error> reason = reasonToPassOver(input, *imported->trace))
            return {nullptr, nullptr, reason};
        RankFile figures = rankFile(runMember(path, *imported->trace), *imported->trace);
        figures.incomplete = imported->incomplete.has_value();
        return {nullptr, std::make_shared<const RankFile>(std::move(figures)), {}};
    } catch (const WorkCancelled&) {
        return {};
    } catch (const std::bad_alloc&) {
        return {nullptr, nullptr, Error{ErrorCode::LimitExceeded, outOfMemoryText(), {}}};
    }
}

void RunLoader::deliver(std::size_t file, const Outcome& outcome)
{
    --m_running;
    m_runningBytes -= m_files[file].input.fileBytes;
    const bool stopped = (outcome.error && outcome.error->code == ErrorCode::Cancelled)
        || (!outcome.error && !outcome.figures);
    if (stopped) {
        m_files[file].state = State::Waiting;
    } else if (outcome.error) {
        reject(file, *outcome.error);
    } else {
        m_files[file].figures = outcome.figures;
        if (outcome.document)
            hold(file, outcome.document);
        else
            m_files[file].state = State::FiguresOnly;
        noteChange();
    }
    emit loaded(static_cast<int>(file));
    if (m_loading)
        startMore();
}

void RunLoader::noteChange()
{
    m_table.reset();
    emit changed();
}

const std::shared_ptr<const RankTable>& RunLoader::table() const
{
    if (!m_table) {
        std::vector<std::shared_ptr<const RankFile>> files;
        std::vector<RunMember> pending;
        for (const RunFile& file : m_files) {
            if (!file.tellsAllocations && rankCount() > 0)
                continue;
            if (file.figures)
                files.push_back(file.figures);
            else if (file.state != State::NoInput)
                pending.push_back(file.input.member);
        }
        m_table = std::make_shared<const RankTable>(compareRanks(std::move(files), std::move(pending)));
    }
    return m_table;
}

} // namespace highwater::gui
