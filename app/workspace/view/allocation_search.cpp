#include "app/workspace/view/allocation_search.h"

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

AllocationSearch::AllocationSearch(QObject* parent)
    : QObject(parent)
{
}

void AllocationSearch::setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis)
{
    if (analysis == m_analysis)
        return;
    m_analysis = std::move(analysis);
    m_requestedFilter = {};
    m_result.reset();
    startSearch();
}

void AllocationSearch::setText(const QString& text)
{
    if (text == m_text)
        return;
    m_text = text;
    startSearch();
}

void AllocationSearch::setWindow(Window window, std::int64_t first, std::int64_t last)
{
    const bool sameWindow = window == m_window;
    if (sameWindow && first == m_viewFirst && last == m_viewLast)
        return;
    m_window = window;
    m_viewFirst = first;
    m_viewLast = last;
    // A search anywhere does not depend on the view.
    if (!sameWindow || window != Window::Anywhere)
        startSearch();
}

void AllocationSearch::clear()
{
    if (m_text.isEmpty() && m_window == Window::Anywhere)
        return;
    m_text.clear();
    m_window = Window::Anywhere;
    startSearch();
}

Result<FilterSpec> AllocationSearch::spec() const
{
    Result<FilterSpec> spec = parseFilter(m_text.toStdString());
    if (spec && m_window != Window::Anywhere) {
        spec->window = m_window;
        spec->firstEvent = m_viewFirst;
        spec->lastEvent = m_viewLast;
    }
    return spec;
}

void AllocationSearch::startSearch()
{
    const Result<FilterSpec> wanted = spec();
    if (!wanted || !m_analysis || wanted->isEmpty()) {
        m_requestedFilter = {};
        ++m_requestNumber;
        m_task.drop();
        setAnswer({nullptr, wanted ? QString() : toQString(toText(wanted.error()))});
        return;
    }
    if (*wanted == m_requestedFilter) { // different text with the same meaning
        emit changed();
        return;
    }
    m_requestedFilter = *wanted;
    m_busy = true;
    m_error.clear();
    const quint64 request = ++m_requestNumber;
    m_task.run([this, request, analysis = m_analysis, filter = m_requestedFilter]() -> LatestTask::Delivery {
        return [this, request, found = findMatches(*analysis, filter)] { accept(request, found); };
    });
    emit changed();
}

AllocationSearch::Answer AllocationSearch::findMatches(const DeviceAnalysis& analysis, const FilterSpec& spec)
{
    Result<FilterResult> found = filterAllocations(analysis.allocations, analysis.categories, spec);
    if (!found)
        return {
            nullptr, QStringLiteral("/%1/ %2").arg(toQString(spec.text), toQString(toText(found.error())))};
    return {std::make_shared<const FilterResult>(std::move(*found)), {}};
}

void AllocationSearch::accept(quint64 request, const Answer& answer)
{
    if (request == m_requestNumber)
        setAnswer(answer);
}

void AllocationSearch::setAnswer(const Answer& answer)
{
    m_result = answer.result;
    m_error = answer.error;
    m_busy = false;
    emit changed();
}

AllocationIndex AllocationSearch::next(AllocationIndex from) const
{
    if (!m_result)
        return kNone;
    const AllocationIndex nextMatch = m_result->next(from);
    return nextMatch == kNone ? m_result->next(kNone) : nextMatch;
}

AllocationIndex AllocationSearch::previous(AllocationIndex from) const
{
    if (!m_result)
        return kNone;
    const AllocationIndex previousMatch = m_result->previous(from);
    return previousMatch == kNone ? m_result->previous(kNone) : previousMatch;
}

} // namespace highwater::gui
