#include "app/workspace/source/editor_command.h"

#include <algorithm>
#include <array>

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>

namespace highwater::gui {

namespace {

const char* const kEditorCommand = "editorCommand";

struct KnownEditor
{
    const char* program;
    const char* arguments;
};

/// Editors with a window of their own. Editors of the terminal are missing, because there is no terminal.
constexpr std::array kEditors{KnownEditor{"code", "-g {file}:{line}"},
    KnownEditor{"codium", "-g {file}:{line}"}, KnownEditor{"code-insiders", "-g {file}:{line}"},
    KnownEditor{"cursor", "-g {file}:{line}"}, KnownEditor{"windsurf", "-g {file}:{line}"},
    KnownEditor{"zed", "{file}:{line}"}, KnownEditor{"subl", "{file}:{line}"},
    KnownEditor{"pycharm", "--line {line} {file}"}, KnownEditor{"charm", "--line {line} {file}"},
    KnownEditor{"idea", "--line {line} {file}"}, KnownEditor{"kate", "--line {line} {file}"},
    KnownEditor{"kwrite", "--line {line} {file}"}, KnownEditor{"gvim", "+{line} {file}"},
    KnownEditor{"gedit", "+{line} {file}"}, KnownEditor{"xed", "+{line} {file}"},
    KnownEditor{"pluma", "+{line} {file}"}, KnownEditor{"geany", "+{line} {file}"}};

QString tr(const char* text)
{
    return QCoreApplication::translate("EditorCommand", text);
}

/// Returns the editor with the name of this program; null if it is not known.
const KnownEditor* knownEditor(const QString& program)
{
    const QString name = QFileInfo(program).fileName();
    const auto found = std::ranges::find_if(
        kEditors, [&](const KnownEditor& one) { return name == QLatin1String(one.program); });
    return found == kEditors.end() ? nullptr : &*found;
}

/// Replaces both placeholders in one pass, because a file name may contain "{line}".
QString filled(const QString& argument, const QString& file, int line)
{
    QString out;
    for (qsizetype position = 0; position < argument.size();) {
        const QStringView rest = QStringView(argument).mid(position);
        if (rest.startsWith(QLatin1String("{file}"))) {
            out += file;
            position += 6;
        } else if (rest.startsWith(QLatin1String("{line}"))) {
            out += QString::number(std::max(line, 1));
            position += 6;
        } else {
            out += argument[position++];
        }
    }
    return out;
}

/// Returns the program, in quotes if it contains a blank, for `QProcess::splitCommand`.
QString quotedProgram(const QString& program)
{
    return program.contains(QLatin1Char(' ')) ? QLatin1Char('"') + program + QLatin1Char('"') : program;
}

} // namespace

std::optional<EditorCall> editorCall(const QString& command, const QString& file, int line)
{
    QStringList words = QProcess::splitCommand(command);
    if (words.isEmpty())
        return std::nullopt;
    EditorCall call{words.takeFirst(), {}};
    const bool hasFile = std::ranges::any_of(
        words, [](const QString& word) { return word.contains(QLatin1String("{file}")); });
    if (!hasFile) {
        const KnownEditor* known = knownEditor(call.program);
        words += QString::fromLatin1(known ? known->arguments : "{file}").split(QLatin1Char(' '));
    }
    for (const QString& word : words)
        call.arguments << filled(word, file, line);
    return call;
}

QString detectedEditor(const VariableOf& variable, const IsInstalled& isInstalled)
{
    for (const char* name : {"VISUAL", "EDITOR"}) {
        // The arguments are left out: "--wait" is for programs that read the file afterwards.
        const QString program = QProcess::splitCommand(variable(name)).value(0);
        const KnownEditor* known = knownEditor(program);
        if (known && isInstalled(program))
            return quotedProgram(program) + QLatin1Char(' ') + QLatin1String(known->arguments);
    }
    for (const KnownEditor& editor : kEditors)
        if (isInstalled(QLatin1String(editor.program)))
            return QStringLiteral("%1 %2").arg(
                QLatin1String(editor.program), QLatin1String(editor.arguments));
    return {};
}

QString detectedEditor()
{
    return detectedEditor([](const char* name) { return qEnvironmentVariable(name); },
        [](const QString& program) { return !QStandardPaths::findExecutable(program).isEmpty(); });
}

QString chosenEditor()
{
    return QSettings().value(QLatin1String(kEditorCommand)).toString();
}

void chooseEditor(const QString& command)
{
    QSettings().setValue(QLatin1String(kEditorCommand), command.trimmed());
}

QString openInEditor(const QString& file, int line)
{
    const QFileInfo info(file);
    if (!info.isAbsolute() || !info.isFile())
        return tr("Not opened: %1 is not a file on this machine").arg(file);
    const QString chosen = chosenEditor();
    const auto call = editorCall(chosen.isEmpty() ? detectedEditor() : chosen, file, line);
    if (!call)
        return tr("Not opened: no editor was found; set its command in Preferences");
    const QString program = QStandardPaths::findExecutable(call->program);
    if (program.isEmpty())
        return tr("Not opened: the editor “%1” was not found; see Preferences").arg(call->program);
    if (!QProcess::startDetached(program, call->arguments))
        return tr("Not opened: %1 could not be started").arg(program);
    return {};
}

} // namespace highwater::gui
