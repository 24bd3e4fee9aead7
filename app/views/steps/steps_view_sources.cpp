#include <algorithm>

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QToolButton>

#include "app/views/steps/steps_view.h"

// The menu that chooses how steps are found.

namespace highwater::gui {

namespace {

QString titleOf(StepSource source)
{
    switch (source) {
    case StepSource::ProfilerStep: return StepsView::tr("profiler steps");
    case StepSource::OptimizerAnnotation: return StepsView::tr("optimizer annotations");
    case StepSource::Ranges: return StepsView::tr("user annotations");
    case StepSource::Log: return StepsView::tr("log lines");
    case StepSource::Frames: return StepsView::tr("stack frames");
    case StepSource::Periodicity: return StepsView::tr("repeating sizes");
    case StepSource::Manual: return StepsView::tr("manual markers");
    case StepSource::Whole: break;
    }
    return StepsView::tr("none: one step");
}

} // namespace

void StepsView::fillSources()
{
    QMenu* const menu = m_sources->menu();
    menu->clear();
    if (!m_analysis)
        return;
    const auto add = [&](const QString& title, StepRequest request, bool current) {
        QAction* const action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(current);
        connect(action, &QAction::triggered, this,
            [this, request = std::move(request)] { emit stepsRequested(request); });
    };
    const StepTable& steps = m_analysis->steps;
    for (const StepSource source : m_usableSources)
        add(titleOf(source), {source, {}, {}}, steps.source == source);
    add(titleOf(StepSource::Whole), {StepSource::Whole, {}, {}}, steps.source == StepSource::Whole);
    menu->addSeparator();
    connect(
        menu->addAction(tr("Matching annotations…")), &QAction::triggered, this, &StepsView::askForPattern);
    QAction* const marker = menu->addAction(tr("Start a step at the cursor"));
    marker->setEnabled(m_selection.cursor().value_or(-1) > 0);
    connect(marker, &QAction::triggered, this, [this] {
        StepRequest request{StepSource::Manual, {}, {}};
        if (m_analysis->steps.source == StepSource::Manual)
            for (const Step& step : m_analysis->steps.steps)
                if (step.begin > 0)
                    request.markers.push_back(step.begin);
        request.markers.push_back(*m_selection.cursor());
        std::sort(request.markers.begin(), request.markers.end());
        request.markers.erase(
            std::unique(request.markers.begin(), request.markers.end()), request.markers.end());
        emit stepsRequested(request);
    });
}

/// Finds the usable sources of steps off the GUI thread, because finding repetition in millions of events
/// takes a while.
void StepsView::findSources()
{
    m_usableSources.clear();
    m_sourceTask.drop();
    if (!m_analysis)
        return;
    m_sourceTask.run([this, analysis = m_analysis]() -> LatestTask::Delivery {
        const std::vector<StepSource> usable
            = usableStepSources(*analysis->trace, analysis->allocations, analysis->curve, analysis->phases);
        return [this, usable] { m_usableSources = usable; };
    });
}

void StepsView::askForPattern()
{
    bool accepted = false;
    const QString pattern = QInputDialog::getText(this, tr("Steps from annotations"),
        tr("A step begins with every annotation whose name matches this regular expression:"),
        QLineEdit::Normal, QStringLiteral("^step"), &accepted);
    if (accepted && !pattern.isEmpty())
        emit stepsRequested({StepSource::Ranges, pattern.toStdString(), {}});
}

} // namespace highwater::gui
