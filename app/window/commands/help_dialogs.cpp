#include "app/window/commands/help_dialogs.h"

#include <array>

#include <QDialogButtonBox>
#include <QLabel>
#include <QLayout>
#include <QMessageBox>

#include "app/views/parts/arrange.h"
#include "core/base/version.h"

namespace highwater::gui {

namespace {

struct KeyHelp
{
    const char* key;
    const char* effect;
};

constexpr std::array<KeyHelp, 55> kKeys = {{{"Wheel", "zoom at the mouse"},
    {"Ctrl + wheel", "zoom the y axis"}, {"Shift + wheel", "move left and right"},
    {"Drag, middle drag", "move"},
    {"Shift + drag", "mark a range and see what was allocated and freed in it"},
    {"Alt (while marking)", "do not snap to the borders of steps"}, {"Drag (overview)", "zoom to that part"},
    {"Double click", "zoom to what is there"}, {"Click (in a lane)", "select the step or range there"},
    {"Ctrl + click (a step)", "compare it with the marked step"},
    {"Right click", "list what can be done there"}, {"0, Home", "show everything"},
    {"F", "show the pinned allocation, the range or the step"}, {"H", "fit the height to the data in view"},
    {"Ctrl + 0", "show everything up to the GPU capacity"},
    {"Point", "describe the allocation under the mouse"},
    {"Click", "pin it in the details; the moment stays"},
    {"Click, drag (the axis)", "set the moment that all views show"},
    {"Esc", "end one thing: pin or highlight, range, step, search"}, {"← →, A D", "move"},
    {"+ −, W S", "zoom at the mouse"}, {"Alt + ←", "back to the previous view"}, {"Alt + →", "forward again"},
    {"P", "set the moment to the peak"}, {"[ ]", "zoom to the previous or next step"},
    {"Enter (in a tree)", "open the heaviest path"},
    {"Ctrl + B", "compare with the run that was open before"},
    {"Ctrl + G", "go to an event, a step, a time or an address"},
    {"1 … 9", "open the views below the timeline"}, {"I", "show or hide the details"},
    {"Ctrl + Shift + P", "find a command by name"}, {"/", "search"}, {"F3", "next match"},
    {"Shift + F3", "previous match"}, {"O", "go to the next out-of-memory event"},
    {"Ctrl + PgUp, Ctrl + PgDn", "previous and next rank of a run"}, {"Ctrl + O", "open a file"},
    {"Ctrl + S", "save the notes as a workspace"}, {"Ctrl + R", "report on the open run"},
    {"Ctrl + ,", "preferences"}, {"N", "add a note at the cursor, range or row"},
    {". ,", "go to the next or previous note"}, {"F2", "edit the selected note"},
    {"Del (in the notes)", "delete the selected note"}, {"Drag a flag", "move the note to another event"},
    {"Ctrl + Z, Ctrl + Shift + Z", "undo and redo changes of notes"},
    {"Ctrl + Shift + N", "show or hide the notes"}, {"X (two runs)", "swap before and after"},
    {"C (two runs)", "compare at the cursor, or where you click"},
    {"Enter, R (several runs)", "compare the selected runs; make one the reference"},
    {"Ctrl + click (two runs)", "move the compared moment of this run only"},
    {"Drop a file on a run", "add it to the run, compare the two, or open it"}, {"F1", "the manual"},
    {"Shift + F1", "this help"}, {"Ctrl + Q", "quit"}}};

} // namespace

void showKeys(QWidget* parent)
{
    // Two columns, because one would be higher than a small screen.
    constexpr std::size_t half = (kKeys.size() + 1) / 2;
    const auto cells = [](std::size_t i) {
        return i >= kKeys.size()
            ? QString()
            : QStringLiteral("<td style='white-space:pre'><b>%1</b>  </td>"
                             "<td style='white-space:pre'>%2   </td>")
                  .arg(QString::fromUtf8(kKeys[i].key), QString::fromUtf8(kKeys[i].effect));
    };
    QString rows;
    for (std::size_t i = 0; i < half; ++i)
        rows += QStringLiteral("<tr>%1%2</tr>").arg(cells(i), cells(i + half));
    // A message box would be no wider than a part of the screen, and cut the lines.
    QDialog dialog(parent);
    dialog.setWindowTitle(QObject::tr("Keys and mouse"));
    auto* text
        = named(new QLabel(QStringLiteral("<table cellspacing='4'>%1</table>").arg(rows), &dialog), "keys");
    text->setTextFormat(Qt::RichText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok, &dialog);
    connectButtons(*buttons, dialog);
    layColumn(&dialog, {text, buttons}, {kStyleMargins, -1});
    dialog.layout()->setSizeConstraint(QLayout::SetFixedSize);
    dialog.exec();
}

void showAbout(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About Highwater"),
        QObject::tr("<h3>Highwater %1</h3><p>Shows where a GPU training run's memory went, and whether the "
                    "fix worked.</p>"
                    "<p>Licence: GPL-3.0-or-later. Built on Qt and QCustomPlot.</p>")
            .arg(QLatin1String(programVersion())));
}

} // namespace highwater::gui
