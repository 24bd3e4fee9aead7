#include "app/views/log/whole_line.h"

#include <algorithm>

#include <QTextLayout>
#include <QTextOption>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

WholeLine::WholeLine(QWidget* parent)
    : PlainTextEdit(parent)
{
    named(this, "logWholeLine", tr("Selected line of the log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::ClickFocus); // the list of lines has the same text for the keyboard
}

void WholeLine::showLine(const QString& line, int most)
{
    setPlainText(line);
    m_most = most;
    if (isHidden())
        fitHeight(); // before it appears with the usual height of an editor
    fitLater();
}

void WholeLine::resizeEvent(QResizeEvent* event)
{
    PlainTextEdit::resizeEvent(event);
    fitLater();
}

/// Fits after the layout that is under way, which gives the line its width and would miss a new height.
void WholeLine::fitLater()
{
    QMetaObject::invokeMethod(this, &WholeLine::fitHeight, Qt::QueuedConnection);
}

void WholeLine::fitHeight()
{
    QTextLayout layout(toPlainText(), font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    const double margin = document()->documentMargin();
    const double width = parentWidget()->width() - 2 * (frameWidth() + margin);
    const double most = m_most - 2 * margin;
    double height = 0;
    bool isWhole = false;
    layout.beginLayout();
    for (;;) {
        QTextLine line = layout.createLine();
        isWhole = !line.isValid();
        if (isWhole)
            break;
        line.setLeadingIncluded(true); // as the editor does
        line.setLineWidth(std::max(1.0, width));
        if (height > 0 && height + line.height() > most)
            break;
        height += line.height();
    }
    layout.endLayout();
    setVerticalScrollBarPolicy(isWhole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    // One more where the text ends, since a line that just fits is cut. A longer text ends with a whole line.
    const double below = isWhole ? margin + 1 : 0;
    setFixedHeight(qCeil(margin + height + below) + 2 * frameWidth());
}

} // namespace highwater::gui
