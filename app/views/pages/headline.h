#pragma once

#include <QStringList>
#include <QWidget>

namespace highwater::gui {

/// The diagnosis in two lines: as many clauses of the verdict as fit, and below them as many of the others
/// and of the details. The core of the verdict is its text up to the colon; of a failure, it includes the
/// cause. The core takes both lines if it needs them, and the size of the window's font if both lines are too
/// short. If that is not enough, the second line loses its start if it ends with a place, else its end. The
/// tool tip shows the whole text, the context menu copies it.
class Headline : public QWidget
{
    Q_OBJECT

public:
    explicit Headline(QWidget* parent = nullptr);

    void setText(const QString& verdict, const QString& details);
    /// Returns the whole text, including what does not fit.
    QString text() const;
    const QString& verdict() const { return m_verdict; }
    const QString& details() const { return m_details; }
    /// Returns the lines as painted.
    const QStringList& shownLines() const { return m_lines; }
    /// Return the width that the core of the verdict needs in one line, and in at most two lines, in pixels.
    int oneLineWidth() const;
    int twoLineWidth() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

signals:
    /// The mouse has entered or left the headline.
    void pointedAt(bool isInside);

protected:
    void enterEvent(QEnterEvent*) override { emit pointedAt(true); }
    void leaveEvent(QEvent*) override { emit pointedAt(false); }
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { breakLines(); }
    void changeEvent(QEvent* event) override;

private:
    QFont verdictFont() const;
    QFont shownFont() const;
    void breakLines();
    QString core() const;
    bool breakCore(const QFontMetrics& metrics);

    QString m_verdict;
    QString m_details;
    QStringList m_lines;
    bool m_isSmall = false; ///< the verdict has the window's font size
    bool m_isCoreBroken = false; ///< both lines are the core of the verdict
};

} // namespace highwater::gui
