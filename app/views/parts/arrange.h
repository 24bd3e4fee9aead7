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

/// Sets a widget's object name (used by tests, settings and style sheets), its accessible name and its tool
/// tip; empty texts change nothing. Returns the widget.
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

/// An item of a row, column or splitter: a widget, a layout or empty room. `stretch` is its share of the
/// spare room.
struct Part
{
    Part(QWidget* content, int share = 0, Qt::Alignment aligned = {})
        : widget(content)
        , stretch(share)
        , alignment(aligned)
    {
    }
    Part(QLayout* content, int share = 0)
        : layout(content)
        , stretch(share)
    {
    }
    /// Returns empty room that takes this share of the spare room.
    static Part space(int share);
    /// Returns empty room of a fixed width or height.
    static Part gap(int pixels);

    QWidget* widget = nullptr;
    QLayout* layout = nullptr;
    int pixels = 0;
    int stretch = 0;
    Qt::Alignment alignment;
};

/// Leaves the margins to the style.
inline constexpr QMargins kStyleMargins(-1, -1, -1, -1);

/// Pixels around and between the parts. −1 for `between` leaves the spacing to the style.
struct Gaps
{
    QMargins around = {};
    int between = 0;
};

/// Lays out parts in a widget, side by side or one below the other. With a null widget, the caller must add
/// the layout to another layout, which then owns it.
QHBoxLayout* layRow(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps = {});
QVBoxLayout* layColumn(QWidget* widget, std::initializer_list<Part> parts, const Gaps& gaps = {});

/// Puts parts, which must be widgets, into a splitter, so that the user can move the borders between them.
/// `sizes` are the initial sizes; the parts' shares divide the room that a larger window adds. Returns the
/// splitter.
QSplitter* fillSplitter(QSplitter* splitter, std::initializer_list<Part> parts, const QList<int>& sizes = {});

/// Makes the label's text wrap, and selectable with the mouse. `margins` are in pixels, around the text.
void makeSelectable(QLabel& label, Qt::TextFormat format = Qt::AutoText, const QMargins& margins = {});
/// Makes the widget's font bold, and multiplies its size by the factor.
void makeBold(QWidget& widget, double factor = 1);
/// Returns the font of axes, lanes, legends and table headers: 11/12 of the size of `font`.
QFont smallFont(QFont font);
/// Adds a command to the context menu of a widget.
QAction* addContextAction(QWidget& widget, const QString& text, std::function<void()> onTriggered);
/// Handles a tool tip event: shows the text that `tipAt` returns for its position, as plain text; an empty
/// text hides the tool tip. Returns false for other events.
bool showTip(QEvent& event, QWidget& widget, const std::function<QString(const QPoint& position)>& tipAt);
/// Keeps keys that a widget handles itself from the shortcuts of the window, while the widget has the focus:
/// accepts the event by which Qt asks for it. Returns false for other events, other keys, and keys with
/// modifiers other than that of the keypad.
bool keepKeys(QEvent& event, std::initializer_list<int> keys);

/// Connects the buttons to the dialog's accept and reject.
void connectButtons(QDialogButtonBox& buttons, const QDialog& dialog);

} // namespace highwater::gui
