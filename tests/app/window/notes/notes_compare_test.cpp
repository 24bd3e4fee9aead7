#include <QAction>
#include <QLabel>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include "app/timeline/note_flags.h"
#include "app/views/compare/diff_table.h"
#include "app/views/notes/notes_panel.h"
#include "app/window/commands/note_commands.h"
#include "app/window/pages/compare_page.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests of notes on two runs.
class NotesCompareTest : public WindowFixture
{
    Q_OBJECT

public:
    NotesCompareTest()
        : WindowFixture({1600, 1000})
    {
    }

private:
    static constexpr auto kBefore = "r1-grpo-before";
    static constexpr auto kAfter = "r1-grpo-after";
    ComparePage& compare() { return comparison(); }
    TimelinePlot& plot(LinkedTimelines::Side side) { return compare().timelines().plot(side); }
    NoteCommands& commands() { return m_window->notes(); }
    const Notes& notes() { return commands().list().notes(); }
    std::size_t flags(LinkedTimelines::Side side) { return plot(side).notes().flags().size(); }

    void point(LinkedTimelines::Side side, double share)
    {
        const QRectF rect = plot(side).area().rect;
        QTest::mouseMove(
            &plot(side), QPointF(rect.left() + share * rect.width(), rect.center().y()).toPoint());
    }
    void openBoth() { openPair(kBefore, kAfter); }
    void openAlone(const char* sample)
    {
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(m_window->page().document() && m_window->page().timeline().isSettled());
    }
    Note onMoment(NoteRun run, std::int64_t event)
    {
        Note note = noteAt(NotedMoment{event});
        note.run = run;
        return note;
    }
    void goTo(int index) { emit commands().panel().goRequested(index); }

private slots:
    void theKeyNotesTheRunUnderTheMouse()
    {
        openBoth();
        point(LinkedTimelines::Before, 0.4);
        const std::int64_t event = *compare().timelines().selection(LinkedTimelines::Before).pointed();
        QTest::keyClick(&plot(LinkedTimelines::Before), Qt::Key_N);
        QCOMPARE(notes()[0].run, NoteRun::Before);
        QCOMPARE(notes()[0].place, NotePlace(NotedMoment{event}));
        QCOMPARE(notes()[0].file, std::string("r1-grpo-before.pickle.zst"));
        QCOMPARE(flags(LinkedTimelines::Before), std::size_t{1});
        QCOMPARE(flags(LinkedTimelines::After), std::size_t{0});
        point(LinkedTimelines::After, 0.4);
        QTest::keyClick(&plot(LinkedTimelines::After), Qt::Key_N);
        QCOMPARE(notes()[1].run, NoteRun::After);
        QVERIFY(notes()[1].file.empty());
        QCOMPARE(flags(LinkedTimelines::After), std::size_t{1});
    }

    void aRowIsNotedAndGoneTo()
    {
        openBoth();
        QTableView& rows = compare().rows().table();
        rows.setFocus();
        rows.setCurrentIndex(rows.model()->index(2, 0));
        QTest::mouseMove(&rows);
        QTest::keyClick(&rows, Qt::Key_N);
        const auto* row = std::get_if<NotedRow>(&notes()[0].place);
        QVERIFY(row);
        QCOMPARE(row->group, std::string("site"));
        QCOMPARE(row->key, compare().state().diff()->diff.rows[2].key);
        QVERIFY(!rows.model()->index(2, 0).data(Qt::DecorationRole).isNull());
        compare().state().selectRows({});
        compare().state().setGroup(GroupKey::Function);
        QTRY_COMPARE(compare().state().diff()->group, GroupKey::Function);
        goTo(0);
        QTRY_COMPARE(compare().state().selectedRows(), std::vector<std::uint32_t>{2});
        QCOMPARE(compare().state().diff()->group, GroupKey::Site);
    }

    void aMomentOfEitherRunIsGoneTo()
    {
        openBoth();
        commands().list().add(onMoment(NoteRun::Before, 5000));
        compare().timelines().range().setX(0, 10);
        goTo(0);
        const double at = plot(LinkedTimelines::Before).scale()->positionOf(5000);
        const AxisWindow& x = compare().timelines().range().x();
        QVERIFY(at > x.begin && at < x.end);
        QCOMPARE(*compare().timelines().selection(LinkedTimelines::Before).cursor(), std::int64_t{5000});
    }

    void swappedRunsTakeTheirNotesWithThem()
    {
        openBoth();
        commands().list().add(onMoment(NoteRun::Before, 5000));
        compare().state().swap();
        QTRY_VERIFY(compare().isSettled() && notes()[0].run == NoteRun::After);
        QCOMPARE(flags(LinkedTimelines::Before), std::size_t{0});
        QCOMPARE(flags(LinkedTimelines::After), std::size_t{1});
        compare().state().swap();
        QTRY_COMPARE(notes()[0].run, NoteRun::Before);
    }

    void comparingTheOpenFileKeepsItsNotes()
    {
        openAlone(kBefore);
        commands().list().add(onMoment(NoteRun::After, 4000));
        m_window->sessions().other.open(samplePath(kAfter), CompareSession::Role::After);
        QTRY_VERIFY(isOn(m_window->pages().compare) && compare().isSettled());
        QCOMPARE(notes().size(), std::size_t{1});
        QCOMPARE(notes()[0].run, NoteRun::Before); // its file is now the first run
        QCOMPARE(flags(LinkedTimelines::Before), std::size_t{1});
        m_window->actions().closeComparison->trigger();
        QTRY_COMPARE(notes()[0].run, NoteRun::After);
        QCOMPARE(m_window->page().timeline().notes().flags().size(), std::size_t{1});
    }

    void aNoteOnTheRunThatWasClosedSaysSo()
    {
        openBoth();
        point(LinkedTimelines::Before, 0.4);
        QTest::keyClick(&plot(LinkedTimelines::Before), Qt::Key_N);
        m_window->actions().closeComparison->trigger();
        QTRY_VERIFY(isOn(m_window->page()));
        goTo(0);
        const QString sentence = commands().panel().findChild<QLabel*>("notesSentence")->text();
        QVERIFY(sentence.startsWith("Note 1 is about the run before"));
        QVERIFY(m_window->page().timeline().notes().flags().empty());
    }
};

HIGHWATER_APP_TEST(NotesCompareTest)

} // namespace highwater::gui::test

#include "notes_compare_test.moc"
