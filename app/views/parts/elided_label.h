#pragma once

#include <QLabel>

namespace highwater::gui {

/// One line of plain text that is cut with "…", or after a clause, if it does not fit; the tool tip shows the
/// whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// For sentences: leaves out the last clauses rather than cutting a word.
    void setCutByClauses() { m_cutByClauses = true; }
    /// The text as painted.
    QString shown() const;

    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool m_cutByClauses = false;
};

} // namespace highwater::gui
