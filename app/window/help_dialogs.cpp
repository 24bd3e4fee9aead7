#include "app/window/help_dialogs.h"

#include <array>

#include <QMessageBox>

namespace highwater::gui {

namespace {

struct KeyHelp
{
    const char* key;
    const char* does;
};

constexpr std::array<KeyHelp, 37> kKeys = {{{"Wheel", "zoom at the cursor"},
    {"Ctrl + wheel", "zoom the bytes"}, {"Shift + wheel", "move left and right"}, {"Drag", "move"},
    {"Shift + drag", "mark a range and see what was born and freed in it"},
    {"Double click, 0", "show everything"}, {"Ctrl + 0", "show everything up to the capacity of the device"},
    {"Point", "name the allocation under the mouse"}, {"Click", "pin it in the details"},
    {"Esc", "release it"}, {"← →", "move"}, {"+ −", "zoom"}, {"Alt + ←", "back to the view before"},
    {"Alt + →", "forward again"}, {"P", "go to the peak"},
    {"[ ]", "fill the view with the previous or next step"}, {"Enter (in a tree)", "open the heaviest path"},
    {"Ctrl + G", "go to an event, a time or an address"}, {"/", "search"}, {"F3", "next match"},
    {"Shift + F3", "previous match"}, {"O", "go to the next out-of-memory event"},
    {"Ctrl + PgUp, Ctrl + PgDn", "previous and next rank of a run"}, {"Ctrl + O", "open a file"},
    {"Ctrl + S", "save notes and view as a workspace"},
    {"N", "add a note at the cursor, on the marked range, or on the chosen row"},
    {". ,", "go to the next or previous note"}, {"F2", "edit the chosen note"},
    {"Ctrl + Z, Ctrl + Shift + Z", "undo and redo changes of notes"},
    {"Ctrl + Shift + N", "show or hide the notes"}, {"X (two runs)", "swap before and after"},
    {"C (two runs)", "compare them at the cursor; a click chooses another place"},
    {"Enter, R (several runs)", "compare the chosen ones; make the chosen one the reference"},
    {"Ctrl + click (two runs)", "compare at this moment of this run; the other stays"},
    {"Drop a file on a run", "compare the two, or open it"}, {"F1", "this help"}, {"Ctrl + Q", "quit"}}};

} // namespace

void showKeys(QWidget* parent)
{
    QString rows;
    for (const KeyHelp& help : kKeys)
        rows += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(QString::fromUtf8(help.key), QString::fromUtf8(help.does));
    QMessageBox box(parent);
    box.setWindowTitle(QObject::tr("Keys and mouse"));
    box.setTextFormat(Qt::RichText);
    box.setText(QStringLiteral("<table cellspacing='4'>%1</table>").arg(rows));
    box.exec();
}

void showAbout(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About Highwater"),
        QObject::tr("<h3>Highwater %1</h3><p>Shows where a GPU training run's memory went, and whether the "
                    "fix worked.</p>"
                    "<p>Licence: GPL-3.0-or-later. Built on Qt and QCustomPlot.</p>")
            .arg(QStringLiteral(HIGHWATER_VERSION)));
}

} // namespace highwater::gui
