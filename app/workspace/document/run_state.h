#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "app/loading/run/run_parts.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// The run on screen: the device that is shown, the other files, the configuration and the capacity that the
/// user has chosen, and the study of all of it, which summary, budget and report read. The study is made off
/// the GUI thread, anew for what has changed; the rest is kept.
class RunState : public QObject
{
    Q_OBJECT

public:
    explicit RunState(QObject* parent = nullptr);

    /// `analysis` is of the document; null: it is a log, or nothing is shown. For `chosen` see `setCapacity`.
    void show(std::shared_ptr<const Document> document, std::shared_ptr<const DeviceAnalysis> analysis,
        const std::optional<DeviceCapacity>& chosen);
    /// By the user; none: as the configuration or the file tells.
    void setCapacity(const std::optional<DeviceCapacity>& chosen);
    /// All files of the run, the shown one first. Others are ignored until theirs is shown.
    void setFiles(std::vector<RunSource> files);
    /// Of a file, JSON or YAML; empty: none. It holds for every file until another is chosen.
    void setConfiguration(const QString& path);
    const QString& configuration() const { return m_configuration; }

    /// Null until its findings are worked out.
    const std::shared_ptr<const RunStudy>& study() const { return m_study; }
    /// What has been found while there is no study yet, in the order of findings.
    const std::vector<Finding>& foundSoFar() const { return m_foundSoFar; }
    /// What the configuration says; none: there is none, or it cannot be read.
    const std::optional<RunDescription>& description() const { return m_description; }
    /// Why the configuration cannot be read, a sentence; else empty.
    const std::string& configurationTrouble() const { return m_trouble; }
    bool isBusy() const { return m_task.isBusy(); }

signals:
    /// Another file is the run's configuration.
    void configurationChanged(const QString& path);
    /// `description` is of another file.
    void described();
    /// The study is being made.
    void started();
    /// `foundSoFar` has one more.
    void found();
    /// `study` is another one.
    void changed();

private:
    struct Made;

    RunParts parts() const;
    void workOut();
    void accept(const Made& made);
    FindingSink sinkOf(int request);

    std::shared_ptr<const Document> m_document;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<DeviceCapacity> m_chosen;
    std::vector<RunSource> m_files;
    QString m_configuration;
    int m_reading = 0; ///< how often a configuration was chosen
    RunParts m_asked; ///< the last that a study was asked for
    std::shared_ptr<Made> m_last; ///< by the last job; only jobs use it, one after the other
    std::optional<RunDescription> m_description;
    std::string m_trouble;
    int m_described = 0; ///< the reading that these are of
    std::shared_ptr<const RunStudy> m_study;
    std::vector<Finding> m_foundSoFar;
    int m_request = 0; ///< how often a study was asked for
    LatestTask m_task{LatestTask::Pace::Background};
};

} // namespace highwater::gui
