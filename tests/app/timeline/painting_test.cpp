#include <QPainter>
#include <QTest>

#include "app/timeline/axis_tickers.h"
#include "app/timeline/bands/band_plottable.h"
#include "app/timeline/parts/plot_canvas.h"
#include "app/timeline/parts/text_cache.h"
#include "app/timeline/plot_axes.h"
#include "app/timeline/timeline_plot.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

QImage blank()
{
    QImage image(400, 40, QImage::Format_RGB32);
    image.fill(Qt::white);
    return image;
}

QImage drawnByTheCache(const QString& text, const QFont& font)
{
    QImage image = blank();
    QPainter painter(&image);
    TextCache texts;
    texts.setFont(font);
    texts.draw(painter, QPointF(4, 4), text);
    return image;
}

/// Draws a text over a colour, either blended or as part of a picture of both.
QImage drawnOver(const QColor& background, double pixels, bool asPicture)
{
    QImage image(QSize(300, 60) * pixels, QImage::Format_RGB32);
    image.setDevicePixelRatio(pixels);
    image.fill(background);
    QPainter painter(&image);
    painter.setPen(QColor(20, 40, 160));
    TextCache texts;
    texts.setFont(QFont());
    const QString text = QString::fromUtf8("step 12 \xc2\xb7 3.73 GiB");
    if (!asPicture)
        texts.draw(painter, {7, 9}, text);
    else
        for (int i = 0; i < 2; ++i) { // the second time from a picture
            image.fill(background);
            texts.drawOn(painter, {7, 9}, text, background);
        }
    return image;
}

QImage drawnWhole(const QString& text, const QFont& font)
{
    QImage image = blank();
    QPainter painter(&image);
    painter.setFont(font);
    QStaticText whole(text);
    whole.setTextFormat(Qt::PlainText);
    painter.drawStaticText(QPointF(4, 4), whole);
    return image;
}

/// A plot of 500 × 300 whose data end at `bottom`; its axes are drawn on green.
struct Axes
{
    explicit Axes(int bottom)
    {
        plot.axisRect()->setAutoMargins(QCP::msNone);
        plot.axisRect()->setMargins({80, 10, 20, 300 - bottom});
        setTicks(*plot.xAxis, countTicks);
        setTicks(*plot.yAxis, byteTicks);
        plot.xAxis->setRange(0, 1000);
        plot.yAxis->setRange(0, 3e9);
        plot.setViewport(QRect(0, 0, 500, 300)); // a hidden plot does not learn its size
        plot.resize(500, 300);
        plot.replot();
        axes.setFont(plot.font());
        axes.fit();
    }
    QImage drawn(double pixels) const
    {
        QImage image((QSizeF(plot.size()) * pixels).toSize(), QImage::Format_RGB32);
        image.setDevicePixelRatio(pixels);
        image.fill(Qt::green);
        QPainter painter(&image);
        axes.draw(painter);
        return image;
    }

    QCustomPlot plot;
    PlotAxes axes{plot};
};

void fill(QCustomPlot& plot)
{
    plot.setBackground(QBrush(QColor(250, 240, 230)));
    plot.addGraph()->setData({0, 1, 2, 3}, {1, 3, 2, 4});
    plot.graph()->setBrush(QColor(0, 0, 200, 90));
    plot.rescaleAxes();
    plot.resize(300, 200);
}

/// Columns of different heights; every pixel has another colour.
std::shared_ptr<const BandImage> columnsPicture()
{
    auto picture = std::make_shared<BandImage>();
    picture->request.width = 37;
    picture->request.height = 29;
    picture->request.xEnd = 37;
    picture->request.yTop = 29;
    picture->image = QImage(37, 29, QImage::Format_ARGB32_Premultiplied);
    picture->image.fill(0);
    for (int x = 0; x < 37; ++x) {
        picture->filled.push_back(3 + x * 7 % 23);
        for (int row = 0; row < picture->filled.back(); ++row)
            picture->image.setPixel(x, 28 - row, qRgb(x * 6, row * 8, 99));
    }
    return picture;
}

