#include "app/window/pages/analysis_panels.h"

#include <QSettings>
#include <QSplitter>

#include "app/views/budget/budget_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/segments/segments_view.h"
#include "app/views/steps/steps_view.h"
#include "app/workspace/view/analysis_settings.h"

namespace highwater::gui {

void addAnalysisPanels(
    PanelTabs& tabs, RunState& run, Selection& selection, BandView& bandView, AnalysisSettings& reading)
{
    tabs.add(new FindingsView(run, bandView), QStringLiteral("summary"), PanelTabs::tr("Findings"),
        PanelTabs::tr("What is wrong with the run, with its evidence and what to do next"));
    auto* steps = new StepsView(selection);
    QObject::connect(steps, &StepsView::stepsRequested, &reading, &AnalysisSettings::setSteps);
    tabs.add(steps, QStringLiteral("steps"), PanelTabs::tr("Steps"),
        PanelTabs::tr("The peak of every step, and whether memory grows"));
    tabs.add(new CompositionView(selection, bandView), QStringLiteral("moment"), PanelTabs::tr("Moment"),
        PanelTabs::tr("What holds the memory at the cursor, at a peak, or of a range"));
    tabs.add(new SegmentsView(selection, bandView), QStringLiteral("segments"), PanelTabs::tr("Segments"),
        PanelTabs::tr("Where the reserved memory is: blocks, holes, the blocks that hold segments, and why "
                      "it ran out"));
    tabs.add(new BudgetView(run), QStringLiteral("budget"), PanelTabs::tr("Budget"),
        PanelTabs::tr("What the run should need by its configuration, beside what it did need"));
}

namespace {
const QString kView = QStringLiteral("view");
const QString kSplitter = QStringLiteral("splitters/");
} // namespace

void saveQuestionLayout(QSettings& settings, const PanelTabs& tabs, const QWidget& page)
{
    settings.setValue(kView, tabs.openName());
    for (const QSplitter* splitter : page.findChildren<QSplitter*>())
        if (!splitter->objectName().isEmpty())
            settings.setValue(kSplitter + splitter->objectName(), splitter->saveState());
}

void restoreQuestionLayout(const QSettings& settings, PanelTabs& tabs, const QWidget& page)
{
    for (QSplitter* splitter : page.findChildren<QSplitter*>())
        splitter->restoreState(settings.value(kSplitter + splitter->objectName()).toByteArray());
    if (!settings.contains(kView))
        return;
    if (const QString view = settings.value(kView).toString(); !tabs.open(view))
        tabs.setExtent(PanelTabs::Extent::Collapsed);
}

} // namespace highwater::gui
