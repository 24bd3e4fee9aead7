#include "app/views/findings/findings_view.h"

#include <algorithm>

#include <QTextBrowser>
#include <QUrl>

#include "app/views/findings/finding_note.h"
#include "app/views/findings/findings_text.h"
#include "app/views/parts/arrange.h"
#include "core/analysis/detectors/rank_outlier.h"

namespace highwater::gui {

FindingsView::FindingsView(const RunState& run, Selection& selection, BandView& bandView, QWidget* parent)
    : AnalysisPanel(parent)
    , m_run(run)
    , m_selection(selection)
    , m_bandView(bandView)
    , m_browser(new QTextBrowser(this))
{
    named(m_browser, "findings", tr("What was found"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenLinks(false);
    m_browser->document()->setDocumentMargin(12);
    layColumn(this, {m_browser});
    setFocusProxy(m_browser);
    connect(m_browser, &QTextBrowser::anchorClicked, this, &FindingsView::follow);
    connect(&m_run, &RunState::started, this, &FindingsView::refresh);
    connect(&m_run, &RunState::changed, this, [this] {
        refresh();
        emit settled();
    });
}

void FindingsView::refresh()
{
    if (const auto& study = m_run.study())
        m_browser->setHtml(findingsHtml(study->diagnosis(), study->findings(), m_colors));
    else
        m_browser->setPlainText(m_run.isBusy() ? tr("Looking for what is wrong…") : QString());
}

void FindingsView::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    refresh();
}

QString FindingsView::text() const
{
    return m_browser->toPlainText();
}

/// "finding:N" goes to where it is seen first, "evidence:N:M" to its evidence, "keep:N" makes a note. What
/// another rank shows is seen in the table of ranks.
void FindingsView::follow(const QUrl& url)
{
    const QStringList parts = url.toString().split(QLatin1Char(':'));
    const std::size_t number = parts.value(1).toULong();
    const std::shared_ptr<const RunStudy> study = m_run.study();
    if (!study || number >= study->findings().size())
        return;
    const Finding& finding = study->findings()[number];
    const std::size_t piece = parts.value(2).toULong();
    if (parts.first() == QLatin1String("keep"))
        emit noteRequested(findingNote(finding, *study));
    else if (isRankOutlier(finding))
        emit viewRequested(QStringLiteral("ranks"));
    else if (parts.first() == QLatin1String("evidence") && piece < finding.evidence.size())
        lead(finding.evidence[piece].target, *study);
    else if (finding.event >= 0)
        emit eventRequested(finding.event);
}

void FindingsView::lead(const EvidenceTarget& target, const RunStudy& run)
{
    const DeviceStudy& device = *run.device();
    if (const auto* event = std::get_if<EventTarget>(&target)) {
        emit eventRequested(event->event);
    } else if (const auto* range = std::get_if<EventRange>(&target)) {
        emit rangeRequested(std::max<std::int64_t>(0, range->first), range->last);
    } else if (const auto* step = std::get_if<StepTarget>(&target)) {
        if (step->step < device.steps.steps.size())
            emit rangeRequested(device.steps.steps[step->step].begin, device.steps.steps[step->step].end);
    } else if (const auto* site = std::get_if<SiteTarget>(&target)) {
        highlight(allocationsOf(device.sites, device.allocations, site->key));
    } else if (const auto* some = std::get_if<AllocationsTarget>(&target)) {
        std::vector<bool> members(device.allocations.size(), false);
        for (const AllocationIndex i : some->allocations)
            members[i] = true;
        highlight(std::move(members));
    } else if (const auto* segment = std::get_if<SegmentTarget>(&target)) {
        emit eventRequested(segment->event);
        emit viewRequested(QStringLiteral("segments"));
    } else if (const auto* line = std::get_if<LogLineTarget>(&target)) {
        if (line->companion < run.parts().companions.size())
            emit logLineRequested(line->line);
    }
}

void FindingsView::highlight(std::vector<bool> members)
{
    if (m_bandView.analysis() && members.size() == m_bandView.analysis()->allocations.size())
        m_bandView.setHighlighted(std::make_shared<const std::vector<bool>>(std::move(members)));
}

} // namespace highwater::gui
