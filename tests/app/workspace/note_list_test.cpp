#include <random>

#include <QSignalSpy>
#include <QTest>

#include "app/workspace/notes/note_list.h"
#include "tests/app/app_test_main.h"

namespace highwater::gui::test {

namespace {

Note titled(const std::string& title)
{
    Note note;
    note.place = NotedMoment{7};
    note.title = title;
    return note;
}

QStringList titles(const NoteList& list)
{
    QStringList all;
    for (const Note& note : list.notes())
        all << QString::fromStdString(note.title);
    return all;
}

} // namespace

class NoteListTest : public QObject
{
    Q_OBJECT

private slots:
    void aNoteIsAddedAtTheEndAndTheCommandSaysItsNumber()
    {
        NoteList list;
        QVERIFY(list.add(titled("a")));
        QVERIFY(list.add(titled("b")));
        QCOMPARE(titles(list), (QStringList{"a", "b"}));
        QCOMPARE(list.undoStack().undoText(), QString("add note 2"));
        list.undoStack().undo();
        QCOMPARE(titles(list), QStringList{"a"});
        QCOMPARE(list.undoStack().redoText(), QString("add note 2"));
    }

    void aNoteThatIsMovedStandsWhereItWasMovedTo()
    {
        NoteList list;
        for (const char* title : {"a", "b", "c", "d"})
            list.add(titled(title));
        list.move(0, 2);
        QCOMPARE(titles(list), (QStringList{"b", "c", "a", "d"}));
        list.move(3, 0);
        QCOMPARE(titles(list), (QStringList{"d", "b", "c", "a"}));
        list.undoStack().undo();
        list.undoStack().undo();
        QCOMPARE(titles(list), (QStringList{"a", "b", "c", "d"}));
    }

    void aDeletedNoteComesBackWhereItWas()
    {
        NoteList list;
        for (const char* title : {"a", "b", "c"})
            list.add(titled(title));
        list.remove(1);
        QCOMPARE(titles(list), (QStringList{"a", "c"}));
        list.undoStack().undo();
        QCOMPARE(titles(list), (QStringList{"a", "b", "c"}));
    }

    void typingInOneNoteIsOneCommand()
    {
        NoteList list;
        list.add(titled(""));
        for (const char* title : {"p", "pe", "pea", "peak"})
            list.edit(0, titled(title));
        Note withText = titled("peak");
        withText.text = "logits";
        list.edit(0, withText);
        QCOMPARE(list.undoStack().count(), 2);
        list.undoStack().undo();
        QCOMPARE(list.notes()[0], titled(""));
    }

    void typingThatEndedIsACommandOfItsOwn()
    {
        NoteList list;
        list.add(titled(""));
        list.edit(0, titled("a"));
        list.endTyping();
        list.edit(0, titled("ab"));
        list.undoStack().undo();
        QCOMPARE(list.notes()[0].title, std::string("a"));
    }

    void typingInAnotherNoteIsAnotherCommand()
    {
        NoteList list;
        list.add(titled(""));
        list.add(titled(""));
        list.edit(0, titled("a"));
        list.edit(1, titled("b"));
        QCOMPARE(list.undoStack().count(), 4);
    }

    void anotherColourIsACommandOfItsOwn()
    {
        NoteList list;
        list.add(titled("a"));
        Note blue = titled("a");
        blue.color = NoteColor::Blue;
        list.edit(0, blue);
        QCOMPARE(list.undoStack().undoText(), QString("colour of note 1"));
        Note green = blue;
        green.color = NoteColor::Green;
        list.edit(0, green);
        list.undoStack().undo();
        QCOMPARE(list.notes()[0], blue);
    }

    void anEditThatChangesNothingIsNoCommand()
    {
        NoteList list;
        list.add(titled("a"));
        list.edit(0, titled("a"));
        QCOMPARE(list.undoStack().count(), 1);
    }

    void aDiscardedNoteCannotComeBack()
    {
        NoteList list;
        list.add(titled("a"));
        list.add(titled(""));
        QVERIFY(list.discardAdded());
        QCOMPARE(titles(list), QStringList{"a"});
        QVERIFY(!list.undoStack().canRedo());
        QCOMPARE(list.undoStack().undoText(), QString("add note 1"));
    }

    void onlyANoteThatWasJustAddedIsDiscarded()
    {
        NoteList list;
        QVERIFY(!list.discardAdded());
        list.add(titled("a"));
        list.edit(0, titled("b"));
        QVERIFY(!list.discardAdded());
        QCOMPARE(titles(list), QStringList{"b"});
    }

