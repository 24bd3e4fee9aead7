#include <array>

#include <QScreen>
#include <QSignalSpy>
#include <QTest>

#include "app/window/main/main_window.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/shown_texts.h"
#include "tests/app/labels/window_views.h"

namespace highwater::gui::test {

namespace {

/// Opens a file or folder. Two paths with "<>" between them are compared, several with "+" between them are
/// opened together.
void openIn(MainWindow& window, const QString& subject)
{
    if (subject.isEmpty())
        return;
    QSignalSpy complete(&window, &MainWindow::complete);
    if (const QStringList pair = subject.split(QStringLiteral("<>")); pair.size() == 2)
        window.compareFiles(pair[0], pair[1]);
    else
        window.openFiles(subject.split(QLatin1Char('+')));
    QVERIFY2(complete.count() > 0 || complete.wait(120000), qPrintable(subject));
    QVERIFY2(complete[0][0].toString().isEmpty(), qPrintable(complete[0][0].toString()));
}

} // namespace

/// Tests of the texts in every view, no matter which code paints them.
class ShownTextsTest : public QObject
{
    Q_OBJECT

private:
    static constexpr std::array kTestedSizes{QSize(1280, 800), QSize(1920, 1080)};
    static constexpr std::array kSizes{QSize(960, 700), QSize(1280, 800), QSize(1920, 1080)};
    static constexpr std::array<std::pair<ThemeChoice, const char*>, 3> kThemes{
        {{ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}, {ThemeChoice::Contrast, "contrast"}}};

    struct Tally
    {
        std::size_t texts = 0;
        QStringList faults;
    };

    /// Returns the tallies by view.
    std::vector<std::pair<QString, Tally>> tallies(
        const QString& subject, const QSize& size, ThemeChoice theme)
    {
        MainWindow window(false);
        window.setTheme(theme);
        window.resize(size);
        window.show();
        openIn(window, subject);
        std::vector<std::pair<QString, Tally>> found;
        lookAtViews(window, [&](const QString& view) {
            const std::vector<DrawnText> texts = shownTexts(window);
            found.push_back({view, {texts.size(), faultsOf(window, texts)}});
            if (const QString folder = qEnvironmentVariable("HIGHWATER_LABEL_PICTURES"); !folder.isEmpty())
                window.grab().save(QStringLiteral("%1/%2-%3-%4.png")
                                       .arg(folder, subject.section('/', -1), view)
                                       .arg(size.width()));
        });
        return found;
    }

private slots:
    void initTestCase() { useScratchSettings(); }

    void meetNoOtherAreReadAndAreWhole_data()
    {
        QTest::addColumn<QString>("subject");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        const std::vector<std::pair<const char*, QString>> subjects{{"r1", samplePath("r1-grpo-before")},
            {"r5 pair", samplePath("r5-flan-t5-xl-before") + "<>" + samplePath("r5-flan-t5-xl-after")}};
        for (const auto& [name, subject] : subjects)
            for (const QSize& size : kTestedSizes)
                for (const auto& [theme, themeName] : kThemes)
                    QTest::addRow("%s %dx%d %s", name, size.width(), size.height(), themeName)
                        << subject << size << theme;
    }
    void meetNoOtherAreReadAndAreWhole()
    {
        QFETCH(QString, subject);
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        QStringList faults;
        for (const auto& [view, tally] : tallies(subject, size, theme)) {
            QVERIFY2(tally.texts > 10, qPrintable(view));
            for (const QString& fault : tally.faults)
                faults << view + ": " + fault;
        }
        for (const QString& fault : faults)
            qWarning("%s", qPrintable(fault));
        QCOMPARE(faults.size(), 0);
    }

    /// To examine many files, set HIGHWATER_LABEL_FILES to their names, separated by "|".
    void ofOtherFilesAreTold()
    {
        const QStringList files = qEnvironmentVariable("HIGHWATER_LABEL_FILES").split(QLatin1Char('|'));
        if (!qEnvironmentVariableIsSet("HIGHWATER_LABEL_FILES"))
            return;
        for (const QString& file : files)
            for (const QSize& size : kSizes)
                for (const auto& [theme, themeName] : kThemes)
                    for (const auto& [view, tally] : tallies(file, size, theme))
                        qInfo("SUBJECT %s SIZE %dx%d @%g %s VIEW %s  %3zu texts %3d faults %s",
                            qPrintable(file.section('/', -1)), size.width(), size.height(),
                            QGuiApplication::primaryScreen()->devicePixelRatio(), themeName, qPrintable(view),
                            tally.texts, static_cast<int>(tally.faults.size()),
                            qPrintable(tally.faults.join("; ")));
    }
};

HIGHWATER_APP_TEST(ShownTextsTest)

} // namespace highwater::gui::test

#include "shown_texts_test.moc"
