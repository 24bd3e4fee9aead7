#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include "app/timeline/lane_strip.h"
#include "app/views/notes/note_editor.h"
#include "app/views/notes/notes_panel.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/search_bar.h"
#include "app/views/steps/steps_view.h"
#include "app/window/commands/note_commands.h"
#include "app/window/palette/command_palette.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests that a note is on what was pointed at last, says so, and is found again.
class NoteTargetTest : public WindowFixture
{
    Q_OBJECT

public:
    NoteTargetTest()
        : WindowFixture({1400, 1000})
    {
    }

private:
    NoteCommands& commands() { return m_window->notes(); }
    const Notes& notes() { return commands().list().notes(); }
    const std::vector<Step>& steps() { return page().analysis()->steps.steps; }
    std::int64_t peak() { return page().analysis()->figures.peakEvent; }
    QString target()
    {
        return commands().panel().editor().findChild<QLabel*>(QStringLiteral("noteTarget"))->text();
    }

    void put(NotePlace place, const std::string& title, const std::string& text = {})
    {
        Note note = noteAt(std::move(place));
        note.title = title;
        note.text = text;
        QVERIFY(commands().list().add(note));
    }

private slots:
    void afterThePeakKeyItIsOnThePeakAlsoIfAStepWasSelected()
    {
        openSample("training-6-steps-annotated");
        clickStep(4);
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedMoment{peak()}));
    }

    void afterThePeakKeyItIsOnThePeakAlsoWithTheKeyboardInSteps()
    {
        openSample("training-6-steps-annotated");
        page().panelTabs().open(QStringLiteral("steps"));
        QTableView& table = page().panelTabs().findChild<StepsView*>()->table();
        table.setFocus();
        table.setCurrentIndex(table.model()->index(4, 0));
        QTest::keyClick(&table, Qt::Key_P);
        QTest::keyClick(&table, Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedMoment{peak()}));
    }

    void afterAClickOnAStepItIsOnTheStep()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::keyClick(&timeline(), Qt::Key_0);
        clickStep(4);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedStep{4}));
    }

    void afterAClickOnABandItIsOnTheAllocation()
    {
        openSample("training-6-steps-annotated");
        clickStep(4);
        const QRectF rect = timeline().area().rect;
        QTest::mouseClick(
            &timeline(), Qt::LeftButton, {}, {qRound(rect.center().x()), qRound(rect.bottom()) - 3});
        QVERIFY(page().selection().isPinned());
        const AllocationIndex pinned = page().selection().pinned();
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(notedAllocation(page().analysis()->allocations, pinned)));
    }

    void afterAClickBesideTheBandsItStaysOnTheStep()
    {
        openSample("training-6-steps-annotated");
        clickStep(4);
        const QRectF rect = timeline().area().rect;
        const QPoint beside(qRound(rect.center().x()), qRound(rect.top()) + 3);
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, beside);
        QTest::keyClick(&timeline(), Qt::Key_N);
        QCOMPARE(notes()[0].place, NotePlace(NotedStep{4}));
    }

    void theEditorNamesTheTarget()
    {
        openSample("training-6-steps-annotated");
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::keyClick(&timeline(), Qt::Key_N);
        const std::size_t step = *page().analysis()->steps.stepOf(peak());
        QVERIFY2(
            target().startsWith("Note on the peak of " + QString::fromStdString(steps()[step].name) + ", "),
            qPrintable(target()));
        QVERIFY2(target().endsWith(QStringLiteral("ms")), qPrintable(target()));
    }

    void theKeyOfTheNextNoteShowsItAndPinsNothing()
    {
        openSample("training-6-steps-annotated");
        put(NotedMoment{60}, "look");
        QTest::keyClick(&timeline(), Qt::Key_Period);
        QCOMPARE(page().selection().cursor(), std::optional<std::int64_t>(60));
        QVERIFY(!page().selection().isPinned());
        QCOMPARE(commands().panel().current(), 0);
        QTRY_VERIFY(!commands().panel().visibleRegion().isEmpty());
    }

    void thePaletteFindsANoteByItsText()
    {
        openSample("training-6-steps-annotated");
        put(NotedMoment{60}, "look", "the quick brown fox");
        page().selection().setCursor(10);
        QTimer poll;
        connect(&poll, &QTimer::timeout, this, [&] {
            auto* const palette = qobject_cast<CommandPalette*>(QApplication::activeModalWidget());
            if (!palette || !palette->isComplete())
                return;
            poll.stop();
            auto* const field = palette->findChild<QLineEdit*>(QStringLiteral("paletteField"));
            QTest::keyClicks(field, "brown fox");
            QTest::keyClick(field, Qt::Key_Return);
            if (palette->isVisible()) // nothing was found
                palette->reject();
        });
        poll.start(10);
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(page().selection().cursor(), std::optional<std::int64_t>(60));
    }

    void theSearchFindsANoteByItsText()
    {
        openSample("training-6-steps-annotated");
        put(NotedMoment{60}, "look", "the quick brown fox");
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        auto* const field = page().search().findChild<QLineEdit*>(QStringLiteral("searchField"));
        QTest::keyClicks(field, "brown");
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(page().selection().cursor(), std::optional<std::int64_t>(60));
    }
};

HIGHWATER_APP_TEST(NoteTargetTest)

} // namespace highwater::gui::test

#include "note_target_test.moc"