    void whatIsLoadedCannotBeUndone()
    {
        NoteList list;
        list.add(titled("a"));
        QSignalSpy replaced(&list, &NoteList::replacedAll);
        list.replaceAll({titled("x"), titled("y")});
        QCOMPARE(titles(list), (QStringList{"x", "y"}));
        QVERIFY(!list.undoStack().canUndo());
        QVERIFY(list.undoStack().isClean());
        QCOMPARE(replaced.count(), 1);
    }

    void aTitleIsOneLineAndCutBetweenCharacters()
    {
        NoteList list;
        list.add(titled("a\nb\tc"));
        QCOMPARE(list.notes()[0].title, std::string("a b c"));
        std::string many(kMaxNoteTitleBytes - 1, 'x');
        many += "é";
        list.add(titled(many));
        QCOMPARE(list.notes()[1].title, std::string(kMaxNoteTitleBytes - 1, 'x'));
    }

    void aTextIsCutToItsLimit()
    {
        Note note = titled("a");
        note.text = std::string(kMaxNoteTextBytes + 1, 'x');
        QCOMPARE(NoteList::fitted(note).text.size(), kMaxNoteTextBytes);
    }

    void aFullListTakesNoMore()
    {
        NoteList list;
        list.replaceAll(Notes(kMaxNotes + 5, titled("a")));
        QCOMPARE(list.notes().size(), kMaxNotes);
        QVERIFY(!list.add(titled("b")));
        QCOMPARE(list.notes().size(), kMaxNotes);
    }

    void indicesBeyondTheListChangeNothing()
    {
        NoteList list;
        list.add(titled("a"));
        list.remove(1);
        list.remove(-1);
        list.move(0, 1);
        list.edit(1, titled("b"));
        QCOMPARE(list.undoStack().count(), 1);
    }

    void undoingEverythingIsTheStartAndRedoingItTheEnd()
    {
        std::mt19937 random(20);
        const auto below = [&random](int bound) {
            return static_cast<int>(random() % static_cast<unsigned>(std::max(bound, 1)));
        };
        for (int round = 0; round < 20; ++round) {
            NoteList list;
            const Notes start{titled("a"), titled("b"), titled("c")};
            list.replaceAll(start);
            for (int i = 0; i < 100; ++i) {
                Note note = titled(std::to_string(below(3)));
                note.color = static_cast<NoteColor>(below(2));
                switch (below(5)) {
                case 0: list.add(note); break;
                case 1: list.edit(below(list.size()), note); break;
                case 2: list.remove(below(list.size())); break;
                case 3: list.move(below(list.size()), below(list.size())); break;
                case 4: list.endTyping(); break;
                }
            }
            const Notes end = list.notes();
            while (list.undoStack().canUndo())
                list.undoStack().undo();
            QCOMPARE(list.notes(), start);
            while (list.undoStack().canRedo())
                list.undoStack().redo();
            QCOMPARE(list.notes(), end);
        }
    }

    void runsThatChangePlacesDoSoInWhatCanBeUndone()
    {
        NoteList list;
        list.add(titled("a"));
        list.edit(0, titled("b"));
        list.swapRuns();
        QCOMPARE(list.notes()[0].run, NoteRun::Before);
        list.undoStack().undo();
        QCOMPARE(list.notes()[0].title, std::string("a"));
        QCOMPARE(list.notes()[0].run, NoteRun::Before);
        list.undoStack().undo();
        list.undoStack().redo();
        QCOMPARE(list.notes()[0].run, NoteRun::Before);
        list.remove(0);
        list.swapRuns();
        list.undoStack().undo();
        QCOMPARE(list.notes()[0].run, NoteRun::After);
    }

    void typingGoesOnAfterTheRunsChangedPlaces()
    {
        NoteList list;
        list.add(titled(""));
        list.edit(0, titled("a"));
        list.swapRuns();
        Note now = list.notes()[0];
        now.title = "ab";
        list.edit(0, now);
        QCOMPARE(list.undoStack().count(), 2);
        list.undoStack().undo();
        list.undoStack().redo();
        QCOMPARE(list.notes()[0], now);
    }

    void everyChangeIsSaidOnceWithItsPlace()
    {
        NoteList list;
        QSignalSpy changed(&list, &NoteList::changed);
        QSignalSpy moved(&list, &NoteList::moved);
        QSignalSpy removed(&list, &NoteList::removed);
        list.add(titled("a"));
        list.add(titled("b"));
        list.move(0, 1);
        list.remove(0);
        QCOMPARE(changed.count(), 4);
        QCOMPARE(moved.at(0), (QList<QVariant>{0, 1}));
        QCOMPARE(removed.at(0), QList<QVariant>{0});
    }
};

HIGHWATER_APP_TEST(NoteListTest)

} // namespace highwater::gui::test

#include "note_list_test.moc"
