#pragma once

#include "app/views/parts/plain_text_edit.h"

namespace highwater::gui {

/// One line of a log, wrapped to the width of its parent, which it must have, and as high as its text; a text
/// above the given height scrolls by whole lines.
class WholeLine : public PlainTextEdit
{
    Q_OBJECT

public:
    explicit WholeLine(QWidget* parent);

    /// Shows the text in at most `most` pixels of height.
    void showLine(const QString& line, int most);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitLater();
    void fitHeight();

    int m_most = 0;
};

} // namespace highwater::gui
