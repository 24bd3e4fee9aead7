#include "app/workspace/compare/sweep_session.h"

#include <algorithm>

#include <QFileInfo>

#include "app/loading/background.h"
#include "app/loading/input_paths.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

namespace {

/// True for errors of files that are not recordings, which a folder of runs may also contain.
bool isNotARecording(ErrorCode code)
{
    return code == ErrorCode::UnknownFormat || code == ErrorCode::BadRequest;
}

/// Returns why a file that was not read has no figures.
std::string stateSentence(SweepSession::State state)
{
    const QString sentence = state == SweepSession::State::Reading ? SweepSession::tr("being read…")
                                                                   : SweepSession::tr("not read");
    return sentence.toStdString();
}

} // namespace

SweepSession::SweepSession(QObject* parent)
    : QObject(parent)
    , m_jobs(2) // so that new runs need not wait until a cancelled file has stopped
{
}

void SweepSession::open(const QStringList& paths, std::vector<CategoryRule> rules)
{
    close();
    std::vector<std::string> names;
    for (const QString& path : paths)
        names.push_back(systemPath(path));
    for (InputPath& input : expandInputs(names))
        m_files.push_back({std::move(input.path), input.fromFolder});
    m_rules = std::move(rules);
    m_loading = true;
    updateSweep();
    startNext();
}

void SweepSession::cancel()
{
    if (!m_loading)
        return;
    m_jobs.drop();
    m_loading = false;
    for (File& file : m_files)
        if (file.state == State::Reading || file.state == State::Waiting)
            file.state = file.isReread ? State::Read : State::Waiting;
    updateSweep();
    emit finished();
}

void SweepSession::close()
{
    m_jobs.drop();
    m_loading = false;
    m_files.clear();
    m_sweep.reset();
    m_quantity.reset();
    m_reference.reset();
}

std::size_t SweepSession::knownCount() const
{
    return static_cast<std::size_t>(std::count_if(m_files.begin(), m_files.end(),
        [](const File& file) { return file.state == State::Read || file.state == State::Failed; }));
}

void SweepSession::setReference(std::size_t row)
{
    m_reference = row;
    updateSweep();
}

void SweepSession::startNext()
{
    const auto waiting = std::find_if(
        m_files.begin(), m_files.end(), [](const File& file) { return file.state == State::Waiting; });
    if (waiting != m_files.end())
        return readFile(static_cast<std::size_t>(waiting - m_files.begin()), m_quantity);
    if (markForReread())
        return startNext();
    m_loading = false;
    emit finished();
}

bool SweepSession::markForReread()
{
    std::vector<SweepRun> runs;
    for (const File& file : m_files)
        runs.push_back(file.run);
    m_quantity = commonQuantity(runs);
    bool hasMarked = false;
    for (File& file : m_files)
        if (m_quantity && file.state == State::Read && file.run.quantity != *m_quantity && !file.isReread) {
            file.isReread = true;
            file.state = State::Waiting;
            hasMarked = true;
        }
    return hasMarked;
}

void SweepSession::readFile(std::size_t file, std::optional<Quantity> quantity)
{
    m_files[file].state = State::Reading;
    updateSweep();
    m_jobs.start(
        [this, file, quantity, path = m_files[file].path, rules = m_rules, cache = m_cache](const Job& job) {
            JobProgress progress(
                job, [this, name = QFileInfo(qtPath(path)).fileName()](quint64 done, quint64 total) {
                    emit progressed(name, done, total);
                });
            LoadOptions options;
            options.progress = &progress;
            options.stop = job.stop();
            options.cache = cache ? &*cache : nullptr;
            const Result<SweepRun> result = interruptible(
                options.stop, [&] { return sweepRun(path, loadFile(path, options), rules, quantity); });
            job.post([this, file, result] { takeResult(file, result); });
        });
}

void SweepSession::takeResult(std::size_t file, const Result<SweepRun>& result)
{
    if (!result && m_files[file].fromFolder && isNotARecording(result.error().code)) {
        m_files.erase(m_files.begin() + static_cast<std::ptrdiff_t>(file));
        if (m_reference == file)
            m_reference.reset();
        else if (m_reference > file)
            --*m_reference;
        updateSweep();
        return startNext();
    }
    File& finishedFile = m_files[file];
    finishedFile.state = result ? State::Read : State::Failed;
    finishedFile.run = result ? *result : unreadableRun(finishedFile.path, result.error());
    updateSweep();
    startNext();
}

void SweepSession::updateSweep()
{
    std::vector<SweepRun> runs;
    for (const File& file : m_files)
        runs.push_back(file.state == State::Read || file.state == State::Failed
                ? file.run
                : unreadableRun(file.path, stateSentence(file.state)));
    m_sweep = runs.empty() ? nullptr
                           : std::make_shared<const RunSweep>(compareSweep(std::move(runs), m_reference));
    emit changed();
}

} // namespace highwater::gui
