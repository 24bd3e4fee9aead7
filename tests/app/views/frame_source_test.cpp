#include <QAction>
#include <QClipboard>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/loading/load_file.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/stack_view.h"
#include "app/workspace/source/editor_command.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write a file of the test");
}

const QByteArray kModel = "def forward(x):\n    # attention\n    y = attend(x)\n    return y\n\nmain()\n";

} // namespace

/// Tests of the frames in the details: their source, the editor, and their context menu.
class FrameSourceTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<DetailsPanel> m_panel;
    std::shared_ptr<const Document> m_document;

    /// Opens a recording of one event, which happened in line 3 of this file, called from line 6.
    void openEvent(const QString& event, const QString& path)
    {
        const QString recording = m_folder->filePath("recording.json");
        writeFile(recording,
            QStringLiteral(
                R"({"segments": [], "device_traces": [[{%1,
                "stream": 0, "time_us": 5, "frames": [{"name": "forward", "filename": "%2", "line": 3},
                {"name": "main", "filename": "%2", "line": 6}]}]]})")
                .arg(event, path)
                .toUtf8());
        Result<ImportedTrace> imported = loadFile(recording.toStdString(), {});
        QVERIFY(imported);
        m_document = buildDocument(recording.toStdString(), std::move(*imported));
        m_panel->show(m_document->devices[0]);
        m_panel->resize(360, 700);
        m_panel->QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }

    /// Shows an allocation that was made in line 3 of this file.
    void showFramesOf(const QString& path)
    {
        openEvent(QStringLiteral(R"("action": "alloc", "addr": 4096, "size": 100)"), path);
        m_selection->pin(m_document->devices[0]->allocations.ofEvent(0));
        QTRY_COMPARE(stack().topLevelItemCount(), 2);
    }

    /// Shows a request that failed in line 3 of this file.
    void showFailureIn(const QString& path)
    {
        openEvent(QStringLiteral(R"("action": "oom", "device_free": 64, "size": 100)"), path);
        QTRY_COMPARE(stack().topLevelItemCount(), 2);
    }

    StackView& stack() { return *m_panel->findChild<StackView*>("stack"); }
    QPlainTextEdit& lines() { return *m_panel->findChild<QPlainTextEdit*>("sourceLines"); }
    QLabel& problem() { return *m_panel->findChild<QLabel*>("sourceProblem"); }
    QPoint rowAt(int row) { return stack().visualItemRect(stack().topLevelItem(row)).center(); }
    void click(int row) { QTest::mouseClick(stack().viewport(), Qt::LeftButton, {}, rowAt(row)); }
    void trigger(const char* command)
    {
        stack().setCurrentItem(stack().topLevelItem(0));
        stack().findChild<QAction*>(QLatin1String(command))->trigger();
    }
    /// Writes the model into a folder whose name has a blank, and returns its path.
    QString modelPath()
    {
        QDir(m_folder->path()).mkpath("my code/grpo");
        const QString path = m_folder->filePath("my code/grpo/model.py");
        writeFile(path, kModel);
        return path;
    }
    /// Makes an editor that writes its arguments into the returned file.
    QString makeEditor()
    {
        const QString script = m_folder->filePath("editor.sh");
        const QString opened = m_folder->filePath("opened");
        writeFile(script, "printf '%s|' \"$@\" > \"$0.part\"; mv \"$0.part\" '" + opened.toUtf8() + "'\n");
        chooseEditor("/bin/sh \"" + script + "\" {file} {line}");
        return opened;
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_selection = std::make_unique<Selection>();
        m_panel = std::make_unique<DetailsPanel>(*m_selection);
    }
    void cleanup()
    {
        m_panel.reset();
        m_document.reset();
    }

    void theFailingLineIsShownByItself()
    {
        showFailureIn(modelPath());
        QTRY_VERIFY(lines().isVisible());
        QVERIFY(lines().toPlainText().contains(QStringLiteral("3      y = attend(x)")));
        QVERIFY(m_panel->findChild<FactSheet*>()->plainText().contains(
            QStringLiteral("failing line forward (model.py:3)")));
    }

    void aFailingLineThatIsNotFoundIsNamedWithoutAComplaint()
    {
        showFailureIn(QStringLiteral("/nowhere/model.py"));
        QTest::qWait(50);
        QVERIFY(!problem().isVisible());
        click(0);
        QTRY_COMPARE(problem().text(), QStringLiteral("Source not found: /nowhere/model.py"));
    }

    void aClickOnAFrameShowsItsLineAndTheNeighbours()
    {
        showFramesOf(modelPath());
        QVERIFY(!lines().isVisible());
        click(0);
        QTRY_VERIFY(lines().isVisible());
        QCOMPARE(lines().toPlainText(),
            QStringLiteral(
                "1  def forward(x):\n2      # attention\n3      y = attend(x)\n4      return y\n5  "));
        click(1);
        QTRY_VERIFY(lines().toPlainText().contains("6  main()"));
    }

    void theArrowKeysShowTheNextFrame()
    {
        showFramesOf(modelPath());
        click(0);
        QTest::keyClick(&stack(), Qt::Key_Down);
        QTRY_VERIFY(lines().toPlainText().contains("6  main()"));
    }

    void theSourceIsBelowTheStackAndCoversNothing()
    {
        showFramesOf(modelPath());
        click(0);
        QTRY_VERIFY(lines().isVisible());
        const QWidget& source = *m_panel->findChild<QWidget*>("source");
        QVERIFY(source.y() >= stack().geometry().bottom());
        QVERIFY(m_panel->findChild<QPushButton*>("copyDetails")->y() >= source.geometry().bottom());
        QVERIFY(stack().height() > 3 * stack().fontMetrics().height());
    }

    void anotherAllocationEndsTheSource()
    {
        showFramesOf(modelPath());
        click(0);
        QTRY_VERIFY(lines().isVisible());
        m_panel->show(mainAnalysis("tiny-hand-checked"));
        QVERIFY(!lines().isVisible());
    }

    void aMissingSourceIsFoundInTheChosenFolder()
    {
        showFramesOf("/nowhere/grpo/model.py");
        click(0);
        QTRY_COMPARE(problem().text(), QStringLiteral("Source not found: /nowhere/grpo/model.py"));
        QVERIFY(m_panel->findChild<QPushButton*>("chooseSourceFolder")->isVisible());
        QVERIFY(!m_panel->findChild<QPushButton*>("openSource")->isVisible());
        modelPath();
        SourceLookup::setFolder(m_folder->filePath("my code"));
        click(1);
        QTRY_VERIFY(lines().isVisible() && lines().toPlainText().contains("6  main()"));
        QVERIFY(problem().text().isEmpty());
    }

    void aDoubleClickOpensTheLineInTheEditor()
    {
        const QString path = modelPath();
        const QString opened = makeEditor();
        showFramesOf(path);
        QTest::mouseDClick(stack().viewport(), Qt::LeftButton, {}, rowAt(0));
        QTRY_COMPARE(contentOf(opened), (path + "|3|").toUtf8());
    }

    void enterOpensTheLineInTheEditor()
    {
        const QString path = modelPath();
        const QString opened = makeEditor();
        showFramesOf(path);
        click(0);
        QTest::keyClick(&stack(), Qt::Key_Return);
        QTRY_COMPARE(contentOf(opened), (path + "|3|").toUtf8());
    }

    void itIsSaidWhyTheEditorIsNotOpened()
    {
        chooseEditor("no-such-editor {file}");
        showFramesOf(modelPath());
        trigger("openFrame");
        QTRY_VERIFY(problem().isVisible() && problem().text().contains("no-such-editor"));
    }

    void theMenuCopiesThePlaceAndTheStack()
    {
        const QString path = modelPath();
        showFramesOf(path);
        trigger("copyFrame");
        QCOMPARE(QGuiApplication::clipboard()->text(), path + ":3");
        trigger("copyStack");
        QCOMPARE(
            QGuiApplication::clipboard()->text(), QStringLiteral("forward (%1:3)\nmain (%1:6)\n").arg(path));
    }

    void theMenuSearchesForTheFrame()
    {
        showFramesOf("/x/model.py");
        QSignalSpy search(m_panel.get(), &DetailsPanel::searchRequested);
        trigger("highlightFrame");
        QCOMPARE(search.count(), 1);
        QCOMPARE(search[0][0].toString(), QStringLiteral("/^forward /x/model\\.py:3$/"));
    }

    void aFoldOffersNoSource()
    {
        StackView view;
        view.setStack({{"main (a.py:1)", "/x/a.py:1", {}, FrameId(std::size_t{0})},
            {"2 C++ frames", "", {{"f", "", {}}, {"g", "", {}}}}});
        view.setCurrentItem(view.topLevelItem(0));
        QVERIFY(view.findChild<QAction*>("openFrame")->isEnabled());
        view.setCurrentItem(view.topLevelItem(1));
        QVERIFY(!view.findChild<QAction*>("openFrame")->isEnabled());
    }
};

HIGHWATER_APP_TEST(FrameSourceTest)

} // namespace highwater::gui::test

#include "frame_source_test.moc"
