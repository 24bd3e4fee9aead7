#pragma once

#include <functional>
#include <vector>

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace highwater::gui {

/// A sentence that stays until the user closes it, for example about a file that cannot be opened or is
/// incomplete. It may have buttons that offer actions. It has a row of its own above the pages, so that it
/// covers nothing.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    enum class Kind
    {
        Error,
        Warning,
        Question
    };
    /// A button that offers an action.
    struct Answer
    {
        QString text;
        QString tip;
        std::function<void()> run;
    };

    explicit MessageBar(Kind kind, QWidget* parent = nullptr);

    /// Shows `subject` in bold, and the sentence after it.
    void showMessage(const QString& subject, const QString& sentence);
    /// Shows the message with buttons. They leave the bar open: their action may be cancelled.
    void ask(const QString& subject, const QString& sentence, const std::vector<Answer>& answers);
    /// Returns the message as plain text; empty while hidden.
    QString text() const { return m_text; }
    void dismiss();

private:
    QLabel* m_label;
    QHBoxLayout* m_layout;
    std::vector<QPushButton*> m_answers;
    QString m_text;
};

} // namespace highwater::gui
