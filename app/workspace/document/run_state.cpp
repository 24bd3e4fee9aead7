#include "app/workspace/document/run_state.h"

#include <algorithm>
#include <utility>

#include "app/workspace/tasks/system_path.h"

namespace highwater::gui {

struct RunState::Made
{
    std::shared_ptr<const RunStudy> study;
    std::optional<RunDescription> description;
    std::string trouble;
    int reading = 0; ///< number of the configuration that was read, see `m_reading`

    void read(const std::string& path, int number)
    {
        *this = {};
        reading = number;
        if (path.empty())
            return;
        if (Result<RunDescription> told = loadRunDescription(path))
            description = *std::move(told);
        else
            trouble = toText(told.error());
    }
};

namespace {

/// Returns a study of `parts`. Reuses those parts of the previous study that do not depend on what has
/// changed. `known`, the previous study, may be null.
std::shared_ptr<const RunStudy> studied(std::shared_ptr<const RunStudy> known, RunParts parts)
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
    , m_last(std::make_shared<Made>())
{
}

void RunState::show(std::shared_ptr<const Document> document, std::shared_ptr<const DeviceAnalysis> analysis,
    const std::optional<DeviceCapacity>& chosen)
{
    if (m_document != document)
        m_task.drop(); // the pending study is of another document
    m_document = std::move(document);
    m_analysis = std::move(analysis);
    m_chosen = chosen;
    m_study.reset();
    workOut();
}

void RunState::setCapacity(const std::optional<DeviceCapacity>& chosen)
{
    if (std::exchange(m_chosen, chosen) != chosen)
        workOut();
}

void RunState::setFiles(std::vector<RunSource> files)
{
    m_files = std::move(files);
    if (!m_document)
        return;
    const RunParts now = parts();
    if (now.auxiliaryFiles != m_asked.auxiliaryFiles || now.ranks != m_asked.ranks)
        workOut();
}

void RunState::setConfiguration(const QString& path)
{
    m_configuration = path;
    ++m_reading;
    workOut();
    emit configurationChanged(path);
}

/// Returns the parts without those from the configuration.
RunParts RunState::parts() const
{
    const bool isOfThis = !m_files.empty() && m_files.front().file.trace == m_document->imported.trace;
    RunParts parts = partsOf(isOfThis ? m_files : std::vector{sourceOf(*m_document)});
    if (m_analysis)
        parts.device = studyOf(m_analysis);
    parts.capacity = m_chosen;
    return parts;
}

/// Returns a sink that passes each finding to the GUI thread, where findings of earlier requests are ignored.
FindingSink RunState::sinkOf(int request)
{
    return [this, request](const Finding& finding) {
        const auto take = [this, request, finding] {
            if (request != m_request || m_study)
                return;
            m_foundSoFar.insert(std::ranges::upper_bound(m_foundSoFar, finding, comesBefore), finding);
            emit found();
        };
        QMetaObject::invokeMethod(this, take, Qt::QueuedConnection);
    };
}

void RunState::workOut()
{
    m_foundSoFar.clear();
    ++m_request;
    if (!m_document || (!m_analysis && m_document->mainDevice)) {
        m_task.drop();
        m_last = std::make_shared<Made>();
        m_asked = {};
        emit started();
        return;
    }
    m_asked = parts();
    m_task.run([this, parts = m_asked, last = m_last, path = systemPath(m_configuration), reading = m_reading,
                   sink = sinkOf(m_request)]() mutable -> LatestTask::Delivery {
        if (last->reading != reading)
            last->read(path, reading);
        if (last->description)
            addDescription(parts, *last->description);
        last->study = studied(last->study, std::move(parts));
        last->study->findings(sink);
        last->study->diagnosis();
        return [this, made = *last] { accept(made); };
    });
    emit started();
}

void RunState::accept(const Made& made)
{
    const DeviceStudy* const shown = m_analysis ? &m_analysis->study : nullptr;
    if (!m_document || made.study->device() != shown || &made.study->trace() != &m_document->trace())
        return;
    m_study = made.study;
    m_foundSoFar.clear();
    m_description = made.description;
    m_trouble = made.trouble;
    if (std::exchange(m_described, made.reading) != made.reading)
        emit described();
    emit changed();
}

} // namespace highwater::gui
