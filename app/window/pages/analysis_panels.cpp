#include "app/window/pages/analysis_panels.h"

#include <QSettings>
#include <QSplitter>

#include "app/views/budget/budget_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/ranks/ranks_view.h"
#include "app/views/segments/segments_view.h"
#include "app/views/steps/steps_view.h"
#include "app/workspace/view/analysis_settings.h"

namespace highwater::gui {

namespace {

const QString kView = QStringLiteral("view");
const QString kSplitter = QStringLiteral("splitters/");

AnalysisPanel* makeFindings(const PanelParts& parts)
{
    return new FindingsView(parts.run, parts.bandView);
}

AnalysisPanel* makeSteps(const PanelParts& parts)
{
    auto* steps = new StepsView(parts.selection);
    QObject::connect(steps, &StepsView::stepsRequested, &parts.analysisSettings, &AnalysisSettings::setSteps);
    return steps;
}

AnalysisPanel* makeMoment(const PanelParts& parts)
{
    return new CompositionView(parts.selection, parts.bandView);
}

AnalysisPanel* makeSegments(const PanelParts& parts)
{
    auto* segments = new SegmentsView(parts.selection, parts.bandView);
    QObject::connect(&parts.run, &RunState::changed, segments, [segments, run = &parts.run] {
        segments->setProcessLimit(run->study() ? run->study()->logged().processLimit : std::nullopt);
    });
    return segments;
}

AnalysisPanel* makeBudget(const PanelParts& parts)
{
    return new BudgetView(parts.run);
}

AnalysisPanel* makeRanks(const PanelParts& parts)
{
    return new RanksView(parts.files);
}

AnalysisPanel* makeLog(const PanelParts&)
{
    return new LogView;
}

constexpr ViewKind kViews[] = {
    {"timeline"}, // the timeline alone, without a panel
    {"summary", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Findings"),
        QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Problems of the run, with evidence and next steps"),
        makeFindings},
    {"steps", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Steps"),
        QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Peak of every step, and whether memory leaks"),
        makeSteps},
    {"moment", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Moment"),
        QT_TRANSLATE_NOOP(
            "highwater::gui::PanelTabs", "What uses the memory at the cursor, at a peak, or in a range"),
        makeMoment},
    {"segments", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Segments"),
        QT_TRANSLATE_NOOP("highwater::gui::PanelTabs",
            "Reserved memory and its fragmentation: blocks in use and free, the blocks that keep segments "
            "reserved, and why memory ran out"),
        makeSegments},
    {"budget", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Budget"),
        QT_TRANSLATE_NOOP("highwater::gui::PanelTabs",
            "Memory expected from the run's configuration, next to what it used"),
        makeBudget},
    {"ranks", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Ranks"),
        QT_TRANSLATE_NOOP(
            "highwater::gui::PanelTabs", "Peaks and totals of all ranks of the run, and which rank differs"),
        makeRanks},
    {"log", QT_TRANSLATE_NOOP("highwater::gui::PanelTabs", "Log"),
        QT_TRANSLATE_NOOP("highwater::gui::PanelTabs",
            "The log of the run: its text, its series and its out-of-memory messages"),
        makeLog},
    {"compare"}, // a page of its own
    {"report"}, // a page of its own
};

} // namespace

std::span<const ViewKind> viewKinds()
{
    return kViews;
}

QStringList viewNames()
{
    QStringList names;
    for (const ViewKind& view : kViews)
        names << QString::fromLatin1(view.name);
    return names;
}

void addAnalysisPanels(PanelTabs& tabs, const PanelParts& parts)
{
    for (const ViewKind& view : kViews)
        if (view.make)
            tabs.add(view.make(parts), QString::fromLatin1(view.name), PanelTabs::tr(view.title),
                PanelTabs::tr(view.tip));
}

void savePanelLayout(QSettings& settings, const PanelTabs& tabs, const QWidget& page)
{
    settings.setValue(kView, tabs.openName());
    for (const QSplitter* splitter : page.findChildren<QSplitter*>())
        if (!splitter->objectName().isEmpty())
            settings.setValue(kSplitter + splitter->objectName(), splitter->saveState());
}

void restorePanelLayout(const QSettings& settings, PanelTabs& tabs, const QWidget& page)
{
    for (QSplitter* splitter : page.findChildren<QSplitter*>())
        splitter->restoreState(settings.value(kSplitter + splitter->objectName()).toByteArray());
    if (!settings.contains(kView))
        return;
    if (const QString view = settings.value(kView).toString(); !tabs.open(view))
        tabs.setExtent(PanelTabs::Extent::Collapsed);
}

} // namespace highwater::gui
