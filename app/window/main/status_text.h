#pragma once

#include <QWidget>

#include "app/timeline/parts/text_cache.h"

namespace highwater::gui {

/// One line of plain text in the status bar that may change with every mouse move. It grows but never
/// shrinks, so that the window is laid out again only for a text wider than all before; a QLabel would do so
/// for each.
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
    TextCache m_texts;
};

} // namespace highwater::gui
