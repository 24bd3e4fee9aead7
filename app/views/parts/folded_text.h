#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace highwater::gui {

/// A heading with its number of sentences that unfolds them; folded at first.
class FoldedText : public QWidget
{
    Q_OBJECT

public:
    explicit FoldedText(const QString& title, QWidget* parent = nullptr);

    /// Hidden where there are none.
    void setSentences(const QStringList& sentences);
    void unfold(bool open);

private:
    QToolButton* m_head;
    QLabel* m_text;
    QString m_title;
};

} // namespace highwater::gui
