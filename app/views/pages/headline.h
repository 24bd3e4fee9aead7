#pragma once

#include <functional>

#include <QStringList>
#include <QWidget>

namespace highwater::gui {

/// The text as long as it fits, else without its last clauses; of the first clause what fits of its words and
/// an ellipsis. A bracket is never cut in two.
QString withoutTail(const QString& text, const std::function<bool(const QString&)>& fits);

/// What is wrong with the run: the verdict, and below it the rest of the diagnosis as far as there is room. A
/// long verdict takes both lines. The tool tip has the whole text, the context menu copies it.
class Headline : public QWidget
{
    Q_OBJECT

public:
    explicit Headline(QWidget* parent = nullptr);

    void setText(const QString& verdict, const QString& rest);
    /// All of it.
    QString text() const;
    /// What has room, line by line.
    const QStringList& shownLines() const { return m_lines; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { breakLines(); }
    void changeEvent(QEvent* event) override;

private:
    QFont verdictFont() const;
    void breakLines();

    QString m_verdict;
    QString m_rest;
    QStringList m_lines;
    bool m_isTight = false; ///< both lines are the verdict's
};

} // namespace highwater::gui
