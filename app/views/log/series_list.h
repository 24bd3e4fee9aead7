#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <QTreeWidget>

#include "core/trace/trace.h"

namespace highwater::gui {

/// The series of a log, each with a box that draws it. Memory of the log's own GPU comes first; the rest is
/// folded in a row "More", which is open if there is nothing else. The drawn series have one unit: a series
/// in another one replaces them.
class SeriesList : public QTreeWidget
{
    Q_OBJECT

public:
    explicit SeriesList(QWidget* parent = nullptr);

    /// Lists the series of a log and checks those to draw at first; null empties the list.
    void setTrace(std::shared_ptr<const Trace> trace);
    /// Returns the series in their order, as indices into `Trace::counters`; those behind "More" come last.
    const std::vector<std::size_t>& order() const { return m_order; }
    /// Returns the series to draw, in their order.
    std::vector<std::size_t> checked() const;
    /// True if the log has memory of its own GPU.
    bool hasMemory() const { return m_hasMemory; }
    /// Shows the colour of each series next to its name.
    void setColors(const std::function<QColor(std::size_t series)>& colorOf);

signals:
    /// The user checked or unchecked a series.
    void checkedChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addRows(QTreeWidgetItem& parent, const std::vector<std::size_t>& series,
        const std::vector<std::size_t>& drawn);
    void takeChange(const QTreeWidgetItem* item, int column);
    void fitNames();
    void uncheckOtherUnits(const std::string& unit);

    std::shared_ptr<const Trace> m_trace;
    std::vector<std::size_t> m_order;
    std::vector<QTreeWidgetItem*> m_rows; ///< parallel to `m_order`; owned by the tree
    bool m_hasMemory = false;
};

} // namespace highwater::gui
