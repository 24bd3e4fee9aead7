#pragma once

#include <QWidget>

#include "app/timeline/parts/text_cache.h"

namespace highwater::gui {

/// One line of plain text in the status bar that may change with every mouse move. The widget asks for room
/// for the widest text so far, so that only a wider one makes the window lay itself out again. Where the
/// window is too narrow, the text is cut and the tool tip has it whole.
class StatusText : public QWidget
{
    Q_OBJECT

public:
    StatusText(Qt::AlignmentFlag side, QWidget* parent);

    void setText(const QString& text);
    QString text() const { return m_text; }

    QSize sizeHint() const override { return m_room; }
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeRoom();
    /// Returns the text, cut to the width.
    QString shownText() const;

    Qt::AlignmentFlag m_side;
    QString m_text;
    QSize m_room; ///< for the widest text so far
    mutable TextCache m_textCache; ///< measuring fills it
};

} // namespace highwater::gui
