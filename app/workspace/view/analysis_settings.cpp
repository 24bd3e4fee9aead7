#include "app/workspace/view/analysis_settings.h"

#include <utility>

#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/usage/allocator_rounding.h"

namespace highwater::gui {

AnalysisSettings::AnalysisSettings(QObject* parent)
    : QObject(parent)
{
}

void AnalysisSettings::setDevice(std::shared_ptr<const DeviceAnalysis> original)
{
    if (original == m_original)
        return;
    m_task.drop();
    m_original = std::move(original);
    m_recomputed.reset();
    m_shown = m_original;
    if (m_steps.source == StepSource::Manual)
        m_steps = {};
    m_busy = false;
    applyWanted();
}

bool AnalysisSettings::offersAllocated() const
{
    return m_original && hasKnownRounding(m_original->info()) && m_original->allocations.size() > 0;
}

void AnalysisSettings::setAllocated(bool allocated)
{
    if (std::exchange(m_wantsAllocated, allocated) != allocated)
        applyWanted();
}

void AnalysisSettings::setSteps(const StepRequest& request)
{
    if (std::exchange(m_steps, request) != request)
        applyWanted();
}

void AnalysisSettings::setRules(const std::vector<CategoryRule>& rules)
{
    if (std::exchange(m_rules, rules) != rules)
        applyWanted();
}

AnalysisChoice AnalysisSettings::wantedChoice() const
{
    AnalysisChoice choice{m_original->info().quantity, m_steps, m_rules};
    if (m_wantsAllocated && offersAllocated())
        choice.quantity = Quantity::Allocated;
    return choice;
}

/// Shows the requested analysis, or starts computing it.
void AnalysisSettings::applyWanted()
{
    if (!m_original)
        return;
    if (m_original->choice == wantedChoice()) {
        show(m_original);
    } else if (m_recomputed && m_recomputed->choice == wantedChoice()) {
        show(m_recomputed);
    } else {
        m_busy = true;
        m_task.run([this, original = m_original, choice = wantedChoice()]() -> LatestTask::Delivery {
            auto recomputed
                = std::make_shared<const DeviceAnalysis>(original->trace, original->device, choice);
            return [this, original, recomputed = std::move(recomputed)] {
                if (original != m_original || recomputed->choice != wantedChoice())
                    return;
                m_recomputed = recomputed;
                show(m_recomputed);
                emit busyChanged();
            };
        });
    }
    emit busyChanged();
}

void AnalysisSettings::show(std::shared_ptr<const DeviceAnalysis> analysis)
{
    m_busy = false;
    if (m_shown == analysis)
        return;
    m_shown = std::move(analysis);
    emit shownChanged();
}

QString quantityText(const DeviceAnalysis& analysis)
{
    const QString quantity = AnalysisSettings::tr("%1 bytes").arg(toQString(inWords(analysis.quantity())));
    return analysis.allocations.hasInferred() ? AnalysisSettings::tr("%1 (lower bound)").arg(quantity)
                                              : quantity;
}

QString totalText(const DeviceAnalysis& analysis, Bytes bytes)
{
    const bool isAtLeast = analysis.allocations.hasInferred() || totalsAreLowerBounds(analysis.info());
    return (isAtLeast ? QStringLiteral("≥ ") : QString()) + bytesText(bytes);
}

QString runPeakText(const DeviceAnalysis& analysis, Bytes bytes)
{
    const bool isExact = peakCertainty(analysis.study) == Certainty::Exactly
        || recordedPart(analysis.study) == RecordedPart::OneMoment;
    return isExact ? totalText(analysis, bytes) : QStringLiteral("≥ ") + bytesText(bytes);
}

QString amountText(const DeviceAnalysis& analysis, Bytes bytes)
{
    const QString amount = totalText(analysis, bytes);
    return analysis.quantity() == Quantity::Requested
        ? amount
        : amount + QLatin1Char(' ') + toQString(inWords(analysis.quantity()));
}

} // namespace highwater::gui
