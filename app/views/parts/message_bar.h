#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace highwater::gui {

/// A sentence that stays until the user closes it, for example about a file that cannot be opened or is
/// incomplete. It may have buttons that offer actions.
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

    /// Shows the sentence after `subject` in bold.
    void showMessage(const QString& subject, const QString& sentence);
    /// Shows the message with buttons. A button closes the bar, then runs its action.
    void ask(const QString& subject, const QString& sentence, const std::vector<Answer>& answers);
    /// The message as plain text; empty while hidden.
    QString text() const { return m_text; }
    void dismiss();

private:
    QLabel* m_label;
    QHBoxLayout* m_layout;
    std::vector<QPushButton*> m_answers;
    QString m_text;
};

/// Places message bars over the lower edge of a widget, outside its layout, so that nothing moves when a bar
/// appears. Takes ownership of the bars; the widget owns the stack.
class MessageStack : public QWidget
{
    Q_OBJECT

public:
    MessageStack(std::initializer_list<MessageBar*> bars, QWidget& host);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void placeBars();

    QWidget& m_host;
    std::vector<MessageBar*> m_bars;
};

} // namespace highwater::gui
