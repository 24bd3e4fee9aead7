#pragma once

#include <cstddef>
#include <vector>

#include <QLabel>

#include "core/base/units.h"

namespace highwater::gui {

/// The colours of the bands of two runs, in one row, with the hatching and the line of reserved memory.
/// Without room for all, it leaves out the bands with the fewest bytes and says how many; the tool tip names
/// them.
class ColorKey : public QLabel
{
    Q_OBJECT

public:
    struct Entry
    {
        QString color; ///< empty for hatching
        QString label;
        Bytes bytes = 0; ///< of both runs
        bool isLine = false; ///< a line above the bands

        bool isBand() const { return !isLine && !color.isEmpty(); }
        QString swatch() const;
    };

    explicit ColorKey(QWidget* parent = nullptr);

    /// Sets the entries in their order, and a remark for the tool tip, which may be empty. Without entries,
    /// the key is hidden.
    void setEntries(std::vector<Entry> entries, const QString& remark);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    static QString lineOf(const std::vector<Entry>& entries, std::size_t leftOut, bool isRich);

    std::vector<Entry> m_entries;
    QString m_remark;
};

} // namespace highwater::gui
