#pragma once

#include <functional>

#include <QFontMetrics>
#include <QLabel>

namespace highwater::gui {

/// Returns the text if it fits, else the text without its last clauses, with an ellipsis unless it ends with
/// a whole sentence. If these would leave less than half of what fits, returns the first words and an
/// ellipsis. Neither cuts a number or parts it from its unit. Between clauses, brackets are never cut in two.
QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits);
/// Does so for a room in pixels.
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
