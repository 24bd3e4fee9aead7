#pragma once

#include <QLabel>

namespace highwater::gui {

/// One line of plain text that is cut with "…" if it does not fit; the tool tip shows the whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QString shown() const;
};

} // namespace highwater::gui
