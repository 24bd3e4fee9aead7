#include <cmath>
#include <map>
#include <set>

#include <QTest>

#include <qcustomplot.h>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/bands/band_image.h"
#include "app/timeline/bands/band_render.h"
#include "app/timeline/cursor_overlay.h"
#include "app/timeline/label_placer.h"
#include "app/timeline/parts/plot_area.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/figure_palette.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/support/bands_at.h"

namespace highwater::gui::test {

namespace {

BandRequest wholeOf(const QString& sample, int width, int height, AxisKind axis = AxisKind::Event)
{
    BandRequest request;
    request.analysis = mainAnalysis(sample);
    request.palette = request.analysis->sitePalette;
    request.scale = ownScale(request.analysis, axis);
    request.xBegin = request.scale->begin();
    request.xEnd = request.scale->end();
    request.yTop = static_cast<double>(request.analysis->figures.peakBytes);
    request.width = width;
    request.height = height;
    return request;
}

std::shared_ptr<const BandGroups> groupsOf(const DeviceAnalysis& analysis, BandMode mode)
{
    return std::make_shared<const BandGroups>(
        groupBands(*analysis.trace, analysis.live, analysis.sites, analysis.figures.peakEvent, mode));
}

/// Returns a pixel as stored in the image, premultiplied; row 0 is the lowest.
QRgb pixelOf(const BandImage& bands, int x, int row)
{
    const int line = bands.image.height() - 1 - row;
    return reinterpret_cast<const QRgb*>(bands.image.constScanLine(line))[x];
}

} // namespace

class TimelineTest : public QObject
{
    Q_OBJECT

private slots:
    void noLabelOfTheXAxisTouchesAnotherOrIsCutOff()
    {
        for (const int width : {360, 700, 1400}) {
            QCustomPlot plot;
            plot.resize(width, 300);
            plot.axisRect()->setAutoMargins(QCP::msNone);
            plot.axisRect()->setMargins(QMargins(90, 8, 30, 40));
            setTicks(*plot.xAxis, durationTicks);
            plot.plotLayout()->setOuterRect(QRect(0, 0, width, 300));
            plot.plotLayout()->update(QCPLayoutElement::upMargins);
            plot.plotLayout()->update(QCPLayoutElement::upLayout);
            TextCache texts;
            texts.setFont(plot.xAxis->tickLabelFont());
            for (const double span : {1e3, 3e6, 1e9, 7e9}) {
                plot.xAxis->setRange(75.2e9, 75.2e9 + span);
                fitTicks(*plot.xAxis, 10, texts);
                QVector<double> ticks;
                QVector<QString> labels;
                plot.xAxis->ticker()->generate(plot.xAxis->range(), {}, 'f', 0, ticks, nullptr, &labels);
                double lastRight = 0;
                int shown = 0;
                for (qsizetype i = 0; i < labels.size(); ++i) {
                    if (labels[i].isEmpty())
                        continue;
                    const double half
                        = QFontMetrics(plot.xAxis->tickLabelFont()).horizontalAdvance(labels[i]) / 2.0;
                    const double middle = plot.xAxis->coordToPixel(ticks[i]);
                    QVERIFY(middle - half > lastRight);
                    lastRight = middle + half;
                    QVERIFY(lastRight <= width);
                    ++shown;
                }
                QVERIFY(shown > 0);
            }
        }
    }

    void theLargestSitesHaveColoursOfTheirOwn()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const BandPalette& palette = *analysis->sitePalette;
        std::set<QRgb> seen;
        const GroupRank sites = static_cast<GroupRank>(analysis->siteGroups->groups.size());
        QVERIFY(sites > BandPalette::kDistinct);
        for (GroupRank site = 0; site < sites; ++site)
            if (palette.isDistinct(site))
                seen.insert(palette.color(site).rgb());
        for (GroupRank site = 0; site < 5; ++site)
            QVERIFY(palette.isDistinct(site));
        QCOMPARE(static_cast<int>(seen.size()), BandPalette::kDistinct);
    }

