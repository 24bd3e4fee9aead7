#pragma once

#include <QWidget>

#include "app/timeline/parts/text_cache.h"

namespace highwater::gui {

/// One line of plain text in the status bar that may change with every mouse move. The widget grows but never
/// shrinks, so that only a text wider than all before makes the window lay itself out again. A QLabel would
/// make it do so for every text.
class StatusText : public QWidget
{
    Q_OBJECT

public:
    StatusText(Qt::AlignmentFlag side, QWidget* parent);

    void setText(const QString& text);
    QString text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeRoom();

    Qt::AlignmentFlag m_side;
    QString m_text;
    TextCache m_textCache;
};

} // namespace highwater::gui
