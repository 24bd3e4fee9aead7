#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>
#include <QString>

#include "app/loading/run/run_assembly.h"
#include "app/workspace/document/document.h"
#include "app/workspace/tasks/latest_task.h"

namespace highwater::gui {

/// The study of the run on screen, which summary, budget and report use. Its inputs are the shown device, the
/// other files of the run, the configuration, and the capacity chosen by the user. The study is made off the
/// GUI thread; parts whose inputs have not changed are reused.
class RunState : public QObject
{
    Q_OBJECT

public:
    explicit RunState(QObject* parent = nullptr);

    /// `analysis` belongs to the document; null for a log, or if nothing is shown. For `chosen` see
    /// `setCapacity`.
    void show(std::shared_ptr<const Document> document, std::shared_ptr<const DeviceAnalysis> analysis,
        const std::optional<DeviceCapacity>& chosen);
    /// Sets the capacity chosen by the user; without one, that of the configuration or the file applies.
    void setCapacity(const std::optional<DeviceCapacity>& chosen);
    /// Sets all files of the run, the shown one first. Ignored until the first one is the document on screen.
    void setFiles(std::vector<RunSource> files);
    /// Sets the path of a JSON or YAML file, or clears it with an empty path. It applies to the files of the
    /// run on screen, or of the next one if nothing is on screen.
    void setConfiguration(const QString& path);
    /// Clears the configuration, since another run is about to be shown: the one at `path`, unless that file
    /// is on screen already.
    void leaveFor(const QString& path);
    const QString& configuration() const { return m_configuration; }

    /// Returns the study of the run; null after `show` until its findings are computed. When other inputs
    /// change, the previous study stays until the new one is complete.
    const std::shared_ptr<const RunStudy>& study() const { return m_study; }
    /// Findings so far of the first study since `show`, sorted as in a study; empty if there is a study.
    const std::vector<Finding>& foundSoFar() const { return m_foundSoFar; }
    /// Content of the configuration of the last complete study; empty if there is none, or it cannot be read.
    const std::optional<RunDescription>& description() const { return m_description; }
    /// Returns why that configuration cannot be read, as a sentence; empty if it can.
    const std::string& configurationTrouble() const { return m_configurationTrouble; }
    bool isBusy() const { return m_task.isBusy(); }

signals:
    /// Another configuration was chosen.
    void configurationChanged(const QString& path);
    /// `description` was read from another configuration.
    void described();
    /// A study was requested, or there is nothing to study; `foundSoFar` is empty.
    void started();
    /// `foundSoFar` has one more finding.
    void found();
    /// `study` was replaced.
    void changed();

private:
    struct StudyResult;

    RunParts parts() const;
    void startStudy();
    void accept(const StudyResult& result);
    FindingSink makeSink(int request);

    std::shared_ptr<const Document> m_document;
    std::shared_ptr<const DeviceAnalysis> m_analysis;
    std::optional<DeviceCapacity> m_chosenCapacity;
    std::vector<RunSource> m_files;
    QString m_configuration;
    int m_configurationNumber = 0; ///< number of times a configuration was chosen
    RunParts m_requestedParts; ///< input of the latest requested study
    std::shared_ptr<StudyResult> m_lastResult; ///< result of the latest job; only jobs use it, one at a time
    std::optional<RunDescription> m_description;
    std::string m_configurationTrouble;
    int m_describedNumber = 0; ///< value of m_configurationNumber for m_description
    std::shared_ptr<const RunStudy> m_study;
    std::vector<Finding> m_foundSoFar;
    int m_request = 0; ///< number of times a study was requested
    LatestTask m_task{LatestTask::Pace::Background};
};

} // namespace highwater::gui
