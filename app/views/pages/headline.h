#pragma once

#include <functional>

#include <QStringList>
#include <QWidget>

namespace highwater::gui {

/// Returns the text if it fits, else the text without its last clauses. If even the first clause does not
/// fit, returns its first words and an ellipsis. Between clauses, brackets are never cut in two.
QString shortenedToFit(const QString& text, const std::function<bool(const QString&)>& fits);

/// The diagnosis in two lines: the verdict, and below it as many clauses of the rest as fit. A long verdict
/// takes both lines. The tool tip shows the whole text, the context menu copies it.
class Headline : public QWidget
{
    Q_OBJECT

public:
    explicit Headline(QWidget* parent = nullptr);

    void setText(const QString& verdict, const QString& details);
    /// The whole text, including what does not fit.
    QString text() const;
    const QString& verdict() const { return m_verdict; }
    const QString& details() const { return m_details; }
    /// The lines as painted.
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
    QString m_details;
    QStringList m_lines;
    bool m_isTight = false; ///< the verdict takes both lines
};

} // namespace highwater::gui
