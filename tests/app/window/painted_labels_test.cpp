#include <cmath>

#include <QTest>

#include "app/timeline/label_recorder.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "core/figure/drawing/figure_palette.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

#include <qcustomplot.h>

using namespace highwater;
using namespace highwater::gui;
using namespace highwater::gui::test;

namespace {

/// The texts of one frame.
class Recording : public LabelRecorder
{
public:
    Recording() { current() = this; }
    ~Recording() override { current() = nullptr; }
    void record(const PaintedLabel& label) override { labels.push_back(label); }

    std::vector<PaintedLabel> labels;
};

FigureColor rgbOf(const QColor& color)
{
    return color.rgb() & 0xffffff;
}

constexpr double kRounding = 0.51;
constexpr double kReadable = 4.5;

} // namespace

class PaintedLabelsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    TimelinePlot& timeline() { return m_window->page().timeline(); }
    QCustomPlot& canvas() { return static_cast<QCustomPlot&>(timeline().canvasWidget()); }

    void open(const QString& sample, const QSize& size, int pixel, bool dark)
    {
        m_window->resize(size);
        m_window->openFile(samplePath(sample));
        QTRY_VERIFY(m_window->page().document()
            && QString::fromStdString(m_window->page().document()->path) == samplePath(sample));
        canvas().setBufferDevicePixelRatio(pixel);
        timeline().setColors(ThemeColors::of(dark));
        m_window->page().range().zoomX(0, 0.999); // the picture of this pixel size
        QTRY_VERIFY(timeline().isSettled());
    }

    std::vector<PaintedLabel> paintedLabels()
    {
        Recording recording;
        canvas().replot(QCustomPlot::rpImmediateRefresh);
        return recording.labels;
    }

    /// The pixels around the tip of the peak's triangle.
    QRectF peakPlace()
    {
        const DeviceFigures& figures = m_window->page().analysis()->figures;
        const PlotArea area = timeline().area();
        const double x = area.toX(static_cast<double>(figures.peakEvent) + 0.5);
        const double y = area.toY(static_cast<double>(figures.peakBytes));
        return {x - 2, y - 6, 4, 8};
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(true);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() { m_window.reset(); }

    void neitherMeetNorAreCutNorHideThePeak_data()
    {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("pixel");
        QTest::addColumn<bool>("dark");
        for (const char* sample : {"r1-grpo-before", "oom-fragmentation"})
            for (const QSize size : {QSize(1280, 800), QSize(1440, 900), QSize(1920, 1080)})
                for (const int pixel : {1, 2})
                    for (const bool dark : {false, true})
                        QTest::addRow("%s %dx%d @%d %s", sample, size.width(), size.height(), pixel,
                            dark ? "dark" : "light")
                            << QString(sample) << size << pixel << dark;
    }
    void neitherMeetNorAreCutNorHideThePeak()
    {
        QFETCH(QString, sample);
        QFETCH(QSize, size);
        QFETCH(int, pixel);
        QFETCH(bool, dark);
        open(sample, size, pixel, dark);
        const std::vector<PaintedLabel> labels = paintedLabels();
        QVERIFY(!labels.empty());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const PaintedLabel& label = labels[i];
            const QByteArray name = label.text.toUtf8();
            QVERIFY2(
                label.area.adjusted(-kRounding, -kRounding, kRounding, kRounding).contains(label.rect), name);
            QVERIFY2(!label.rect.intersects(peakPlace()), name);
            QVERIFY2(contrast(rgbOf(label.ink), rgbOf(label.background)) >= kReadable, name);
            QVERIFY2(!label.text.contains(QChar(0x2026)), name);
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY2(!label.rect.intersects(labels[k].rect), name + " and " + labels[k].text.toUtf8());
        }
    }

    void nameThePeakAndWhatIsHeld()
    {
        open("r1-grpo-before", {1440, 900}, 1, false);
        QStringList texts;
        for (const PaintedLabel& label : paintedLabels())
            texts << label.text;
        QVERIFY2(texts.contains(QStringLiteral("peak 22.62 GiB")), qPrintable(texts.join('\n')));
        QVERIFY2(texts.filter(QRegularExpression(QStringLiteral("39 5\\.9\\d GiB"))).size() == 1,
            qPrintable(texts.join('\n')));
    }

    void ofAChosenCapacityStandAboveItsLine()
    {
        open("r1-grpo-before", {1440, 900}, 1, false);
        timeline().markers().setCapacity(
            DeviceCapacity{static_cast<Bytes>(23.69 * kGiB), CapacitySource::Chosen, "RTX 4090", -1});
        m_window->page().range().show(0, 13000, 0, 26.0 * kGiB);
        QTRY_VERIFY(timeline().isSettled());
        const double line = *timeline().markers().capacityY();
        int capacities = 0;
        for (const PaintedLabel& label : paintedLabels()) {
            QVERIFY(label.rect.bottom() <= line || label.rect.top() >= line);
            capacities += label.text.startsWith(QStringLiteral("GPU"));
        }
        QCOMPARE(capacities, 1);
    }
};

HIGHWATER_APP_TEST(PaintedLabelsTest)
#include "painted_labels_test.moc"
