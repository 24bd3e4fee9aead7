#pragma once

#include <functional>

#include <QFontMetrics>
#include <QLabel>

namespace highwater::gui {

/// Returns the text if it fits, else the text without its last clauses, with an ellipsis unless a whole
/// sentence or main clause is left. If the clauses left would be shorter than half of the words that fit,
/// returns these words and an ellipsis, or only the ellipsis. No number is cut or parted from its unit. A
/// clause in brackets is left out whole.
QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits);
/// Shortens a text to a width in pixels, as `shortenedToFit` does.
QString shortenedTo(int room, const QString& text, const QFontMetrics& font);

/// One line of plain text that loses clauses or words if it does not fit; the tool tip shows the whole text.
class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    /// Returns the text as painted.
    QString shown() const;

    QSize minimumSizeHint() const override { return {40, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

} // namespace highwater::gui
