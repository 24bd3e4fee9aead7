#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

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

    /// `subject` is shown in bold before the sentence.
    void showMessage(const QString& subject, const QString& sentence);
    /// The same with buttons; each closes the bar before it does its work.
    void ask(const QString& subject, const QString& sentence, const std::vector<Answer>& answers);
    /// What is shown, as plain text; empty when nothing is.
    QString text() const { return m_text; }
    void dismiss();

private:
    QLabel* m_label;
    QHBoxLayout* m_layout;
    std::vector<QPushButton*> m_answers;
    QString m_text;
};

/// Message bars over the lower edge of a widget: what lies below stays where it is.
class MessageStack : public QWidget
{
    Q_OBJECT

public:
    MessageStack(std::initializer_list<MessageBar*> bars, QWidget& over);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget& m_over;
    std::vector<MessageBar*> m_bars;
};

} // namespace highwater::gui
