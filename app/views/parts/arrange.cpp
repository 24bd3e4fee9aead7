#include "app/views/parts/arrange.h"

#include <algorithm>

#include <QAction>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QTextDocument>
#include <QToolTip>

namespace highwater::gui {

namespace {

template <typename Layout>
Layout* fillLayout(Layout* layout, std::initializer_list<Part> parts, const Gaps& gaps)
{
    layout->setContentsMargins(gaps.around);
    layout->setSpacing(gaps.between);
    for (const Part& part : parts) {
        if (part.widget)
            layout->addWidget(part.widget, part.stretch, part.alignment);
        else if (part.layout)
            layout->addLayout(part.layout, part.stretch);
        else if (part.pixels > 0)
            layout->addSpacing(part.pixels);
        else
            layout->addStretch(part.stretch);
    }
    return layout;
}

} // namespace

Part Part::space(int share)
{
    return {static_cast<QWidget*>(nullptr), share};
}

Part Part::gap(int pixels)
{
    Part part = space(0);
    part.pixels = pixels;
    return part;
}

QHBoxLayout* layRow(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps)
{
    return fillLayout(new QHBoxLayout(widget), parts, gaps);
}

QVBoxLayout* layColumn(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps)
{
    return fillLayout(new QVBoxLayout(widget), parts, gaps);
}

QSplitter* fillSplitter(QSplitter* splitter, std::initializer_list<Part> parts, const QList<int>& sizes)
{
    for (const Part& part : parts) {
        splitter->addWidget(part.widget);
        splitter->setStretchFactor(splitter->count() - 1, part.stretch);
    }
    if (!sizes.isEmpty())
        splitter->setSizes(sizes);
    return splitter;
}

void makeSelectable(QLabel& label, Qt::TextFormat format, const QMargins& margins)
{
    label.setWordWrap(true);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse);
    label.setTextFormat(format);
    label.setContentsMargins(margins);
}

void makeBold(QWidget& widget, double factor)
{
    QFont font = widget.font();
    if (factor != 1)
        font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(true);
    widget.setFont(font);
}

QFont smallFont(QFont font)
{
    font.setPointSizeF(font.pointSizeF() * 11 / 12);
    return font;
}

QAction* addContextAction(QWidget& widget, const QString& text, std::function<void()> onTriggered)
{
    auto* action = new QAction(text, &widget);
    QObject::connect(action, &QAction::triggered, &widget, std::move(onTriggered));
    widget.addAction(action);
    widget.setContextMenuPolicy(Qt::ActionsContextMenu);
    return action;
}

bool keepKeys(QEvent& event, std::initializer_list<int> keys)
{
    if (event.type() != QEvent::ShortcutOverride)
        return false;
    const auto& pressed = static_cast<QKeyEvent&>(event);
    const bool isKept
        = !(pressed.modifiers() & ~Qt::KeypadModifier) && std::ranges::count(keys, pressed.key()) > 0;
    if (isKept)
        event.accept();
    return isKept;
}

bool showTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint& position)>& tipAt)
{
    if (event.type() != QEvent::ToolTip)
        return false;
    const auto& help = static_cast<QHelpEvent&>(event);
    const QString tip = tipAt(help.pos());
    // Function names in a file may look like HTML tags.
    QToolTip::showText(
        help.globalPos(), Qt::mightBeRichText(tip) ? Qt::convertFromPlainText(tip) : tip, &widget);
    return true;
}

void connectButtons(QDialogButtonBox& buttons, const QDialog& dialog)
{
    buttons.setFocusProxy(nullptr); // otherwise Tab would stay among the buttons
    QObject::connect(&buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(&buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
}

} // namespace highwater::gui
