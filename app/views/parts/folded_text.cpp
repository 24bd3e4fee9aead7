#include "app/views/parts/folded_text.h"

#include <QLabel>
#include <QToolButton>

#include "app/views/parts/arrange.h"

namespace highwater::gui {

FoldedText::FoldedText(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_head(new QToolButton(this))
    , m_text(new QLabel(this))
    , m_title(title)
{
    m_head->setCheckable(true);
    m_head->setAutoRaise(true);
    m_head->setArrowType(Qt::RightArrow);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    makeSelectable(*m_text, Qt::PlainText, {20, 0, 8, 4});
    connect(m_head, &QToolButton::toggled, this, &FoldedText::unfold);
    layColumn(this, {{m_head, 0, Qt::AlignLeft}, m_text}, {{}, 2});
    setSentences({});
    m_text->hide();
}

void FoldedText::setSentences(const QStringList& sentences)
{
    setVisible(!sentences.isEmpty());
    m_head->setText(QStringLiteral("%1  %2").arg(m_title).arg(sentences.size()));
    m_head->setAccessibleName(m_head->text());
    m_text->setText(sentences.join(QLatin1Char('\n')));
}

void FoldedText::unfold(bool open)
{
    m_head->setChecked(open);
    m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_text->setVisible(open);
}

} // namespace highwater::gui
