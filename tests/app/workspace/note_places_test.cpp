#include <QTest>

#include "app/workspace/notes/note_context.h"
#include "app/workspace/notes/note_places.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

class NotePlacesTest : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<const Document> m_document;
    NoteSubject m_subject;

    const DeviceAnalysis& analysis() { return *m_subject.analysis; }
    const AllocationTable& table() { return analysis().allocations; }

private slots:
    void initTestCase()
    {
        m_document = loadSample("training-6-steps-annotated");
        m_subject = {NoteRun::After, m_document, m_document->devices[*m_document->mainDevice]};
    }

    void everyAllocationIsFoundAgain()
    {
        std::size_t older = 0;
        for (const char* sample :
            {"training-6-steps-annotated", "tiny-hand-checked", "ring-buffer-overflow"}) {
            const auto of = mainAnalysis(sample);
            older += of->allocations.olderCount();
            for (AllocationIndex i = 0; i < of->allocations.size(); ++i)
                QCOMPARE(allocationOf(notedAllocation(of->allocations, i), of->allocations), i);
        }
        QVERIFY(older > 0);
    }

    void anEventThatFreesIsNoAllocation()
    {
        for (std::int64_t event = 0; event < table().eventCount(); ++event) {
            const AllocationIndex found = allocationOf({event, 0}, table());
            QVERIFY(found == AllocationTable::kNoAllocation || table().birth(found) == event);
        }
        QCOMPARE(allocationOf({table().eventCount(), 0}, table()), AllocationTable::kNoAllocation);
        QCOMPARE(allocationOf({-1, 12345}, table()), AllocationTable::kNoAllocation);
    }

    void placesThatTheDeviceDoesNotHaveHaveNoEvents()
    {
        const std::int64_t count = table().eventCount();
        QVERIFY(!eventsOf(NotedMoment{count}, analysis()));
        QVERIFY(!eventsOf(NotedMoment{-2}, analysis()));
        QVERIFY(!eventsOf(NotedRange{count, count + 5}, analysis()));
        QVERIFY(!eventsOf(NotedRange{9, 9}, analysis()));
        QVERIFY(!eventsOf(NotedStep{std::int64_t{1} << 60}, analysis()));
        QVERIFY(!eventsOf(NotedStep{-1}, analysis()));
        QVERIFY(!eventsOf(NotedSite{"x"}, analysis()));
        QVERIFY(!eventsOf(NotedLine{1}, analysis()));
        QVERIFY(!eventsOf(std::monostate(), analysis()));
    }

    void aRangeIsCutToTheEvents()
    {
        const auto events = eventsOf(
            NotedRange{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
            analysis());
        QCOMPARE(*events, (EventRange{0, table().eventCount()}));
        QCOMPARE(*eventsOf(NotedMoment{-1}, analysis()), (EventRange{-1, 0}));
    }

    void flagsKeepTheNumbersOfTheirNotes()
    {
        const Notes notes{noteAt(NotedLine{4}), noteAt(NotedMoment{7}), noteAt(NotedSite{"x"}),
            noteAt(NotedStep{1}), noteAt(NotedMoment{table().eventCount()})};
        const std::vector<TimelineNote> placed = timelineNotes(notes, m_subject);
        QCOMPARE(placed.size(), std::size_t{2});
        QCOMPARE(placed[0].flag.number, 2);
        QCOMPARE(placed[0].flag.first, 7.0);
        QCOMPARE(placed[0].flag.last, 7.0);
        QVERIFY(placed[0].canMove);
        const Step& step = analysis().steps.steps[1];
        QCOMPARE(placed[1].flag.number, 4);
        QCOMPARE(placed[1].flag.first, static_cast<double>(step.begin));
        QCOMPARE(placed[1].flag.last, static_cast<double>(step.end));
        QVERIFY(!placed[1].canMove);
    }

    void aMomentStandsAtTheStepThatItLiesIn()
    {
        const Step& step = analysis().steps.steps[2];
        const Notes notes{noteAt(NotedMoment{step.begin}), noteAt(NotedStep{4}), noteAt(NotedMoment{-1}),
            noteAt(NotedStep{400})};
        const std::vector<NoteFlag> flags = stepNotes(notes, m_subject);
        QCOMPARE(flags.size(), std::size_t{3});
        QCOMPARE(flags[0].first, 2.0);
        QCOMPARE(flags[1].first, 4.0);
        QCOMPARE(flags[2].first, 0.0);
    }

    void notesOfAnotherRunFileOrDeviceAreNotShown()
    {
        Note other = noteAt(NotedMoment{7});
        other.run = NoteRun::Before;
        Note elsewhere = noteAt(NotedMoment{7});
        elsewhere.file = "rank1.pickle";
        Note device = noteAt(NotedMoment{7});
        device.device = "cuda:7";
        QVERIFY(timelineNotes({other, elsewhere, device}, m_subject).empty());
        Note told = noteAt(NotedMoment{7});
        told.file = m_document->fileName();
        told.device = analysis().info().label();
        QCOMPARE(timelineNotes({told}, m_subject).size(), std::size_t{1});
    }

    void linesAreOfTheirLog()
    {
        Note named = noteAt(NotedLine{3});
        named.file = "train.log";
        const Notes notes{noteAt(NotedLine{2}), named, noteAt(NotedMoment{1})};
        QCOMPARE(lineNotes(notes, NoteRun::After, "train.log", false).size(), std::size_t{1});
        QCOMPARE(lineNotes(notes, NoteRun::After, "train.log", true).size(), std::size_t{2});
        QCOMPARE(lineNotes(notes, NoteRun::After, "other.log", true)[0].first, 2.0);
        QVERIFY(lineNotes(notes, NoteRun::Before, "train.log", true).empty());
    }

    void theDetailsOfAnAllocationNameItsNotes()
    {
        const AllocationIndex last = static_cast<AllocationIndex>(table().size() - 1);
        Note here = noteAt(notedAllocation(table(), last));
        here.title = "the last";
        Note site = noteAt(NotedSite{analysis().sites.site(analysis().sites.of(last)).key});
        const Notes notes{noteAt(NotedMoment{1}), here, site};
        QCOMPARE(notesOn(last, notes, m_subject),
            (QStringList{"note 2: the last", "note 3, on its call site: Untitled"}));
        QVERIFY(notesOn(0, {here}, m_subject).isEmpty());
    }

    void theMembersOfASiteAreAllOfIts()
    {
        const std::string& key = analysis().sites.site(analysis().sites.of(0)).key;
        const std::vector<bool> members = membersOf(NotedSite{key}, analysis());
        for (AllocationIndex i = 0; i < members.size(); ++i)
            QCOMPARE(members[i], analysis().sites.site(analysis().sites.of(i)).key == key);
    }

    void aNewNoteTellsItsDeviceWhereItIsNotTheMainOne()
    {
        const auto document = loadSample("two-devices");
        const DeviceIndex other = *document->mainDevice == 0 ? 1 : 0;
        NoteContext context;
        context.setSubjects({{NoteRun::After, document, document->devices[other]}});
        const Note note = context.completed(noteAt(NotedMoment{1}), false);
        QCOMPARE(note.device, document->trace().devices[other].label());
        QVERIFY(note.file.empty());
        QVERIFY(isAbout(note, context.subjects().front()));
        context.setSubjects({{NoteRun::After, document, document->devices[*document->mainDevice]}});
        QVERIFY(!isAbout(note, context.subjects().front()));
        QVERIFY(context.completed(noteAt(NotedMoment{1}), false).device.empty());
        QCOMPARE(context.completed(noteAt(NotedMoment{1}), true).file, document->fileName());
    }
};

HIGHWATER_APP_TEST(NotePlacesTest)

} // namespace highwater::gui::test

#include "note_places_test.moc"
