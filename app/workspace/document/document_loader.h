#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/loading/files/trace_cache.h"
#include "app/loading/load_file.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/jobs.h"

namespace highwater::gui {

/// Loads a file and analyses it on the calling thread. Calls `analysing` once the file is read. Fails as
/// reading does, and with Cancelled after `options.stop`.
Result<std::shared_ptr<const Document>> loadDocument(
    const std::string& path, const LoadOptions& options, const std::function<void()>& analysing = {});

/// Puts a large file that was read completely into the cache, if there is one.
void keepInCache(const std::optional<TraceCache>& cache, const std::string& path, const Document& document);

/// Opens files off the GUI thread, one at a time: a newer request stops the older one, whose late result is
/// dropped. Every request that is not replaced ends with exactly one of `loaded`, `failed` and `cancelled`.
class DocumentLoader : public QObject
{
    Q_OBJECT

public:
    explicit DocumentLoader(QObject* parent = nullptr);

    /// Large files that are read without activities are stored in this cache and opened from it.
    void setCache(std::optional<TraceCache> cache) { m_cache = std::move(cache); }

    /// Files opened from now on are read with kernels, copies and calls, if they have them.
    void setActivities(bool wanted) { m_activities = wanted; }

    void open(const QString& path);
    void cancel();
    bool isLoading() const { return m_loading; }
    QString path() const { return m_path; }

signals:
    void started(const QString& path);
    /// Bytes read; `total` is 0 if unknown.
    void progressed(quint64 done, quint64 total);
    /// The file is read; the analysis that follows reports no progress.
    void analysing();
    void loaded(std::shared_ptr<const highwater::gui::Document> document);
    /// `sentence` says what is wrong and where.
    void failed(const QString& path, const QString& sentence, highwater::ErrorCode code);
    void cancelled(const QString& path);

private:
    void takeResult(const Result<std::shared_ptr<const Document>>& result);

    std::optional<TraceCache> m_cache;
    QString m_path;
    bool m_activities = false;
    bool m_loading = false;
    Jobs m_jobs;
};

} // namespace highwater::gui
