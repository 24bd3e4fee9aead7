#include <QTableView>
#include <QTest>
#include <QTreeWidgetItemIterator>

#include "app/timeline/highlight_chip.h"
#include "app/timeline/lane_strip.h"
#include "app/views/findings/findings_view.h"
#include "app/views/parts/fact_sheet.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/side_panel/details_panel.h"
#include "app/views/steps/steps_view.h"
#include "app/workspace/tasks/qt_text.h"
#include "app/workspace/view/selection_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"
#include "tests/app/window_fixture.h"

namespace highwater::gui::test {

/// Tests that status bar, details, chip and highlight agree on what is selected, whatever was done.
class SelectionAgreesTest : public WindowFixture
{
    Q_OBJECT

public:
    SelectionAgreesTest()
        : WindowFixture({1500, 900})
    {
    }

private:
    Selection& selection() { return page().selection(); }
    const std::vector<Step>& steps() { return page().analysis()->steps.steps; }
    QString title()
    {
        const std::vector<Paragraph>& shown = page().details().findChild<FactSheet*>("facts")->paragraphs();
        return shown.empty() ? QString() : shown.front().text;
    }

    void openTraining() { openSample(QStringLiteral("training-6-steps-annotated")); }
    void show(const char* rule)
    {
        page().panelTabs().open(QStringLiteral("summary"));
        const std::vector<Finding>& findings = page().run().study()->findings();
        const auto found = std::ranges::find(findings, rule, &Finding::rule);
        QVERIFY(found != findings.end());
        page().findings().showFinding(static_cast<std::size_t>(found - findings.begin()));
    }
    /// Compares the four places with each other and with the kind that was chosen last.
    void verifyAll(Selection::Kind kind)
    {
        timeline().ignoreMouseUntilMoved(); // what it points at comes before what is selected
        QCOMPARE(selection().subject(), kind);
        const QString text = selectionText(*page().analysis(), selection());
        if (kind != Selection::Kind::Nothing) // else Details show the moment of all views
            QTRY_COMPARE(title(), text);
        const QString inStatus = kind == Selection::Kind::Moment ? eventText(*selection().cursor()) : text;
        QVERIFY2(page().cursorText().startsWith(inStatus), qPrintable(page().cursorText()));
        QCOMPARE(page().bandView().highlighted(), selection().highlight().members);
        const auto* const chip = timeline().findChild<HighlightChip*>();
        QTRY_COMPARE(chip->isVisible(), selection().highlight().members != nullptr);
        if (kind == Selection::Kind::Highlight)
            QVERIFY2(chip->text().startsWith(text), qPrintable(chip->text()));
    }

private slots:
    void afterAClickOnABand()
    {
        openTraining();
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        verifyAll(Selection::Kind::Allocation);
    }

    void aClickBesideTheBandsSelectsNothing()
    {
        openSample(QStringLiteral("r1-grpo-before"));
        const QRectF plot = timeline().area().rect;
        const QPoint aboveTheFirstSteps = QPointF(plot.left() + plot.width() / 10, plot.top() + 4).toPoint();
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, aboveTheFirstSteps);
        verifyAll(Selection::Kind::Nothing);
    }

