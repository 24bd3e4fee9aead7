#include <limits>

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

#include "app/views/findings/findings_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/parts/panel_tabs.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/palette/command_palette.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

PaletteEntry entryOf(const QString& title, const QString& also = {}, bool isEnabled = true)
{
    return {
        .title = title, .kind = QStringLiteral("step"), .run = [] {}, .also = also, .isEnabled = isEnabled};
}

QStringList titlesFound(const std::vector<PaletteEntry>& entries, const QString& text,
    const std::vector<PaletteEntry>& typed = {})
{
    PaletteIndex index;
    index.add(entries);
    QStringList titles;
    for (const PaletteEntry& entry : index.find(text, CommandPalette::kMaxRows, typed).entries)
        titles << entry.title;
    return titles;
}

} // namespace

class CommandPaletteTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    const DeviceAnalysis& analysis() { return *page().analysis(); }

    void open(const QString& path)
    {
        m_window->openFile(path);
        QTRY_VERIFY(isOn(page()) && page().isSettled());
        QTRY_VERIFY(!m_window->sessions().run.run().isLoading() && page().run().study());
    }
    void openSample(const char* name) { open(samplePath(QString::fromLatin1(name))); }

    /// Opens the palette with its keys, types a text, and looks at the palette when all sources are read.
    template <typename Look>
    void inPalette(const QString& text, Look look)
    {
        bool isDone = false;
        QTimer poll;
        connect(&poll, &QTimer::timeout, this, [&] {
            auto* const palette = qobject_cast<CommandPalette*>(QApplication::activeModalWidget());
            if (!palette || !palette->isComplete() || isDone)
                return;
            isDone = true;
            QTest::keyClicks(palette->findChild<QLineEdit*>(QStringLiteral("paletteField")), text);
            look(*palette);
            if (palette->isVisible()) // also if a check has failed, since otherwise it would stay open
                palette->reject();
        });
        poll.start(10);
        m_window->activateWindow();
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(isDone);
    }
    /// Chooses the best entry for the text with Enter.
    void chooseBest(const QString& text)
    {
        inPalette(text, [](CommandPalette& palette) {
            QTest::keyClick(palette.findChild<QLineEdit*>(QStringLiteral("paletteField")), Qt::Key_Return);
        });
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void wholeWordsComeBeforePartsOfWords()
    {
        const QStringList expected{
            QStringLiteral("step 6"), QStringLiteral("step 61"), QStringLiteral("step 16")};
        QCOMPARE(titlesFound({entryOf(expected[2]), entryOf(expected[1]), entryOf(expected[0])},
                     QStringLiteral("Step 6")),
            expected);
    }

    void wordsAreFoundInAnyOrderAndAllMustMatch()
    {
        const std::vector<PaletteEntry> entries{entryOf(QStringLiteral("forward (model.py:39)")),
            entryOf(QStringLiteral("forward (loss.py:39)"))};
        QCOMPARE(titlesFound(entries, QStringLiteral("model for")), QStringList{entries[0].title});
    }

    void titlesComeBeforeOtherTexts()
    {
        const std::vector<PaletteEntry> entries{
            entryOf(QStringLiteral("run"), QStringLiteral("/peak/run.py")),
            entryOf(QStringLiteral("Go › Peak"))};
        QCOMPARE(
            titlesFound(entries, QStringLiteral("peak")), (QStringList{entries[1].title, entries[0].title}));
    }

    void ofEqualsThoseThatCanBeChosenComeFirst()
    {
        const std::vector<PaletteEntry> entries{
            entryOf(QStringLiteral("Swap a"), {}, false), entryOf(QStringLiteral("Swap b"))};
        QCOMPARE(
            titlesFound(entries, QStringLiteral("swap")), (QStringList{entries[1].title, entries[0].title}));
    }

    void ofEqualsNamesComeBeforeSentences()
    {
        std::vector<PaletteEntry> entries{entryOf(QStringLiteral("Memory leaks at model.py:39")),
            entryOf(QStringLiteral("forward (model.py:39)"))};
        entries.front().isSentence = true;
        QCOMPARE(titlesFound(entries, QStringLiteral("model.py:39")),
            (QStringList{entries[1].title, entries[0].title}));
    }

    void aTypedNumberComesAfterTheStepOfThatNumber()
    {
        const std::vector<PaletteEntry> steps{
            entryOf(QStringLiteral("step 61")), entryOf(QStringLiteral("step 6"))};
        QCOMPARE(titlesFound(steps, QStringLiteral("6"), {entryOf(QStringLiteral("event 6 of 90"))}),
            (QStringList{steps[1].title, QStringLiteral("event 6 of 90"), steps[0].title}));
    }

    void aHundredThousandCallSitesAreSearchedWithinAFrame()
    {
        std::vector<PaletteEntry> sites;
        for (int i = 0; i < 100'000; ++i)
            sites.push_back(entryOf(QStringLiteral("forward_%1 (model.py:%1)").arg(i),
                QStringLiteral("forward_%1 (/workspace/training/package/model.py:%1)").arg(i)));
        PaletteIndex index;
        index.add(std::move(sites));
        qint64 fastest = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 5; ++i) {
            QElapsedTimer timer;
            timer.start();
            const PaletteIndex::Found found = index.find(QStringLiteral("model.py:3999"), 50);
            fastest = std::min(fastest, timer.elapsed());
            QCOMPARE(found.entries.front().title, QStringLiteral("forward_3999 (model.py:3999)"));
            QCOMPARE(found.matchCount, std::size_t{11});
        }
        QVERIFY2(fastest < 200, qPrintable(QString::number(fastest))); // also with sanitizers
    }

    void everyCommandIsFoundByAPartOfItsName()
    {
        openSample("tiny-hand-checked");
        inPalette(QStringLiteral("go peak"),
            [](CommandPalette& palette) { QCOMPARE(palette.chosen()->title, QStringLiteral("Go › Peak")); });
    }

    void theChosenEntryOutlivesItsRow()
    {
        openSample("tiny-hand-checked");
        inPalette(QStringLiteral("go peak"), [](CommandPalette& palette) {
            const std::optional<PaletteEntry> chosen = palette.chosen();
            palette.findChild<QLineEdit*>(QStringLiteral("paletteField"))->setText(QStringLiteral("qqqq"));
            QVERIFY(chosen && palette.shown().empty());
            QCOMPARE(chosen->title, QStringLiteral("Go › Peak"));
        });
    }

    void whatCannotBeDoneNowIsListedButCannotBeChosen()
    {
        openSample("tiny-hand-checked");
        inPalette(QStringLiteral("swap"),
            [](CommandPalette& palette) { QVERIFY(!palette.shown().empty() && !palette.chosen()); });
    }

    void anEmptyResultSaysWhatCanBeTyped()
    {
        openSample("tiny-hand-checked");
        inPalette(QStringLiteral("qqqq"), [](CommandPalette& palette) {
            const QString hint = palette.findChild<QLabel*>(QStringLiteral("paletteHint"))->text();
            QVERIFY(palette.shown().empty() && !palette.chosen());
            QVERIFY2(
                hint.startsWith(QStringLiteral("Nothing matches")) && hint.contains(QStringLiteral("step 6")),
                qPrintable(hint));
        });
    }

    void enterKeepsThePaletteOpenIfNothingIsFound()
    {
        openSample("tiny-hand-checked");
        inPalette(QStringLiteral("qqqq"), [](CommandPalette& palette) {
            QTest::keyClick(palette.findChild<QLineEdit*>(QStringLiteral("paletteField")), Qt::Key_Return);
            QVERIFY(palette.isVisible());
        });
    }

    void withoutARunOnlyCommandsAreFound()
    {
        inPalette({}, [](CommandPalette& palette) {
            for (const PaletteEntry& entry : palette.shown())
                QVERIFY2(entry.kind == QLatin1String("command") || entry.kind == QLatin1String("view"),
                    qPrintable(entry.title));
        });
    }

    void atMostFiftyRowsAreListed()
    {
        openSample("r1-grpo-before");
        inPalette(QStringLiteral("e"),
            [](CommandPalette& palette) { QCOMPARE(palette.shown().size(), CommandPalette::kMaxRows); });
    }

    void aStepIsZoomedToAndNothingIsPinned()
    {
        openSample("r1-grpo-before");
        const Step& step = analysis().steps.steps[6];
        chooseBest(QStringLiteral("step 6"));
        QCOMPARE(page().selection().cursor(), std::optional(step.peakEvent));
        QVERIFY(!page().selection().isPinned());
        const EventScale& scale = analysis().scale(page().axis());
        QCOMPARE(page().range().x().begin, scale.positionOf(step.begin));
        QCOMPARE(page().range().x().end, scale.positionOf(step.end));
    }

    void aCallSiteIsHighlighted()
    {
        openSample("r1-grpo-before");
        chooseBest(QStringLiteral("model.py:39"));
        QVERIFY(page().bandView().highlighted());
        std::size_t highlighted = 0;
        for (AllocationIndex i = 0; i < analysis().allocations.size(); ++i)
            if ((*page().bandView().highlighted())[i]) {
                ++highlighted;
                const std::string label = analysis().sites.site(analysis().sites.of(i)).label;
                QVERIFY2(label.find("model.py:39") != std::string::npos, label.c_str());
            }
        QVERIFY(highlighted > 0);
    }

    void whatIsSeenInTheTimelineBringsItBack_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("a call site") << QStringLiteral("model.py:39");
        QTest::newRow("the bands") << QStringLiteral("bands by: categories");
    }
    void whatIsSeenInTheTimelineBringsItBack()
    {
        QFETCH(QString, text);
        openSample("r1-grpo-before");
        page().panelTabs().open(QStringLiteral("summary"));
        page().panelTabs().setExtent(PanelTabs::Extent::Expanded);
        QVERIFY(!page().timeline().isVisible());
        chooseBest(text);
        QVERIFY(page().timeline().isVisible());
    }

    void theFlameGraphIsOpened()
    {
        openSample("r1-grpo-before");
        chooseBest(QStringLiteral("flame"));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("moment"));
        QCOMPARE(page().findChild<CompositionView*>()->way(), CompositionView::Way::Flame);
    }

    void bandsAreStackedByCallSites()
    {
        openSample("r1-grpo-before");
        page().bandView().setMode(BandMode::Category);
        chooseBest(QStringLiteral("call sites"));
        QCOMPARE(page().bandView().wantedMode(), BandMode::Site);
    }

    void anEventIsGoneTo()
    {
        openSample("r1-grpo-before");
        chooseBest(QStringLiteral("event 1234"));
        QCOMPARE(page().selection().cursor(), std::optional<std::int64_t>(1234));
    }

    void aFindingIsShown()
    {
        openSample("r1-grpo-before");
        page().panelTabs().open(QStringLiteral("steps"));
        chooseBest(QStringLiteral("memory leaks"));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("summary"));
        QVERIFY(page().bandView().highlighted());
    }

    void findingsAndViewsAreFoundByTheirWords()
    {
        openSample("oom-fragmentation");
        inPalette(QStringLiteral("fragment"), [](const CommandPalette& palette) {
            QStringList kinds;
            QStringList titles;
            for (const PaletteEntry& entry : palette.shown()) {
                kinds << entry.kind;
                titles << entry.title;
            }
            QVERIFY(titles.contains(QStringLiteral("Segments")));
            QVERIFY(kinds.contains(QStringLiteral("finding")));
        });
    }

    void anotherRankIsShown()
    {
        open(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks"));
        QTRY_VERIFY(page().document()->fileName().starts_with("rank2"));
        chooseBest(QStringLiteral("rank 3"));
        QTRY_VERIFY(page().document()->fileName().starts_with("rank3"));
    }

    void anotherGpuIsShown()
    {
        openSample("two-devices");
        const DeviceIndex before = analysis().device;
        const DeviceIndex other = before == 0 ? 1 : 0;
        chooseBest(QString::fromStdString(page().document()->devices[other]->info().words()));
        QCOMPARE(analysis().device, other);
    }
};

HIGHWATER_APP_TEST(CommandPaletteTest)

} // namespace highwater::gui::test

#include "command_palette_test.moc"
