#include "app/window/pages/question_views.h"

#include <QSettings>
#include <QSplitter>

#include "app/views/budget/budget_view.h"
#include "app/views/findings/findings_view.h"
#include "app/views/moment/moment_view.h"
#include "app/views/parts/question_tabs.h"
#include "app/views/segments/segments_view.h"
#include "app/views/steps/steps_view.h"
#include "app/workspace/view/analysis_view.h"

namespace highwater::gui {

void addQuestionViews(QuestionTabs& tabs, Selection& selection, BandView& bandView, AnalysisView& reading)
{
    tabs.add(new FindingsView(selection, bandView), QStringLiteral("summary"), QuestionTabs::tr("Summary"),
        QuestionTabs::tr("What is wrong with the run, with its evidence and what to do next"));
    auto* steps = new StepsView(selection);
    QObject::connect(steps, &StepsView::stepsRequested, &reading, &AnalysisView::setSteps);
    tabs.add(steps, QStringLiteral("steps"), QuestionTabs::tr("Steps"),
        QuestionTabs::tr("The peak of every step, and whether memory grows"));
    tabs.add(new MomentView(selection, bandView), QStringLiteral("moment"),
        QuestionTabs::tr("At this moment"),
        QuestionTabs::tr("What holds the memory at the cursor, at a peak, or of a range"));
    tabs.add(new SegmentsView(selection, bandView), QStringLiteral("segments"), QuestionTabs::tr("Segments"),
        QuestionTabs::tr("Where the reserved memory is: blocks, holes, what pins them, and why it ran out"));
    tabs.add(new BudgetView, QStringLiteral("budget"), QuestionTabs::tr("Budget"),
        QuestionTabs::tr("What the run should need by its configuration, beside what it was seen to need"));
}

namespace {
const QString kView = QStringLiteral("view");
const QString kSplitter = QStringLiteral("splitters/");
} // namespace

void saveQuestionLayout(QSettings& settings, const QuestionTabs& tabs, const QWidget& page)
{
    settings.setValue(kView, tabs.openName());
    for (const QSplitter* splitter : page.findChildren<QSplitter*>())
        if (!splitter->objectName().isEmpty())
            settings.setValue(kSplitter + splitter->objectName(), splitter->saveState());
}

void restoreQuestionLayout(const QSettings& settings, QuestionTabs& tabs, const QWidget& page)
{
    for (QSplitter* splitter : page.findChildren<QSplitter*>())
        splitter->restoreState(settings.value(kSplitter + splitter->objectName()).toByteArray());
    if (!settings.contains(kView))
        return;
    if (const QString view = settings.value(kView).toString(); !tabs.open(view))
        tabs.setExtent(QuestionTabs::Extent::Collapsed);
}

} // namespace highwater::gui