    void aSiteThatIsLargeAwayFromThePeakHasAColourOfItsOwn()
    {
        const auto analysis = mainAnalysis("training-6-steps-bare");
        const BandGroups& sites = *analysis->siteGroups;
        std::vector<Bytes> atEnd(sites.groups.size());
        for (const AllocationIndex i : analysis->allocations.liveAt(analysis->allocations.eventCount() - 1))
            atEnd[sites.rank(i)] += analysis->allocations.bytes(i);
        const auto largest = std::ranges::max_element(atEnd) - atEnd.begin();
        QVERIFY(analysis->sitePalette->isDistinct(static_cast<GroupRank>(largest)));
    }

    void withoutAStackABandIsNeutralGrey()
    {
        const auto analysis = mainAnalysis("user-annotated-phases");
        const BandPalette& palette = *analysis->sitePalette;
        int checked = 0;
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i) {
            const SiteId site = analysis->sites.of(i);
            if (analysis->sites.site(site).kind != SiteKind::NoStack)
                continue;
            const QColor shade = QColor::fromRgb(palette.shade(i));
            QCOMPARE(shade.hsvSaturation(), 0);
            QCOMPARE(palette.color(analysis->siteGroups->rank(i)), QColor::fromRgb(kRestColor));
            ++checked;
        }
        QVERIFY(checked > 0);
    }

    void categoriesHaveTheColoursThatTheyHaveEverywhere()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const BandPalette& palette = *analysis->categoryPalette;
        QCOMPARE(analysis->allocationPalette(), analysis->categoryPalette);
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i)
            for (const bool dark : {false, true})
                QCOMPARE(palette.color(analysis->categoryGroups->rank(i), {.dark = dark}),
                    themed(categoryColor(analysis->study.guessed, analysis->categories.of(i)), dark));
    }

    void theLargestCallSiteOfACategoryHasItsColourAndOthersAStepOfTheirOwn()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        std::map<GroupRank, QRgb> shades;
        std::vector<AllocationIndex> atPeak;
        analysis->live.liveAt(analysis->figures.peakEvent, atPeak);
        for (const AllocationIndex i : atPeak)
            if (analysis->categories.of(i) == Category::Activation)
                shades.try_emplace(analysis->siteGroups->rank(i), analysis->categoryPalette->shade(i));
        const GroupRank largest = shades.begin()->first;
        const bool isGuess = analysis->siteGuesses.isGuess(largest, Category::Activation, false);
        QCOMPARE(
            shades.begin()->second & 0xffffff, bandColor({Category::Activation, 0, isGuess, false}).light);
        std::set<QRgb> seen;
        for (const auto& [site, shade] : shades)
            seen.insert(shade);
        QVERIFY(seen.size() >= std::min<std::size_t>(shades.size(), kSiteVariantCount));
    }

    void aGuessIsNotAsSaturatedAsWhatIsCertain()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        std::size_t guesses = 0;
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i) {
            if (analysis->categories.of(i) != Category::Input)
                continue;
            QCOMPARE(analysis->categories.gradeOf(i), Grade::C);
            const QColor shade = QColor::fromRgb(analysis->categoryPalette->shade(i));
            QVERIFY(shade.hsvSaturation() < QColor::fromRgb(categoryColor(Category::Input)).hsvSaturation());
            ++guesses;
        }
        QVERIFY(guesses > 0);
    }

    void theWindowHasTheColoursOfTheReport()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        const std::vector<ThemedColor> report
            = siteBandColors(analysis->study, analysis->live, *analysis->siteGroups, *analysis->siteStack);
        for (AllocationIndex i = 0; i < analysis->allocations.size(); ++i) {
            const GroupRank band = analysis->siteStack->rank(i);
            QCOMPARE(analysis->categoryPalette->shade(i) & 0xffffff, report[band].light);
            if (analysis->keptBlocks->keptSince(i) != KeptBlocks::kNever)
                QCOMPARE(analysis->categoryPalette->shade(i, {.dark = true}, true) & 0xffffff,
                    report[analysis->siteStack->keptRankOf[band]].dark);
        }
    }

    void whatIsHeldIsDarkerAndHatched()
    {
        const auto analysis = mainAnalysis("r1-grpo-before");
        BandRequest request = wholeOf("r1-grpo-before", 300, 200);
        request.palette = analysis->categoryPalette;
        request.stacking = analysis->siteStack;
        const auto bands = renderBands(request);
        int lines = 0;
        int plain = 0;
        for (int x = 0; x < 300; ++x)
            for (int row = 0; row < 200; ++row) {
                const AllocationIndex i = bands->raster.at(x, row);
                if (i == BandRaster::kEmpty
                    || !analysis->keptBlocks->isKept(
                        i, bands->raster.columns[static_cast<std::size_t>(x)].event))
                    continue;
                const QRgb held = request.palette->shade(i, {}, true);
                QVERIFY(qGray(held) < qGray(request.palette->shade(i)));
                const QRgb pixel = pixelOf(*bands, x, row);
                plain += pixel == held;
                lines += pixel != held;
            }
        QVERIFY(lines > 0 && plain > 4 * lines);
    }

    void belowThreePixelsAStepAColumnIsThatOfAGroupOfSteps()
    {
        BandRequest request = wholeOf("r1-grpo-before", 40, 60); // fifteen steps
        const auto bands = renderBands(request);
        const StepTable& table = request.analysis->steps;
        QCOMPARE(bands->stepsPerGroup, std::size_t{5});
        QCOMPARE(bands->spreads.size(), std::size_t{40});
        for (std::size_t x = 0; x < 40; ++x) {
            const double key
                = request.xBegin + (static_cast<double>(x) + 0.5) * (request.xEnd - request.xBegin) / 40;
            const Step& step = table.steps[*table.stepOf(static_cast<std::int64_t>(key))];
            QVERIFY(bands->raster.columns[x].bytes >= step.peakBytes);
            QVERIFY(!step.isCounted() || !step.isComplete || bands->spreads[x].lowest <= step.peakBytes);
        }
        QVERIFY(renderBands(wholeOf("r1-grpo-before", 300, 60))->spreads.empty());
    }

    void aLineIsAtTheMedianPeakOfNarrowSteps()
    {
        const auto bands = renderBands(wholeOf("r1-grpo-before", 40, 60));
        const double perRow = bands->request.yTop / 60;
        int points = 0;
        for (int x = 0; x < 40; ++x) {
            const auto median = static_cast<double>(bands->spreads[static_cast<std::size_t>(x)].median);
            const int row = static_cast<int>(std::lround(median / perRow)) - 1;
            if (row < 0 || bands->raster.at(x, row) == BandRaster::kEmpty)
                continue;
            QCOMPARE(pixelOf(*bands, x, row), FigurePalette::light().text | 0xff000000u);
            ++points;
        }
        QVERIFY(points > 20);
    }

    void everyPixelHasTheColourOfItsAllocation()
    {
        const auto bands = renderBands(wholeOf("training-6-steps-bare", 203, 101));
        const DeviceAnalysis& analysis = *bands->request.analysis;
        for (int x = 0; x < 203; ++x) {
            for (int row = 0; row < 101; ++row) {
                const AllocationIndex allocation = bands->raster.at(x, row);
                const bool isEmpty = allocation == BandRaster::kEmpty;
                const QRgb shade = isEmpty ? 0 : bands->request.palette->shade(allocation);
                const QRgb pixel = bands->image.pixel(x, 100 - row);
                const bool isLine = !isEmpty
                    && analysis.keptBlocks->isKept(
                        allocation, bands->raster.columns[static_cast<std::size_t>(x)].event);
                const bool isSeam = row > 0 && bands->raster.at(x, row - 1) != allocation;
                QVERIFY(pixel == shade || isLine || isSeam);
                QCOMPARE(qAlpha(pixel), isEmpty ? 0 : 255);
            }
        }
    }

    void groupedBandsLieOnEachOtherAsWholes_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<int>("mode");
        const std::pair<const char*, BandMode> cases[]
            = {{"private-pool", BandMode::Pool}, {"two-streams-record-stream", BandMode::Stream},
                {"r1-grpo-before", BandMode::SizeClass}, {"training-6-steps-bare", BandMode::Site}};
        for (const auto& [sample, mode] : cases)
            QTest::newRow(sample) << sample << static_cast<int>(mode);
    }
    void groupedBandsLieOnEachOtherAsWholes()
    {
        QFETCH(QString, sample);
        QFETCH(int, mode);
        BandRequest request = wholeOf(sample, 240, 400);
        const DeviceAnalysis& analysis = *request.analysis;
        request.stacking = groupsOf(analysis, static_cast<BandMode>(mode));
        const auto bands = renderBands(request);
        const double pixelBytes = request.yTop / 400;
        int checked = 0;
        for (int x = 0; x < 240; ++x) {
            const std::int64_t event = bands->raster.columns[static_cast<std::size_t>(x)].event;
            const double key = request.xBegin + (x + 0.5) * (request.xEnd - request.xBegin) / 240;
            GroupRank last = 0;
            Bytes total = 0;
            for (const Band& band : highwater::test::bandsAt(analysis.live, event, request.stacking.get())) {
                QVERIFY(request.stacking->rank(band.allocation) >= last);
                last = request.stacking->rank(band.allocation);
                QCOMPARE(band.offset, total);
                total += band.bytes;
                if (static_cast<double>(band.bytes) < 2 * pixelBytes)
                    continue;
                const double middle = static_cast<double>(band.offset) + static_cast<double>(band.bytes) / 2;
                QCOMPARE(bands->allocationAt(key, middle), band.allocation);
                ++checked;
            }
            QCOMPARE(total, analysis.curve.at(event));
        }
        QVERIFY(checked > 200);
    }

    void bandsHaveTheSameSeamsInHighContrastAndNoBlackLines()
    {
        BandRequest request = wholeOf("r1-grpo-before", 300, 200);
        request.palette = request.analysis->categoryPalette;
        request.stacking = request.analysis->siteStack;
        request.contrast = true;
        const auto bands = renderBands(request);
        const QRgb seam = 0xff000000u | FigurePalette::light().background;
        int seams = 0;
        for (int x = 0; x < 300; ++x)
            for (int row = 0; row < bands->filled[static_cast<std::size_t>(x)]; ++row) {
                QVERIFY(pixelOf(*bands, x, row) != 0xff000000u);
                seams += pixelOf(*bands, x, row) == seam ? 1 : 0;
            }
        QVERIFY(seams > 300);
    }

    void fadingChangesNoTotal()
    {
        BandRequest request = wholeOf("r1-grpo-before", 203, 101);
        const auto full = renderBands(request);
        auto emphasis = std::make_shared<std::vector<bool>>(request.analysis->allocations.size());
        for (AllocationIndex i = 0; i < emphasis->size(); ++i)
            (*emphasis)[i] = i % 3 == 0;
        request.emphasis = emphasis;
        const auto faded = renderBands(request);
        for (int x = 0; x < 203; ++x) {
            for (int row = 0; row < 101; ++row) {
                const AllocationIndex allocation = faded->raster.at(x, row);
                const bool empty = allocation == BandRaster::kEmpty;
                QCOMPARE(empty, full->raster.at(x, row) == BandRaster::kEmpty);
                if (empty || allocation % 3 == 0)
                    continue;
                const bool isKept = request.analysis->keptBlocks->isKept(
                    allocation, faded->raster.columns[static_cast<std::size_t>(x)].event);
                const bool isSeam = row > 0 && faded->raster.at(x, row - 1) != allocation;
                QVERIFY(isSeam
                    || pixelOf(*faded, x, row)
                        == BandPalette::faded(request.palette->shade(allocation, {}, isKept), false));
            }
        }
    }

    void aThinBandThatStandsOutIsSeen()
    {
        BandRequest request = wholeOf("training-6-steps-bare", 300, 120);
        const AllocationTable& table = request.analysis->allocations;
        const double pixelBytes = request.yTop / 120;
        const auto isThin = [&](AllocationIndex i) {
            const auto bytes = static_cast<double>(table.bytes(i));
            return bytes > 0.5 * pixelBytes && bytes < pixelBytes;
        };
        auto emphasis = std::make_shared<std::vector<bool>>(table.size());
        for (AllocationIndex i = 0; i < table.size(); ++i)
            (*emphasis)[i] = isThin(i);
        request.emphasis = emphasis;
        const auto bands = renderBands(request);
        int checked = 0;
        for (int x = 0; x < 300; ++x) {
            const std::int64_t event = bands->raster.columns[static_cast<std::size_t>(x)].event;
            const std::vector<AllocationIndex> live = table.liveAt(event);
            if (std::ranges::count_if(live, isThin) == 0)
                continue;
            int shown = 0;
            for (int row = 0; row < 120; ++row) {
                const AllocationIndex at = bands->raster.at(x, row);
                shown += at != BandRaster::kEmpty && (*emphasis)[at];
            }
            QVERIFY(shown > 0);
            ++checked;
        }
        QVERIFY(checked > 0);
    }

    void whatIsFadedIsMixedWithTheSurface()
    {
        for (const bool dark : {false, true}) {
            const QColor surface = ThemeColors::of(dark).surface;
            const QRgb faded = BandPalette::faded(0xff4477aa, dark);
            const double share = dark ? 0.70 : 0.66;
            QCOMPARE(qAlpha(faded), 255);
            QVERIFY(std::abs(qRed(faded) - ((1 - share) * 0x44 + share * surface.red())) < 1);
        }
    }

    void thePixelAtTheMiddleOfABandNamesItsAllocation()
    {
        const auto bands = renderBands(wholeOf("tiny-hand-checked", 220, 400));
        const DeviceAnalysis& analysis = *bands->request.analysis;
        const double pixelBytes = bands->request.yTop / 400;
        int checked = 0;
        for (std::int64_t event = 0; event < analysis.allocations.eventCount(); ++event) {
            const int column = bands->columnAtKey(static_cast<double>(event) + 0.5);
            QCOMPARE(bands->raster.columns[static_cast<std::size_t>(column)].event, event);
            for (const Band& band : highwater::test::bandsAt(analysis.live, event)) {
                if (static_cast<double>(band.bytes) < 2 * pixelBytes)
                    continue;
                QCOMPARE(bands->allocationAt(static_cast<double>(event) + 0.5,
                             static_cast<double>(band.offset) + static_cast<double>(band.bytes) / 2),
                    band.allocation);
                ++checked;
            }
        }
        QVERIFY(checked > 40);
    }

    void outsideOfThePictureThereIsNoAllocation()
    {
        const auto bands = renderBands(wholeOf("tiny-hand-checked", 50, 50));
        QCOMPARE(bands->allocationAt(-100, 10), BandRaster::kEmpty);
        QCOMPARE(bands->allocationAt(1e6, 10), BandRaster::kEmpty);
        QCOMPARE(bands->allocationAt(5, -10), BandRaster::kEmpty);
        QCOMPARE(bands->allocationAt(5, 1e12), BandRaster::kEmpty);
    }

    void outlinesCoverExactlyTheAllocationsPixels_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QString>("stacking");
        QTest::newRow("allocations") << "two-streams-record-stream"
                                     << "";
        QTest::newRow("call sites, held apart") << "r1-grpo-before"
                                                << "sites";
        QTest::newRow("categories") << "r1-grpo-before"
                                    << "categories";
    }

    void outlinesCoverExactlyTheAllocationsPixels()
    {
        QFETCH(QString, sample);
        QFETCH(QString, stacking);
        BandRequest request = wholeOf(sample, 160, 90);
        if (stacking == "sites")
            request.stacking = request.analysis->siteStack;
        if (stacking == "categories")
            request.stacking = groupsOf(*request.analysis, BandMode::Category);
        const auto bands = renderBands(request);
        const BandRaster& raster = bands->raster;
        std::vector<int> wanted(request.analysis->allocations.size(), 0);
        for (const AllocationIndex pixel : raster.pixels)
            if (pixel != BandRaster::kEmpty)
                ++wanted[pixel];
        for (AllocationIndex allocation = 0; allocation < wanted.size(); ++allocation) {
            int outlined = 0;
            for (const BandPiece& piece : piecesOf(*bands, allocation)) {
                for (int x = piece.firstColumn; x < piece.endColumn; ++x)
                    for (int row = piece.firstRow; row < piece.endRow; ++row)
                        QCOMPARE(raster.at(x, row), allocation);
                outlined += (piece.endColumn - piece.firstColumn) * (piece.endRow - piece.firstRow);
            }
            QCOMPARE(outlined, wanted[allocation]);
        }
    }

    void anOutlineHasNoGaps()
    {
        BandRequest request = wholeOf("r1-grpo-before", 400, 90);
        request.stacking = request.analysis->siteStack;
        const auto bands = renderBands(request);
        int thin = 0;
        for (AllocationIndex allocation = 0; allocation < request.analysis->allocations.size();
             ++allocation) {
            const std::vector<BandPiece> pieces = piecesOf(*bands, allocation);
            for (std::size_t i = 1; i < pieces.size(); ++i) {
                QCOMPARE(pieces[i].firstColumn, pieces[i - 1].endColumn);
                thin += pieces[i].firstRow == pieces[i].endRow ? 1 : 0;
            }
        }
        QVERIFY(thin > 0);
    }

    void screenAndAxesMapBackAndForth()
    {
        const PlotArea area{QRectF(80, 10, 600, 300), 100, 400, 0, 1000};
        QCOMPARE(area.toX(100), 80.0);
        QCOMPARE(area.toX(400), 680.0);
        QCOMPARE(area.toY(0), 310.0);
        QCOMPARE(area.keyAt(area.toX(222)), 222.0);
        QCOMPARE(area.bytesAt(area.toY(777)), 777.0);
    }

    void labelsNeitherLeaveTheAreaNorMeet()
    {
        const QRectF whole(0, 0, 400, 200);
        LabelPlacer labels(whole, [](double, double) { return 100.0; });
        const QSizeF size(120, 16);
        const QRectF atEdge = labels.besideMarker(390, 60, size);
        const QRectF second = labels.besideMarker(395, 60, size);
        const QRectF line = labels.aboveLineRight(60, size);
        for (const QRectF& rect : {atEdge, second, line})
            QVERIFY(!rect.isEmpty() && whole.contains(rect));
        QVERIFY(atEdge.right() <= 390);
        QVERIFY(!atEdge.intersects(second) && !atEdge.intersects(line) && !second.intersects(line));
    }

    void aGapSeparatesTwoLabelsInOneRow()
    {
        LabelPlacer labels({0, 0, 400, 200}, [](double, double) { return 20.0; });
        const QRectF first = labels.besideMarker(395, 20, {120, 16});
        const QRectF second = labels.nearMarker(395, 20, {120, 16});
        QVERIFY(second.top() < first.bottom() && first.left() - second.right() >= 8);
    }

    void aLabelWithoutRoomBesideItsMarkerIsInTheTopmostRow()
    {
        LabelPlacer labels({0, 0, 400, 200}, [](double, double) { return 20.0; });
        const QSizeF size(120, 16);
        const QRectF first = labels.besideMarker(395, 20, size);
        QVERIFY(labels.besideMarker(395, 20, size).isEmpty());
        const QRectF second = labels.nearMarker(395, 20, size);
        QVERIFY(!second.isEmpty() && !second.intersects(first));
        QCOMPARE(second.top(), 0.0);
        QVERIFY(second.right() > first.left() - 10);
    }

    void aLabelIsOmittedWhereItWouldSeemToBeOfAnotherMarker()
    {
        LabelPlacer labels({0, 0, 400, 200}, [](double, double) { return 200.0; });
        labels.avoidMarker({295, 53, 10, 7});
        labels.avoidMarker({385, 56, 10, 7});
        QVERIFY(labels.besideMarker(390, 63, {80, 16}).isEmpty());
        QVERIFY(!labels.besideMarker(390, 63, {50, 16}).isEmpty());
    }

    void twoMarkersThatMeetHaveALabelEach()
    {
        LabelPlacer labels({0, 0, 400, 200}, [](double, double) { return 20.0; });
        labels.avoidMarker({389, 21, 10, 7});
        labels.avoidMarker({390, 33, 10, 7});
        const QRectF first = labels.nearMarker(394, 28, {120, 16});
        const QRectF second = labels.nearMarker(395, 40, {120, 16});
        QVERIFY(!first.isEmpty() && !second.isEmpty() && !first.intersects(second));
    }

    void aLabelMayEndAboveItsMarker()
    {
        LabelPlacer labels({0, 0, 400, 200}, [](double, double) { return 200.0; });
        labels.avoidMarker({390, 53, 10, 7});
        labels.avoid({0, 44, 390, 100});
        const QRectF label = labels.besideMarker(395, 60, {80, 16});
        QCOMPARE(label.right(), 400.0);
        QCOMPARE(label.bottom(), 44.0);
    }

    void labelsKeepOffTheData()
    {
        LabelPlacer labels(
            QRectF(0, 0, 400, 200), [](double left, double) { return left < 200 ? 40.0 : 150.0; });
        const QRectF label = labels.aboveLine(120, {80, 16});
        QVERIFY(label.left() >= 200);
        QCOMPARE(labels.besideMarker(100, 60, {80, 16}).bottom(), 40.0);
        QVERIFY(labels.aboveLine(190, {80, 16}).isEmpty());
    }
};

HIGHWATER_APP_TEST(TimelineTest)

} // namespace highwater::gui::test

#include "timeline_test.moc"
