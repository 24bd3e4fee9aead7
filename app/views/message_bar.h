#pragma once

#include <QFrame>

class QLabel;

namespace highwater::gui {

/// One sentence across the top of the view that stays until it is closed: a file that cannot be opened, a
/// file that is incomplete.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind
    {
        Error,
        Warning
    };

    explicit MessageBar(Kind kind, QWidget* parent = nullptr);

    /// `subject` stands in bold before the sentence.
    void showMessage(const QString& subject, const QString& sentence);
    /// What is shown, as plain text; empty when nothing is.
    QString text() const;
    void dismiss();

private:
    QLabel* m_label;
    QString m_text;
};

} // namespace highwater::gui
