#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QTest>

#include "app/models/note_model.h"
#include "app/workspace/theme/note_badge.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

Note titled(const char* title, NotePlace place = NotedMoment{5})
{
    Note note = noteAt(std::move(place));
    note.title = title;
    return note;
}

QString titles(const QAbstractItemModel& model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row, 0).data().toString();
    return all.join(QString());
}

} // namespace

class NoteModelTest : public QObject
{
    Q_OBJECT

private:
    NoteList m_list;
    NoteContext m_context;
    std::unique_ptr<NoteModel> m_model;

    bool drop(int from, int before)
    {
        const std::unique_ptr<QMimeData> data(m_model->mimeData({m_model->index(from)}));
        return m_model->dropMimeData(data.get(), Qt::MoveAction, before, 0, {});
    }
    QString placeOf(const Note& note) { return m_context.placeOf(note); }

private slots:
    void init()
    {
        m_model = std::make_unique<NoteModel>(m_list, m_context);
        m_list.replaceAll({titled("a"), titled("b"), titled("c"), titled("d")});
        m_context.setSubjects({});
    }
    void cleanup() { m_model.reset(); }

    void theModelKeepsTheRulesOfItemModels()
    {
        const QAbstractItemModelTester tester(
            m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_list.add(titled("e"));
        m_list.move(0, 3);
        m_list.move(4, 1);
        m_list.edit(2, titled("x"));
        m_list.remove(0);
        while (m_list.undoStack().canUndo())
            m_list.undoStack().undo();
        QCOMPARE(titles(*m_model), QString("abcd"));
        m_list.replaceAll({});
        QCOMPARE(m_model->rowCount(), 0);
    }

    void aDroppedRowStandsBetweenThoseItWasDroppedBetween()
    {
        drop(0, 2);
        QCOMPARE(titles(*m_model), QString("bacd"));
        drop(3, 0);
        QCOMPARE(titles(*m_model), QString("dbac"));
        drop(0, -1); // below all rows
        QCOMPARE(titles(*m_model), QString("bacd"));
    }

    void aDropIsUndone()
    {
        QVERIFY(!drop(0, 3)); // the drop itself moved the row, so the view must not remove it
        m_list.undoStack().undo();
        QCOMPARE(titles(*m_model), QString("abcd"));
    }

    void aRowIsMovedBeforeAnother()
    {
        QVERIFY(m_model->moveRow({}, 0, {}, 3));
        QCOMPARE(titles(*m_model), QString("bcad"));
        QVERIFY(!m_model->moveRow({}, 1, {}, 2)); // it is already there
        QVERIFY(!m_model->moveRow({}, 4, {}, 0));
        QVERIFY(!m_model->moveRow({}, 0, {}, 5));
        QCOMPARE(titles(*m_model), QString("bcad"));
    }

    void otherDataIsNotTaken()
    {
        QMimeData text;
        text.setText("0");
        QVERIFY(!m_model->canDropMimeData(&text, Qt::MoveAction, 1, 0, {}));
        QVERIFY(!m_model->dropMimeData(&text, Qt::MoveAction, 1, 0, {}));
        QCOMPARE(titles(*m_model), QString("abcd"));
    }

    void aRowTellsItsColourAndItsPlace()
    {
        Note note = titled("", NotedRange{10, 100});
        note.color = NoteColor::Blue;
        m_list.edit(1, note);
        const QModelIndex row = m_model->index(1);
        QCOMPARE(row.data().toString(), QString("Untitled"));
        QCOMPARE(row.data(NoteModel::kPlaceRole).toString(), QStringLiteral("events 10–99"));
        QCOMPARE(row.data(NoteModel::kColorRole).value<QColor>(), noteQColor(NoteColor::Blue));
    }

    void aPlaceOnScreenIsToldWithItsFigures()
    {
        const auto document = loadSample("tiny-hand-checked");
        const auto analysis = document->devices[*document->mainDevice];
        m_context.setSubjects({{NoteRun::After, document, analysis}});
        QCOMPARE(placeOf(titled("", NotedMoment{analysis->figures.peakEvent})),
            QStringLiteral("event %1 · 22 MiB").arg(analysis->figures.peakEvent));
        QCOMPARE(placeOf(titled("", NotedRange{0, 22})), QStringLiteral("events 0–21 · peak 22 MiB"));
        QCOMPARE(placeOf(titled("", NotedMoment{22})), QString("event 22, which is not in the file"));
        QCOMPARE(placeOf(Note()), QString("the run as a whole"));
    }

    void ofTwoRunsThePlaceSaysWhich()
    {
        const auto document = loadSample("tiny-hand-checked");
        const auto analysis = document->devices[*document->mainDevice];
        m_context.setSubjects({{NoteRun::Before, document, analysis}, {NoteRun::After, document, analysis}});
        Note note = titled("", NotedMoment{-1});
        note.run = NoteRun::Before;
        QVERIFY(placeOf(note).startsWith("before: before the first event · "));
        QCOMPARE(placeOf(titled("", NotedRow{"site", "step (a.py:1)"})), QString("site step (a.py:1)"));
    }

    void numbersThatFollowEachOtherAreJoined()
    {
        QCOMPARE(numbersText({3}), QString("3"));
        QCOMPARE(numbersText({4, 2, 3}), QStringLiteral("2–4"));
        QCOMPARE(numbersText({5, 2}), QString("2, 5"));
        QCOMPARE(numbersText({1, 3, 5, 9}), QString("4 notes"));
    }
};

HIGHWATER_APP_TEST(NoteModelTest)

} // namespace highwater::gui::test

#include "note_model_test.moc"
