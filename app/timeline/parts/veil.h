#pragma once

#include <QTimer>
#include <QWidget>

namespace highwater::gui {

/// Greys out a widget whose content is being replaced, once that takes longer than a blink, so that nobody
/// reads old content under new labels. Mouse and keyboard still reach the widget, which owns the veil.
class Veil : public QWidget
{
public:
    explicit Veil(QWidget& host);

    /// `isStale`: the content of the host is about to be replaced. False removes the veil at once.
    void setStale(bool isStale);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget& m_host;
    QTimer m_later; ///< runs while the content is stale and not yet greyed out
};

} // namespace highwater::gui
