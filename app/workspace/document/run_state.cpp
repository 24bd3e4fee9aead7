#include "app/workspace/document/run_state.h"

#include <utility>

#include <QFileInfo>

#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

struct RunState::Made
{
    std::shared_ptr<const RunStudy> study;
    std::shared_ptr<const DeviceFindings> findings;
    std::optional<RunDescription> description;
    std::string trouble;
    std::string path; ///< of the configuration
};

namespace {

std::optional<DeviceCapacity> namedCapacity(
    const std::optional<DeviceCapacity>& chosen, const std::optional<RunDescription>& description)
{
    return chosen || !description ? chosen : description->capacity;
}

RunParts partsOf(const Document& document, const std::shared_ptr<const DeviceAnalysis>& analysis,
    const OpenCompanions& companions, const std::optional<RunDescription>& description)
{
    RunParts parts;
    parts.name = document.fileName();
    parts.trace = document.imported.trace;
    parts.device = studyOf(analysis);
    if (document.imported.incomplete)
        parts.cutOff = toText(*document.imported.incomplete);
    for (const auto& [path, trace] : companions)
        parts.companions.push_back({QFileInfo(path).fileName().toStdString(), trace});
    if (description) {
        parts.settings = description->settings;
        parts.shape = description->shape;
    }
    return parts;
}

} // namespace

RunState::RunState(QObject* parent)
    : QObject(parent)
{
}

RunState::~RunState()
{
    m_task.drop();
}

void RunState::show(std::shared_ptr<const Document> document, std::shared_ptr<const DeviceAnalysis> analysis,
    const std::optional<DeviceCapacity>& chosen)
{
    m_document = std::move(document);
    m_analysis = std::move(analysis);
    m_chosen = chosen;
    m_study.reset();
    m_findings.reset();
    m_onlyCapacityChanged = false;
    workOut();
}

void RunState::setCapacity(const std::optional<DeviceCapacity>& chosen)
{
    if (chosen == m_chosen)
        return;
    m_chosen = chosen;
    m_onlyCapacityChanged = m_study != nullptr && (m_onlyCapacityChanged || !m_task.isBusy());
    workOut();
}

void RunState::setCompanions(OpenCompanions companions)
{
    if (companions == m_companions)
        return;
    m_companions = std::move(companions);
    m_onlyCapacityChanged = false;
    workOut();
}

void RunState::setConfiguration(const QString& path)
{
    m_configuration = path;
    m_onlyCapacityChanged = false;
    workOut();
    emit configurationChanged(path);
}

void RunState::workOut()
{
    if (!m_analysis) {
        m_task.drop();
        emit started();
        return;
    }
    m_task.run(
        [this, document = m_document, analysis = m_analysis, chosen = m_chosen, companions = m_companions,
            path = systemPath(m_configuration), known = m_onlyCapacityChanged ? m_study : nullptr,
            description = m_description]() -> LatestTask::Delivery {
            Made made;
            made.path = path;
            if (known) {
                made.description = description;
                made.study = known->withCapacity(namedCapacity(chosen, made.description));
            } else {
                if (!path.empty()) {
                    if (Result<RunDescription> read = loadRunDescription(path))
                        made.description = *std::move(read);
                    else
                        made.trouble = toText(read.error());
                }
                RunParts parts = partsOf(*document, analysis, companions, made.description);
                parts.capacity = namedCapacity(chosen, made.description);
                made.study = std::make_shared<const RunStudy>(std::move(parts));
            }
            made.findings = std::make_shared<const DeviceFindings>(
                DeviceFindings{analysis, companions, made.study->findings()});
            return [this, made = std::move(made)] { accept(made); };
        });
    emit started();
}

void RunState::accept(const Made& made)
{
    if (made.findings->analysis != m_analysis)
        return;
    m_study = made.study;
    m_findings = made.findings;
    m_description = made.description;
    m_trouble = made.trouble;
    if (std::exchange(m_described, made.path) != made.path)
        emit described();
    emit changed();
}

} // namespace highwater::gui
