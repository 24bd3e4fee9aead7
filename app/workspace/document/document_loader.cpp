#include "app/workspace/document/document_loader.h"

#include "app/loading/background.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

Result<std::shared_ptr<const Document>> loadDocument(
    const std::string& path, const LoadOptions& options, const std::function<void()>& analysing)
{
    return interruptible(options.stop, [&]() -> Result<std::shared_ptr<const Document>> {
        Result<ImportedTrace> imported = loadFile(path, options);
        if (!imported)
            return tl::unexpected<Error>(imported.error());
        if (analysing)
            analysing();
        return buildDocument(path, std::move(*imported));
    });
}

void keepInCache(const std::optional<TraceCache>& cache, const std::string& path, const Document& document)
{
    const bool isFromCache = document.trace().metadata.kind == TraceKind::Native;
    if (cache && !document.imported.incomplete && !isFromCache)
        cache->store(path, document.imported);
}

DocumentLoader::DocumentLoader(QObject* parent)
    : QObject(parent)
    , m_jobs(2) // so that a new request need not wait until a cancelled one has stopped
{
}

void DocumentLoader::open(const QString& path)
{
    m_jobs.drop();
    m_path = path;
    m_loading = true;
    emit started(path);
    m_jobs.start([this, file = systemPath(path), cache = m_cache, activities = m_activities](const Job& job) {
        JobProgress progress(job, [this](quint64 done, quint64 total) { emit progressed(done, total); });
        LoadOptions options;
        options.progress = &progress;
        options.stop = job.stop();
        options.activities = activities;
        options.cache = cache ? &*cache : nullptr;
        const auto result = loadDocument(file, options, [&] { job.post([this] { emit analysing(); }); });
        job.post([this, result] { takeResult(result); });
        if (result && !activities)
            keepInCache(cache, file, **result); // after delivery, so that the window need not wait for it
    });
}

void DocumentLoader::cancel()
{
    if (!m_loading)
        return;
    m_jobs.drop();
    m_loading = false;
    emit cancelled(m_path);
}

void DocumentLoader::takeResult(const Result<std::shared_ptr<const Document>>& result)
{
    m_loading = false;
    if (result)
        emit loaded(*result);
    else if (result.error().code != ErrorCode::Cancelled)
        emit failed(m_path, toQString(toText(result.error())), result.error().code);
    else
        emit cancelled(m_path);
}

} // namespace highwater::gui
