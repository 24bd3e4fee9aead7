#pragma once

#include <functional>

#include <QLabel>

namespace highwater::gui {

/// Returns the text if it fits, else the text without its last clauses, with an ellipsis unless it ends with
/// a whole sentence. If even the first clause does not fit, returns its first words and an ellipsis. Between
/// clauses, brackets are never cut in two.
QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits);

/// One line of plain text that is cut with "…", or after a clause, if it does not fit; the tool tip shows the
/// whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Leaves out the last clauses of a sentence rather than cutting a word.
    void setCutByClauses() { m_cutByClauses = true; }
    /// Returns the text as painted.
    QString shown() const;

    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool m_cutByClauses = false;
};

} // namespace highwater::gui
