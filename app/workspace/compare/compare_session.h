#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/workspace/compare/comparison.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// Loads the second run of a comparison, and signals when both runs are available. Both must be recordings
/// (`ready`) or both logs (`logsReady`); otherwise `failed` is emitted.
class CompareSession : public QObject
{
    Q_OBJECT

public:
    /// Role of the second run relative to the open one.
    enum class Role
    {
        Before,
        After
    };

    explicit CompareSession(QObject* parent = nullptr);

    DocumentLoader& loader() { return m_loader; }
    /// Loads the second run from a file or a folder. From a folder, loads the main file of `rank`, or the
    /// main file of all ranks if the folder lacks this rank. If nothing can be read, the comparison stays as
    /// it was.
    void open(const QString& path, Role role, std::optional<std::int64_t> rank = {});
    void cancel();
    /// Sets the run on screen, or the log if a log is on screen. If either has changed, the comparison is
    /// updated; if both are null, it is closed.
    void setShown(std::optional<RunChoice> shown, std::shared_ptr<const Document> log = nullptr);
    /// Cancels loading and closes the comparison; emits `closed` if a second run had been loaded.
    void close();
    /// Closes the comparison and emits `failed`, because the runs cannot be compared.
    void refuse(const QString& sentence);

    /// True if a second run has been loaded.
    bool isOpen() const { return m_other != nullptr; }
    bool isLoading() const { return m_loader.isLoading() || m_choosing.isBusy(); }
    /// Returns the path of the second run; empty if none has been loaded.
    QString otherPath() const;

signals:
    void ready(const highwater::gui::RunChoice& before, const highwater::gui::RunChoice& after);
    void logsReady(const std::shared_ptr<const highwater::gui::Document>& before,
        const std::shared_ptr<const highwater::gui::Document>& after);
    /// `sentence` says what is wrong and where.
    void failed(const QString& path, const QString& sentence);
    void closed();

private:
    void takeLoaded(const std::shared_ptr<const Document>& document);
    void announce();
    void announceLogs();

    DocumentLoader m_loader;
    LatestTask m_choosing{LatestTask::Pace::Background}; ///< finds the main file of a folder
    std::optional<RunChoice> m_shown;
    std::shared_ptr<const Document> m_shownLog;
    std::shared_ptr<const Document> m_other;
    Role m_role = Role::Before;
    Role m_wantedRole = Role::Before; ///< role of the run being loaded
};

/// Returns the device of `document` that corresponds to the device of `otherRun`: the device with the same
/// name and with allocations, else the main device, which must exist.
DeviceIndex deviceLike(const Document& document, const RunChoice& otherRun);

} // namespace highwater::gui
