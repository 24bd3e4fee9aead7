#include "app/window/question_views.h"

#include "app/views/moment_view.h"
#include "app/views/question_tabs.h"
#include "app/views/segments_view.h"
#include "app/views/steps_view.h"
#include "app/workspace/analysis_view.h"

namespace highwater::gui {

void addQuestionViews(QuestionTabs& tabs, Selection& selection, BandView& bandView, AnalysisView& reading)
{
    auto* steps = new StepsView(selection);
    QObject::connect(steps, &StepsView::stepsRequested, &reading, &AnalysisView::setSteps);
    tabs.add(steps, QStringLiteral("steps"), QuestionTabs::tr("Steps"),
        QuestionTabs::tr("The peak of every step, and whether memory grows"));
    tabs.add(new MomentView(selection, bandView), QStringLiteral("moment"),
        QuestionTabs::tr("At this moment"),
        QuestionTabs::tr("What holds the memory at the cursor, at a peak, or of a range"));
    tabs.add(new SegmentsView(selection, bandView), QStringLiteral("segments"), QuestionTabs::tr("Segments"),
        QuestionTabs::tr("Where the reserved memory is: blocks, holes, what pins them, and why it ran out"));
}

} // namespace highwater::gui
