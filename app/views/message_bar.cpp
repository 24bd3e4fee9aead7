#include "app/views/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace highwater::gui {

MessageBar::MessageBar(Kind kind, QWidget* parent)
    : QFrame(parent)
    , m_label(new QLabel(this))
{
    setObjectName(kind == Kind::Error ? QStringLiteral("errorBar") : QStringLiteral("warningBar"));
    setAccessibleName(kind == Kind::Error ? tr("Error") : tr("Warning"));
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::RichText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* close = new QToolButton(this);
    close->setText(tr("Close"));
    close->setAutoRaise(true);
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(tr("Close message"));
    connect(close, &QToolButton::clicked, this, &MessageBar::dismiss);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->addWidget(m_label, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
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

QString MessageBar::text() const
{
    return m_text;
}

void MessageBar::dismiss()
{
    m_text.clear();
    hide();
}

} // namespace highwater::gui
