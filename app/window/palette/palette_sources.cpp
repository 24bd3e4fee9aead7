#include "app/window/palette/palette_sources.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QMenu>

#include "app/views/findings/findings_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/commands/note_commands.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/document/run_session.h"
#include "app/workspace/notes/note_places.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/context_entries.h"
#include "app/workspace/view/selected_events.h"
#include "core/report/model/finding_text.h"
#include "core/study/diagnosis/diagnose.h"

namespace highwater::gui {

namespace {

constexpr std::size_t kMaxPlaces = 10; ///< allocations at one address

QString translated(const char* text)
{
    return QCoreApplication::translate("CommandPalette", text);
}

QString withoutMnemonic(const QString& text)
{
    return QString(text).remove(QLatin1Char('&'));
}

/// Returns "Go › Peak".
QString pathOf(const QString& before, const QString& name)
{
    return before.isEmpty() ? name : QStringLiteral("%1 › %2").arg(before, name);
}

/// Makes the entry of a command in the menu at `path`; views are named without it.
PaletteEntry commandEntry(QAction* action, const QString& path, bool isView)
{
    const QString name = withoutMnemonic(action->text());
    const QString tip = action->toolTip();
    return {.title = isView ? name : pathOf(path, name),
        .kind = isView ? translated("view") : translated("command"),
        .run = [action] { action->trigger(); },
        .detail = action->shortcut().toString(QKeySequence::NativeText),
        .also = isView ? path + QLatin1Char('\n') + tip : tip,
        .toolTip = action->isEnabled() ? tip : translated("Not available here"),
        .isEnabled = action->isEnabled()};
}

/// Adds the visible commands of a menu and its submenus.
void collectCommands(const QMenu& menu, const QString& path, std::vector<PaletteEntry>& entries)
{
    const bool isViews = menu.objectName() == QLatin1String("viewsMenu");
    for (QAction* action : menu.actions()) {
        if (action->menu())
            collectCommands(*action->menu(), pathOf(path, withoutMnemonic(action->text())), entries);
        else if (!action->isSeparator() && action->isVisible())
            entries.push_back(commandEntry(action, path, isViews));
    }
}

/// True if the drop-down list is part of what its view shows now. That the view itself is hidden does not
/// matter.
bool isOffered(const QComboBox& list)
{
    return list.isEnabledTo(list.parentWidget())
        && !(list.isHidden() && list.testAttribute(Qt::WA_WState_ExplicitShowHide));
}

void choose(QComboBox& list, int item)
{
    if (item >= list.count())
        return;
    list.setCurrentIndex(item);
    emit list.activated(item); // some lists follow only what the user chooses
}

bool isHostKind(DeviceKind kind)
{
    return kind == DeviceKind::Cpu || kind == DeviceKind::HostPinned;
}

/// Returns the bytes of each call site at the peak of the run.
std::vector<Bytes> bytesOfSites(const DeviceAnalysis& analysis)
{
    std::vector<Bytes> bytes(analysis.sites.size());
    std::vector<AllocationIndex> live;
    analysis.live.liveAt(analysis.figures.peakEvent, live);
    for (const AllocationIndex i : live)
        bytes[analysis.sites.of(i).index()] += analysis.allocations.bytes(i);
    return bytes;
}

/// Highlights the allocations of a call site. Shows the whole trace if none of them is alive in view.
void highlightSite(DocumentPage& page, const DeviceAnalysis* analysis, SiteId site)
{
    if (page.analysis().get() != analysis)
        return;
    const AllocationTable& allocations = analysis->allocations;
    const EventScale& scale = analysis->scale(page.axis());
    const std::int64_t first = scale.eventAt(page.range().x().begin);
    const std::int64_t last = scale.firstEventFrom(page.range().x().end);
    std::vector<bool> members(allocations.size());
    bool isInView = false;
    for (AllocationIndex i = 0; i < members.size(); ++i) {
        members[i] = analysis->sites.of(i) == site;
        isInView = isInView || (members[i] && allocations.birth(i) < last && allocations.death(i) > first);
    }
    page.showTimeline();
    page.bandView().setHighlighted(std::make_shared<const std::vector<bool>>(std::move(members)));
    if (!isInView)
        page.fit();
}

void showStep(DocumentPage& page, const DeviceAnalysis* analysis, std::size_t number)
{
    if (page.analysis().get() == analysis)
        page.zoomToStep(number);
}

/// Returns "step 3" for a step with another name: its number is at the end of the name ("ProfilerStep#3"), or
/// else its place in the list. Empty for other steps.
QString otherNameOf(const Step& step, std::size_t number)
{
    if (!step.isCounted() || step.name.starts_with("step "))
        return {};
    const std::size_t digits = step.name.find_last_not_of("0123456789") + 1;
    return QStringLiteral("step %1").arg(
        digits < step.name.size() ? toQString(step.name.substr(digits)) : QString::number(number));
}

/// Returns the texts of a finding by which it is found, besides its title.
QString findingWords(const Finding& finding)
{
    QString words = toQString(finding.rule) + QLatin1Char('\n') + toQString(ruleWords(finding.rule))
        + QLatin1Char('\n') + toQString(actionSentence(finding));
    for (const Evidence& evidence : finding.evidence)
        words += QLatin1Char('\n') + toQString(evidence.sentence);
    return words;
}

} // namespace

std::vector<PaletteEntry> commandEntries(const QList<QAction*>& menus)
{
    std::vector<PaletteEntry> entries;
    for (const QAction* menu : menus)
        if (menu->menu())
            collectCommands(*menu->menu(), withoutMnemonic(menu->text()), entries);
    return entries;
}

std::vector<PaletteEntry> viewEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    PanelTabs& tabs = page.panelTabs();
    for (int tab = 0; tab < tabs.count(); ++tab) {
        const QString name = tabs.widget(tab)->objectName();
        if (!tabs.isTabEnabled(tab))
            continue;
        for (QComboBox* list : tabs.widget(tab)->findChildren<QComboBox*>()) {
            if (!isOffered(*list))
                continue;
            for (int item = 0; item < list->count(); ++item)
                entries.push_back({.title = pathOf(tabs.tabText(tab), list->itemText(item)),
                    .kind = translated("view"),
                    .run =
                        [&tabs, name, list, item] {
                            tabs.open(name);
                            choose(*list, item);
                        },
                    .also = list->itemData(item, Qt::ToolTipRole).toString(),
                    .toolTip = list->itemData(item, Qt::ToolTipRole).toString()});
        }
    }
    return entries;
}

