#include "app/workspace/document/run_state.h"

#include <algorithm>
#include <utility>

#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

struct RunState::StudyResult
{
    std::shared_ptr<const RunStudy> study;
    std::optional<RunDescription> description;
    std::string trouble;
    int configurationNumber = 0; ///< number of the configuration that was read, see `m_configurationNumber`

    void read(const std::string& path, int number)
    {
        *this = {};
        configurationNumber = number;
        if (path.empty())
            return;
        if (Result<RunDescription> loaded = loadRunDescription(path))
            description = *std::move(loaded);
        else
            trouble = toText(loaded.error());
    }
};

namespace {

/// Returns a study of `parts`. Reuses those parts of the previous study that do not depend on what has
/// changed. `known`, the previous study, may be null.
std::shared_ptr<const RunStudy> updatedStudy(std::shared_ptr<const RunStudy> known, RunParts parts)
{
    const auto isSameButForCapacityAndRanks = [&](const RunParts& old) {
        return old.trace == parts.trace && old.device == parts.device
            && old.auxiliaryFiles == parts.auxiliaryFiles;
    };
    if (!known || !isSameButForCapacityAndRanks(known->parts()))
        return std::make_shared<const RunStudy>(std::move(parts));
    if (known->parts().capacity != parts.capacity)
        known = known->withCapacity(parts.capacity);
    if (known->parts().ranks != parts.ranks || known->parts().rank != parts.rank)
        known = known->withRanks(std::move(parts.ranks), parts.rank);
    return known;
}

} // namespace

RunState::RunState(QObject* parent)
    : QObject(parent)
    , m_lastResult(std::make_shared<StudyResult>())
{
}

void RunState::show(std::shared_ptr<const Document> document, std::shared_ptr<const DeviceAnalysis> analysis,
    const std::optional<DeviceCapacity>& chosen)
{
    if (m_document != document)
        m_task.drop(); // the pending study is of another document
    m_document = std::move(document);
    m_analysis = std::move(analysis);
    m_chosenCapacity = chosen;
    m_study.reset();
    startStudy();
}

void RunState::setCapacity(const std::optional<DeviceCapacity>& chosen)
{
    if (std::exchange(m_chosenCapacity, chosen) != chosen)
        startStudy();
}

void RunState::setFiles(std::vector<RunSource> files)
{
    m_files = std::move(files);
    if (!m_document)
        return;
    const RunParts currentParts = parts();
    if (currentParts.auxiliaryFiles != m_requestedParts.auxiliaryFiles
        || currentParts.ranks != m_requestedParts.ranks)
        startStudy();
}

void RunState::setConfiguration(const QString& path)
{
    m_configuration = path;
    ++m_configurationNumber;
    startStudy();
    emit configurationChanged(path);
}

void RunState::leaveFor(const QString& path)
{
    if (m_document && !m_configuration.isEmpty() && systemPath(path) != m_document->path)
        setConfiguration({});
}

/// Returns the parts without those from the configuration.
RunParts RunState::parts() const
{
    const bool hasShownFile = !m_files.empty() && m_files.front().file.trace == m_document->imported.trace;
    RunParts parts = partsOf(hasShownFile ? m_files : std::vector{sourceOf(*m_document)});
    if (m_analysis)
        parts.device = studyOf(m_analysis);
    parts.capacity = m_chosenCapacity;
    return parts;
}

/// Returns a sink that passes each finding to the GUI thread, which ignores those of earlier requests, and
/// all while there is a study.
FindingSink RunState::makeSink(int request)
{
    return [this, request](const Finding& finding) {
        const auto addFinding = [this, request, finding] {
            if (request != m_request || m_study)
                return;
            m_foundSoFar.insert(std::ranges::upper_bound(m_foundSoFar, finding, comesBefore), finding);
            emit found();
        };
        QMetaObject::invokeMethod(this, addFinding, Qt::QueuedConnection);
    };
}

void RunState::startStudy()
{
    m_foundSoFar.clear();
    ++m_request;
    if (!m_document || (!m_analysis && m_document->mainDevice)) {
        m_task.drop();
        m_lastResult = std::make_shared<StudyResult>();
        m_requestedParts = {};
        emit started();
        return;
    }
    m_requestedParts = parts();
    m_task.run([this, parts = m_requestedParts, lastResult = m_lastResult, path = systemPath(m_configuration),
                   configurationNumber = m_configurationNumber,
                   sink = makeSink(m_request)]() mutable -> LatestTask::Delivery {
        if (lastResult->configurationNumber != configurationNumber)
            lastResult->read(path, configurationNumber);
        if (lastResult->description)
            addDescription(parts, *lastResult->description);
        lastResult->study = updatedStudy(lastResult->study, std::move(parts));
        lastResult->study->findings(sink);
        lastResult->study->diagnosis();
        return [this, result = *lastResult] { accept(result); };
    });
    emit started();
}

void RunState::accept(const StudyResult& result)
{
    const DeviceStudy* const shown = m_analysis ? &m_analysis->study : nullptr;
    if (!m_document || result.study->device() != shown || &result.study->trace() != &m_document->trace())
        return;
    m_study = result.study;
    m_foundSoFar.clear();
    m_description = result.description;
    m_configurationTrouble = result.trouble;
    if (std::exchange(m_describedNumber, result.configurationNumber) != result.configurationNumber)
        emit described();
    emit changed();
}

} // namespace highwater::gui
