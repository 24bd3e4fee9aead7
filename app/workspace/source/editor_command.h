#pragma once

#include <functional>
#include <optional>

#include <QString>
#include <QStringList>

/// The command that opens a source line in the user's editor. It is started with a list of arguments and
/// never by a shell, so nothing in a file name is executed.
namespace highwater::gui {

/// A program and its arguments.
struct EditorCall
{
    QString program;
    QStringList arguments;

    bool operator==(const EditorCall&) const = default;
};

/// Returns the call for a command such as "code -g {file}:{line}": split at blanks outside double quotes,
/// then with the file and the line (1 if unknown) in the arguments. If the command has no "{file}", the known
/// way to open a line in that editor is used, else the file becomes the last argument. nullopt for an empty
/// command.
std::optional<EditorCall> editorCall(const QString& command, const QString& file, int line);

/// Returns the value of an environment variable.
using VariableOf = std::function<QString(const char* name)>;
/// True if a program with this name can be started.
using IsInstalled = std::function<bool(const QString& program)>;

/// Returns the command of the editor that $VISUAL or $EDITOR names, if it is installed and known to have a
/// window of its own; otherwise the command of the first known editor that is installed; empty if there is
/// none.
QString detectedEditor(const VariableOf& variable, const IsInstalled& isInstalled);
/// Returns the command of the editor for the environment and the programs of this machine.
QString detectedEditor();

/// Return and store the user's command; empty for the detected editor.
QString chosenEditor();
void chooseEditor(const QString& command);

/// Opens the file in the chosen or detected editor. Returns an empty text, or one sentence that says why it
/// was not opened. `file` must be absolute.
QString openInEditor(const QString& file, int line);

} // namespace highwater::gui
