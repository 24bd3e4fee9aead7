#include "app/workspace/view/fix_preview.h"

namespace highwater::gui {

FixPreview::FixPreview(const RunState& run, QObject* parent)
    : QObject(parent)
    , m_run(run)
{
    connect(&m_run, &RunState::started, this, &FixPreview::forget);
    connect(&m_run, &RunState::changed, this, &FixPreview::forget);
}

void FixPreview::pointAt(std::optional<std::size_t> finding)
{
    if (finding == m_pointed)
        return;
    m_pointed = finding;
    show();
}

void FixPreview::keep(std::optional<std::size_t> finding)
{
    if (finding == m_kept)
        return;
    m_kept = finding;
    show();
}

/// Computes the wanted run if it is not known yet.
void FixPreview::show()
{
    const std::shared_ptr<const RunStudy>& study = m_run.study();
    const std::optional<std::size_t> finding = wanted();
    if (study && finding && *finding < study->findings().size() && !m_known.contains(*finding))
        m_task.run([this, study, number = *finding]() -> LatestTask::Delivery {
            std::optional<FixedRun> fixed = fixedRun(*study, study->findings()[number]);
            auto shared = fixed ? std::make_shared<const FixedRun>(*std::move(fixed)) : nullptr;
            return [this, number, shared = std::move(shared)] {
                m_known[number] = shared;
                if (wanted() == number)
                    emit changed();
            };
        });
    emit changed();
}

std::shared_ptr<const FixedRun> FixPreview::shown() const
{
    const auto found = wanted() ? m_known.find(*wanted()) : m_known.end();
    return found == m_known.end() ? nullptr : found->second;
}

void FixPreview::forget()
{
    m_task.drop();
    m_known.clear();
    m_pointed.reset();
    m_kept.reset();
    emit changed();
}

} // namespace highwater::gui
