#include "app/workspace/document/document_loader.h"

#include <new>
#include <tuple>

#include <QMetaObject>
#include <QtConcurrent>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"
#include "core/base/interruption.h"
#include "core/base/memory_limit.h"

namespace highwater::gui {

Result<std::shared_ptr<const Document>> loadDocument(
    const std::string& path, const LoadOptions& options, const std::function<void()>& analysing)
{
    const InterruptibleScope scope(options.stop);
    try {
        Result<ImportedTrace> imported = loadFile(path, options);
        if (!imported)
            return tl::unexpected<Error>(imported.error());
        if (analysing)
            analysing();
        return buildDocument(path, std::move(*imported), options.stop);
    } catch (const WorkCancelled&) {
        return nullptr;
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::LimitExceeded, outOfMemoryText());
    }
}

void keepInCache(const std::optional<TraceCache>& cache, const std::string& path, const Document& document)
{
    const bool wasKept = document.trace().metadata.format == "highwater";
    if (cache && !document.imported.incomplete && !wasKept)
        cache->store(path, document.trace());
}

template <typename Function>
void DocumentLoader::post(quint64 request, Function action)
{
    QMetaObject::invokeMethod(
        this,
        [this, request, action] {
            if (request == m_request && m_loading)
                action();
        },
        Qt::QueuedConnection);
}

class DocumentLoader::Progress : public ProgressSink
{
public:
    Progress(DocumentLoader& loader, quint64 request)
        : m_loader(loader)
        , m_request(request)
    {
    }
    void progressed(std::uint64_t done, std::uint64_t total) override
    {
        m_loader.post(m_request, [loader = &m_loader, done, total] { emit loader->progressed(done, total); });
    }

private:
    DocumentLoader& m_loader;
    quint64 m_request;
};

DocumentLoader::DocumentLoader(QObject* parent)
    : QObject(parent)
{
    // Two, so that a new request need not wait until a stopped one has noticed.
    m_pool.setMaxThreadCount(2);
}

DocumentLoader::~DocumentLoader()
{
    m_stop.requestStop();
    m_pool.waitForDone();
}

void DocumentLoader::open(const QString& path)
{
    m_stop.requestStop();
    m_stop = StopToken();
    m_path = path;
    m_loading = true;
    const quint64 request = ++m_request;
    emit started(path);
    const std::string file = systemPath(path);
    std::ignore
        = QtConcurrent::run(&m_pool, [this, file, request, stop = m_stop, withActivities = m_activities] {
              const Answer answer = load(file, request, stop, withActivities);
              post(request, [this, answer] { deliver(answer); });
              if (answer && *answer)
                  keepInCache(withActivities ? std::nullopt : m_cache, file,
                      **answer); // the picture need not wait for it
          });
}

void DocumentLoader::cancel()
{
    if (!m_loading)
        return;
    m_stop.requestStop();
    m_loading = false;
    emit cancelled(m_path);
}

DocumentLoader::Answer DocumentLoader::load(
    const std::string& path, quint64 request, const StopToken& stop, bool withActivities)
{
    Progress progress(*this, request);
    LoadOptions options;
    options.progress = &progress;
    options.stop = stop;
    options.activities = withActivities;
    options.cache = m_cache ? &*m_cache : nullptr;
    return loadDocument(path, options, [this, request] { post(request, [this] { emit analysing(); }); });
}

void DocumentLoader::deliver(const Answer& answer)
{
    m_loading = false;
    if (answer && *answer)
        emit loaded(*answer);
    else if (!answer && answer.error().code != ErrorCode::Cancelled)
        emit failed(m_path, toQString(toText(answer.error())), answer.error().code);
    else
        emit cancelled(m_path);
}

} // namespace highwater::gui