std::vector<PaletteEntry> bandEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    for (const BandMode mode : page.bandView().modes())
        entries.push_back({.title = translated("Bands by: %1").arg(modeTitle(mode)),
            .kind = translated("view"),
            .run =
                [&page, mode] {
                    page.showTimeline();
                    page.bandView().setMode(mode);
                },
            .also = translated("group by %1").arg(groupNoun(mode)),
            .toolTip = translated("Stack the allocations of each %1 as one band").arg(groupNoun(mode))});
    return entries;
}

std::vector<PaletteEntry> stepEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    const std::shared_ptr<const DeviceAnalysis>& analysis = page.analysis();
    if (!analysis || analysis->steps.source == StepSource::Whole)
        return entries;
    const std::vector<Step>& steps = analysis->steps.steps;
    for (std::size_t i = 0; i < steps.size(); ++i)
        entries.push_back({.title = toQString(steps[i].name),
            .kind = translated("step"),
            .run = [&page, shown = analysis.get(), i] { showStep(page, shown, i); },
            .detail = totalText(*analysis, steps[i].peakBytes),
            .also = otherNameOf(steps[i], i),
            .toolTip = translated("Zoom to the step and move the cursor to its peak")});
    return entries;
}

std::vector<PaletteEntry> comparedStepEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    const std::shared_ptr<const DeviceAnalysis>& analysis = page.analysis();
    if (!analysis || analysis->steps.steps.size() < 2)
        return entries;
    const std::vector<Step>& steps = analysis->steps.steps;
    const std::size_t first
        = selectedStep(*analysis, page.selection()).value_or(highestStep(analysis->steps));
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (i != first)
            entries.push_back({.title = translated("Compare %1 with %2")
                                            .arg(toQString(steps[first].name), toQString(steps[i].name)),
                .kind = translated("command"),
                .run =
                    [&page, shown = analysis.get(), first, i] {
                        if (page.analysis().get() == shown)
                            emit page.stepsCompared(first, i);
                    },
                .detail = totalText(*analysis, steps[i].peakBytes),
                .toolTip = translated("Compare the peaks of two steps"),
                .isSentence = true});
    return entries;
}

std::vector<PaletteEntry> findingEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    const std::shared_ptr<const RunStudy> study = page.run().study();
    if (!study)
        return entries;
    for (const std::size_t i : readingOrder(study->findings(), study->diagnosis())) {
        const Finding& finding = study->findings()[i];
        entries.push_back({.title = toQString(finding.title),
            .kind = translated("finding"),
            .run =
                [&page, study, i] {
                    page.panelTabs().open(page.findings().objectName());
                    if (page.run().study() == study)
                        page.findings().showFinding(i);
                },
            .detail = toQString(savingText(finding)),
            .also = findingWords(finding),
            .toolTip = translated("Show what the finding is about"),
            .isSentence = true});
    }
    return entries;
}

