#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>

#include "app/timeline/note_flags.h"
#include "app/views/findings/findings_view.h"
#include "app/views/log/log_view.h"
#include "app/views/moment/composition_view.h"
#include "app/views/moment/moment_table_page.h"
#include "app/views/notes/note_editor.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/side_panel/range_panel.h"
#include "app/views/steps/step_chart.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/pages/log_page.h"
#include "core/analysis/stacks/call_site.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests of notes on one file: creating them, going to them, and their flags.
class NotesTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    DocumentPage& page() { return m_window->page(); }
    TimelinePlot& timeline() { return page().timeline(); }
    NoteCommands& commands() { return m_window->notes(); }
    const Notes& notes() { return commands().list().notes(); }
    const AllocationTable& table() { return page().analysis()->allocations; }
    const StepTable& steps() { return page().analysis()->steps; }

    void open(const QString& sample)
    {
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(
            page().document() && QString::fromStdString(page().document()->path) == samplePath(sample));
        QTRY_VERIFY(timeline().isSettled());
    }
    QPoint at(double share)
    {
        const QRectF rect = timeline().area().rect;
        return QPointF(rect.left() + share * rect.width(), rect.bottom() - 12).toPoint();
    }
    std::int64_t eventAt(const QPoint& point)
    {
        return timeline().eventAt(timeline().area().keyAt(point.x() + 0.5));
    }
    Note put(NotePlace place)
    {
        commands().list().add(noteAt(std::move(place)));
        return notes().back();
    }
    void goTo(int index)
    {
        commands().panel().choose(index);
        emit commands().panel().goRequested(index);
    }
    QString sentence() { return commands().panel().findChild<QLabel*>("notesSentence")->text(); }
    template <typename View>
    View& openView(const QString& name)
    {
        m_window->openView(name);
        View& view = *page().panelTabs().findChild<View*>();
        QTest::qWait(0);
        return view;
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        QSettings().clear();
        m_window = std::make_unique<MainWindow>(true);
        m_window->resize(1400, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup()
    {
        m_window->workspace().end(); // otherwise the next window offers to restore the notes
        m_window.reset();
    }

    void withoutAFileThereIsNothingToNote()
    {
        QVERIFY(!commands().addHere->isEnabled());
        QTest::keyClick(m_window.get(), Qt::Key_N);
        QVERIFY(notes().empty());
        QVERIFY(!commands().panel().isVisible());
    }

    void theKeyMakesANoteAtTheCursorAndItsTitleIsTyped()
    {
        open("training-6-steps-annotated");
        QTest::mouseMove(&timeline(), at(0.5));
        const std::int64_t event = eventAt(at(0.5));
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].place, NotePlace(NotedMoment{event}));
        QCOMPARE(notes()[0].run, NoteRun::After);
        QVERIFY(notes()[0].file.empty() && notes()[0].device.empty());
        QVERIFY(commands().panel().isVisible());
        QLineEdit& title = commands().panel().editor().title();
        QVERIFY(title.hasFocus());
        QTest::keyClicks(&title, "now"); // these letters must not act as commands
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].title, std::string("now"));
    }

    void thePanelIsAboutTheFileInFront()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{100});
        commands().list().undoStack().setClean(); // otherwise opening another file asks about the note
        commands().open(0);
        QTRY_VERIFY(page().details().visibleRegion().isEmpty());
        open("tiny-hand-checked");
        QVERIFY(notes().empty());
        QTRY_VERIFY(!page().details().visibleRegion().isEmpty());
        const auto* empty = commands().panel().findChild<QLabel*>("notesEmpty");
        QVERIFY2(empty->text().startsWith(QStringLiteral("No notes on tiny-hand-checked")),
            qPrintable(empty->text()));
    }

    void escapeInAnUntouchedNoteGivesTheKeyboardBack()
    {
        open("training-6-steps-annotated");
        QTest::mouseMove(&timeline(), at(0.5));
        QTest::keyClick(&timeline(), Qt::Key_N);
        QTest::keyClick(&commands().panel().editor().title(), Qt::Key_Escape);
        QVERIFY(notes().empty());
        QVERIFY(timeline().hasFocus());
    }

    void withAMarkedRangeTheKeyNotesTheRange()
    {
        open("training-6-steps-annotated");
        page().selection().setRange(Selection::EventRange{40, 90});
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedRange{40, 90}));
    }

    void withoutACursorTheRunIsNoted()
    {
        open("training-6-steps-annotated");
        timeline().ignoreMouseUntilMoved();
        page().selection().setCursor(std::nullopt);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QVERIFY(std::holds_alternative<std::monostate>(notes()[0].place));
    }

    void theMenuOfTheTimelineOffersWhatIsThere()
    {
        open("training-6-steps-annotated");
        commands().setPanelWanted(true); // the first note opens the panel
        QTRY_VERIFY(timeline().isSettled());
        const QPoint point = at(0.5);
        page().selection().setRange(Selection::EventRange{4, 9});
        const AllocationIndex there = timeline().image()->allocationAt(
            timeline().area().keyAt(point.x() + 0.5), timeline().area().bytesAt(point.y() + 0.5));
        QVERIFY(there != Selection::kNone);
        const std::int64_t event = eventAt(point);
        const std::string site = page().analysis()->sites.site(page().analysis()->sites.of(there)).key;
        const std::vector<std::pair<QString, NotePlace>> offers = {
            {"Add a note at event", NotedMoment{event}}, {"Add a note on the marked range", NotedRange{4, 9}},
            {"Add a note on the allocation here", notedAllocation(table(), there)},
            {"Add a note on its call site", NotedSite{site}},
            {"Add a note on " + QString::fromStdString(steps().steps[*steps().stepOf(event)].name),
                NotedStep{static_cast<std::int64_t>(*steps().stepOf(event))}}};
        for (const auto& [text, place] : offers) {
            QVERIFY2(chooseInMenu(timeline(), point, "timelineMenu", text), qPrintable(text));
            QCOMPARE(notes().back().place, place);
        }
        QCOMPARE(notes().size(), offers.size());
    }

    void aPinnedAllocationIsOfferedInsteadOfTheOneThere()
    {
        open("training-6-steps-annotated");
        page().selection().pin(3);
        QVERIFY(chooseInMenu(timeline(), at(0.5), "timelineMenu", "Add a note on the pinned allocation"));
        QCOMPARE(notes()[0].place, NotePlace(notedAllocation(table(), 3)));
    }

    void theDetailsOfferANoteOnTheAllocation()
    {
        open("training-6-steps-annotated");
        page().selection().pin(3);
        QVERIFY(chooseInMenu(page().details(), page().details().rect().center(), "detailsMenu",
            "Add a note on this allocation"));
        QCOMPARE(notes()[0].place, NotePlace(notedAllocation(table(), 3)));
    }

    void theRangePanelNotesItsRange()
    {
        open("training-6-steps-annotated");
        page().selection().setRange(Selection::EventRange{10, 60});
        QTRY_VERIFY(page().rangePanel().isVisible());
        QTest::mouseClick(page().rangePanel().findChild<QPushButton*>("rangeNote"), Qt::LeftButton);
        QCOMPARE(notes()[0].place, NotePlace(NotedRange{10, 60}));
    }

    void aNotedRangeIsTintedBehindTheData()
    {
        open(QStringLiteral("training-6-steps-annotated"));
        QTest::mouseMove(m_window.get(), QPoint(1, 1)); // an allocation under the mouse would be outlined
        timeline().ignoreMouseUntilMoved();
        QTRY_VERIFY(page().isSettled() && timeline().isSettled());
        const QRectF rect = timeline().area().rect;
        // Memory is in use in the middle of the run, and almost none at its beginning.
        const QPoint inData = QPointF(rect.center().x() + 9, rect.bottom() - 3).toPoint();
        const QPoint aboveData = QPointF(rect.left() + 3, rect.center().y()).toPoint();
        const auto colorsNow = [&] {
            const QImage picture = timeline().grab().toImage();
            const double ratio = picture.devicePixelRatio();
            return std::pair(picture.pixelColor(inData * ratio), picture.pixelColor(aboveData * ratio));
        };
        const auto [dataBefore, emptyBefore] = colorsNow();
        put(NotedRange{0, table().eventCount()});
        QTRY_VERIFY(colorsNow().second != emptyBefore);
        QTRY_COMPARE(colorsNow().first, dataBefore);
    }

    void aStepIsNotedFromTheTableAndFromTheChart()
    {
        open("training-6-steps-annotated");
        auto& view = openView<StepsView>("steps");
        view.table().setFocus();
        view.table().setCurrentIndex(view.table().model()->index(2, 0));
        QTest::mouseMove(&view.table());
        QTest::keyClick(&view.table(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedStep{2}));
        QTRY_VERIFY(!view.chart().rectOf(4).isEmpty());
        QVERIFY(
            chooseInMenu(view.chart(), view.chart().rectOf(4).center().toPoint(), "stepMenu", "Add a note"));
        QCOMPARE(notes()[1].place, NotePlace(NotedStep{4}));
    }

    void aCallSiteIsNotedFromItsRow()
    {
        open("training-6-steps-annotated");
        auto& view = openView<CompositionView>("moment");
        MomentOptions options = view.options();
        options.group = GroupKey::Site;
        view.setOptions(options);
        QTableView& rows = static_cast<MomentTablePage&>(view.page(CompositionView::Way::Table)).table();
        QTRY_VERIFY(view.isSettled() && rows.model()->rowCount() > 1);
        rows.setFocus();
        rows.setCurrentIndex(rows.model()->index(1, 0));
        QTest::mouseMove(&rows);
        QTest::keyClick(&rows, Qt::Key_N);
        const auto* const site = std::get_if<NotedSite>(&notes()[0].place);
        QVERIFY(site);
        QCOMPARE(siteLabel(site->site), rows.model()->index(1, 0).data().toString().toStdString());
    }

    void aFindingIsKeptAsANote()
    {
        open("fault-growth");
        auto& view = openView<FindingsView>("summary");
        QTRY_VERIFY(page().run().study());
        const std::vector<Finding>& findings = page().run().study()->findings();
        const auto fault = std::ranges::find(findings, "growth", &Finding::rule);
        QVERIFY(fault != findings.end());
        const Finding& finding = *fault;
        const QString keep = QStringLiteral("keep:%1").arg(fault - findings.begin());
        view.findChild<QToolButton*>("factsLink")->setChecked(true);
        QTreeWidgetItemIterator row(&view.list());
        while (*row && (*row)->data(0, Qt::UserRole).toString() != keep)
            ++row;
        QVERIFY(*row);
        emit view.list().itemActivated(*row, 0);
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].title, finding.title);
        QCOMPARE(
            static_cast<std::size_t>(std::ranges::count(notes()[0].text, '\n')), finding.evidence.size() + 2);
        QVERIFY(notes()[0].text.find("**Next:** ") != std::string::npos);
        QVERIFY(!std::holds_alternative<std::monostate>(notes()[0].place));
        QCOMPARE(commands().panel().editor().title().selectedText(), QString::fromStdString(finding.title));
    }

    void aLineOfALogIsNotedAndGoneTo()
    {
        m_window->openFile(logPath("forms.txt"));
        LogView& log = m_window->pages().log.view();
        QTRY_VERIFY(log.hasLog() && log.isSettled() && log.lines().model()->rowCount() > 12);
        log.goToLine(12);
        log.lines().setFocus();
        QTest::keyClick(&log.lines(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedLine{12}));
        QVERIFY(notes()[0].file.empty());
        const QModelIndex row = log.lines().model()->index(11, 0);
        QTRY_VERIFY(!row.data(Qt::DecorationRole).isNull());
        log.goToLine(3);
        goTo(0);
        QCOMPARE(log.currentLine(), std::uint64_t{12});
    }

    void aLineOfTheLogBesideTheTimelineIsNotedAndGoneTo()
    {
        m_window->openFiles({samplePath("training-6-steps-annotated"), logPath("forms.txt")});
        LogView& log = m_window->page().log();
        QTRY_VERIFY(page().analysis() && log.hasLog() && log.isSettled());
        m_window->openView("log");
        log.goToLine(12);
        log.lines().setFocus();
        QTest::mouseMove(&log.lines());
        QTest::keyClick(&log.lines(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedLine{12}));
        QCOMPARE(notes()[0].file, std::string("forms.txt"));
        QVERIFY(!log.lines().model()->index(11, 0).data(Qt::DecorationRole).isNull());
        log.goToLine(1);
        m_window->openView("summary");
        goTo(0);
        QCOMPARE(page().panelTabs().openName(), QString("log"));
        QCOMPARE(log.currentLine(), std::uint64_t{12});
    }

    void aMomentIsGoneTo()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{33});
        goTo(0);
        QCOMPARE(*page().selection().cursor(), std::int64_t{33});
        QVERIFY(!page().range().isFit());
    }

    void aRangeIsGoneToAndMarked()
    {
        open("training-6-steps-annotated");
        put(NotedRange{40, 90});
        goTo(0);
        QCOMPARE(page().range().x().begin, 40.0);
        QCOMPARE(page().range().x().end, 90.0);
        QCOMPARE(*page().selection().range(), (Selection::EventRange{40, 90}));
    }

    void aStepIsGoneTo()
    {
        open("training-6-steps-annotated");
        put(NotedStep{3});
        goTo(0);
        QCOMPARE(page().range().x().begin, static_cast<double>(steps().steps[3].begin));
        QCOMPARE(*page().selection().cursor(), steps().steps[3].peakEvent);
    }

    void anAllocationIsGoneToAndPinned()
    {
        open("training-6-steps-annotated");
        const auto last = static_cast<AllocationIndex>(table().size() - 1);
        put(notedAllocation(table(), last));
        goTo(0);
        QCOMPARE(page().selection().pinned(), last);
        put(notedAllocation(table(), 0));
        goTo(1);
        QCOMPARE(page().selection().pinned(), AllocationIndex{0});
    }

    void aCallSiteLightsUp()
    {
        open("training-6-steps-annotated");
        const NotedSite site{page().analysis()->sites.site(page().analysis()->sites.of(9)).key};
        put(site);
        goTo(0);
        QVERIFY(page().bandView().highlighted());
        QCOMPARE(*page().bandView().highlighted(), membersOf(site, *page().analysis()));
    }

    void aPlaceThatIsNotThereIsSaid()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{table().eventCount()});
        goTo(0);
        QVERIFY(sentence().startsWith("Note 1 is about a place"));
        commands().list().add(Note());
        goTo(1);
        QVERIFY(sentence().startsWith("Note 2 is about the run"));
        put(NotedRow{"site", "x"});
        goTo(2);
        QVERIFY(sentence().contains("a row of a comparison"));
        put(NotedLine{3});
        goTo(3);
        QVERIFY(sentence().contains("a line of a log"));
    }

    void aNoteOnAnotherDeviceShowsThatDevice()
    {
        open("two-devices");
        const DeviceIndex other = page().analysis()->device == 0 ? 1 : 0;
        Note note = noteAt(NotedMoment{2});
        note.device = page().document()->trace().devices[other].label();
        commands().list().add(note);
        QTRY_VERIFY(timeline().notes().flags().empty());
        goTo(0);
        QCOMPARE(page().analysis()->device, other);
        QCOMPARE(*page().selection().cursor(), std::int64_t{2});
        QCOMPARE(timeline().notes().flags().size(), std::size_t{1});
    }

    void aNoteOnAnotherRankShowsThatRank()
    {
        const QString ranks = QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/ranks");
        m_window->openFiles({ranks});
        QTRY_VERIFY(page().document() && m_window->sessions().run.hasRanks());
        QTRY_VERIFY(!m_window->sessions().run.run().isLoading());
        const std::string first = page().document()->fileName();
        page().goTo(5);
        const AllocationIndex noted = page().selection().pinned();
        QVERIFY(noted != Selection::kNone);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].file, first);
        m_window->actions().nextRank->trigger();
        QTRY_VERIFY(page().document()->fileName() != first);
        QCOMPARE(notes().size(), std::size_t{1});
        goTo(0);
        QTRY_COMPARE(page().document()->fileName(), first);
        QCOMPARE(page().selection().pinned(), noted);
        m_window->actions().nextRank->trigger();
        QTRY_VERIFY(page().document()->fileName() != first);
        m_window->openFiles({ranks});
        QTRY_COMPARE(page().document()->fileName(), first);
        QCOMPARE(notes().size(), std::size_t{1});
    }

    void aFlagStandsAtItsEventAndIsClicked()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        put(NotedRange{100, 150});
        const std::vector<NoteFlags::Flag>& flags = timeline().notes().flags();
        QCOMPARE(flags.size(), std::size_t{2});
        QCOMPARE(flags[0].x, timeline().area().toX(20.5));
        QCOMPARE(flags[1].x, timeline().area().toX(100));
        commands().panel().choose(1);
        m_window->notes().setPanelWanted(false);
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, flags[0].rect.center().toPoint());
        QCOMPARE(commands().panel().current(), 0);
        QVERIFY(commands().panel().isVisible());
    }

    void draggingAFlagMovesItsMomentAndIsUndone()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        const QPoint from = timeline().notes().flags()[0].rect.center().toPoint();
        const double grip = from.x() - timeline().notes().flags()[0].x;
        const QPoint to(at(0.7).x(), from.y());
        QTest::mousePress(&timeline(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&timeline(), from + QPoint(30, 0));
        QTest::mouseMove(&timeline(), to);
        QTest::mouseRelease(&timeline(), Qt::LeftButton, {}, to);
        QCOMPARE(notes()[0].place,
            NotePlace(NotedMoment{timeline().eventAt(timeline().area().keyAt(to.x() - grip + 0.5))}));
        QVERIFY(page().range().isFit());
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(notes()[0].place, NotePlace(NotedMoment{20}));
    }

    void theFlagOfARangeIsNotDragged()
    {
        open("training-6-steps-annotated");
        put(NotedRange{100, 150});
        const QPoint from = timeline().notes().flags()[0].rect.center().toPoint();
        QTest::mousePress(&timeline(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&timeline(), from + QPoint(60, 0));
        QTest::mouseRelease(&timeline(), Qt::LeftButton, {}, from + QPoint(60, 0));
        QCOMPARE(notes()[0].place, NotePlace(NotedRange{100, 150}));
    }

    void flagsAtOnePlaceAreFannedAndThenShared()
    {
        open("training-6-steps-annotated");
        for (int i = 0; i < 6; ++i)
            put(NotedMoment{50});
        const std::vector<NoteFlags::Flag>& flags = timeline().notes().flags();
        QCOMPARE(flags.size(), std::size_t{3});
        QCOMPARE(flags[0].rect.left(), flags[1].rect.left());
        QVERIFY(!flags[0].rect.intersects(flags[1].rect));
        QCOMPARE(flags[2].notes.size(), std::size_t{4});
        QVERIFY(!flags[2].canMove);
        const QPoint shared = flags[2].rect.center().toPoint();
        for (const int expected : {2, 3, 4, 5, 2}) {
            QTest::mouseClick(&timeline(), Qt::LeftButton, {}, shared);
            QCOMPARE(commands().panel().current(), expected);
        }
    }

    void manyNotesShareFewFlags()
    {
        open("training-6-steps-annotated");
        Notes many;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(kMaxNotes); ++i)
            many.push_back(noteAt(NotedMoment{i % table().eventCount()}));
        commands().list().replaceAll(std::move(many));
        const std::vector<NoteFlags::Flag>& flags = timeline().notes().flags();
        std::size_t shown = 0;
        for (const NoteFlags::Flag& flag : flags)
            shown += flag.notes.size();
        QCOMPARE(shown, kMaxNotes);
        for (std::size_t i = 1; i < flags.size(); ++i)
            for (std::size_t before = i < 8 ? 0 : i - 8; before < i; ++before)
                QVERIFY(flags[i].x > timeline().area().rect.right() - 120
                    || !flags[i].rect.intersects(flags[before].rect));
        QVERIFY(flags.size() < 100);
    }

    void notesStandInTheSteps()
    {
        open("training-6-steps-annotated");
        auto& view = openView<StepsView>("steps");
        put(NotedMoment{steps().steps[2].begin});
        const auto badge = [&](int row) {
            return view.table().model()->index(row, 0).data(Qt::DecorationRole).value<QPixmap>().toImage();
        };
        QVERIFY(badge(2) != badge(1));
        QCOMPARE(badge(0), badge(1));
        commands().list().remove(0);
        QVERIFY(view.table().model()->index(2, 0).data(Qt::DecorationRole).isNull());
    }

    void theDetailsNameTheNote()
    {
        open("training-6-steps-annotated");
        page().selection().pin(3);
        Note note = noteAt(notedAllocation(table(), 3));
        note.title = "the embedding";
        commands().list().add(note);
        QVERIFY(page().details().accessibleDescription().contains("note 1: the embedding"));
    }

    void keysGoFromNoteToNote()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        put(NotedMoment{60});
        commands().panel().choose(-1);
        for (const std::int64_t expected : {20, 60, 20}) {
            QTest::keyClick(&timeline(), Qt::Key_Period);
            QCOMPARE(*page().selection().cursor(), expected);
        }
        QTest::keyClick(&timeline(), Qt::Key_Comma);
        QCOMPARE(*page().selection().cursor(), std::int64_t{60});
    }

    void undoWorksWhileTyping()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        QTest::keyClick(&timeline(), Qt::Key_F2);
        QLineEdit& title = commands().panel().editor().title();
        QTest::keyClicks(&title, "peak");
        QTest::keyClick(&title, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(notes()[0].title, std::string());
        QTest::keyClick(&title, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(notes()[0].title, std::string("peak"));
    }

    void anotherFileBeginsWithoutNotes()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        QTimer::singleShot(0, [] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box);
            QTest::mouseClick(box->button(QMessageBox::Discard), Qt::LeftButton);
        });
        open("tiny-hand-checked");
        QVERIFY(notes().empty());
        QVERIFY(!commands().list().undoStack().canUndo());
    }

    void theSameFileKeepsItsNotes()
    {
        open("training-6-steps-annotated");
        put(NotedMoment{20});
        const auto before = page().document();
        m_window->openFile(samplePath("training-6-steps-annotated"));
        QTRY_VERIFY(page().document() != before);
        QCOMPARE(notes().size(), std::size_t{1});
        QTRY_COMPARE(timeline().notes().flags().size(), std::size_t{1});
    }

    void whetherThePanelIsThereIsRemembered()
    {
        open("training-6-steps-annotated");
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(commands().panel().isVisible());
        m_window->close();
        m_window = std::make_unique<MainWindow>(true);
        m_window->show();
        open("training-6-steps-annotated");
        QVERIFY(!commands().panel().isVisible()); // it would be empty
        put(NotedMoment{20});
        QVERIFY(commands().panel().isVisible());
    }
};

HIGHWATER_APP_TEST(NotesTest)

} // namespace highwater::gui::test

#include "notes_test.moc"
