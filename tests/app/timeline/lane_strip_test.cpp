#include <algorithm>
#include <limits>

#include <QSignalSpy>
#include <QTest>

#include "app/timeline/lane_strip.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/trace/trace_builder.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"

namespace highwater::gui::test {

namespace {

constexpr int kLeft = 100;
constexpr int kWidth = 1000;

/// Returns a device with one allocation per microsecond, and nested annotations over all of them.
std::shared_ptr<const DeviceAnalysis> annotated(const std::vector<std::string>& names, int events = 100)
{
    TraceBuilder builder;
    const StreamId stream = builder.stream(0);
    for (int i = 0; i < events; ++i)
        builder.addEvent(
            {Action::Alloc, static_cast<Address>(i) * 1024, 512, (i + 1) * 1000, stream, {}, {}, {}, {}});
    builder.assignEvents(builder.device(DeviceKind::Cuda, 0), {{0, static_cast<std::uint32_t>(events)}});
    Nanoseconds inset = 0;
    for (const std::string& name : names) {
        const StringId id = builder.strings().intern(name);
        builder.addAnnotationMark({id, 0, 1000 + inset, true});
        builder.addAnnotationMark({id, 0, events * 1000 - inset, false});
        inset += 10;
    }
    return std::make_shared<const DeviceAnalysis>(builder.finish(), DeviceIndex{0});
}

/// Returns steps of four events each, marked as torch.profiler does, numbered from 0. From step `gapAt` on,
/// the numbers are higher by 37.
std::shared_ptr<const DeviceAnalysis> manySteps(int count, int gapAt = std::numeric_limits<int>::max())
{
    constexpr int each = 4;
    TraceBuilder builder;
    const StreamId stream = builder.stream(0);
    for (int i = 0; i < each * count; ++i)
        builder.addEvent({i % 2 == 0 ? Action::Alloc : Action::Free, static_cast<Address>(1024), 512,
            (i + 1) * 1000, stream, {}, {}, {}, {}});
    builder.assignEvents(
        builder.device(DeviceKind::Cuda, 0), {{0, static_cast<std::uint32_t>(each * count)}});
    for (int i = 0; i < count; ++i) {
        const StringId id
            = builder.strings().intern("ProfilerStep#" + std::to_string(i < gapAt ? i : i + 37));
        builder.addAnnotationMark({id, 0, i * each * 1000 + 500, true});
        builder.addAnnotationMark({id, 0, (i + 1) * each * 1000 + 400, false});
    }
    return std::make_shared<const DeviceAnalysis>(builder.finish(), DeviceIndex{0});
}

/// A strip that shows a complete device, with one pixel per event if there are kWidth events.
struct Bench
{
    explicit Bench(const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis = AxisKind::Event)
    {
        strip.resize(kLeft + kWidth + 20, 100);
        strip.setEdges(kLeft, kLeft + kWidth);
        const EventScale& scale = analysis->scale(axis);
        range.setLimits(scale.begin(), scale.end(), 1, 1);
        show(analysis, axis);
    }
    void show(const std::shared_ptr<const DeviceAnalysis>& analysis, AxisKind axis = AxisKind::Event)
    {
        QSignalSpy changed(&strip, &LaneStrip::lanesChanged);
        strip.show(analysis, axis);
        if (!changed.wait())
            qFatal("no lanes");
        strip.QWidget::show();
    }
    /// Returns the index of a lane's nth row.
    std::size_t row(LaneKind kind, std::size_t nth) const
    {
        const std::vector<LaneRow>& rows = strip.lanes()->rows;
        std::size_t row = 0;
        while (rows[row].kind != kind)
            ++row;
        return row + nth;
    }
    /// Returns the middle of a row at an event or time.
    QPoint at(LaneKind kind, std::size_t nth, double key) const
    {
        const std::size_t row = this->row(kind, nth);
        const double share = (key - range.x().begin) / range.x().width();
        return {kLeft + static_cast<int>(share * kWidth), strip.rowRect(row).center().y()};
    }
    QStringList names() const
    {
        QStringList names;
        for (const LaneRow& row : strip.lanes()->rows)
            names << row.name;
        return names;
    }

