#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "app/views/parts/search_bar.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

/// A window with the bar and another control that can have the focus.
struct Bench
{
    explicit Bench(std::shared_ptr<const DeviceAnalysis> analysis)
    {
        search.setAnalysis(std::move(analysis));
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(&bar);
        layout->addWidget(&other);
        layout->addWidget(&beside);
        window.resize(1100, 500);
        window.show();
        window.activateWindow();
        QTest::qWaitForWindowActive(&window) ? other.setFocus() : qFatal("no active window");
        QObject::connect(&bar, &SearchBar::goTo, &bar, [this](AllocationIndex allocation) {
            selection.pin(allocation);
            visited.push_back(allocation);
        });
        QObject::connect(&bar, &SearchBar::matchLeft, &selection, &Selection::release);
    }
    ~Bench()
    {
        // They are members: the window must not delete them.
        bar.setParent(nullptr);
        other.setParent(nullptr);
        beside.setParent(nullptr);
    }
    bool settles()
    {
        return QTest::qWaitFor([this] { return !search.isBusy(); });
    }

    /// Searches and opens the list, which has the keyboard then.
    void listMatches()
    {
        QTest::keyClicks(field, "life<5");
        QVERIFY(settles());
        QTest::mouseClick(count, Qt::LeftButton);
        QVERIFY(hits->isVisible() && hits->hasFocus());
    }

    AllocationSearch search;
    Selection selection;
    QWidget window;
    SearchBar bar{search, selection};
    QLineEdit other;
    QPushButton beside;
    QLineEdit* field = bar.findChild<QLineEdit*>("searchField");
    QLabel* answer = bar.findChild<QLabel*>("searchAnswer");
    QToolButton* count = bar.findChild<QToolButton*>("searchCount");
    QComboBox* windows = bar.findChild<QComboBox*>("searchWindow");
    QListWidget* hits = bar.findChild<QListWidget*>("searchHits"); ///< of the window, once it is open
    std::vector<AllocationIndex> visited;
};

using Visited = std::vector<AllocationIndex>;

} // namespace

class SearchBarTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { m_tiny = mainAnalysis("tiny-hand-checked"); }

    void theAnswerIsSaidInWordsWithItsUnit()
    {
        Bench bench(mainAnalysis("training-6-steps-annotated"));
        QTest::keyClicks(bench.field, "size>=1MiB life>100");
        QVERIFY(bench.settles());
        QCOMPARE(
            bench.answer->text(), QStringLiteral("232 of 1,272 allocations match · 728 MiB, largest first"));
        QVERIFY(bench.count->toolTip().contains(QStringLiteral("763,363,328 B")));
        QCOMPARE(bench.count->text(), QStringLiteral("232"));
    }

    void noneAndOneAreSaidAsSuch()
    {
        Bench bench(m_tiny);
        QTest::keyClicks(bench.field, "size>=1GiB");
        QVERIFY(bench.settles());
        QCOMPARE(bench.answer->text(), QStringLiteral("None of 9 allocations matches"));
        QVERIFY(!bench.bar.findChild<QToolButton*>("searchNext")->isEnabled());
        bench.field->clear();
        QVERIFY(bench.settles());
        QVERIFY(bench.answer->text().isEmpty());
        QTest::keyClicks(bench.field, "size>4MiB");
        QVERIFY(bench.settles());
        QVERIFY(bench.answer->text().startsWith(QStringLiteral("1 of 9 allocations matches")));
        QVERIFY(bench.answer->text().contains(QStringLiteral("12 MiB")));
    }

    void aCategoryIsSearchedByItsNameInTheLegend()
    {
        const auto training = mainAnalysis("training-6-steps-annotated");
        Bench bench(training);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "category:activation");
        QVERIFY(bench.settles());
        std::int64_t activations = 0;
        for (AllocationIndex i = 0; i < training->allocations.size(); ++i)
            activations += training->categories.of(i) == Category::Activation ? 1 : 0;
        QVERIFY(activations > 0);
        QCOMPARE(bench.search.result()->count, activations);
    }

    void whereNothingIsFoundTheFieldSaysSoAndItsTipHowToSearch()
    {
        Bench bench(m_tiny);
        const auto* count = bench.bar.findChild<QToolButton*>("searchCount");
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "nowhere");
        QVERIFY(bench.settles());
        QCOMPARE(count->text(), QStringLiteral("none found"));
        QVERIFY(
            count->toolTip().contains("category:activation") && count->toolTip().contains("size > 64 MiB"));
        QVERIFY(bench.field->hasFocus());
    }

    void enterStartsAtTheLargestAndShiftEnterGoesBack()
    {
        Bench bench(m_tiny);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "life<5");
        QTest::keyClick(bench.field, Qt::Key_Return); // the result may not have arrived yet
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QTest::keyClick(bench.field, Qt::Key_Enter, Qt::KeypadModifier);
        QTest::keyClick(bench.field, Qt::Key_Return);
        QTest::keyClick(bench.field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(bench.visited, (Visited{8, 3, 7, 8, 7})); // 1,048,577 B, 307,200 B, 513 B
        QCOMPARE(bench.count->text(), QStringLiteral("3 of 3"));
    }

    void anotherSearchStartsAtItsLargestAgain()
    {
        Bench bench(m_tiny);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QTest::keyClicks(bench.field, "0");
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QCOMPARE(bench.visited, (Visited{8, 4}));
    }

    void theSearchStartsAtTheLargestWhateverIsPinned()
    {
        Bench bench(m_tiny);
        bench.selection.pin(3);
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QTest::mouseClick(bench.bar.findChild<QToolButton*>("searchNext"), Qt::LeftButton);
        QCOMPARE(bench.visited, (Visited{8}));
    }

    void enterOnAnAddressGoesToItsOwnerAtTheMoment()
    {
        Bench bench(m_tiny);
        bench.selection.setCursor(16);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "0x7f3a00600000"); // 4 owned it, then 6
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QCOMPARE(bench.visited, (Visited{6}));
        QTest::keyClick(bench.field, Qt::Key_Return);
        QCOMPARE(bench.visited, (Visited{6, 4}));
    }

    void enterWithoutAMatchSaysSo()
    {
        Bench bench(m_tiny);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "size>=1GiB");
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QCOMPARE(QToolTip::text(), QStringLiteral("None of 9 allocations matches"));
        QVERIFY(bench.visited.empty());
        QToolTip::hideText();
    }

    void theNextMatchOfNoSearchIsAskedForInTheField()
    {
        Bench bench(m_tiny);
        bench.bar.goToNext();
        QVERIFY(bench.field->hasFocus());
    }

    void typingNeverNarrowsTheField()
    {
        Bench bench(m_tiny);
        bench.bar.focusField();
        const QRect before = bench.field->geometry();
        for (const char letter : {'l', 'i', 'f', 'e', '<', '5'}) {
            QTest::keyClick(bench.field, letter);
            QVERIFY(bench.settles());
            QCOMPARE(bench.field->geometry(), before);
            QVERIFY(bench.field->hasFocus());
        }
    }

    void theMatchesAreListedLargestFirst()
    {
        Bench bench(m_tiny);
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QTest::mouseClick(bench.count, Qt::LeftButton);
        QVERIFY(bench.hits->isVisible());
        QCOMPARE(bench.hits->count(), 3);
        QTest::mouseClick(bench.hits->viewport(), Qt::LeftButton, {},
            bench.hits->visualItemRect(bench.hits->item(1)).center());
        QCOMPARE(bench.visited, (Visited{3}));
    }

    void theListOpensOnTheMatchOnScreen()
    {
        Bench bench(m_tiny);
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        bench.bar.goToNext();
        bench.bar.goToNext();
        QTest::mouseClick(bench.count, Qt::LeftButton);
        QCOMPARE(bench.hits->currentRow(), 1);
        QVERIFY(bench.hits->item(1)->isSelected());
    }

    void aClickBesideTheListClosesItAndDoesWhatItIsFor()
    {
        Bench bench(m_tiny);
        QSignalSpy clicked(&bench.beside, &QPushButton::clicked);
        bench.listMatches();
        QTest::mouseClick(&bench.beside, Qt::LeftButton);
        QVERIFY(!bench.hits->isVisible());
        QCOMPARE(clicked.count(), 1);
    }

    void aClickOnTheListKeepsItOpen()
    {
        Bench bench(m_tiny);
        bench.listMatches();
        QTest::mouseClick(bench.answer, Qt::LeftButton);
        QVERIFY(bench.hits->isVisible());
    }

    void theButtonThatOpensTheListClosesIt()
    {
        Bench bench(m_tiny);
        bench.listMatches();
        QTest::mouseClick(bench.count, Qt::LeftButton);
        QVERIFY(!bench.hits->isVisible());
        QVERIFY(bench.field->hasFocus());
    }

    void escapeInTheListReturnsToTheFieldWithItsText()
    {
        Bench bench(m_tiny);
        bench.listMatches();
        QTest::keyClick(bench.hits, Qt::Key_Escape);
        QVERIFY(!bench.hits->isVisible());
        QVERIFY(bench.field->hasFocus());
        QCOMPARE(bench.field->text(), QStringLiteral("life<5"));
    }

    void lettersInTheListAreNoCommandsOfTheWindow()
    {
        Bench bench(m_tiny);
        QAction zoom(&bench.window);
        zoom.setShortcut(Qt::Key_W);
        bench.window.addAction(&zoom);
        QSignalSpy zoomed(&zoom, &QAction::triggered);
        bench.listMatches();
        QTest::keyClick(bench.hits, Qt::Key_W);
        QCOMPARE(zoomed.count(), 0);
        QVERIFY(bench.hits->isVisible());
    }

    void theListClosesWhenTheKeyboardGoesElsewhere()
    {
        Bench bench(m_tiny);
        bench.listMatches();
        bench.other.setFocus();
        QVERIFY(!bench.hits->isVisible());
    }

    void downListsTheMatches()
    {
        Bench bench(m_tiny);
        bench.field->setFocus();
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QVERIFY(bench.bar.findChild<QToolButton*>("searchList")->isVisible());
        QTest::keyClick(bench.field, Qt::Key_Down);
        QVERIFY(bench.hits->isVisible() && bench.hits->count() > 0);
    }

    void theWayGoesOnFromThePinnedMatch()
    {
        Bench bench(m_tiny);
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        auto* const next = bench.bar.findChild<QToolButton*>("searchNext");
        QTest::mouseClick(next, Qt::LeftButton);
        bench.selection.pin(3); // the second largest
        QTest::mouseClick(next, Qt::LeftButton);
        bench.selection.pin(5); // no match
        QTest::mouseClick(bench.bar.findChild<QToolButton*>("searchPrevious"), Qt::LeftButton);
        QCOMPARE(bench.visited, (Visited{8, 7, 3}));
    }

    void escapeEndsTheSearchAndGivesTheKeyboardBack()
    {
        Bench bench(m_tiny);
        QSignalSpy dismissed(&bench.bar, &SearchBar::dismissed);
        bench.bar.focusField();
        QVERIFY(bench.field->hasFocus());
        QTest::keyClicks(bench.field, "life<5");
        bench.windows->setCurrentIndex(1);
        QTest::keyClick(bench.field, Qt::Key_Escape);
        QVERIFY(bench.field->text().isEmpty());
        QCOMPARE(bench.windows->currentIndex(), 0);
        QCOMPARE(dismissed.count(), 1);
        QVERIFY(bench.other.hasFocus());
        QVERIFY(bench.search.text().isEmpty() && !bench.search.result());
    }

    void aSearchThatDoesNotFindTheMatchOfTheLastOneUnpinsIt()
    {
        Bench bench(m_tiny);
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        bench.bar.goToNext();
        QVERIFY(bench.selection.isPinned());
        bench.field->setText("nowhere");
        QVERIFY(bench.settles());
        QVERIFY(!bench.selection.isPinned());
    }

    void whatIsNoPartOfAConditionIsNamedWhereNothingIsFound()
    {
        Bench bench(m_tiny);
        bench.field->setText("size>64 foo");
        QVERIFY(bench.settles());
        QVERIFY2(bench.count->toolTip().contains(QString::fromUtf8("“foo” was searched for in stacks")),
            qPrintable(bench.count->toolTip()));
        bench.field->setText("foo");
        QVERIFY(bench.settles());
        QVERIFY2(!bench.count->toolTip().contains("condition"), qPrintable(bench.count->toolTip()));
    }

    void theEndOfTheSearchUnpinsItsMatch_data()
    {
        QTest::addColumn<bool>("byEscape");
        QTest::newRow("Esc") << true;
        QTest::newRow("an empty field") << false;
    }
    void theEndOfTheSearchUnpinsItsMatch()
    {
        QFETCH(bool, byEscape);
        Bench bench(m_tiny);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        QVERIFY(bench.selection.isPinned());
        if (byEscape)
            QTest::keyClick(bench.field, Qt::Key_Escape);
        else
            bench.field->clear();
        QVERIFY(!bench.selection.isPinned());
    }

    void theEndOfTheSearchLeavesWhatTheUserPinned()
    {
        Bench bench(m_tiny);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "life<5");
        QVERIFY(bench.settles());
        QTest::keyClick(bench.field, Qt::Key_Return);
        bench.selection.pin(3); // a match, too
        QTest::keyClick(bench.field, Qt::Key_Escape);
        QCOMPARE(bench.selection.pinned(), 3u);
    }

    void escapeInTheFieldIsNotTheWindows()
    {
        Bench bench(m_tiny);
        QAction release(&bench.window);
        release.setShortcut(Qt::Key_Escape);
        bench.window.addAction(&release);
        QSignalSpy released(&release, &QAction::triggered);
        bench.bar.focusField();
        QTest::keyClicks(bench.field, "0/p"); // these keys are also commands of the window
        QTest::keyClick(bench.field, Qt::Key_Escape);
        QCOMPARE(released.count(), 0);
        QVERIFY(bench.other.hasFocus());
        QTest::keyClick(&bench.window, Qt::Key_Escape);
        QCOMPARE(released.count(), 1);
    }

    void whereToSearchFollowsTheChoice()
    {
        Bench bench(m_tiny);
        bench.search.setView(4, 11);
        bench.windows->setCurrentIndex(bench.windows->findText("Allocated in view"));
        QVERIFY(bench.settles());
        QVERIFY(bench.answer->text().startsWith(QStringLiteral("4 of 9 ")));
        QVERIFY(bench.answer->text().contains(QStringLiteral("18.29 MiB")));
        bench.windows->setCurrentIndex(bench.windows->findText("In use in view"));
        QVERIFY(bench.settles());
        QCOMPARE(bench.search.window(), FilterSpec::Window::LiveIn);
        QTest::mouseClick(bench.bar.findChild<QToolButton*>("searchClear"), Qt::LeftButton);
        QCOMPARE(bench.windows->currentText(), QStringLiteral("Anywhere"));
    }

    void whatIsNotUnderstoodStandsInTheWarningColour()
    {
        Bench bench(m_tiny);
        bench.bar.setColors(ThemeColors::darkColors());
        QTest::keyClicks(bench.field, "life>soon");
        QVERIFY(bench.count->text().startsWith(QStringLiteral("\"soon\" is not")));
        QVERIFY(bench.count->styleSheet().contains(ThemeColors::darkColors().warning.name()));
    }

    void everyPartHasANameAndATip()
    {
        Bench bench(m_tiny);
        for (const char* name : {"searchField", "searchWindow", "searchHits", "searchCount", "searchList",
                 "searchPrevious", "searchNext", "searchClear"}) {
            const auto* part = bench.bar.findChild<QWidget*>(name);
            QVERIFY2(!part->accessibleName().isEmpty() && !part->toolTip().isEmpty(), name);
        }
    }

private:
    std::shared_ptr<const DeviceAnalysis> m_tiny;
};

HIGHWATER_APP_TEST(SearchBarTest)

} // namespace highwater::gui::test

#include "search_bar_test.moc"
