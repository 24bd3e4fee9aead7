#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/categories/allocation_filter.h"

namespace highwater::gui {

/// The search on one device, and the allocations that match. It runs off the GUI thread; of the searches
/// requested meanwhile only the newest is run.
class AllocationSearch : public QObject
{
    Q_OBJECT

public:
    using Window = FilterSpec::Window;
    static constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;

    explicit AllocationSearch(QObject* parent = nullptr);

    /// Repeats the search on another device; without one there is no result. The text stays, and the last
    /// result is dropped at once.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }

    /// The content of the search box, in the syntax of `parseFilter`.
    void setText(const QString& text);
    const QString& text() const { return m_text; }

    /// Sets where matches must be born or live. With an empty text, the window alone is the search.
    void setWindow(Window window) { setWindow(window, m_viewFirst, m_viewLast); }
    /// Sets the window, and the events [first, last) in view.
    void setWindow(Window window, std::int64_t first, std::int64_t last);
    /// Sets the events [first, last) in view, which apply to any window but Anywhere.
    void setView(std::int64_t first, std::int64_t last) { setWindow(m_window, first, last); }
    Window window() const { return m_window; }

    /// Ends the search: empty text, anywhere.
    void clear();

    /// Returns the newest result; while `isBusy`, that of an earlier search on the same device. Null if there
    /// is no search or no result yet, or if the text is not understood.
    const std::shared_ptr<const FilterResult>& result() const { return m_result; }
    /// One sentence if the text is not understood; empty otherwise.
    const QString& error() const { return m_error; }
    bool isBusy() const { return m_busy; }

    /// Return the match after or before an allocation (kNone: the first, the last) in the order of
    /// `isLarger`, wrapping around; kNone if nothing matches. O(allocations).
    AllocationIndex next(AllocationIndex start) const;
    AllocationIndex previous(AllocationIndex start) const;
    /// Returns the number of a match in that order, the largest being 1; 0 if it does not match.
    /// O(allocations).
    std::int64_t numberOf(AllocationIndex match) const;

signals:
    /// Any of the above may have changed.
    void changed();

private:
    struct Answer
    {
        std::shared_ptr<const FilterResult> result;
        QString error;
    };

    static Answer findMatches(const DeviceAnalysis& analysis, const FilterSpec& spec);
    Result<FilterSpec> spec() const;
    void startSearch();
    void accept(quint64 request, const Answer& answer);
    void setAnswer(const Answer& answer);

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    QString m_text;
    Window m_window = Window::Anywhere;
    std::int64_t m_viewFirst = 0;
    std::int64_t m_viewLast = 0;
    FilterSpec m_requestedFilter; ///< filter of the newest result, delivered or pending
    std::shared_ptr<const FilterResult> m_result;
    QString m_error;
    quint64 m_requestNumber = 0;
    bool m_busy = false;
    LatestTask m_task;
};

/// True if `a` comes before `b` among matches: the largest first, equal ones in the order of the table.
bool isLarger(const AllocationTable& allocations, AllocationIndex a, AllocationIndex b);

} // namespace highwater::gui
