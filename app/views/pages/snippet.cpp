#include "app/views/pages/snippet.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"

namespace highwater::gui {

Snippet::Snippet(QWidget* parent)
    : QWidget(parent)
    , m_code(named(new QLabel(this), "snippet", tr("Lines of code that record the file")))
{
    m_code->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_code->setTextFormat(Qt::PlainText);
    m_code->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_code->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_code->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* copy = named(
        new QToolButton(this), "copyLines", tr("Copy these lines"), tr("Copy the lines to the clipboard"));
    copy->setText(tr("Copy these lines"));
    copy->setIcon(lineIcon(LineIcon::Copy));
    copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(
        copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_code->text()); });
    layColumn(this, {m_code, {copy, 0, Qt::AlignLeft}}, {{}, 8});
}

void Snippet::setLines(const QString& lines)
{
    m_code->setText(lines);
}

} // namespace highwater::gui
