#include "app/views/side_panel/detail_paragraphs.h"

#include <algorithm>
#include <array>

#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/tasks/range_text.h"
#include "app/workspace/view/analysis_settings.h"
#include "app/workspace/view/selection_text.h"
#include "core/analysis/composition/band_spans.h"
#include "core/analysis/device/cut_off.h"
#include "core/analysis/device/moment_words.h"
#include "core/base/text/sentence_text.h"
#include "core/base/text_format.h"
#include "core/study/outcome/key_moment.h"

namespace highwater::gui {

namespace {

void appendFactsTo(std::vector<Paragraph>& paragraphs, const std::vector<Fact>& facts)
{
    for (const Fact& fact : facts)
        paragraphs.push_back({Paragraph::Kind::Fact, fact.value, fact.name, fact.aside,
            fact.frame.isNone() ? QString() : QObject::tr("Show the source of this line (Enter)")});
}

/// Returns the memory in use right after an event, and the time of the event if it is recorded.
std::vector<Fact> momentFacts(const DeviceAnalysis& analysis, std::int64_t event)
{
    std::vector<Fact> facts{{QObject::tr("in use"), amountText(analysis, analysis.curve.at(event)), {}}};
    if (event >= 0 && analysis.trace->hasTimes(analysis.device))
        facts.push_back({QObject::tr("time"),
            QStringLiteral("+")
                + QString::fromStdString(formatDuration(
                    static_cast<Nanoseconds>(analysis.scale(AxisKind::Time).positionOf(event)))),
            {}});
    return facts;
}

/// Returns the bytes of the members that are live right after an event. O(allocations).
Bytes liveBytes(const DeviceAnalysis& analysis, const std::vector<bool>& members, std::int64_t event)
{
    Bytes sum = 0;
    for (AllocationIndex i = 0; i < members.size(); ++i)
        if (members[i] && analysis.allocations.isLiveAt(i, event))
            sum += analysis.allocations.bytes(i);
    return sum;
}

/// Some of the allocations of a call site.
struct PartOfSite
{
    SiteId site;
    QString text; ///< "28 of 299 allocations"
};

/// Returns the part of a call site that the members are; nullopt if they are all of a site, or of several
/// sites. O(allocations).
std::optional<PartOfSite> partOfSite(const DeviceAnalysis& analysis, const std::vector<bool>& members)
{
    const auto memberCount = std::ranges::count(members, true);
    if (memberCount == 0)
        return std::nullopt;
    const auto first = std::ranges::find(members, true) - members.begin();
    const SiteId site = analysis.sites.of(static_cast<AllocationIndex>(first));
    std::int64_t membersOfSite = 0;
    std::int64_t allOfSite = 0;
    for (AllocationIndex i = 0; i < members.size(); ++i)
        if (analysis.sites.of(i) == site) {
            ++allOfSite;
            membersOfSite += members[i] ? 1 : 0;
        }
    if (membersOfSite != memberCount || allOfSite == memberCount)
        return std::nullopt;
    return PartOfSite{site,
        QObject::tr("%1 of %2")
            .arg(countText(memberCount), countedText(allOfSite, "allocation", "allocations"))};
}

/// Returns "84 allocations", or "84 of 177 allocations" of a call site that has more.
QString membersText(const DeviceAnalysis& analysis, const std::vector<bool>& members)
{
    const std::optional<PartOfSite> part = partOfSite(analysis, members);
    return part ? part->text : countedText(std::ranges::count(members, true), "allocation", "allocations");
}

/// Returns the selection in words. A part of a call site that is highlighted under the name of the site has
/// its size: "28 of 299 allocations of forward (model.py:97)".
QString selectionTitle(const DeviceAnalysis& analysis, const Selection& selection)
{
    const QString name = selectionText(analysis, selection);
    if (selection.subject() != Selection::Kind::Highlight)
        return name;
    const std::optional<PartOfSite> part = partOfSite(analysis, *selection.highlight().members);
    return part && toQString(analysis.sites.site(part->site).label) == name
        ? QObject::tr("%1 of %2").arg(part->text, name)
        : name;
}

/// Returns how many allocations are highlighted, and their bytes right after the event `cursor`; without a
/// cursor, at the `keyMoment`. If the cursor is not at the run's peak, returns the bytes at the peak too.
std::vector<Fact> highlightFacts(
    const DeviceAnalysis& analysis, const std::vector<bool>& members, std::optional<std::int64_t> cursor)
{
    const KeyMoment key = keyMoment(analysis.study);
    std::vector<Fact> facts{{QObject::tr("highlighted"), membersText(analysis, members), {}},
        {cursor ? QObject::tr("after event %1").arg(countText(*cursor)) : toQString(inWords(key.kind)),
            bytesText(liveBytes(analysis, members, cursor.value_or(key.event))), {}}};
    if (cursor && *cursor != analysis.figures.peakEvent)
        facts.push_back({runPeakMomentText(analysis),
            bytesText(liveBytes(analysis, members, analysis.figures.peakEvent)), {}});
    return facts;
}

/// Returns the facts on the highest total of an event. If more is in use at the end, returns that too, with
/// the bytes that were allocated in lost events.
std::vector<Fact> peakFacts(const DeviceAnalysis& analysis)
{
    const DeviceFigures& figures = analysis.figures;
    std::vector<Fact> facts{{QObject::tr("bytes"), runPeakText(analysis, figures.peakBytes), {}},
        {QObject::tr("allocations"), countText(figures.peakLiveCount), {}}};
    if (!analysis.trace->metadata.hasHistory)
        return facts;
    facts.push_back({QObject::tr("reached"), toQString(formatMoment(figures.peakEvent, "")), {}});
    if (!isPeakAtEvent(analysis.info(), figures))
        facts.push_back({QObject::tr("at the end"), bytesText(figures.finalBytes),
            QObject::tr("%1 allocated in lost events")
                .arg(bytesText(figures.finalBytes - figures.peakBytes))});
    return facts;
}

/// Returns the bytes of each category right after an event; nothing if there is only one. O(live
/// allocations).
std::vector<Fact> categoryFacts(const DeviceAnalysis& analysis, std::int64_t event)
{
    const BandGroups& categories = *analysis.categoryGroups;
    const std::vector<Bytes> bytes = groupBytesAt(analysis.live, categories, std::array{event}).front();
    std::vector<Fact> facts;
    for (std::size_t group = 0; group < bytes.size(); ++group)
        if (bytes[group] > 0)
            facts.push_back({toQString(categories.groups[group].label), bytesText(bytes[group]),
                QString::fromStdString(formatShare(bytes[group], analysis.curve.at(event)))});
    return facts.size() > 1 ? facts : std::vector<Fact>();
}

/// Returns the facts on the selection; empty for an allocation, for a step or range, whose facts are in the
/// RangePanel above, and if nothing is selected.
std::vector<Fact> selectedFacts(const DeviceAnalysis& analysis, const Selection& selection)
{
    switch (selection.subject()) {
    case Selection::Kind::Moment: return momentFacts(analysis, *selection.cursor());
    case Selection::Kind::Highlight:
        return highlightFacts(analysis, *selection.highlight().members, selection.cursor());
    case Selection::Kind::Allocation:
    case Selection::Kind::Step:
    case Selection::Kind::Range:
    case Selection::Kind::Nothing: break;
    }
    return {};
}

/// Appends the categories in use at the selected moment, at the peak of the selected step, or, if nothing is
/// selected, at the `keyMoment`. Appends nothing for other selections.
void appendComposition(
    std::vector<Paragraph>& paragraphs, const DeviceAnalysis& analysis, const Selection& selection)
{
    const bool isNothing = selection.kind() == Selection::Kind::Nothing;
    const bool isStep = selection.subject() == Selection::Kind::Step;
    if (!isNothing && !isStep && selection.subject() != Selection::Kind::Moment)
        return;
    const KeyMoment key = keyMoment(analysis.study);
    const std::int64_t event = isNothing ? key.event
        : isStep
        ? analysis.curve.peak(selection.state().stepEvents->first, selection.state().stepEvents->second).event
        : *selection.cursor();
    const std::vector<Fact> facts = categoryFacts(analysis, event);
    if (facts.empty())
        return;
    const QString when = isNothing ? QLatin1Char(' ') + toQString(inWords(key.kind))
        : isStep                   ? QObject::tr(" at its peak")
                                   : QString();
    paragraphs.push_back({Paragraph::Kind::Heading, QObject::tr("In use") + when, {}, {}});
    appendFactsTo(paragraphs, facts);
}

} // namespace

std::vector<Paragraph> allocationParagraphs(
    const AllocationFacts& facts, const QString& hint, const QStringList& notes)
{
    std::vector<Paragraph> paragraphs;
    const auto add = [&](Paragraph::Kind kind, const QString& text) {
        paragraphs.push_back({kind, text, {}, {}});
    };
    add(Paragraph::Kind::Title, facts.title);
    add(Paragraph::Kind::Quiet, hint);
    for (const QString& note : notes)
        add(Paragraph::Kind::Plain, note);
    appendFactsTo(paragraphs, facts.what);
    if (!facts.sameStack.empty())
        add(Paragraph::Kind::Heading, QObject::tr("Same stack"));
    appendFactsTo(paragraphs, facts.sameStack);
    add(Paragraph::Kind::Heading, facts.stackTitle);
    if (!facts.withoutStack.isEmpty())
        add(Paragraph::Kind::Plain, facts.withoutStack);
    return paragraphs;
}

std::vector<Paragraph> selectionParagraphs(
    const DeviceAnalysis& analysis, const Selection& selection, const AllocationFacts* failure)
{
    const bool isNothing = selection.kind() == Selection::Kind::Nothing;
    std::vector<Paragraph> paragraphs;
    const auto add = [&](Paragraph::Kind kind, const QString& text) {
        paragraphs.push_back({kind, text, {}, {}});
    };
    if (selection.subject() == Selection::Kind::Range)
        return paragraphs; // the RangePanel above has its name and figures
    if (!isNothing) {
        add(Paragraph::Kind::Title, selectionTitle(analysis, selection));
        add(Paragraph::Kind::Quiet, QObject::tr("selected · Esc to release"));
    }
    appendFactsTo(paragraphs, selectedFacts(analysis, selection));
    const auto title = isNothing ? Paragraph::Kind::Title : Paragraph::Kind::Heading;
    if (failure) {
        add(title, failure->title);
        appendFactsTo(paragraphs, failure->what);
    } else if (isNothing && analysis.figures.peakBytes > 0) {
        add(title, toQString(upperFirst(std::string(nameOfHighest(analysis.study)))));
        appendFactsTo(paragraphs, peakFacts(analysis));
    }
    appendComposition(paragraphs, analysis, selection);
    if (isNothing && !failure && !selection.wasEverPinned()) // a failure is followed by its stack
        add(Paragraph::Kind::Quiet,
            QObject::tr("Point at a band to see what it is and who allocated it. Click to pin it."));
    if (failure) {
        add(Paragraph::Kind::Heading, failure->stackTitle);
        if (!failure->withoutStack.isEmpty())
            add(Paragraph::Kind::Plain, failure->withoutStack);
    }
    return paragraphs;
}

} // namespace highwater::gui