/// Paints a canvas without axes that shows only a part of the picture.
QImage shownIn(const QRectF& view, const QSize& size, const QColor& background, PlotArea& area)
{
    PlotCanvas canvas;
    canvas.setBackground(QBrush(background));
    canvas.axisRect()->setAutoMargins(QCP::msNone);
    canvas.axisRect()->setMargins({});
    for (QCPAxis* axis : {canvas.xAxis, canvas.yAxis}) {
        axis->setVisible(false);
        axis->grid()->setVisible(false);
    }
    canvas.resize(size);
    area = {QRectF(QPointF(), size), view.left(), view.right(), view.top(), view.bottom()};
    auto* bands = new BandPlottable(canvas.xAxis, canvas.yAxis); // the canvas owns it
    bands->setArea(area);
    bands->setImage(columnsPicture());
    canvas.replot();
    return canvas.grab().toImage();
}

/// A timeline by itself.
struct Timeline
{
    explicit Timeline(const QString& sample)
        : analysis(mainAnalysis(sample))
    {
        bands.setAnalysis(analysis);
        range.setLimits(0, static_cast<double>(analysis->allocations.eventCount()), 1,
            static_cast<double>(analysis->curve.reservedPeak()) * 1.1);
        plot.resize(900, 500);
        plot.show(analysis, AxisKind::Event);
        plot.QWidget::show();
    }

    std::shared_ptr<const DeviceAnalysis> analysis;
    VisibleRange range;
    Selection selection;
    BandView bands;
    TimelinePlot plot{range, selection, bands};
};

/// Returns the highest pixel below the reserved bytes of a column and its neighbours.
double reservedTop(const Timeline& timeline, double x)
{
    const PlotArea area = timeline.plot.area();
    Bytes least = timeline.analysis->curve.reservedPeak();
    for (const double near : {x - 1, x, x + 1, x + 2})
        least = std::min(least,
            *timeline.analysis->curve.reservedAt(static_cast<std::int64_t>(std::max(0.0, area.keyAt(near)))));
    return area.toY(static_cast<double>(least)) + 3;
}

/// Returns the pixels below the reserved line that have the colour of free memory.
QStringList unfilledPlaces(Timeline& timeline)
{
    const QImage picture = timeline.plot.grab().toImage();
    const PlotArea area = timeline.plot.area();
    QStringList places;
    for (double x = area.rect.left() + 1; x < area.rect.right() - 1; ++x)
        for (double y = reservedTop(timeline, x); y < area.rect.bottom() - 1; y += 2)
            if (picture.pixelColor(static_cast<int>(x), static_cast<int>(y)) == ThemeColors::light().surface)
                places << QStringLiteral("%1, %2").arg(x).arg(y);
    return places;
}

} // namespace

