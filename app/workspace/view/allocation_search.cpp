#include "app/workspace/view/allocation_search.h"

#include <utility>

#include "app/workspace/tasks/qt_text.h"

namespace highwater::gui {

namespace {

/// Returns the first match after `start` in the order of `isBefore`, else the first match of all; kNone if
/// nothing matches.
template <typename Before>
AllocationIndex firstAfter(const std::vector<bool>& matches, AllocationIndex start, Before isBefore)
{
    AllocationIndex first = AllocationSearch::kNone;
    AllocationIndex following = AllocationSearch::kNone;
    for (AllocationIndex i = 0; i < matches.size(); ++i) {
        if (!matches[i])
            continue;
        if (first == AllocationSearch::kNone || isBefore(i, first))
            first = i;
        if (start < matches.size() && isBefore(start, i)
            && (following == AllocationSearch::kNone || isBefore(i, following)))
            following = i;
    }
    return following == AllocationSearch::kNone ? first : following;
}

} // namespace

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

bool isLarger(const AllocationTable& allocations, AllocationIndex a, AllocationIndex b)
{
    return std::pair(allocations.bytes(b), a) < std::pair(allocations.bytes(a), b);
}

AllocationIndex AllocationSearch::next(AllocationIndex start) const
{
    if (!m_result)
        return kNone;
    return firstAfter(m_result->matches, start,
        [this](AllocationIndex a, AllocationIndex b) { return isLarger(m_analysis->allocations, a, b); });
}

AllocationIndex AllocationSearch::previous(AllocationIndex start) const
{
    if (!m_result)
        return kNone;
    return firstAfter(m_result->matches, start,
        [this](AllocationIndex a, AllocationIndex b) { return isLarger(m_analysis->allocations, b, a); });
}

std::int64_t AllocationSearch::numberOf(AllocationIndex match) const
{
    if (!m_result || match >= m_result->matches.size() || !m_result->matches[match])
        return 0;
    std::int64_t number = 1;
    for (AllocationIndex i = 0; i < m_result->matches.size(); ++i)
        if (m_result->matches[i] && isLarger(m_analysis->allocations, i, match))
            ++number;
    return number;
}

} // namespace highwater::gui
