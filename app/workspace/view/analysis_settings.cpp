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

void AnalysisSettings::setDevice(std::shared_ptr<const DeviceAnalysis> own)
{
    if (own == m_own)
        return;
    m_task.drop();
    m_own = std::move(own);
    m_other.reset();
    m_shown = m_own;
    if (m_steps.source == StepSource::Manual)
        m_steps = {};
    m_busy = false;
    follow();
}

bool AnalysisSettings::offersAllocated() const
{
    return m_own && hasKnownRounding(m_own->info()) && m_own->allocations.size() > 0;
}

void AnalysisSettings::setAllocated(bool allocated)
{
    if (std::exchange(m_wantsAllocated, allocated) != allocated)
        follow();
}

void AnalysisSettings::setSteps(const StepRequest& request)
{
    if (std::exchange(m_steps, request) != request)
        follow();
}

void AnalysisSettings::setRules(const std::vector<CategoryRule>& rules)
{
    if (std::exchange(m_rules, rules) != rules)
        follow();
}

AnalysisChoice AnalysisSettings::wanted() const
{
    AnalysisChoice choice{m_own->info().quantity, m_steps, m_rules};
    if (m_wantsAllocated && offersAllocated())
        choice.quantity = Quantity::Allocated;
    return choice;
}

/// Shows the requested analysis, or starts computing it.
void AnalysisSettings::follow()
{
    if (!m_own)
        return;
    if (m_own->choice == wanted()) {
        show(m_own);
    } else if (m_other && m_other->choice == wanted()) {
        show(m_other);
    } else {
        m_busy = true;
        m_task.run([this, own = m_own, choice = wanted()]() -> LatestTask::Delivery {
            auto other = std::make_shared<const DeviceAnalysis>(own->trace, own->device, choice);
            return [this, own, other = std::move(other)] {
                if (own != m_own || other->choice != wanted())
                    return;
                m_other = other;
                show(m_other);
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

QString lowerBoundText(const DeviceAnalysis& analysis, Bytes bytes)
{
    const bool isAtLeast = analysis.allocations.hasInferred() || totalsAreAtLeast(analysis.info());
    return (isAtLeast ? QStringLiteral("≥ ") : QString()) + bytesText(bytes);
}

QString amountText(const DeviceAnalysis& analysis, Bytes bytes)
{
    return lowerBoundText(analysis, bytes) + QLatin1Char(' ') + toQString(inWords(analysis.quantity()));
}

} // namespace highwater::gui
