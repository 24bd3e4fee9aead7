#include <functional>

#include <QApplication>
#include <QMenuBar>
#include <QTest>

#include "app/loading/files/workspace_store.h"
#include "app/window/commands/capacity_dialog.h"
#include "app/window/commands/go_to_dialog.h"
#include "app/window/commands/missing_sources_dialog.h"
#include "app/window/commands/preferences_dialog.h"
#include "app/window/commands/rules_dialog.h"
#include "app/window/main/main_window.h"
#include "app/window/manual/manual_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/palette/command_palette.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/control_walk.h"

namespace highwater::gui::test {

namespace {

using MakeDialog = std::function<std::unique_ptr<QWidget>(const MainWindow& window)>;

/// A dialog for two files: one is missing, the other one has been replaced.
std::unique_ptr<QWidget> makeMissing(const MainWindow&)
{
    OpenedWorkspace workspace;
    for (const SourceState state : {SourceState::Missing, SourceState::Changed}) {
        WorkspaceSource source;
        source.file.path = "run/snapshot.pickle";
        workspace.read.file.sources.push_back(source);
        workspace.sources.push_back({state, "/run/snapshot.pickle"});
    }
    return std::make_unique<MissingSourcesDialog>(workspace);
}

const std::vector<std::pair<const char*, MakeDialog>>& dialogs()
{
    static const std::shared_ptr<const DeviceAnalysis> analysis
        = mainAnalysis(QStringLiteral("training-6-steps-bare"));
    static const std::vector<std::pair<const char*, MakeDialog>> all{
        {"capacity",
            [](const MainWindow&) { return std::make_unique<CapacityDialog>(std::nullopt, std::nullopt); }},
        {"preferences", [](const MainWindow&) { return std::make_unique<PreferencesDialog>(Preferences{}); }},
        {"rules",
            [](const MainWindow&) {
                return std::make_unique<RulesDialog>(analysis, std::vector<CategoryRule>());
            }},
        {"go to", [](const MainWindow&) { return std::make_unique<GoToDialog>(analysis, std::nullopt); }},
        {"manual", [](const MainWindow&) { return std::make_unique<ManualWindow>(); }},
        {"commands",
            [](const MainWindow& window) {
                return std::make_unique<CommandPalette>(
                    PaletteSources{commandEntries(window.menuBar()->actions())});
            }},
        {"missing files", makeMissing},
    };
    return all;
}

} // namespace

/// Checks that every dialog can be used with the keyboard and a screen reader, even with large texts.
class DialogsByKeyboardTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<QWidget> m_dialog;
    QFont m_font;

    void open()
    {
        QFETCH_GLOBAL(int, dialog);
        m_dialog = dialogs()[static_cast<std::size_t>(dialog)].second(*m_window);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog.get()));
    }
    static void check(const QStringList& wrong)
    {
        QVERIFY2(wrong.isEmpty(), qPrintable(QLatin1Char('\n') + wrong.join(QLatin1Char('\n'))));
    }

private slots:
    void initTestCase_data()
    {
        QTest::addColumn<int>("dialog");
        for (std::size_t i = 0; i < dialogs().size(); ++i)
            QTest::newRow(dialogs()[i].first) << static_cast<int>(i);
    }
    void initTestCase()
    {
        useScratchSettings();
        m_font = QApplication::font();
        m_window = std::make_unique<MainWindow>(false);
    }
    void cleanupTestCase() { m_window.reset(); }
    void cleanup()
    {
        m_dialog.reset();
        QApplication::setFont(m_font);
    }

    void everyControlHasANameAndIsReachedByTab()
    {
        open();
        check(unnamedControls(*m_dialog) + controlsThatTabMisses(*m_dialog));
    }

    void largeTextsAreNotCut()
    {
        QFont large = m_font;
        large.setPointSizeF(m_font.pointSizeF() * 1.5);
        QApplication::setFont(large);
        open();
        check(cutTexts(*m_dialog));
    }

    void escapeClosesIt()
    {
        open();
        QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
        QTRY_VERIFY(!m_dialog->isVisible());
    }
};

HIGHWATER_APP_TEST(DialogsByKeyboardTest)

} // namespace highwater::gui::test

#include "dialogs_by_keyboard_test.moc"
