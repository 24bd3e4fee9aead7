#pragma once

#include <memory>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/analysis/usage/allocation_filter.h"

namespace highwater::gui {

/// What is searched for on one device, and which allocations answer to it. The search runs off the GUI
/// thread; of questions asked meanwhile only the newest is answered.
class AllocationSearch : public QObject
{
    Q_OBJECT

public:
    using Window = FilterSpec::Window;
    static constexpr AllocationIndex kNone = AllocationTable::kNoAllocation;

    explicit AllocationSearch(QObject* parent = nullptr);

    /// Asks the same of another device; null: of none. The last answer is dropped at once.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis);
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }

    /// The content of the search box, in the syntax of `parseFilter`.
    void setText(const QString& text);
    const QString& text() const { return m_text; }

    /// Where matches must be born or live; with an empty text it is a search of its own.
    void setWindow(Window window) { setWindow(window, m_viewFirst, m_viewLast); }
    /// The same, and the events [first, last) that are in view.
    void setWindow(Window window, std::int64_t first, std::int64_t last);
    /// The events [first, last) in view, which a window other than Anywhere follows.
    void setView(std::int64_t first, std::int64_t last) { setWindow(m_window, first, last); }
    Window window() const { return m_window; }

    /// No search: empty text, anywhere.
    void clear();

    /// The newest answer; while `isBusy` that to an earlier question about the same device. Null: no search.
    const std::shared_ptr<const FilterResult>& result() const { return m_result; }
    /// One sentence if the text is not understood; empty otherwise.
    const QString& error() const { return m_error; }
    bool isBusy() const { return m_busy; }

    /// Nearest match after or before an allocation (kNone: the first, the last), round the end; kNone when
    /// nothing matches.
    AllocationIndex next(AllocationIndex from) const;
    AllocationIndex previous(AllocationIndex from) const;

signals:
    /// Of anything above.
    void changed();

private:
    struct Answer
    {
        std::shared_ptr<const FilterResult> result;
        QString error;
    };

    static Answer answer(const DeviceAnalysis& analysis, const FilterSpec& spec);
    Result<FilterSpec> spec() const;
    void ask();
    void accept(quint64 question, const Answer& answer);
    void settle(const Answer& answer);

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    QString m_text;
    Window m_window = Window::Anywhere;
    std::int64_t m_viewFirst = 0;
    std::int64_t m_viewLast = 0;
    FilterSpec m_asked; ///< filter of the newest answer, delivered or pending
    std::shared_ptr<const FilterResult> m_result;
    QString m_error;
    quint64 m_question = 0;
    bool m_busy = false;
    LatestTask m_task;
};

} // namespace highwater::gui
