#include <algorithm>

#include "app/views/findings/finding_note.h"
#include "app/views/findings/findings_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/detectors/rank_outlier.h"
#include "core/analysis/detectors/rule_table.h"

// Links of the findings: what they show in the timeline and in other views.

namespace highwater::gui {

namespace {

/// True if a piece of evidence names allocations that the finding is about.
bool hasAllocations(const Evidence& piece)
{
    return !piece.isContext
        && (std::holds_alternative<AllocationsTarget>(piece.target)
            || std::holds_alternative<SiteTarget>(piece.target));
}

/// Adds the allocations that a piece of evidence names.
void addNamed(const EvidenceTarget& target, const DeviceStudy& device, std::vector<bool>& members)
{
    if (const auto* site = std::get_if<SiteTarget>(&target)) {
        const std::vector<bool> ofSite = allocationsOf(device.sites, device.allocations, site->key);
        for (std::size_t i = 0; i < members.size(); ++i)
            members[i] = members[i] || ofSite[i];
    } else if (const auto* listed = std::get_if<AllocationsTarget>(&target)) {
        for (const AllocationIndex i : listed->allocations)
            members[i] = true;
    }
}

/// Returns the first clause of a title, outside brackets: "Memory leaks 1.07 GiB per step". It names the
/// finding where the whole title is elsewhere on screen.
QString firstClause(const QString& title)
{
    int depth = 0;
    for (qsizetype i = 0; i + 1 < title.size(); ++i) {
        depth += title[i] == QLatin1Char('(') ? 1 : title[i] == QLatin1Char(')') ? -1 : 0;
        const bool isMark
            = title[i] == QLatin1Char(',') || title[i] == QLatin1Char(':') || title[i] == QLatin1Char(';');
        if (depth == 0 && isMark && title[i + 1] == QLatin1Char(' '))
            return title.first(i);
    }
    return title;
}

} // namespace

/// Follows a link: "finding:N" shows what the finding is about, "evidence:N:M" shows a piece of its evidence,
/// "curve:N" draws the run without it, "keep:N" makes a note, "meaning:N" opens the manual. The first two
/// open the table of ranks if the finding is about another rank.
void FindingsView::followLink(const QString& link)
{
    const QStringList parts = link.split(QLatin1Char(':'));
    const std::size_t number = parts.value(1).toULong();
    const std::shared_ptr<const RunStudy> study = m_run.study();
    if (!study || parts.size() < 2 || number >= study->findings().size())
        return;
    const Finding& finding = study->findings()[number];
    const std::size_t piece = parts.value(2).toULong();
    if (parts.first() == QLatin1String("keep"))
        emit noteRequested(findingNote(finding, *study));
    else if (parts.first() == QLatin1String("curve"))
        showCurve(number);
    else if (parts.first() == QLatin1String("meaning"))
        emit manualRequested(toQString(rulePageFile(finding.rule)));
    else if (isRankOutlier(finding))
        emit viewRequested(QStringLiteral("ranks"));
    else
        showInTimeline(
            finding, parts.first() == QLatin1String("finding") ? std::nullopt : std::optional(piece));
}

void FindingsView::showCurve(std::size_t number)
{
    emit timelineWanted();
    emit fixChosen(number);
}

/// Shows a finding, or a piece of its evidence, in the timeline. What an earlier one highlighted goes.
void FindingsView::showInTimeline(const Finding& finding, std::optional<std::size_t> piece)
{
    const std::shared_ptr<const RunStudy> study = m_run.study();
    emit timelineWanted();
    m_bandView.setHighlighted(nullptr);
    if (!piece)
        showSubject(finding, *study);
    else if (*piece < finding.evidence.size())
        showTarget(finding.evidence[*piece].target, *study);
}

/// Shows what a finding is about: highlights all allocations that it names, of every occurrence, unless the
/// finding is a failure, or a fact with an event. Otherwise goes to the event, or to the first target of the
/// evidence. The view of segments shows why a request failed.
void FindingsView::showSubject(const Finding& finding, const RunStudy& run)
{
    const bool isPlace = finding.event >= 0 && finding.kind == FindingKind::Fact;
    const bool hasToHighlight = std::ranges::any_of(finding.evidence, hasAllocations);
    const auto firstLink = std::ranges::find_if(finding.evidence,
        [](const Evidence& piece) { return !std::holds_alternative<std::monostate>(piece.target); });
    if (!isPlace && !isFailure(finding) && hasToHighlight) {
        std::vector<bool> members(run.device()->allocations.size(), false);
        for (const Evidence& piece : finding.evidence)
            if (hasAllocations(piece))
                addNamed(piece.target, *run.device(), members);
        // The evidence is about one occurrence, the lines that keep the memory about all of them.
        for (const Keeper& keeper : finding.keepers)
            addNamed(AllocationsTarget{keeper.allocations}, *run.device(), members);
        highlight(std::move(members), firstClause(toQString(finding.title)));
    } else if (finding.event >= 0) {
        emit eventRequested(finding.event);
        if (isFailure(finding))
            emit viewRequested(QStringLiteral("segments"));
    } else if (firstLink != finding.evidence.end()) {
        showTarget(firstLink->target, run);
    }
}

void FindingsView::showTarget(const EvidenceTarget& target, const RunStudy& run)
{
    const DeviceStudy* const device = run.device();
    const auto* line = std::get_if<LogLineTarget>(&target);
    if (!device) { // the run is a log, the first of its files
        if (line && line->auxiliary == 0)
            emit logLineRequested(line->line);
        return;
    }
    if (const auto* event = std::get_if<EventTarget>(&target)) {
        emit eventRequested(event->event);
    } else if (const auto* range = std::get_if<EventRange>(&target)) {
        emit rangeRequested(std::max<std::int64_t>(0, range->first), range->last);
    } else if (const auto* step = std::get_if<StepTarget>(&target)) {
        if (step->step < device->steps.steps.size())
            emit rangeRequested(device->steps.steps[step->step].begin, device->steps.steps[step->step].end);
    } else if (std::holds_alternative<SiteTarget>(target)
        || std::holds_alternative<AllocationsTarget>(target)) {
        std::vector<bool> members(device->allocations.size(), false);
        addNamed(target, *device, members);
        highlight(std::move(members));
    } else if (const auto* segment = std::get_if<SegmentTarget>(&target)) {
        emit eventRequested(segment->event);
        emit viewRequested(QStringLiteral("segments"));
    } else if (line && line->auxiliary < run.parts().auxiliaryFiles.size()) {
        emit logLineRequested(line->line);
    }
}

void FindingsView::highlight(std::vector<bool> members, const QString& name)
{
    if (m_bandView.analysis() && members.size() == m_bandView.analysis()->allocations.size())
        m_bandView.setHighlighted(std::make_shared<const std::vector<bool>>(std::move(members)), name);
}

} // namespace highwater::gui