    VisibleRange range;
    LaneStrip strip{range};
};

PlotArea areaOf(double begin, double end)
{
    PlotArea area;
    area.rect = QRectF(kLeft, 0, kWidth, 10);
    area.xBegin = begin;
    area.xEnd = end;
    return area;
}

} // namespace

class LaneStripTest : public QObject
{
    Q_OBJECT

private slots:
    void rangesThatOnlyMarkTheStepsHaveNoLane()
    {
        Bench bench(manySteps(20));
        QVERIFY(!bench.names().contains(QStringLiteral("ranges")));
        bench.show(annotated({"load"}));
        QVERIFY(bench.names().contains(QStringLiteral("ranges")));
        bench.show(mainAnalysis("user-annotated-phases"));
        for (const LaneRow& row : bench.strip.lanes()->rows)
            for (const LaneItem& item : row.items)
                QVERIFY(row.kind == LaneKind::Steps || !item.label.starts_with("ProfilerStep#"));
    }

    void phasesWithoutRoomAreCounted()
    {
        Bench bench(mainAnalysis("r1-grpo-before"));
        const std::size_t phases = bench.strip.lanes()->rows[bench.row(LaneKind::Phases, 0)].items.size();
        QVERIFY(phases > 40);
        bench.strip.setEdges(kLeft, kLeft + 100);
        const PaintedTexts painted;
        bench.strip.grab();
        QVERIFY2(painted.all.contains(countedKind(LaneKind::Phases, phases)),
            qPrintable(painted.all.join(QStringLiteral(", "))));
    }

    void aLaneWithoutItemsTakesNoRoom()
    {
        Bench bench(annotated({}));
        QVERIFY(bench.strip.lanes()->rows.empty());
        QCOMPARE(bench.strip.height(), 0);
        bench.show(mainAnalysis("two-devices"));
        QCOMPARE(bench.names(), (QStringList{"steps", "phases"}));
        const int two = bench.strip.height();
        bench.show(mainAnalysis("r5-flan-t5-xl-after"));
        QCOMPARE(bench.names(), (QStringList{"steps", "phases", "ranges", "flushes"}));
        QVERIFY(bench.strip.height() > two);
        bench.show(mainAnalysis("oom-fragmentation"));
        QCOMPARE(bench.names(), (QStringList{"phases", "flushes", "OOM"}));
        bench.show(mainAnalysis("user-annotated-phases"));
        QCOMPARE(bench.names(), (QStringList{"steps", "phases", "ranges", ""}));
    }

    void pointingAtABarNamesIt()
    {
        Bench bench(mainAnalysis("user-annotated-phases"));
        QCOMPARE(bench.strip.tipAt(bench.at(LaneKind::Annotations, 0, 160)),
            QStringLiteral("## backward ##\n1.76 ms · events 67 – 253"));
        QVERIFY(bench.strip.tipAt(bench.at(LaneKind::Annotations, 1, 160)).isEmpty());
        QVERIFY(bench.strip.tipAt(QPoint(20, 10)).isEmpty());
    }

    void aNameWithoutRoomIsTold()
    {
        Bench bench(mainAnalysis("user-annotated-phases"));
        const QPoint name(20, bench.at(LaneKind::Annotations, 0, 200).y());
        QVERIFY(bench.strip.tipAt(name).isEmpty());
        bench.strip.setEdges(24, kLeft + kWidth);
        QCOMPARE(bench.strip.tipAt(name), QStringLiteral("ranges"));
    }

    void flushesAndFailuresSayTheirFigures()
    {
        Bench flushed(mainAnalysis("r5-flan-t5-xl-after"));
        QVERIFY(flushed.strip.tipAt(flushed.at(LaneKind::CacheFlushes, 0, 4787))
                    .startsWith("25 segments, 10.84 GiB released\n"));
        QVERIFY(flushed.strip.tipAt(flushed.at(LaneKind::CacheFlushes, 0, 4787))
                    .endsWith(" · events 4,775 – 4,799"));
        Bench failed(mainAnalysis("r1-grpo-before"));
        const QString failure = failed.strip.tipAt(failed.at(LaneKind::OutOfMemory, 0, 13341));
        for (const char* part : {"48 MiB requested", "39 MiB free", "\nevent 13,341"})
            QVERIFY2(failure.contains(QLatin1String(part)), part);
    }

    void aFailureInTheLastEventIsSeenAtTheEdge()
    {
        Bench bench(mainAnalysis("r1-grpo-before"));
        const QImage picture = bench.strip.grab().toImage();
        const QPoint edge(
            kLeft + kWidth - 2, bench.strip.rowRect(bench.row(LaneKind::OutOfMemory, 0)).center().y());
        QCOMPARE(picture.pixelColor(edge), ThemeColors::light().danger);
    }

    void stepsWithoutRoomForTheirNumbersShowRoundOnes()
    {
        Bench bench(manySteps(200));
        const PaintedTexts painted;
        bench.strip.grab();
        QVERIFY2(painted.all.contains("100"), qPrintable(painted.all.join(" ")));
        QVERIFY2(!painted.all.contains("101"), qPrintable(painted.all.join(' ')));
    }

