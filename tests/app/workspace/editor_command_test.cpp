#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "app/workspace/source/editor_command.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the command that opens a source line in the user's editor.
class EditorCommandTest : public QObject
{
    Q_OBJECT

private:
    static QString detected(const QString& visual, const QString& editor, const QStringList& installed)
    {
        return detectedEditor(
            [&](const char* name) {
                return QLatin1String(name) == QLatin1String("VISUAL") ? visual : editor;
            },
            [&](const QString& program) { return installed.contains(program); });
    }

private slots:
    void initTestCase() { useScratchSettings(); }

    void fileAndLineAreReplacedInsideArguments()
    {
        const auto call = editorCall("code -g {file}:{line}", "/a/model.py", 39);
        QVERIFY(call);
        QCOMPARE(call->program, QStringLiteral("code"));
        QCOMPARE(call->arguments, (QStringList{"-g", "/a/model.py:39"}));
    }

    void aFileNameIsOneArgumentWhateverItContains()
    {
        const QString path = QStringLiteral("/a b/$(rm -rf x);{line}'.py");
        QCOMPARE(
            editorCall("kate --line {line} {file}", path, 7)->arguments, (QStringList{"--line", "7", path}));
    }

    void aProgramWithBlanksIsQuoted()
    {
        QCOMPARE(editorCall("\"/opt/my editor\" {file}", "/x.py", 1),
            (EditorCall{QStringLiteral("/opt/my editor"), {QStringLiteral("/x.py")}}));
    }

    void aKnownProgramAloneIsEnough()
    {
        QCOMPARE(editorCall("/usr/bin/code -n", "/x.py", 0)->arguments, (QStringList{"-n", "-g", "/x.py:1"}));
        QCOMPARE(editorCall("mine", "/x.py", 3)->arguments, QStringList{"/x.py"});
        QVERIFY(!editorCall("  ", "/x.py", 3));
    }

    void theUsersEditorIsTakenIfItHasAWindow()
    {
        QCOMPARE(
            detected("subl --wait", "vim", {"code", "subl", "vim"}), QStringLiteral("subl {file}:{line}"));
        QCOMPARE(detected({}, "kate", {"code", "kate"}), QStringLiteral("kate --line {line} {file}"));
        QCOMPARE(detected("vim", "nano", {"code", "vim"}), QStringLiteral("code -g {file}:{line}"));
        QCOMPARE(detected("code", {}, {"gedit"}), QStringLiteral("gedit +{line} {file}"));
        QCOMPARE(detected("vim", {}, {"vim"}), QString());
    }

    void aMissingFileIsNotOpened()
    {
        chooseEditor("true {file}");
        QVERIFY(openInEditor("/nowhere/model.py", 3).contains("/nowhere/model.py"));
        QVERIFY(!openInEditor("model.py", 3).isEmpty());
    }

    void aMissingEditorIsNamed()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("model.py"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        chooseEditor("no-such-editor {file}");
        QVERIFY(openInEditor(file.fileName(), 3).contains("no-such-editor"));
    }
};

HIGHWATER_APP_TEST(EditorCommandTest)

} // namespace highwater::gui::test

#include "editor_command_test.moc"