std::vector<PaletteEntry> fileEntries(RunSession& session)
{
    std::vector<PaletteEntry> entries;
    if (!session.hasSeveralFiles())
        return entries;
    const std::vector<RunFile>& files = session.run().files();
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].state == RunFile::State::NoInput)
            continue;
        const RunMember& member = files[i].figures ? files[i].figures->member : files[i].input.member;
        const QString name = toQString(member.fileName());
        const std::string path = files[i].input.member.path;
        entries.push_back(
            {.title = member.rank ? QStringLiteral("%1 · %2").arg(toQString(member.label()), name) : name,
                .kind = member.rank ? translated("rank") : translated("file"),
                .run =
                    [&session, path] {
                        if (const std::optional<std::size_t> file = session.run().indexOf(path))
                            session.show(*file);
                    },
                .also = toQString(path),
                .toolTip = toQString(path)});
    }
    return entries;
}

std::vector<PaletteEntry> deviceEntries(DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    const std::shared_ptr<const Document> document = page.document();
    if (!document || document->devices.size() < 2)
        return entries;
    for (const std::shared_ptr<const DeviceAnalysis>& device : document->devices)
        entries.push_back({.title = toQString(device->info().words()),
            .kind = isHostKind(device->info().kind) ? translated("host") : translated("GPU"),
            .run =
                [&page, document, number = device->device] {
                    if (page.document() == document)
                        page.setDevice(number);
                },
            .detail = runPeakText(*device, device->figures.peakBytes),
            .also = translated("cuda device"),
            .toolTip = translated("Show the memory of this device")});
    return entries;
}

std::vector<PaletteEntry> callSiteEntries(
    const std::shared_ptr<const DeviceAnalysis>& analysis, DocumentPage& page)
{
    const std::vector<Bytes> bytes = bytesOfSites(*analysis);
    std::vector<std::uint32_t> order(bytes.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t site) { return bytes[site]; });
    std::vector<PaletteEntry> entries;
    entries.reserve(order.size());
    const QString kind = translated("call site");
    const QString tip = translated("Highlight the allocations of this call site; bytes are at the peak");
    for (const std::uint32_t number : order) {
        const CallSite site = analysis->sites.site(SiteId(number));
        entries.push_back({.title = toQString(site.label),
            .kind = kind,
            .run = [&page, shown = analysis.get(), number] { highlightSite(page, shown, SiteId(number)); },
            .detail = bytes[number] > 0 ? totalText(*analysis, bytes[number]) : QString(),
            .also = toQString(site.key),
            .toolTip = tip});
    }
    return entries;
}

std::vector<PaletteEntry> placeEntries(
    const QString& text, const std::shared_ptr<const DeviceAnalysis>& analysis, DocumentPage& page)
{
    std::vector<PaletteEntry> entries;
    const auto targets = parseGoTo(text.toStdString(), *analysis, page.selection().cursor());
    const QString name = text.simplified();
    const bool isStep = name.startsWith(QLatin1String("step"), Qt::CaseInsensitive)
        || std::ranges::any_of(analysis->steps.steps,
            [&](const Step& step) { return name.compare(toQString(step.name), Qt::CaseInsensitive) == 0; });
    if (!targets || isStep) // steps are entries of their own
        return entries;
    for (const GoToTarget& target : *targets) {
        if (entries.size() == kMaxPlaces)
            break;
        const bool isAllocation = target.allocation != Selection::kNone;
        entries.push_back({.title = toQString(describe(target, *analysis)),
            .kind = isAllocation ? translated("allocation") : translated("event"),
            .run =
                [&page, analysis, target] {
                    if (page.analysis() == analysis)
                        page.goTo(target);
                },
            .toolTip = translated("Go there")});
    }
    return entries;
}

std::vector<PaletteEntry> noteEntries(NoteCommands& notes)
{
    std::vector<PaletteEntry> entries;
    const Notes& list = notes.list().notes();
    for (std::size_t i = 0; i < list.size(); ++i)
        entries.push_back({.title = titleOf(list[i]),
            .kind = translated("note"),
            .run = [&notes, i] { notes.goTo(static_cast<int>(i)); },
            .detail = translated("note %1").arg(i + 1),
            .also = linesToQString(list[i].text) + QLatin1Char('\n') + notes.context().placeOf(list[i]),
            .toolTip = notes.context().placeOf(list[i]),
            .isSentence = true});
    return entries;
}

PaletteSources paletteSources(
    const QList<QAction*>& menus, DocumentPage* page, RunSession& session, NoteCommands& notes)
{
    PaletteSources sources{commandEntries(menus)};
    std::ranges::move(noteEntries(notes), std::back_inserter(sources.entries));
    if (!page || !page->analysis())
        return sources;
    for (std::vector<PaletteEntry> entries : {viewEntries(*page), bandEntries(*page), stepEntries(*page),
             findingEntries(*page), comparedStepEntries(*page), fileEntries(session), deviceEntries(*page)})
        std::ranges::move(entries, std::back_inserter(sources.entries));
    const std::shared_ptr<const DeviceAnalysis> analysis = page->analysis();
    sources.more = [analysis, page] { return callSiteEntries(analysis, *page); };
    sources.typed = [analysis, page](const QString& text) { return placeEntries(text, analysis, *page); };
    return sources;
}

} // namespace highwater::gui
