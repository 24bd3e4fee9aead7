#include <algorithm>
#include <cmath>

#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/selection_text.h"
#include "core/base/text_format.h"

// The commands that the page supports, and its texts in the status bar.

namespace highwater::gui {

PageOffers DocumentPage::offers() const
{
    PageOffers offers;
    offers.view = offers.search = offers.another = offers.sidePanel = m_analysis != nullptr;
    offers.times = m_analysis && m_analysis->trace->hasTimes(m_analysis->device);
    offers.steps = m_analysis && m_analysis->byStep;
    offers.outOfMemory = m_analysis && !m_analysis->figures.ooms.empty();
    return offers;
}

QString DocumentPage::viewText() const
{
    const AxisWindow& x = m_visibleRange.x();
    if (m_axis == AxisKind::Event)
        return QStringLiteral("%1 – %2").arg(
            countText(std::max<std::int64_t>(0, static_cast<std::int64_t>(x.begin))),
            countText(static_cast<std::int64_t>(std::ceil(x.end)) - 1));
    if (m_axis == AxisKind::Aligned) {
        const StepTable& table = m_analysis->steps;
        const auto name = [&](double at) {
            const auto step = static_cast<std::size_t>(
                std::clamp<double>(at, 0, static_cast<double>(table.steps.size()) - 1));
            return toQString(table.steps[step].name);
        };
        return QStringLiteral("%1 – %2").arg(name(x.begin), name(std::nextafter(x.end, x.begin)));
    }
    const auto text = [](double at) {
        return QString::fromStdString(formatDuration(static_cast<Nanoseconds>(std::max(at, 0.0))));
    };
    return QStringLiteral("+%1 – +%2").arg(text(x.begin), text(x.end));
}

QString DocumentPage::statusText() const
{
    if (!m_analysis)
        return {};
    const QString view = m_visibleRange.x().isWhole() ? QString() : tr(" · view %1").arg(viewText());
    const QString busy = m_analysisSettings.isBusy() ? tr(" · updating…") : QString();
    return tr("%1 · %2, all drawn · %3%4")
        .arg(countedText(m_analysis->allocations.eventCount(), "event", "events"),
            countedText(
                static_cast<std::int64_t>(m_analysis->allocations.size()), "allocation", "allocations"),
            quantityText(*m_analysis), view + busy);
}

QString DocumentPage::cursorText() const
{
    if (!m_analysis)
        return {};
    using Kind = Selection::Kind;
    // The figures of a moment name it themselves.
    const bool isNamed = m_selection.subject() != Kind::Moment && m_selection.subject() != Kind::Nothing;
    const std::optional<std::int64_t> shown = m_selection.pointedOrCursor();
    if (!shown)
        return selectionText(*m_analysis, m_selection);
    const std::int64_t event = *shown;
    QString text = isNamed ? selectionText(*m_analysis, m_selection) + QStringLiteral(" · ") : QString();
    text += eventText(event);
    if (event >= 0 && m_analysis->trace->hasTimes(m_analysis->device)) {
        const EventScale& times = m_analysis->scale(AxisKind::Time);
        text += QStringLiteral(" · +")
            + QString::fromStdString(formatDuration(static_cast<Nanoseconds>(times.positionOf(event))));
    }
    return text + QStringLiteral(" · ") + amountText(*m_analysis, m_analysis->curve.at(event));
}

} // namespace highwater::gui