/// Tests how texts and plots are painted.
class PaintingTest : public QObject
{
    Q_OBJECT

private slots:
    void aTextPutTogetherOfItsPartsLooksLikeOneShapedWhole_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
            {"event 6,230, step 6", "Here 1,023.99 MiB", "at event 1", "", " ", "7", "größer als 12",
                "step 5 \xe2\x80\x93 17", "\xe3\x83\xa1\xe3\x83\xa2\xe3\x83\xaa 12", "5\xe2\x83\xa3 6"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void aTextPutTogetherOfItsPartsLooksLikeOneShapedWhole()
    {
        QFETCH(QString, text);
        for (const int weight : {QFont::Normal, QFont::Bold}) {
            QFont font;
            font.setWeight(static_cast<QFont::Weight>(weight));
            QCOMPARE(drawnByTheCache(text, font), drawnWhole(text, font));
            TextCache texts;
            texts.setFont(font);
            QVERIFY(std::abs(texts.width(text) - QFontMetricsF(font).horizontalAdvance(text)) <= 1);
        }
    }

    void aCanvasLooksAsTheLibraryPaintsIt()
    {
        PlotCanvas canvas;
        QCustomPlot plot;
        for (QCustomPlot* each : {static_cast<QCustomPlot*>(&canvas), &plot}) {
            fill(*each);
            each->replot();
        }
        const QImage ours = canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QImage theirs = plot.grab().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(ours.size(), theirs.size());
        for (int y = 0; y < ours.height(); ++y)
            for (int x = 0; x < ours.width(); ++x) {
                const QColor a = ours.pixelColor(x, y);
                const QColor b = theirs.pixelColor(x, y);
                // Translucent colours are rounded once instead of twice.
                QVERIFY(std::abs(a.red() - b.red()) <= 2 && std::abs(a.green() - b.green()) <= 2
                    && std::abs(a.blue() - b.blue()) <= 2);
            }
    }

    void aCanvasTakesAnotherBackground()
    {
        PlotCanvas canvas;
        fill(canvas);
        canvas.replot();
        canvas.setBackground(QBrush(QColor(10, 20, 30))); // without a replot
        QCOMPARE(canvas.grab().toImage().pixelColor(1, 1), QColor(10, 20, 30));
    }

    void aCanvasPaintsAnyPartOfItself()
    {
        PlotCanvas canvas;
        fill(canvas);
        canvas.replot();
        const QImage whole = canvas.grab().toImage().convertToFormat(QImage::Format_RGB32);
        const QRegion part = QRegion(10, 5, 3, 180) + QRect(100, 20, 60, 40) + QRect(130, 50, 90, 10);
        QImage shown(whole.size(), QImage::Format_RGB32);
        shown.fill(Qt::magenta);
        canvas.render(&shown, part.boundingRect().topLeft(), part, {});
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x)
                QCOMPARE(shown.pixel(x, y),
                    part.contains(QPoint(x, y)) ? whole.pixel(x, y) : QColor(Qt::magenta).rgb());
    }

    void aStretchedPictureShowsItsNearestPixels_data()
    {
        QTest::addColumn<QRectF>("view");
        QTest::newRow("zoomed in") << QRectF(3.3, 0.4, 17.2, 19.7);
        QTest::newRow("only full rows") << QRectF(3.3, 0.1, 29.9, 2.1);
        QTest::newRow("zoomed out") << QRectF(-9.1, -3.3, 63.7, 41.9);
        QTest::newRow("wider alone") << QRectF(-0.7, 0, 101.3, 29);
        QTest::newRow("as large as it is") << QRectF(-9.3, -3.6, 211, 157);
    }
    void aStretchedPictureShowsItsNearestPixels()
    {
        QFETCH(QRectF, view);
        const QColor background(250, 240, 230);
        const std::shared_ptr<const BandImage> picture = columnsPicture();
        PlotArea area;
        const QImage shown = shownIn(view, {211, 157}, background, area);
        for (int y = 0; y < shown.height(); ++y)
            for (int x = 0; x < shown.width(); ++x) {
                const QPoint at(static_cast<int>(std::floor(area.keyAt(x + 0.5))),
                    28 - static_cast<int>(std::floor(area.bytesAt(y + 0.5))));
                const QRgb pixel = picture->image.rect().contains(at) ? picture->image.pixel(at) : 0;
                QVERIFY2(shown.pixel(x, y) == (pixel != 0 ? pixel : background.rgb()),
                    qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
            }
    }

    void aPictureThatWasMovedKeepsEachOfItsColumns()
    {
        const std::shared_ptr<const BandImage> picture = columnsPicture();
        for (int sixteenths = 0; sixteenths < 16; ++sixteenths) {
            PlotArea area;
            const double begin = -5.1 - sixteenths / 16.0 + 0.1;
            const QImage shown = shownIn(QRectF(begin, 0, 211, 157), {211, 157}, Qt::white, area);
            const int left = qRound(area.toX(0));
            for (int x = 0; x < 37; ++x)
                QCOMPARE(shown.pixel(left + x, 156), picture->image.pixel(x, 28));
        }
    }

    void aTextOverOneColourLooksAsIfItWereBlended()
    {
        for (const double pixels : {1.0, 2.0, 1.5})
            for (const QColor& background : {QColor(Qt::white), QColor(30, 32, 36)})
                QCOMPARE(drawnOver(background, pixels, true), drawnOver(background, pixels, false));
    }

    void axesHideNoData()
    {
        const Axes bench(260);
        QVERIFY(bench.axes.labelPlaces().size() > 1);
        const QRect inside = bench.plot.axisRect()->rect();
        const QImage image = bench.drawn(1);
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const bool isFree = image.pixelColor(x, y) == Qt::green;
                QVERIFY(isFree || !inside.contains(x, y));
                drawn += !isFree;
            }
        QVERIFY(drawn > inside.width() + inside.height());
    }

