#include "app/views/parts/message_bar.h"

#include <utility>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"

namespace highwater::gui {

MessageBar::MessageBar(Kind kind, QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
    , m_layout(new QHBoxLayout(this))
{
    setObjectName(kind == Kind::Error ? QStringLiteral("errorBar")
            : kind == Kind::Warning   ? QStringLiteral("warningBar")
                                      : QStringLiteral("questionBar"));
    setAccessibleName(kind == Kind::Error ? tr("Error")
            : kind == Kind::Warning       ? tr("Warning")
                                          : tr("Question"));
    makeSelectable(*m_label, Qt::RichText);
    auto* close = new QToolButton(this);
    close->setIcon(lineIcon(LineIcon::Close));
    close->setProperty("flat", true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close message"));
    connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
    m_layout->setContentsMargins(14, 6, 8, 6);
    m_layout->addWidget(m_label, 1);
    m_layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void MessageBar::showMessage(const QString& subject, const QString& sentence)
{
    m_text = subject + QStringLiteral(": ") + sentence;
    m_label->setText(
        QStringLiteral("<b>%1</b>&nbsp; %2").arg(subject.toHtmlEscaped(), sentence.toHtmlEscaped()));
    setAccessibleDescription(m_text);
    show();
}

void MessageBar::ask(const QString& subject, const QString& sentence, const std::vector<Answer>& answers)
{
    for (QPushButton* button : std::exchange(m_answers, {}))
        button->deleteLater();
    for (const Answer& answer : answers) {
        auto* button = new QPushButton(answer.text, this);
        button->setToolTip(answer.tip);
        m_layout->insertWidget(m_layout->count() - 1, button, 0, Qt::AlignTop);
        m_answers.push_back(button);
        connect(button, &QPushButton::clicked, this, answer.run);
    }
    showMessage(subject, sentence);
}

void MessageBar::dismiss()
{
    m_text.clear();
    hide();
}

} // namespace highwater::gui
