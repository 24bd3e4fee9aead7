#pragma once

#include "app/views/parts/plain_text_edit.h"

namespace highwater::gui {

/// One line of a log, wrapped to the width and as high as its text, up to half its parent, which it
/// must have; a longer text scrolls.
class WholeLine : public PlainTextEdit
{
    Q_OBJECT

public:
    explicit WholeLine(QWidget* parent);

    void showLine(const QString& line);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitLater();
    void fitHeight();
};

} // namespace highwater::gui
