#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/window/commands/byte_commands.h"
#include "app/window/commands/preferences_dialog.h"
#include "app/window/main/main_window.h"
#include "app/workspace/source/editor_command.h"
#include "core/analysis/budget/gpu_fit.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests of the settings that apply to every file and every start.
class PreferencesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    /// Does something in the dialog that the command opens, then ends the dialog with this key.
    void inDialog(const std::function<void(PreferencesDialog&)>& work, Qt::Key end)
    {
        QTimer::singleShot(0, this, [&] {
            auto* dialog = m_window->findChild<PreferencesDialog*>();
            QVERIFY(dialog);
            work(*dialog);
            QTest::keyClick(dialog, end);
        });
        m_window->actions().preferences->trigger();
    }
    template <typename Widget>
    static Widget& part(PreferencesDialog& dialog, const char* name)
    {
        return *dialog.findChild<Widget*>(QLatin1String(name));
    }
    static void chooseTheme(PreferencesDialog& dialog, const char* name)
    {
        auto& themes = part<QComboBox>(dialog, "preferredTheme");
        themes.setCurrentIndex(themes.findData(QLatin1String(name)));
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(true);
        m_window->show();
    }
    void cleanup()
    {
        m_window->setTheme(ThemeChoice::Light);
        m_window.reset();
    }

    void whatIsChosenHoldsAndIsRemembered()
    {
        const GpuModel& gpu = commonGpus().front();
        inDialog(
            [&](PreferencesDialog& dialog) {
                chooseTheme(dialog, "contrast");
                part<QSpinBox>(dialog, "preferredTextSize").setValue(150);
                part<QComboBox>(dialog, "preferredCapacity").setCurrentIndex(1);
                part<QCheckBox>(dialog, "preferredPeakSoFar").setChecked(true);
                part<QCheckBox>(dialog, "preferredCache").setChecked(false);
            },
            Qt::Key_Return);
        QCOMPARE(qApp->palette().color(QPalette::Window), QColor(Qt::white));
        QCOMPARE(QSettings().value("theme").toString(), QStringLiteral("contrast"));
        QCOMPARE(QSettings().value("textPercent").toInt(), 150);
        QVERIFY(!m_window->actions().keepLarge->isChecked());
        m_window = std::make_unique<MainWindow>(true);
        QVERIFY(m_window->byteCommands().peakSoFar->isChecked());
        QVERIFY(!m_window->actions().keepLarge->isChecked());
        QVERIFY(m_window->byteCommands().capacities().forAll() == chosenCapacity(gpu));
        QCOMPARE(qApp->palette().color(QPalette::Window), QColor(Qt::white));
    }

    void enterInAnOpenListChoosesAndLeavesTheDialogOpen()
    {
        inDialog(
            [&](PreferencesDialog& dialog) {
                auto& themes = part<QComboBox>(dialog, "preferredTheme");
                const int before = themes.currentIndex();
                QVERIFY(QTest::qWaitForWindowActive(&dialog));
                themes.setFocus();
                themes.showPopup();
                for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Return})
                    QTest::keyClick(QGuiApplication::focusWindow(), key); // as the desktop sends it
                QCOMPARE(themes.currentIndex(), before + 1);
                QVERIFY(dialog.isVisible());
            },
            Qt::Key_Escape);
    }

    void theChosenButtonOfAGroupStandsOutInHighContrast()
    {
        m_window->setTheme(ThemeChoice::Contrast);
        QToolButton button;
        button.setProperty("segment", true);
        button.setCheckable(true);
        button.resize(60, 24);
        const auto ground = [&button] { return button.grab().toImage().pixelColor(30, 12); };
        const QColor plain = ground();
        button.setChecked(true);
        QVERIFY2(std::abs(plain.lightness() - ground().lightness()) > 200, qPrintable(ground().name()));
    }

    void escapeChangesNothing()
    {
        inDialog(
            [](PreferencesDialog& dialog) {
                chooseTheme(dialog, "dark");
                part<QComboBox>(dialog, "preferredCapacity").setCurrentIndex(2);
            },
            Qt::Key_Escape);
        QVERIFY(!QSettings().contains("theme"));
        QVERIFY(!m_window->byteCommands().capacities().forAll());
    }

    void itShowsWhatIsChosenNow()
    {
        m_window->setTheme(ThemeChoice::Dark);
        m_window->byteCommands().capacities().chooseForAll(
            DeviceCapacity{Bytes{3} << 30, CapacitySource::Chosen, {}, -1});
        inDialog(
            [](PreferencesDialog& dialog) {
                const Preferences shown = dialog.preferences();
                QCOMPARE(shown.theme, ThemeChoice::Dark);
                QVERIFY(shown.capacity && shown.capacity->bytes == Bytes{3} << 30);
                QCOMPARE(part<QComboBox>(dialog, "preferredCapacity").currentText(), QString("3 GiB"));
            },
            Qt::Key_Return);
        QVERIFY(!QSettings().contains("theme")); // unchanged: the theme was chosen only for this session
        QCOMPARE(m_window->byteCommands().capacities().forAll()->bytes, Bytes{3} << 30);
    }

    void theEditorsCommandIsRemembered()
    {
        const QString command = QStringLiteral("myeditor --at {line} {file}");
        inDialog(
            [&](PreferencesDialog& dialog) {
                auto& editor = part<QLineEdit>(dialog, "preferredEditor");
                QVERIFY(editor.text().isEmpty() && !editor.placeholderText().isEmpty());
                QTest::keyClicks(&editor, command);
            },
            Qt::Key_Return);
        QCOMPARE(chosenEditor(), command);
        inDialog(
            [&](PreferencesDialog& dialog) {
                QCOMPARE(part<QLineEdit>(dialog, "preferredEditor").text(), command);
            },
            Qt::Key_Escape);
    }

    void theListOfRecentFilesIsEmptied()
    {
        m_window->openFile(samplePath("tiny-hand-checked"));
        QTRY_VERIFY(m_window->actions().recent->isEnabled());
        inDialog(
            [](PreferencesDialog& dialog) {
                QTest::keyClick(&part<QPushButton>(dialog, "clearRecent"), Qt::Key_Space);
                QVERIFY(!part<QPushButton>(dialog, "clearRecent").isEnabled());
            },
            Qt::Key_Escape);
        QVERIFY(!m_window->actions().recent->isEnabled());
    }

    void textsAreScaledWithinBounds()
    {
        const QFont font = qApp->font();
        scaleText(150);
        QCOMPARE(qApp->font().pointSizeF(), font.pointSizeF() * 1.5);
        qApp->setFont(font);
        scaleText(100'000);
        QCOMPARE(qApp->font().pointSizeF(), font.pointSizeF() * 2);
        qApp->setFont(font);
        scaleText(0);
        QCOMPARE(qApp->font().pointSizeF(), font.pointSizeF() * 0.8);
        qApp->setFont(font);
    }
};

HIGHWATER_APP_TEST(PreferencesTest)

} // namespace highwater::gui::test

#include "preferences_test.moc"