    void stepsWithoutRoomForTheirNumbersAreAnEvenStrip()
    {
        Bench bench(manySteps(200));
        const QImage picture = bench.strip.grab().toImage();
        const QRect row = bench.strip.rowRect(bench.row(LaneKind::Steps, 0));
        const ThemeColors colors = ThemeColors::light();
        for (int x = row.left() + 1; x < row.right(); ++x) {
            const QColor at = picture.pixelColor(x, row.bottom() - 1);
            QVERIFY2(at == colors.hover || at == colors.reservedEdge,
                qPrintable(QStringLiteral("%1 at %2").arg(at.name()).arg(x)));
        }
    }

    void stepsBehindAGapShowRoundNumbersToo()
    {
        Bench bench(manySteps(200, 83));
        const PaintedTexts painted;
        bench.strip.grab();
        QStringList round;
        for (int number = 0; number < 200 + 37; number += 10)
            if (number < 83 || number >= 83 + 37)
                round << QString::number(number);
        QCOMPARE(painted.all, round);
    }

    void theSameBarStandsAtItsTimeOnTheOtherAxis()
    {
        const auto analysis = mainAnalysis("user-annotated-phases");
        Bench bench(analysis, AxisKind::Time);
        const EventScale times(*analysis->trace, analysis->device, AxisKind::Time);
        const double middle = (times.positionOf(67) + times.positionOf(253)) / 2;
        QVERIFY(bench.strip.tipAt(bench.at(LaneKind::Annotations, 0, middle)).startsWith("## backward ##"));
    }

    void byStepABarStandsAtItsStep()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Bench bench(analysis, AxisKind::Aligned);
        for (std::size_t step = 0; step < analysis->steps.steps.size(); ++step) {
            const QString tip
                = bench.strip.tipAt(bench.at(LaneKind::Steps, 0, static_cast<double>(step) + 0.5));
            QVERIFY2(tip.startsWith(toQString(analysis->steps.steps[step].name + " ")), qPrintable(tip));
        }
        const double failure = analysis->scale(AxisKind::Aligned).positionOf(13341);
        QVERIFY(bench.strip.tipAt(bench.at(LaneKind::OutOfMemory, 0, failure)).startsWith("out of memory: "));
    }

