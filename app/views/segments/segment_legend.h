#pragma once

#include <vector>

#include <QWidget>

#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// What the address map's boxes mean: a sample and a word for each state.
class SegmentLegend : public QWidget
{
    Q_OBJECT

public:
    explicit SegmentLegend(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    /// Whether pending frees are on screen.
    void setSubject(bool hasPending);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry;
    std::vector<Entry> entries() const;

    ThemeColors m_colors;
    bool m_hasPending = false;
};

} // namespace highwater::gui
