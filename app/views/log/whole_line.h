#pragma once

#include "app/views/parts/plain_text_edit.h"

namespace highwater::gui {

/// One line of a log, wrapped to its width and as high as its text; a text above the given height scrolls by
/// whole lines. Its layout must ask for its height for a width, as box layouts do.
class WholeLine : public PlainTextEdit
{
    Q_OBJECT

public:
    explicit WholeLine(QWidget* parent);

    /// Shows the text in at most `most` pixels of height.
    void showLine(const QString& line, int most);

    int heightForWidth(int width) const override { return fittingHeight(width).pixels; }
    QSize sizeHint() const override { return {0, heightForWidth(width())}; }
    QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Height
    {
        int pixels = 0;
        bool isWhole = false; ///< false if the text is longer
    };
    Height fittingHeight(int width) const;
    void fitScrollBar();

    int m_most = 0; ///< pixels
};

} // namespace highwater::gui