    void axesBeginWhereBandsEnd()
    {
        for (const int bottom : {260, 261, 262, 263})
            for (const double pixels : {1.0, 1.25, 1.5, 1.75, 2.0}) {
                const QImage image = Axes(bottom).drawn(pixels);
                const int below = static_cast<int>(std::ceil(bottom * pixels - 0.5)); // as in BandPlottable
                QVERIFY(image.pixelColor(image.width() / 2, below - 1) == Qt::green);
                QVERIFY(image.pixelColor(image.width() / 2, below) != Qt::green);
            }
    }

    void whatIsReservedIsFilledDownToTheBands()
    {
        Timeline timeline(QStringLiteral("r1-grpo-before"));
        QTRY_VERIFY(timeline.plot.isSettled());
        QCOMPARE(unfilledPlaces(timeline).join('\n'), QString());
        timeline.range.zoomX(6000, 0.1);
        QTRY_VERIFY(timeline.plot.isSettled());
        QCOMPARE(unfilledPlaces(timeline).join('\n'), QString());
    }

    void whatIsReservedIsFilledBeforeThePictureHasFollowed()
    {
        Timeline timeline(QStringLiteral("r1-grpo-before"));
        QTRY_VERIFY(timeline.plot.isSettled());
        const std::shared_ptr<const BandImage> before = timeline.plot.image();
        timeline.range.show(2000, 6000, 0, timeline.range.y().highest);
        timeline.plot.replotNow();
        QCOMPARE(timeline.plot.image(), before);
        QCOMPARE(unfilledPlaces(timeline).join('\n'), QString());
    }

    void whatIsReservedIsFilledBesideThePicture_data()
    {
        QTest::addColumn<double>("begin");
        QTest::newRow("none of it in view") << 5000.0;
        QTest::newRow("half of it in view") << 2500.0;
    }
    void whatIsReservedIsFilledBesideThePicture()
    {
        QFETCH(double, begin);
        Timeline timeline(QStringLiteral("r1-grpo-before"));
        QTRY_VERIFY(timeline.plot.isSettled());
        timeline.range.show(2000, 3000, 0, timeline.range.y().highest);
        QTRY_VERIFY(timeline.plot.isSettled());
        const std::shared_ptr<const BandImage> before = timeline.plot.image();
        timeline.range.show(begin, begin + 1000, 0, timeline.range.y().highest);
        timeline.plot.replotNow();
        QCOMPARE(timeline.plot.image(), before);
        QCOMPARE(unfilledPlaces(timeline).join('\n'), QString());
    }

    void aPlotThatWasDrawnMeanwhileIsNotDrawnAgain()
    {
        PlotWidget widget;
        widget.resize(200, 100);
        widget.show();
        QCoreApplication::processEvents();
        int replots = 0;
        connect(&widget.canvas(), &QCustomPlot::afterReplot, this, [&] { ++replots; });
        widget.replotLater();
        widget.replotLater();
        widget.replotNow();
        QTest::qWait(20);
        QCOMPARE(replots, 1);
        widget.replotLater();
        QTRY_COMPARE(replots, 2);
    }
};

HIGHWATER_APP_TEST(PaintingTest)

} // namespace highwater::gui::test

#include "painting_test.moc"
