#include "app/workspace/compare/sweep_session.h"

#include <algorithm>
#include <new>
#include <tuple>

#include <QFileInfo>
#include <QMetaObject>
#include <QtConcurrent>

#include "app/loading/input_paths.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

namespace highwater::gui {

namespace {

Result<SweepRun> read(const std::string& path, const LoadOptions& options,
    const std::vector<CategoryRule>& rules, std::optional<Quantity> quantity)
{
    const InterruptibleScope scope(options.stop);
    try {
        return readSweepRun(path, options, rules, quantity);
    } catch (const WorkCancelled&) {
        return fail(ErrorCode::Cancelled, "cancelled");
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::LimitExceeded, outOfMemoryText());
    }
}

/// Of a file in a folder that holds other things besides runs.
bool isNoRun(ErrorCode code)
{
    return code == ErrorCode::UnknownFormat || code == ErrorCode::BadRequest;
}

std::string sentenceOf(SweepSession::State state)
{
    const QString sentence = state == SweepSession::State::Reading ? SweepSession::tr("being read…")
                                                                   : SweepSession::tr("not read");
    return sentence.toStdString();
}

} // namespace

class SweepSession::Progress : public ProgressSink
{
public:
    Progress(SweepSession& session, quint64 request, const std::string& path)
        : m_session(session)
        , m_request(request)
        , m_fileName(QFileInfo(qtPath(path)).fileName())
    {
    }
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        const auto tell = [&session = m_session, request = m_request, name = m_fileName, done, total] {
            if (request == session.m_request && session.m_loading)
                emit session.progressed(name, done, total);
        };
        QMetaObject::invokeMethod(&m_session, tell, Qt::QueuedConnection);
    }

private:
    SweepSession& m_session;
    quint64 m_request;
    QString m_fileName;
};

SweepSession::SweepSession(QObject* parent)
    : QObject(parent)
{
    // Two, so that new runs need not wait until a stopped file has noticed.
    m_pool.setMaxThreadCount(2);
}

SweepSession::~SweepSession()
{
    m_stop.requestStop();
    m_pool.waitForDone();
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
    m_stop = StopToken();
    m_loading = true;
    noteChange();
    startNext();
}

void SweepSession::cancel()
{
    if (!m_loading)
        return;
    m_stop.requestStop();
    ++m_request;
    m_loading = false;
    for (File& file : m_files)
        if (file.state == State::Reading || file.state == State::Waiting)
            file.state = file.isReread ? State::Read : State::Waiting;
    noteChange();
    emit finished();
}

void SweepSession::close()
{
    m_stop.requestStop();
    ++m_request;
    m_loading = false;
    m_files.clear();
    m_sweep.reset();
    m_quantity.reset();
    m_reference = 0;
}

std::size_t SweepSession::knownCount() const
{
    return static_cast<std::size_t>(std::count_if(m_files.begin(), m_files.end(),
        [](const File& file) { return file.state == State::Read || file.state == State::Failed; }));
}

void SweepSession::setReference(std::size_t row)
{
    m_reference = row;
    noteChange();
}

void SweepSession::startNext()
{
    const auto waiting = std::find_if(
        m_files.begin(), m_files.end(), [](const File& file) { return file.state == State::Waiting; });
    if (waiting != m_files.end())
        return start(static_cast<std::size_t>(waiting - m_files.begin()), m_quantity);
    if (readAgain())
        return startNext();
    m_loading = false;
    emit finished();
}

bool SweepSession::readAgain()
{
    std::vector<SweepRun> runs;
    for (const File& file : m_files)
        runs.push_back(file.run);
    m_quantity = commonQuantity(runs);
    bool any = false;
    for (File& file : m_files)
        if (m_quantity && file.state == State::Read && file.run.quantity != *m_quantity && !file.isReread) {
            file.isReread = true;
            file.state = State::Waiting;
            any = true;
        }
    return any;
}

void SweepSession::start(std::size_t file, std::optional<Quantity> quantity)
{
    m_files[file].state = State::Reading;
    noteChange();
    const auto work = [this, file, quantity, request = m_request, path = m_files[file].path, rules = m_rules,
                          cache = m_cache, stop = m_stop] {
        Progress progress(*this, request, path);
        LoadOptions options;
        options.progress = &progress;
        options.stop = stop;
        options.cache = cache ? &*cache : nullptr;
        const Result<SweepRun> answer = read(path, options, rules, quantity);
        const auto deliverIfCurrent = [this, file, request, answer] {
            if (request == m_request)
                deliver(file, answer);
        };
        QMetaObject::invokeMethod(this, deliverIfCurrent, Qt::QueuedConnection);
    };
    std::ignore = QtConcurrent::run(&m_pool, work);
}

void SweepSession::deliver(std::size_t file, const Result<SweepRun>& answer)
{
    if (!answer && m_files[file].fromFolder && isNoRun(answer.error().code)) {
        m_files.erase(m_files.begin() + static_cast<std::ptrdiff_t>(file));
        m_reference -= m_reference > file ? 1 : 0;
        noteChange();
        return startNext();
    }
    File& of = m_files[file];
    of.state = answer ? State::Read : State::Failed;
    of.run = answer ? *answer : unreadableRun(of.path, toText(answer.error()));
    noteChange();
    startNext();
}

void SweepSession::noteChange()
{
    std::vector<SweepRun> runs;
    for (const File& file : m_files)
        runs.push_back(file.state == State::Read || file.state == State::Failed
                ? file.run
                : unreadableRun(file.path, sentenceOf(file.state)));
    m_sweep = runs.empty() ? nullptr
                           : std::make_shared<const RunSweep>(compareSweep(std::move(runs), m_reference));
    emit changed();
}

} // namespace highwater::gui
