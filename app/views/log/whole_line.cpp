#include "app/views/log/whole_line.h"

#include <algorithm>

#include <QTextLayout>
#include <QTextOption>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

namespace {
constexpr int kMaxLines = 8; ///< without scrolling
} // namespace

WholeLine::WholeLine(QWidget* parent)
    : PlainTextEdit(parent)
{
    named(this, "logWholeLine", tr("Selected line of the log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::ClickFocus); // the list of lines has the same text for the keyboard
}

void WholeLine::showLine(const QString& line)
{
    setPlainText(line);
    fitHeight();
}

void WholeLine::resizeEvent(QResizeEvent* event)
{
    PlainTextEdit::resizeEvent(event);
    fitHeight();
}

void WholeLine::fitHeight()
{
    QTextLayout layout(toPlainText(), font());
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    const double margin = document()->documentMargin();
    double height = 0;
    layout.beginLayout();
    for (int i = 0; i < kMaxLines; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid())
            break;
        line.setLineWidth(std::max(1.0, viewport()->width() - 2 * margin));
        height += line.height();
    }
    setVerticalScrollBarPolicy(
        layout.createLine().isValid() ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    layout.endLayout();
    setFixedHeight(qCeil(height + 2 * margin));
}

} // namespace highwater::gui