    void afterAClickOnAStep()
    {
        openTraining();
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, inLane(2));
        verifyAll(Selection::Kind::Step);
        QCOMPARE(title(), stepText(*page().analysis(), 2));
    }

    void aStepOfTheTableIsSelectedAsInTheLane()
    {
        openTraining();
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, inLane(2));
        const std::optional<Selection::EventRange> inLanes = selection().range();
        QVERIFY(inLanes);
        page().selectStep(4);
        QVERIFY(selection().range() != inLanes);
        page().panelTabs().open(QStringLiteral("steps"));
        auto& steps = *page().panelTabs().findChild<StepsView*>();
        steps.table().setCurrentIndex(steps.table().model()->index(2, 0));
        QCOMPARE(selection().step(), std::optional<std::size_t>(2));
        QCOMPARE(selection().range(), inLanes);
        verifyAll(Selection::Kind::Step);
    }

    void everyWayToAStepSelectsTheSame()
    {
        openTraining();
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, inLane(2));
        const Selection::State clicked = selection().state();
        page().goToStep(3); // Ctrl+G
        page().goToStep(2);
        QVERIFY(selection().state() == clicked);
        page().zoomToStep(1);
        QTest::keyClick(&timeline(), Qt::Key_BracketRight);
        QVERIFY(selection().state() == clicked);
    }

    void afterShowOfAFinding()
    {
        openSample(QStringLiteral("r1-grpo-before"));
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        show("growth");
        verifyAll(Selection::Kind::Highlight);
        QVERIFY2(!title().startsWith(QStringLiteral("Out of memory")), qPrintable(title()));
    }

    void afterEsc()
    {
        openSample(QStringLiteral("r1-grpo-before"));
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        show("growth");
        while (selection().kind() != Selection::Kind::Nothing)
            QTest::keyClick(&timeline(), Qt::Key_Escape);
        verifyAll(Selection::Kind::Nothing);
    }

    void afterThePeakKey()
    {
        openTraining();
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, inLane(4));
        QTest::keyClick(&timeline(), Qt::Key_P);
        verifyAll(Selection::Kind::Moment);
    }

    void afterTheKeyOfTheNextStep()
    {
        openTraining();
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::keyClick(&timeline(), Qt::Key_BracketRight);
        verifyAll(Selection::Kind::Step);
    }

    void afterADoubleClickOnAStep()
    {
        openTraining();
        const QPoint at = inLane(2);
        QTest::mouseClick(&page().lanes(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(&page().lanes(), Qt::LeftButton, {}, at);
        verifyAll(Selection::Kind::Step);
    }

    void afterADoubleClickOnABand()
    {
        openTraining();
        QTest::keyClick(&timeline(), Qt::Key_P);
        QTest::mouseClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        QTest::mouseDClick(&timeline(), Qt::LeftButton, {}, onBand(0.5));
        verifyAll(Selection::Kind::Moment);
    }

    void aBandOutsideTheHighlightEndsIt()
    {
        openSample(QStringLiteral("r1-grpo-before"));
        show("growth");
        const std::vector<bool>& members = *selection().highlight().members;
        const auto outside = std::ranges::find(members, false);
        QVERIFY(outside != members.end());
        selection().pin(static_cast<AllocationIndex>(outside - members.begin()));
        verifyAll(Selection::Kind::Allocation);
        QVERIFY(!page().bandView().highlighted());
    }

    void aMomentOutsideTheSelectedStepEndsIt()
    {
        openTraining();
        page().selectStep(2);
        selection().setCursor(steps()[4].peakEvent);
        QVERIFY(!selection().step() && !selection().range());
        verifyAll(Selection::Kind::Moment);
    }

    void aFindingInSeveralGenerationsLightsThemAll()
    {
        openPath(QStringLiteral(HIGHWATER_SOURCE_DIR "/samples/rehearsed/r1-grpo-before.pickle.zst"));
        show("generation-with-gradients");
        const std::vector<bool>& members = *page().bandView().highlighted();
        std::size_t lit = 0;
        std::size_t generations = 0;
        for (const PhaseRange& range : page().analysis()->phases.ranges()) {
            if (range.phase != Phase::Generation)
                continue;
            ++generations;
            bool isLit = false;
            for (std::int64_t event = range.begin; event < range.end && !isLit; ++event) {
                const AllocationIndex i = page().analysis()->allocations.ofEvent(event);
                isLit
                    = i != Selection::kNone && members[i] && page().analysis()->allocations.birth(i) == event;
            }
            lit += isLit ? 1 : 0;
        }
        QVERIFY(generations > 1);
        QCOMPARE(lit, generations);
    }

    void theCardGivesTheSumOfABandUnderTheNameOfTheBand()
    {
        openTraining();
        page().bandView().setMode(BandMode::Category);
        QTRY_VERIFY(page().bandView().mode() == BandMode::Category && timeline().isSettled());
        moveMouse(timeline(), onBand(0.5));
        auto* const card = timeline().findChild<QWidget*>(QStringLiteral("hoverCard"));
        QVERIFY(card->isVisible());
        PaintedTexts texts;
        card->grab();
        const AllocationIndex pointed = selection().hovered();
        const CallSite& site = page().analysis()->sites.site(page().analysis()->sites.of(pointed));
        QVERIFY(texts.all.size() >= 3);
        QVERIFY2(!texts.all[0].contains(toQString(site.label)), qPrintable(texts.all[0]));
        QVERIFY2(texts.all[1].contains(QStringLiteral(" in ")), qPrintable(texts.all[1]));
        QVERIFY2(texts.all[2].endsWith(toQString(site.label)), qPrintable(texts.all[2]));
    }

    void theCardGoesWithAJumpByKey()
    {
        openTraining();
        const auto* const card = timeline().findChild<QWidget*>(QStringLiteral("hoverCard"));
        moveMouse(timeline(), onBand(0.5));
        QVERIFY(card->isVisible());
        QTest::keyClick(&timeline(), Qt::Key_P);
        QVERIFY(!card->isVisible());
    }

    void aStepThatFillsTheViewIsNotTinted()
    {
        openTraining();
        page().runOnStep(2, StepCommand::Select);
        page().runOnStep(2, StepCommand::Zoom);
        timeline().ignoreMouseUntilMoved();
        QTRY_VERIFY(page().isSettled() && timeline().isSettled());
        const QRectF rect = timeline().area().rect;
        const QPoint inData(qRound(rect.left() + 0.3 * rect.width()), qRound(rect.bottom()) - 3);
        const auto color = [&] {
            const QImage picture = timeline().grab().toImage();
            return picture.pixelColor(inData * picture.devicePixelRatio());
        };
        const QColor marked = color();
        selection().setRange(std::nullopt);
        QCOMPARE(color(), marked);
    }
};

HIGHWATER_APP_TEST(SelectionAgreesTest)

} // namespace highwater::gui::test

#include "selection_agrees_test.moc"
