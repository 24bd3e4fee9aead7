#pragma once

#include <functional>
#include <initializer_list>

#include <QBoxLayout>
#include <QMargins>
#include <QString>
#include <QWidget>

class QAction;
class QDialog;
class QDialogButtonBox;
class QLabel;
class QSplitter;

namespace highwater::gui {

/// Gives a widget the name that tests, settings and style sheets know it by, what a screen reader says, and
/// its tool tip.
template <typename Widget>
Widget* named(
    Widget* widget, const char* name, const QString& accessibleName = {}, const QString& toolTip = {})
{
    widget->setObjectName(QString::fromLatin1(name));
    if (!accessibleName.isEmpty())
        widget->setAccessibleName(accessibleName);
    if (!toolTip.isEmpty())
        widget->setToolTip(toolTip);
    return widget;
}

/// What a row or column is made of, with its share of the room that is left.
struct Part
{
    Part(QWidget* of, int share = 0, Qt::Alignment aligned = {})
        : widget(of)
        , stretch(share)
        , alignment(aligned)
    {
    }
    Part(QLayout* of, int share = 0)
        : layout(of)
        , stretch(share)
    {
    }
    /// Empty room that grows.
    static Part space(int share);
    /// Empty room of so many pixels.
    static Part gap(int pixels);

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int pixels = 0;
    int stretch = 0;
    Qt::Alignment alignment;
};

/// As the style has them.
inline constexpr QMargins kStyleMargins(-1, -1, -1, -1);

/// Pixels left free around and between the parts; -1 between them: as the style has it.
struct Gaps
{
    QMargins around = {};
    int between = 0;
};

/// Fills a widget with parts beside or below each other; null: to be put into another layout.
QHBoxLayout* layRow(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps = {});
QVBoxLayout* layColumn(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps = {});

/// Parts whose borders the user can move; `sizes` are those at first, the parts' shares those of what a
/// larger window brings. Returns the splitter.
QSplitter* fillSplitter(QSplitter* splitter, std::initializer_list<Part> parts, const QList<int>& sizes = {});

/// Sentences that wrap and can be selected.
void makeSelectable(QLabel& label, Qt::TextFormat format = Qt::AutoText, const QMargins& margins = {});
/// In the widget's font, bold, and larger by the factor.
void makeBold(QWidget& widget, double factor = 1);
/// For axes, lanes, legends, the heads of tables: 11 pixels where the window's texts have 12.
QFont smallFont(QFont font);
/// A command in the context menu of a widget.
QAction* addContextAction(QWidget& widget, const QString& text, std::function<void()> run);
/// Where the event asks for a tool tip: shows what `tipAt` says of the place, as plain text; empty: none.
/// False: it is another event.
bool showTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint& at)>& tipAt);

/// They accept and reject the dialog.
void connectButtons(QDialogButtonBox& buttons, const QDialog& dialog);

} // namespace highwater::gui