    void byStepADoubleClickZoomsToTheStepUnderTheMouse()
    {
        Bench bench(manySteps(10), AxisKind::Aligned);
        QSignalSpy requested(&bench.strip, &LaneStrip::stepRequested);
        const QPoint third = bench.at(LaneKind::Steps, 0, 3.5);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, third);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toULongLong(), 3ULL);
        QTest::mouseDClick(&bench.strip, Qt::LeftButton, {}, third);
        QCOMPARE(requested.last()[0].toULongLong(), 3ULL);
        QCOMPARE(requested.last()[1].value<StepCommand>(), StepCommand::Zoom);
    }

    void aClickChoosesAnItemAndADoubleOneZoomsToItOnce()
    {
        Bench bench(mainAnalysis("user-annotated-phases"));
        QSignalSpy chosen(&bench.strip, &LaneStrip::eventsChosen);
        QSignalSpy zooms(&bench.strip, &LaneStrip::zoomTo);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 0, 160));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.takeFirst(), (QList<QVariant>{67, 254, "## backward ##"}));
        QTest::mouseClick(
            &bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 1, 160)); // nothing there
        QCOMPARE(chosen.count(), 0);
        QCOMPARE(zooms.count(), 0);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 0, 160));
        QTest::mouseDClick(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 0, 160));
        QTest::mouseRelease(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 0, 160));
        QCOMPARE(zooms.count(), 1);
        QCOMPARE(zooms.takeFirst(), (QList<QVariant>{67, 254}));
    }

    void aClickOnAStepSelectsItAndASecondOneZoomsToTheSame()
    {
        Bench bench(manySteps(10));
        QSignalSpy requested(&bench.strip, &LaneStrip::stepRequested);
        const QPoint third = bench.at(LaneKind::Steps, 0, 14);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, third);
        QCOMPARE(requested.count(), 1);
        QCOMPARE(requested[0][0].toULongLong(), 3ULL);
        QCOMPARE(requested[0][1].value<StepCommand>(), StepCommand::Select);
        bench.range.setX(20, 40); // the click may have moved the lane
        QTest::mouseDClick(&bench.strip, Qt::LeftButton, {}, third);
        QCOMPARE(requested.last()[0].toULongLong(), 3ULL);
        QCOMPARE(requested.last()[1].value<StepCommand>(), StepCommand::Zoom);
    }

    void inABarOfManyStepsTheOneUnderTheMouseIsSelected()
    {
        Bench bench(manySteps(5000));
        QSignalSpy requested(&bench.strip, &LaneStrip::stepRequested);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Steps, 0, 10'002));
        QCOMPARE(requested.count(), 1);
        QVERIFY(qAbs(requested[0][0].toDouble() - 2'500) <= 5); // five steps in a pixel
    }

    void anAnnotationWithoutEventsIsStillSeenAndChosen()
    {
        Bench bench(mainAnalysis("r5-flan-t5-xl-before"));
        QSignalSpy chosen(&bench.strip, &LaneStrip::eventsChosen);
        bench.range.setX(5962, 6062); // ten pixels per event
        QVERIFY(bench.strip.tipAt(bench.at(LaneKind::Annotations, 0, 5962)).contains("no events"));
        const QImage picture = bench.strip.grab().toImage();
        QVERIFY(picture.pixelColor(bench.at(LaneKind::Annotations, 0, 5962) + QPoint(1, 0))
            != picture.pixelColor(bench.at(LaneKind::Annotations, 0, 5990)));
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {}, bench.at(LaneKind::Annotations, 0, 5962));
        QCOMPARE(chosen.takeFirst().mid(0, 2), (QList<QVariant>{5962, 5963}));
    }

    void internalRangesAreHiddenUntilAskedFor()
    {
        Bench bench(annotated({"train", "_compile.inner (dynamo_timed)", "step"}));
        QCOMPARE(bench.strip.lanes()->rows.size(), 2);
        QCOMPARE(bench.strip.notes(), (QStringList{"1 internal range hidden · show"}));
        QSignalSpy changed(&bench.strip, &LaneStrip::lanesChanged);
        QTest::mouseClick(&bench.strip, Qt::LeftButton, {},
            bench.strip.rowRect(bench.row(LaneKind::Annotations, 2)).topLeft()
                + QPoint(20, 5)); // on the note
        QVERIFY(changed.wait());
        QVERIFY(bench.strip.isInternalShown());
        QCOMPARE(bench.strip.lanes()->rows.size(), 3);
        QCOMPARE(bench.strip.notes(), (QStringList{"1 internal range shown · hide"}));
    }

    void onlyInternalRangesLeaveTheirNote()
    {
        Bench bench(annotated({"aot_forward"}));
        QVERIFY(bench.strip.lanes()->rows.empty());
        QCOMPARE(bench.strip.notes().size(), 1);
        QVERIFY(bench.strip.height() > 0);
    }

    void deepNestingIsCutAndSaysSo()
    {
        Bench bench(annotated({"a", "b", "c", "d", "e", "f", "g"}));
        QCOMPARE(bench.strip.lanes()->rows.size(), 4);
        QCOMPARE(bench.strip.notes(), (QStringList{"+3 rows"}));
        QSignalSpy changed(&bench.strip, &LaneStrip::lanesChanged);
        bench.strip.setAllRowsShown(true);
        QVERIFY(changed.wait());
        QCOMPARE(bench.strip.lanes()->rows.size(), 7);
        QCOMPARE(bench.strip.notes(), (QStringList{"fewer rows"}));
    }

    void whatIsDrawnIsBoundedByPixelsAndLosesNothing()
    {
        const auto analysis = annotated({}, 200000);
        LaneRow row;
        for (int i = 0; i < 200000; ++i)
            row.items.push_back({i, i % 1000 == 0 ? i + 1 : i, 0, 0, 0, "x", false, false});
        const EventScale scale(*analysis->trace, 0, AxisKind::Event);
        const auto pieces = lanePieces(row, scale, areaOf(0, 200000));
        QVERIFY(pieces.size() <= 2 * kWidth);
        std::size_t next = 0;
        for (const LanePiece& piece : pieces) {
            QCOMPARE(piece.first, next);
            next += piece.count;
        }
        QCOMPARE(next, row.items.size());
        // Zoomed in: one item per pixel, and only visible ones.
        const auto near = lanePieces(row, scale, areaOf(5000, 5100));
        QCOMPARE(near.size(), 100);
        QCOMPARE(near.front().first, 5000);
        QCOMPARE(near.front().right - near.front().left, 10.0);
    }

    void rangesThatWouldLookLikeABarCodeAreOneBarThatCountsThem()
    {
        const auto analysis = annotated({}, 2000);
        const EventScale scale(*analysis->trace, 0, AxisKind::Event);
        LaneRow row;
        for (int i = 0; i < 2000; i += 4)
            row.items.push_back({i, i + 2, 0, 0, 0, "zero_grad", false, false});
        const auto pieces = lanePieces(row, scale, areaOf(0, 2000));
        QCOMPARE(pieces.size(), std::size_t{1});
        QVERIFY(pieces.front().isCrowd);
        QVERIFY(tipOf(row, pieces.front(), false).startsWith(QStringLiteral("500 ranges ")));
        row.kind = LaneKind::CacheFlushes; // each is a marker of its own
        QCOMPARE(lanePieces(row, scale, areaOf(0, 2000)).size(), std::size_t{500});
    }

    void aTextOnAMarkerIsReadableInEveryTheme()
    {
        for (const Ground ground : {Ground{}, Ground{.dark = true}, Ground{.contrast = true},
                 Ground{.dark = true, .contrast = true}}) {
            const ThemeColors colors = ThemeColors::of(ground);
            for (const QColor& fill : {colors.reservedEdge, colors.danger, colors.hover, colors.plainFill()})
                QVERIFY(contrast(colors.textOn(fill).rgb() & 0xffffff, fill.rgb() & 0xffffff)
                    >= kReadableContrast);
        }
    }

    void itemsTooCloseTellHowManyTheyAre()
    {
        LaneRow row;
        for (int i = 0; i < 3; ++i)
            row.items.push_back({i, i, 0, 0, 0, "zero_grad", false, false});
        const QString tip = tipOf(row, {0, 1, 0, 3}, false);
        QVERIFY2(tip.startsWith(QStringLiteral("3 ranges ")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("events 0 – 1\n")), qPrintable(tip));
        QVERIFY2(tip.endsWith(QStringLiteral("\nzero_grad\nno events")), qPrintable(tip));
    }

    void aPhaseHasOneSpellingInTheWholeLane()
    {
        Bench bench(mainAnalysis("r1-grpo-before"));
        for (int width = kWidth; width > kWidth / 4; width -= 20) {
            const PaintedTexts painted;
            bench.strip.setEdges(kLeft, kLeft + width);
            bench.strip.grab();
            const auto has = [&](const char* text) { return painted.all.contains(text) ? 1 : 0; };
            QVERIFY2(has("bwd") + has("backward") <= 1, qPrintable(painted.all.join(", ")));
        }
    }

    void aPhaseTooNarrowForItsShortNameHasNoLetter()
    {
        Bench bench(mainAnalysis("r1-grpo-before"));
        const PaintedTexts painted;
        for (int width = kWidth; width > kWidth / 4; width -= 20) {
            bench.strip.setEdges(kLeft, kLeft + width);
            bench.strip.grab();
        }
        for (const QString& text : painted.all)
            QVERIFY2(text.size() != 1 || text[0].isDigit(), qPrintable(text));
    }

    void aNarrowPhaseHasTheColourOfAWideOne()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        Bench bench(analysis);
        bench.strip.setColors(ThemeColors::light());
        const QImage picture = bench.strip.grab().toImage();
        const std::size_t index = bench.row(LaneKind::Phases, 0);
        const LaneRow& row = bench.strip.lanes()->rows[index];
        int narrow = 0;
        for (const LanePiece& piece : lanePieces(
                 row, analysis->scale(AxisKind::Event), areaOf(bench.range.x().begin, bench.range.x().end))) {
            const double width = piece.right - piece.left;
            if (piece.count > 1 || piece.isCrowd || width < 3 || width > 5)
                continue;
            const auto x = static_cast<int>(piece.left + width / 2);
            const QColor shown = picture.pixelColor(x, bench.strip.rowRect(index).center().y());
            const Phase phase = phaseFromText(row.items[piece.first].label).value();
            QCOMPARE(shown, phaseColor(phase, ThemeColors::light()));
            ++narrow;
        }
        QVERIFY(narrow > 0);
    }

    void theWheelZoomsAtTheMouse()
    {
        Bench bench(mainAnalysis("user-annotated-phases"));
        const QPoint at = bench.at(LaneKind::Annotations, 0, 500);
        QWheelEvent wheel(at, bench.strip.mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&bench.strip, &wheel);
        QVERIFY(bench.range.x().width() < 1400);
        QVERIFY(bench.range.x().begin > 0 && bench.range.x().end < 1669);
    }
};

HIGHWATER_APP_TEST(LaneStripTest)

} // namespace highwater::gui::test

#include "lane_strip_test.moc"
