#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace highwater::gui {

/// A heading with the number of sentences; a click shows or hides the sentences below it, which are hidden at
/// first.
class FoldedText : public QWidget
{
    Q_OBJECT

public:
    explicit FoldedText(const QString& title, QWidget* parent = nullptr);

    /// Hides the widget if there are no sentences.
    void setSentences(const QStringList& sentences);
    void unfold(bool open);

private:
    QToolButton* m_head;
    QLabel* m_text;
    QString m_title;
};

} // namespace highwater::gui
