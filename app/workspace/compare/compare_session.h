#pragma once

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "app/workspace/compare/comparison.h"
#include "app/workspace/document/document_loader.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// The second run of a comparison: loads it, and signals when both runs are available.
class CompareSession : public QObject
{
    Q_OBJECT

public:
    /// What the second run is to the one that is open.
    enum class Role
    {
        Before,
        After
    };

    explicit CompareSession(QObject* parent = nullptr);

    DocumentLoader& loader() { return m_loader; }
    /// Loads it: of a folder the main file, of this rank where it has one. What cannot be read leaves the
    /// comparison as it was.
    void open(const QString& path, Role role, std::optional<std::int64_t> rank = {});
    /// Stops loading.
    void cancel();
    /// The run that is on screen, or the log; neither: nothing that could be compared is. The comparison
    /// follows it, where it is another one.
    void setShown(std::optional<RunChoice> shown, std::shared_ptr<const Document> log = nullptr);
    void close();
    /// The two cannot be compared, and why: closes and fails.
    void refuse(const QString& sentence);

    /// A second run is there or on its way.
    bool isOpen() const { return m_other != nullptr; }
    bool isLoading() const { return m_loader.isLoading() || m_choosing.isBusy(); }
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
    LatestTask m_choosing{LatestTask::Pace::Background}; ///< the main file of a folder
    std::optional<RunChoice> m_shown;
    std::shared_ptr<const Document> m_shownLog;
    std::shared_ptr<const Document> m_other;
    Role m_role = Role::Before;
    Role m_wantedRole = Role::Before; ///< of the one on its way
};

/// The device of a file that corresponds to one of another file: the one of the same name, else the one shown
/// first.
DeviceIndex deviceLike(const Document& document, const RunChoice& other);

} // namespace highwater::gui
