#include <algorithm>
#include <array>

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

#include "app/timeline/lane_strip.h"
#include "app/timeline/overview_strip.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/charts/memory_gauge.h"
#include "app/views/findings/findings_view.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/pages/headline.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/arrange.h"
#include "app/views/parts/elided_label.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/window/commands/note_commands.h"
#include "app/window/commands/report_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/main/status_text.h"
#include "app/window/pages/compare_page.h"
#include "app/window/pages/document_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/support/bands_at.h"

namespace highwater::gui::test {

/// Tests how the window divides its space, and that nothing moves under the mouse.
class LayoutTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    TimelinePlot& timeline() { return page().timeline(); }
    QTreeWidget& findings() { return page().findings().list(); }

    void open(const QString& sample, const QSize& size = {1440, 900})
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(isOn(page()) && page().run().study() && page().lanes().lanes());
        QTRY_VERIFY(timeline().isSettled());
    }

    /// Returns the position of a part of the page in the window.
    QRect placeOf(const QWidget& widget) const
    {
        return {widget.mapTo(m_window.get(), QPoint()), widget.size()};
    }
    QList<QRect> places()
    {
        QList<QRect> all;
        for (const QWidget* part : std::initializer_list<const QWidget*>{&page().verdict(), &page().lanes(),
                 &timeline(), &page().overview(), &page().legend(), &page().panelTabs(), &page().search()})
            all << placeOf(*part);
        return all << timeline().area().rect.toRect();
    }
    void pinTheMiddle()
    {
        const PlotArea area = timeline().area();
        QTest::mouseClick(&timeline(), Qt::LeftButton, {},
            QPointF(area.rect.center().x(), area.rect.bottom() - 8).toPoint());
        QVERIFY(page().selection().isPinned());
    }
    int wholeRowsInView()
    {
        int rows = 0;
        for (int i = 0; i < findings().topLevelItemCount(); ++i) {
            const QRect row = findings().visualItemRect(findings().topLevelItem(i));
            rows += row.height() >= 28 && findings().viewport()->rect().contains(row.center())
                    && row.bottom() <= findings().viewport()->rect().bottom()
                ? 1
                : 0;
        }
        return rows;
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void cleanup() { m_window.reset(); }

    void theDataHasTheLargestShareOfTheWindow_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440x900") << QSize(1440, 900);
        QTest::newRow("1280x800") << QSize(1280, 800);
    }
    void theDataHasTheLargestShareOfTheWindow()
    {
        QFETCH(QSize, size);
        open(QStringLiteral("r1-grpo-before"), size);
        QCOMPARE(m_window->size(), size);
        const auto share = [&] {
            const QRectF data = timeline().area().rect;
            return data.width() * data.height() / (size.width() * size.height());
        };
        QVERIFY2(share() >= 0.22, qPrintable(QString::number(share()))); // beside the details
        for (const QWidget* part : std::initializer_list<const QWidget*>{
                 &page().verdict(), &page().lanes(), &page().legend(), &findings()})
            QVERIFY(part->isVisible() && part->height() > 0);
        QVERIFY2(wholeRowsInView() >= 3, qPrintable(QString::number(wholeRowsInView())));
        page().closeSide();
        QTRY_VERIFY2(share() >= 0.29, qPrintable(QString::number(share())));
    }

    void aPinMovesNothing_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("sideWidth");
        QTest::newRow("1440x900") << QSize(1440, 900) << 300;
        QTest::newRow("960x1040") << QSize(960, 1040) << 260;
    }
    void aPinMovesNothing()
    {
        QFETCH(QSize, size);
        QFETCH(int, sideWidth);
        open(QStringLiteral("r1-grpo-before"), size);
        QTRY_COMPARE(page().side().width(), sideWidth);
        QVERIFY(!placeOf(page().side()).intersects(placeOf(timeline())));
        const QList<QRect> before = places();
        const AxisWindow x = page().range().x();
        pinTheMiddle();
        QCoreApplication::processEvents();
        QVERIFY(page().side().isVisible());
        QCOMPARE(places(), before);
        QCOMPARE(page().range().x().begin, x.begin);
        QCOMPARE(page().range().x().end, x.end);
        QTest::keyClick(&timeline(), Qt::Key_Escape);
        QCoreApplication::processEvents();
        QCOMPARE(places(), before);
    }

    void detailsGetNarrowerWithTheWindow()
    {
        open(QStringLiteral("r1-grpo-before"));
        QTRY_COMPARE(page().side().width(), 300);
        m_window->resize(960, 740);
        QTRY_COMPARE(page().side().width(), 260);
        m_window->resize(1440, 900);
        QTRY_COMPARE(page().side().width(), 300);
    }

    void noButtonOfTheNarrowestNotesIsCut()
    {
        open(QStringLiteral("r1-grpo-before"), {960, 700});
        page().setDetailsWanted(false);
        Note note;
        note.place = NotedMoment{page().analysis()->figures.peakEvent};
        m_window->notes().add(note, false);
        m_window->notes().setPanelWanted(true);
        const NotesPanel& notes = m_window->notes().panel();
        QTRY_VERIFY(notes.isVisible());
        m_window->resizeDocks(
            {m_window->findChild<QDockWidget*>(QStringLiteral("notesDock"))}, {1}, Qt::Horizontal);
        QTRY_VERIFY2(notes.width() <= 260, qPrintable(QString::number(notes.width())));
        for (const QToolButton* button : notes.findChildren<QToolButton*>())
            QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->objectName()));
    }

    void aRangeIsDescribedBesideTheTimelineAndMovesNothing()
    {
        open(QStringLiteral("r1-grpo-before"));
        QTRY_COMPARE(page().side().width(), 300);
        const QList<QRect> before = places();
        page().selection().setRange(Selection::EventRange{1'000, 9'000});
        QTRY_VERIFY(page().rangePanel().isVisible());
        QCOMPARE(places(), before);
        QVERIFY(!placeOf(page().side()).intersects(placeOf(timeline())));
        QCOMPARE_LE(page().rangePanel().minimumSizeHint().width(), 300);
    }

    void thePlotIsUsableOnHalfAScreen()
    {
        open(QStringLiteral("r1-grpo-before"), {960, 1040});
        QTRY_VERIFY2(timeline().area().rect.width() >= 600,
            qPrintable(QString::number(timeline().area().rect.width())));
    }

    void anotherModeMovesNothing()
    {
        open(QStringLiteral("r1-grpo-before"));
        const QList<QRect> before = places();
        for (const BandMode mode : page().bandView().modes()) {
            page().bandView().setMode(mode);
            QTRY_COMPARE(page().bandView().mode(), mode);
            QTRY_VERIFY(timeline().isSettled());
            QCOMPARE(places(), before);
        }
    }

    void theComparisonOfTwoStepsLeavesTheWindowAsWideAsItWas()
    {
        open(QStringLiteral("r1-grpo-before"), {1280, 800});
        page().runOnStep(2, StepCommand::Select);
        page().runOnStep(9, StepCommand::Compare);
        QTRY_VERIFY(isOn(m_window->pages().compare) && m_window->pages().compare.isSettled());
        QCOMPARE(m_window->size(), QSize(1280, 800));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QTRY_VERIFY(isOn(page()) && timeline().isSettled());
        QTest::qWait(50);
        QCOMPARE(m_window->size(), QSize(1280, 800));
        QVERIFY(placeOf(page().side()).right() < 1280);
    }

    void aLongStatusDoesNotWidenTheWindow()
    {
        StatusText text(Qt::AlignLeft, nullptr);
        text.setText(QString(300, QLatin1Char('x')));
        QVERIFY(text.sizeHint().width() > 1000);
        QVERIFY(text.minimumSizeHint().width() < 100);
    }

    void aMessageCoversNothing()
    {
        open(QStringLiteral("r1-grpo-before"));
        page().panelTabs().setExtent(PanelTabs::Extent::Collapsed);
        m_window->openFile(brokenPath(QStringLiteral("empty.pickle")));
        QTRY_VERIFY(!m_window->errorText().isEmpty());
        const auto* bar = m_window->findChild<QWidget*>(QStringLiteral("errorBar"));
        QTRY_VERIFY(bar->isVisible() && bar->height() > 10);
        for (const QRect& place : places())
            QVERIFY(!place.intersects(placeOf(*bar)) || place == timeline().area().rect.toRect());
    }

    void aCollapsedPanelGivesItsHeightToTheTimeline()
    {
        open(QStringLiteral("r1-grpo-before"), {1280, 800});
        const int height = timeline().height();
        QTest::mouseClick(
            page().panelTabs().findChild<QToolButton*>(QStringLiteral("collapseQuestions")), Qt::LeftButton);
        QTRY_VERIFY(timeline().height() > height + 100);
    }

    void theHeadlineStandsOnceAndWholeAtTheUsualSizes()
    {
        open(QStringLiteral("r1-grpo-before"), {1280, 800});
        const Headline& headline = page().verdict().headline();
        const QString verdict = QString::fromStdString(page().run().study()->diagnosis().sentence);
        QCOMPARE(headline.shownLines().first(), verdict.left(headline.shownLines().first().size()));
        QVERIFY(headline.text().startsWith(verdict));
        QVERIFY(
            headline.toolTip().contains(QString::fromStdString(page().run().study()->diagnosis().detail)));
        QVERIFY(!textIn(page().findings()).contains(verdict));
    }

    void aNarrowWindowBreaksTheHeadlineRatherThanCutItsPlace()
    {
        open(QStringLiteral("r1-grpo-before"), {960, 1040});
        QTRY_COMPARE(page().side().width(), 260);
        const auto shown = [this] { return page().verdict().headline().shownLines().join(QLatin1Char(' ')); };
        const QString verdict = page().verdict().headline().verdict();
        QVERIFY(verdict.contains(QStringLiteral("trainer.py:186")));
        QTRY_VERIFY2(
            shown().contains(QStringLiteral("policy_log_probs (trainer.py:186)")), qPrintable(shown()));
    }

    void aNarrowHeadlineOfAFailureKeepsItsCause()
    {
        open(QStringLiteral("oom-fragmentation"), {960, 720});
        const QString shown = page().verdict().headline().shownLines().join(QLatin1Char(' '));
        QVERIFY2(shown.contains(QStringLiteral("fragmented")), qPrintable(shown));
    }

    void theGaugeGivesItsRoomToAHeadlineThatNeedsIt()
    {
        open(QStringLiteral("r1-grpo-before"), {1100, 800});
        const auto* gauge = page().verdict().findChild<QWidget*>(QStringLiteral("gauge"));
        QTRY_VERIFY2(gauge->width() < 360, qPrintable(QString::number(gauge->width())));
        m_window->resize(1900, 800);
        QTRY_COMPARE(gauge->width(), 360);
    }

    void theGaugeStaysNextToALongHeadlineAndEndsAtTheLimitOfTheProcess()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(960, 640);
        m_window->show();
        m_window->openFiles({QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/runs/four-ranks-one-fails")});
        QTRY_VERIFY(isOn(page()) && page().run().study());
        const auto* gauge = page().verdict().findChild<MemoryGauge*>();
        QTRY_COMPARE(gauge->figures().capacityText, QStringLiteral("process limit 2 GiB"));
        QTRY_VERIFY2(
            gauge->width() >= gauge->minimumSizeHint().width(), qPrintable(QString::number(gauge->width())));
        const auto shown = [this] { return page().verdict().headline().shownLines().join(QLatin1Char(' ')); };
        QTRY_VERIFY2(shown().contains(QStringLiteral("limited to 2 GiB")), qPrintable(shown()));
    }

    void aNarrowGaugeKeepsTheSizeOfTheGpu()
    {
        open(QStringLiteral("r1-grpo-before"), {960, 1040});
        const auto* gauge = page().verdict().findChild<MemoryGauge*>();
        QTRY_VERIFY2(gauge->width() < 360, qPrintable(QString::number(gauge->width())));
        const QString shown = gauge->shownTexts().join(QLatin1Char(' '));
        QVERIFY2(shown.contains(QStringLiteral("22.62 GiB in use")), qPrintable(shown));
        QVERIFY2(shown.contains(QStringLiteral("22.85 GiB")), qPrintable(shown));
    }

    void aTextWithoutRoomLosesItsLastClausesFirst()
    {
        const auto upTo = [](qsizetype length) {
            return [length](const QString& text) { return text.size() <= length; };
        };
        const QString text
            = QStringLiteral("It is growth, not fragmentation (58 holes, 1%), and no step is big");
        QCOMPARE(shortenedToFit(text, upTo(200)), text);
        QCOMPARE(shortenedToFit(text, upTo(55)),
            QStringLiteral("It is growth, not fragmentation (58 holes, 1%)…"));
        QCOMPARE(shortenedToFit(text, upTo(40)), QStringLiteral("It is growth, not fragmentation…"));
        QCOMPARE(shortenedToFit(text, upTo(20)), QStringLiteral("It is growth…"));
        QCOMPARE(shortenedToFit(text, upTo(8)), QStringLiteral("It is…"));
        QCOMPARE(shortenedToFit(QStringLiteral("The run failed at score (model.py:12)"), upTo(30)),
            QStringLiteral("The run failed at score…"));
    }

    void aTextWithoutRoomLosesNoPartOfAFigure()
    {
        const QString text = QStringLiteral("The copies take 10.61 GiB of the peak");
        for (qsizetype room = 12; room < text.size(); ++room) {
            const QString shown
                = shortenedToFit(text, [room](const QString& part) { return part.size() <= room; });
            QVERIFY2(!shown.contains(QStringLiteral("10")) || shown.contains(QStringLiteral("10.61 GiB")),
                qPrintable(shown));
        }
    }

    void aTextThatBeginsWithAFigureKeepsItsUnitOrNothing()
    {
        const QString text = QStringLiteral("10.61 GiB of weights");
        for (qsizetype room = 1; room < text.size(); ++room) {
            const QString shown
                = shortenedToFit(text, [room](const QString& part) { return part.size() <= room; });
            QVERIFY2(shown == QStringLiteral("…") || shown.startsWith(QStringLiteral("10.61 GiB")),
                qPrintable(shown));
        }
    }

    void aTextKeepsWordsWhereItsFirstClauseSaysTooLittle()
    {
        QCOMPARE(shortenedToFit(QStringLiteral("Next: Wrap the call at generate (rollout.py:44)"),
                     [](const QString& part) { return part.size() <= 30; }),
            QStringLiteral("Next: Wrap the call at…"));
    }

    void aListLosesItsLastItemWhole()
    {
        QCOMPARE(shortenedToFit(
                     QStringLiteral("The largest are 5 GiB at a (b.py:1), 4 GiB at c (d.py:2) and 1 GiB"),
                     [](const QString& part) { return part.size() <= 60; }),
            QStringLiteral("The largest are 5 GiB at a (b.py:1), 4 GiB at c (d.py:2)…"));
    }

    void aTextThatEndsWithAWholeSentenceHasNoEllipsis()
    {
        const auto isShort = [](const QString& text) { return text.size() <= 20; };
        QCOMPARE(shortenedToFit(QStringLiteral("This is a leak. Without it, it fits"), isShort),
            QStringLiteral("This is a leak"));
        QCOMPARE(shortenedToFit(QStringLiteral("This is a leak (1.2 GiB a step)."), isShort),
            QStringLiteral("This is a leak"));
        QCOMPARE(shortenedToFit(QStringLiteral("This leaks: without it, step 3 fits"), isShort),
            QStringLiteral("This leaks…"));
    }

    void theLegendKeepsItsOrderAndEntriesWhateverIsAlive()
    {
        open(QStringLiteral("r1-grpo-before"));
        LegendBar& legend = page().legend();
        const auto shown = [&] {
            QList<std::pair<QString, QRect>> all;
            for (std::size_t i = 0; i < legend.rows().size(); ++i)
                all.emplaceBack(legend.rows()[i].label, legend.rowRect(i));
            return all;
        };
        const auto before = shown();
        page().selection().setCursor(0);
        QCOMPARE(shown(), before);
        page().selection().setCursor(6'000);
        QCOMPARE(shown(), before);
        QVERIFY(legend.height() <= 26);
    }

    void aCategoryThatIsNotAliveCanBeChosen()
    {
        open(QStringLiteral("r1-grpo-before"));
        page().selection().setCursor(0);
        LegendBar& legend = page().legend();
        const auto& rows = legend.rows();
        const auto dead = std::ranges::find(rows, std::int64_t{0}, &LegendRow::count);
        QVERIFY(dead != rows.end());
        const GroupRank group = *dead->group;
        QTest::mouseClick(&legend, Qt::LeftButton, {},
            legend.rowRect(static_cast<std::size_t>(dead - rows.begin())).center());
        QCOMPARE(page().bandView().isolated(), std::optional(group));
    }

    void theLegendNamesEveryCategoryAt1280()
    {
        open(QStringLiteral("r1-grpo-before"), {1280, 800});
        page().closeSide();
        page().bandView().setMode(BandMode::Category);
        QTRY_COMPARE(page().bandView().mode(), BandMode::Category);
        LegendBar& legend = page().legend();
        const QFontMetrics font(smallFont(legend.font()));
        QVERIFY(std::ranges::any_of(legend.rows(), [](const LegendRow& row) { return row.count == 0; }));
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            QVERIFY2(legend.rowRect(i).width() > font.horizontalAdvance(legend.rows()[i].label),
                qPrintable(legend.rows()[i].label));
    }

    void groupsWithoutRoomAreInTheMenu()
    {
        open(QStringLiteral("r1-grpo-before"), {1280, 800});
        page().bandView().setMode(BandMode::SizeClass);
        QTRY_COMPARE(page().bandView().mode(), BandMode::SizeClass);
        LegendBar& legend = page().legend();
        QVERIFY(!legend.moreRect().isNull());
        std::unique_ptr<QMenu> menu(legend.makeMenu());
        QVERIFY(!menu->actions().isEmpty());
        menu->actions().first()->trigger();
        QVERIFY(page().bandView().isolated());
    }

    void theMatchOfASearchComesInFrontOfTheNotes()
    {
        open(QStringLiteral("r1-grpo-before"));
        m_window->notes().setPanelWanted(true);
        QTRY_VERIFY(page().details().visibleRegion().isEmpty());
        auto* const field = page().search().findChild<QLineEdit*>(QStringLiteral("searchField"));
        QTest::keyClick(m_window.get(), Qt::Key_Slash);
        QTest::keyClicks(field, QStringLiteral("size>64MiB"));
        QVERIFY(page().details().visibleRegion().isEmpty()); // the match is not shown yet
        QTest::keyClick(field, Qt::Key_F3);
        QTRY_VERIFY(page().selection().isPinned());
        QTRY_VERIFY(!page().details().visibleRegion().isEmpty());
    }

    void detailsAndNotesShareOnePlace()
    {
        open(QStringLiteral("r1-grpo-before"));
        QTRY_COMPARE(page().side().width(), 300);
        const int width = timeline().width();
        m_window->notes().setPanelWanted(true);
        QTRY_VERIFY(m_window->findChild<QDockWidget*>(QStringLiteral("notesDock"))->isVisible());
        QCOMPARE(timeline().width(), width);
        QTest::mouseMove(&timeline(), timeline().area().rect.center().toPoint());
        pinTheMiddle(); // brings the details to the front
        QTRY_VERIFY(!page().details().visibleRegion().isEmpty());
        m_window->notes().open(0);
        QTRY_VERIFY(page().details().visibleRegion().isEmpty());
        m_window->notes().setPanelWanted(false);
        QTRY_VERIFY(page().side().isVisible());
    }

    void theDetailsAreInFrontAgainAfterAnotherPage()
    {
        open(QStringLiteral("r1-grpo-before"));
        m_window->notes().list().add({});
        m_window->notes().setPanelWanted(true);
        QTRY_VERIFY(page().details().visibleRegion().isEmpty());
        QDockWidget* const details = m_window->findChild<QDockWidget*>(QStringLiteral("detailsDock"));
        details->raise();
        QTRY_VERIFY(!page().details().visibleRegion().isEmpty());
        m_window->report().show();
        QTRY_VERIFY(details->isHidden());
        m_window->report().hide();
        QTRY_VERIFY(!page().details().visibleRegion().isEmpty());
        QVERIFY(!m_window->notes().dock().isHidden());
    }

    void allViewsHaveTheSameHeight()
    {
        open(QStringLiteral("r1-grpo-before"));
        const int height = timeline().height();
        for (const char* view : {"steps", "moment", "segments", "budget", "summary"}) {
            m_window->openView(QString::fromLatin1(view));
            QTest::qWait(50);
            QCOMPARE(timeline().height(), height);
        }
    }

    void theSidePanelIsClosedByItsButton()
    {
        open(QStringLiteral("r1-grpo-before"));
        pinTheMiddle();
        m_window->findChild<QDockWidget*>(QStringLiteral("detailsDock"))->close();
        QVERIFY(!page().side().isVisible());
        QVERIFY(!page().selection().isPinned());
        QVERIFY(!m_window->actions().details->isChecked());
        QTRY_VERIFY(timeline().isSettled());
        pinTheMiddle(); // a click moves nothing, so it does not bring the panel back
        QVERIFY(!page().side().isVisible());
    }

    void theDetailsAreThereUnlessTheUserHidesThem()
    {
        open(QStringLiteral("r1-grpo-before"));
        QVERIFY(page().side().isVisible() && m_window->actions().details->isChecked());
        m_window->actions().details->trigger();
        QVERIFY(!page().side().isVisible());
        m_window->actions().details->trigger();
        QVERIFY(page().side().isVisible());
    }

    void onTheStartPageThereIsNoToolBar()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->show();
        QVERIFY(!m_window->findChild<QWidget*>(QStringLiteral("mainToolBar"))->isVisible());
        QVERIFY(!m_window->actions().report->isEnabled());
    }

    void keysTypedInTheReportLeaveTheTimelineAlone()
    {
        open(QStringLiteral("r1-grpo-before"));
        page().range().setX(2'000, 9'000);
        page().range().setX(3'000, 8'000);
        page().selection().setCursor(4'000);
        m_window->report().show();
        QWidget* const focus = m_window->focusWidget();
        QVERIFY(focus);
        for (const int key : {Qt::Key_P, Qt::Key_0, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_BracketLeft,
                 Qt::Key_BracketRight, Qt::Key_O, Qt::Key_2, Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D,
                 Qt::Key_F, Qt::Key_Home, Qt::Key_I})
            QTest::keyClick(focus, static_cast<Qt::Key>(key));
        QTest::keyClick(focus, Qt::Key_Left, Qt::AltModifier);
        QTest::keyClick(focus, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(page().range().x().begin, 3'000.0);
        QCOMPARE(page().range().x().end, 8'000.0);
        QCOMPARE(page().selection().cursor(), std::optional<std::int64_t>(4'000));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("summary"));
    }

    void numbersOpenTheViews()
    {
        open(QStringLiteral("r1-grpo-before"));
        for (const auto& [key, view] : {std::pair(Qt::Key_2, "steps"), std::pair(Qt::Key_4, "segments"),
                 std::pair(Qt::Key_1, "summary")}) {
            QTest::keyClick(&timeline(), key);
            QCOMPARE(page().panelTabs().openName(), QLatin1String(view));
        }
        QTest::keyClick(&timeline(), Qt::Key_6); // would show ranks, but there are none
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("summary"));
    }

    void whyTheRequestFailedIsOneClickAway()
    {
        open(QStringLiteral("r1-grpo-before"));
        const auto& all = page().run().study()->findings();
        QTreeWidget& list = findings();
        QTreeWidgetItem* row = nullptr;
        for (int i = 0; i < list.topLevelItemCount() && !row; ++i) {
            const auto number
                = list.topLevelItem(i)->data(0, Qt::UserRole).toString().section(':', 1).toUInt();
            if (isFailure(all[number]))
                row = list.topLevelItem(i);
        }
        QVERIFY(row);
        const QModelIndex cell = list.indexAt(list.visualItemRect(row).center()).siblingAtColumn(3);
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, list.visualRect(cell).center());
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("segments"));
        QCOMPARE(page().selection().cursor(), std::optional(page().analysis()->figures.ooms.front().event));
    }

    /// The actions are: step lane, moment view, largest row.
    void theLargestAllocationAtAStepsPeakIsThreeActionsAway()
    {
        open(QStringLiteral("r1-grpo-before"));
        const Step& step = page().analysis()->steps.steps[6];
        page().goToStep(6); // Ctrl+G, "step 6"
        QCOMPARE(page().selection().cursor(), std::optional(step.peakEvent));
        const auto bands = highwater::test::bandsAt(
            page().analysis()->live, step.peakEvent, page().bandView().stacking().get());
        const auto largest = std::ranges::max_element(bands, {}, &Band::bytes);
        QTRY_VERIFY(page().isSettled() && timeline().isSettled());
        const PlotArea area = timeline().area(); // area of the current picture
        const double x = area.toX(static_cast<double>(step.peakEvent) + 0.5);
        const double middle
            = area.toY(static_cast<double>(largest->offset) + static_cast<double>(largest->bytes) / 2);
        // It may be lower than two pixels, so it may appear next to its middle.
        const std::array<double, 3> rows = {middle, middle - 1, middle + 1};
        const auto row = std::ranges::find_if(rows, [&](double y) {
            const QPoint at = QPointF(x, y).toPoint();
            return timeline().image()->allocationAt(area.keyAt(at.x() + 0.5), area.bytesAt(at.y() + 0.5))
                == largest->allocation;
        });
        QVERIFY(row != rows.end());
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, QPointF(x, *row).toPoint());
        QCOMPARE(page().selection().pinned(), largest->allocation);
        QVERIFY(page().details().isVisible());
        QVERIFY(page().details().text().contains(QStringLiteral(".py")));
    }

    void aFolderOpensOnTheRankThatRanOutWithItsDiagnosis()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->show();
        m_window->openFile(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks"));
        QTRY_VERIFY(!m_window->sessions().run.run().isLoading() && page().run().study());
        QVERIFY(page().document()->fileName().starts_with("rank2"));
        QTRY_VERIFY(page().verdict().headline().text().startsWith(QStringLiteral("Of 4 ranks, only rank 2")));
        QVERIFY(page().verdict().headline().text().contains(QStringLiteral("112 MiB requested")));
        QTRY_VERIFY(page()
                        .verdict()
                        .headline()
                        .shownLines()
                        .join(QLatin1Char(' '))
                        .contains(QStringLiteral("blocks of at most 60.5 MiB in PyTorch's cache")));
    }

    void theHeadlineOfAnotherRankNamesTheOneThatRanOut()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->show();
        m_window->openFile(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks"));
        QTRY_VERIFY(!m_window->sessions().run.run().isLoading() && page().run().study());
        m_window->sessions().run.show(0);
        QTRY_VERIFY(page().verdict().headline().text().contains(QStringLiteral("ank 2 ran out of memory")));
        QVERIFY(page().document()->fileName().starts_with("rank0"));
    }

    void aFileCanBeAddedToTheRun()
    {
        open(QStringLiteral("tiny-hand-checked"));
        m_window->addFiles({samplePath(QStringLiteral("two-devices"))});
        QTRY_COMPARE(m_window->sessions().run.run().files().size(), std::size_t{2});
        QTRY_VERIFY(!m_window->sessions().run.run().isLoading());
    }

    void recentFilesTellHowTheyEnded()
    {
        m_window = std::make_unique<MainWindow>(true);
        m_window->show();
        m_window->openFile(samplePath(QStringLiteral("oom-too-big")));
        QTRY_VERIFY(isOn(page()) && page().run().study());
        const RecentFiles::Outcome outcome
            = RecentFiles(true).outcomeOf(samplePath(QStringLiteral("oom-too-big")));
        QVERIFY2(outcome.text.endsWith(QStringLiteral("GiB, out of memory")), qPrintable(outcome.text));
        QVERIFY(outcome.failed && outcome.opened.isValid());
    }

    void theStatusTextIsQuietAndKeepsClearOfTheEdge()
    {
        open(QStringLiteral("r1-grpo-before"));
        auto* const status = m_window->findChild<StatusText*>(QStringLiteral("status"));
        QVERIFY(status && status->text().startsWith(QStringLiteral("13,342 events")));
        QCOMPARE(status->palette().color(status->foregroundRole()), ThemeColors::light().quietText);
        const QImage picture = status->grab().toImage();
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < 6; ++x)
                QCOMPARE(picture.pixelColor(x, y), picture.pixelColor(0, 0));
    }

    void theStatusTextGrowsAndNeverShrinks()
    {
        StatusText status(Qt::AlignRight, nullptr);
        status.setText(QStringLiteral("event 13,342"));
        const int width = status.sizeHint().width();
        status.setText(QStringLiteral("event 1"));
        QCOMPARE(status.sizeHint().width(), width);
        status.setText(QStringLiteral("event 13,342 · +1.2 s"));
        QVERIFY(status.sizeHint().width() > width);
    }

    void aNewFileOpensWithItsFindings()
    {
        open(QStringLiteral("r1-grpo-before"));
        page().panelTabs().open(QStringLiteral("steps"));
        m_window->openFile(samplePath(QStringLiteral("r5-flan-t5-xl-before")));
        QTRY_VERIFY(page().document()->fileName().starts_with("r5"));
        QCOMPARE(page().panelTabs().openName(), QStringLiteral("summary"));
    }
};

HIGHWATER_APP_TEST(LayoutTest)

} // namespace highwater::gui::test

#include "layout_test.moc"
