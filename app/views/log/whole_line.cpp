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
    QSizePolicy policy(
        QSizePolicy::Expanding, QSizePolicy::Preferred); // `Fixed` would take the height of `sizeHint`
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void WholeLine::showLine(const QString& line, int most)
{
    if (toPlainText() != line)
        setPlainText(line);
    m_most = most;
    fitScrollBar();
    updateGeometry();
}

void WholeLine::resizeEvent(QResizeEvent* event)
{
    PlainTextEdit::resizeEvent(event);
    fitScrollBar();
}

void WholeLine::fitScrollBar()
{
    setVerticalScrollBarPolicy(
        fittingHeight(width()).isWhole ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
}

WholeLine::Height WholeLine::fittingHeight(int width) const
{
    QTextLayout layout(toPlainText(), font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    const double margin = document()->documentMargin();
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
        line.setLineWidth(std::max(1.0, width - 2 * (frameWidth() + margin)));
        if (height > 0 && height + line.height() > most)
            break;
        height += line.height();
    }
    layout.endLayout();
    // One more where the text ends, since a line that just fits is cut. A longer text ends with a whole line.
    const double below = isWhole ? margin + 1 : 0;
    return {qCeil(margin + height + below) + 2 * frameWidth(), isWhole};
}

} // namespace highwater::gui
