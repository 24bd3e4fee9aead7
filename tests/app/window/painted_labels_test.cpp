#include <algorithm>
#include <set>

#include <QRegularExpression>

#include <QTest>

#include "app/timeline/fix_overlay.h"
#include "app/timeline/note_flags.h"
#include "app/timeline/parts/label_recorder.h"
#include "app/timeline/parts/pixel_steps.h"
#include "app/timeline/timeline_markers.h"
#include "app/timeline/timeline_plot.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/side_panel/details_panel.h"
#include "app/window/commands/note_commands.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/workspace/tasks/qt_text.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/study/fixed_run.h"
#include "core/study/run_study.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

#include <qcustomplot.h>

namespace highwater::gui::test {

namespace {

/// Records the texts of one frame.
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

    void open(const QString& path, const QSize& size, double pixel, bool dark)
    {
        m_window->resize(size);
        m_window->openFile(path);
        QTRY_VERIFY_WITH_TIMEOUT(
            m_window->page().document() && QString::fromStdString(m_window->page().document()->path) == path,
            60000);
        canvas().setBufferDevicePixelRatio(pixel);
        timeline().setColors(ThemeColors::of(dark));
        const AxisWindow& x = m_window->page().range().x();
        const AxisWindow& y = m_window->page().range().y();
        // forces a picture for this pixel size
        m_window->page().range().show(x.begin, x.end, 0, y.highest * 0.9999);
        QTRY_VERIFY_WITH_TIMEOUT(timeline().isSettled(), 60000);
    }

    std::vector<PaintedLabel> paintedLabels()
    {
        Recording recording;
        canvas().replot(QCustomPlot::rpImmediateRefresh);
        return recording.labels;
    }

    /// Returns the pixels around the tip of the peak's triangle.
    QRectF peakPlace()
    {
        const DeviceFigures& figures = m_window->page().analysis()->figures;
        const PlotArea area = timeline().area();
        const double x = area.toX(static_cast<double>(figures.peakEvent) + 0.5);
        const double y = area.toY(static_cast<double>(figures.peakBytes));
        return {x - 2, y - 6, 4, 8};
    }

    /// Returns the faults of the texts in a frame.
    QStringList faultsOf(const std::vector<PaintedLabel>& labels)
    {
        QStringList faults;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const PaintedLabel& label = labels[i];
            const QRectF area = label.area.adjusted(-kRounding, -kRounding, kRounding, kRounding);
            if (!area.contains(label.rect))
                faults << "leaves its area: " + label.text;
            if (label.rect.intersects(peakPlace()))
                faults << "covers the peak: " + label.text;
            if (contrast(rgbOf(label.ink), rgbOf(label.background)) < kReadable)
                faults << "hard to read: " + label.text;
            if (label.text.contains(QChar(0x2026)))
                faults << "is cut: " + label.text;
            for (std::size_t k = 0; k < i; ++k)
                if (label.rect.intersects(labels[k].rect))
                    faults << "meet: " + label.text + " and " + labels[k].text;
        }
        return faults;
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
        QTest::addColumn<double>("pixel");
        QTest::addColumn<bool>("dark");
        for (const char* sample : {"r1-grpo-before", "oom-fragmentation"})
            for (const QSize size : {QSize(1280, 800), QSize(1440, 900), QSize(1920, 1080)})
                for (const double pixel : {1.0, 1.25, 2.0})
                    for (const bool dark : {false, true})
                        QTest::addRow("%s %dx%d @%g %s", sample, size.width(), size.height(), pixel,
                            dark ? "dark" : "light")
                            << QString(sample) << size << pixel << dark;
    }
    void neitherMeetNorAreCutNorHideThePeak()
    {
        QFETCH(QString, sample);
        QFETCH(QSize, size);
        QFETCH(double, pixel);
        QFETCH(bool, dark);
        open(samplePath(sample), size, pixel, dark);
        const std::vector<PaintedLabel> labels = paintedLabels();
        QVERIFY(!labels.empty());
        QCOMPARE(faultsOf(labels).join('\n'), QString());
    }

    /// To examine many files, set HIGHWATER_LABEL_FILES to their names, separated by colons.
    void ofOtherFilesAreTold()
    {
        const QStringList files
            = qEnvironmentVariable("HIGHWATER_LABEL_FILES").split(':', Qt::SkipEmptyParts);
        for (const QString& file : files)
            for (const bool dark : {false, true}) {
                open(file, {1440, 900}, 1, dark);
                const std::vector<PaintedLabel> labels = paintedLabels();
                const QStringList faults = faultsOf(labels);
                qInfo("%-60s %-5s %3zu labels %3d faults %s", qPrintable(file.section('/', -1)),
                    dark ? "dark" : "light", labels.size(), static_cast<int>(faults.size()),
                    qPrintable(faults.join("; ")));
            }
    }

    void nameThePeakAndWhatIsHeld()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        QStringList texts;
        for (const PaintedLabel& label : paintedLabels())
            texts << label.text;
        QVERIFY2(
            texts.contains(QStringLiteral("out of memory · peak 22.62 GiB")), qPrintable(texts.join('\n')));
        QVERIFY2(texts.filter(QRegularExpression(QStringLiteral("39\\)? 5\\.9\\d GiB"))).size() == 1,
            qPrintable(texts.join('\n')));
    }

    /// The label for held memory moves next to the details if they would cover it.
    void areNotBelowTheHoverCard()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        const QRectF plot = timeline().area().rect;
        const QWidget* const card = timeline().findChild<QWidget*>(QStringLiteral("hoverCard"));
        int shown = 0;
        for (double y = plot.bottom() - 130; y < plot.bottom(); y += 10)
            for (double x = plot.left() + 5; x < plot.right(); x += 80) {
                QTest::mouseMove(&timeline(), QPointF(x, y).toPoint());
                QTRY_VERIFY(timeline().isPointedAt());
                if (!card->isVisible())
                    continue;
                ++shown;
                QVERIFY(card->geometry().bottom() <= plot.bottom()); // the moment's name is below
            }
        QVERIFY(shown > 100);
    }

    /// The line of a pinned allocation runs behind the label of its band.
    void staysReadableWhereItsBandHasSomethingPinned()
    {
        open(samplePath("r1-grpo-before"), {1740, 900}, 1, false);
        m_window->page().setDetailsWanted(true);
        QTRY_COMPARE(m_window->page().side().width(), 300);
        QTRY_VERIFY(timeline().isSettled());
        const auto labels = paintedLabels();
        const auto held = std::ranges::find_if(
            labels, [](const PaintedLabel& label) { return label.text.endsWith(QStringLiteral("kept")); });
        QVERIFY(held != labels.end());
        const PlotArea area = timeline().area();
        const QRect place = held->rect.toRect();
        const double x = held->rect.left() - 6;
        QVERIFY(QTest::qWaitFor([&] { return timeline().isSettled(); }));
        const AllocationIndex crossing
            = timeline().image()->allocationAt(area.keyAt(x), area.bytesAt(held->rect.center().y()));
        QVERIFY(crossing != Selection::kNone);
        const QImage before = timeline().grab().toImage();
        m_window->page().selection().pin(crossing);
        const QImage after = timeline().grab().toImage();
        QCOMPARE(after.copy(place), before.copy(place));
        QCOMPARE(after.pixelColor(static_cast<int>(x), place.center().y()), ThemeColors::light().accent);
    }

    void staysReadableWhereItsBandIsPointedAt()
    {
        open(samplePath("r1-grpo-before"), {1740, 900}, 1, false);
        m_window->page().setDetailsWanted(true);
        QTRY_COMPARE(m_window->page().side().width(), 300);
        QTRY_VERIFY(timeline().isSettled());
        const auto labels = paintedLabels();
        const auto held = std::ranges::find_if(
            labels, [](const PaintedLabel& label) { return label.text.endsWith(QStringLiteral("kept")); });
        QVERIFY(held != labels.end());
        const PlotArea area = timeline().area();
        const QRect place = held->rect.toRect();
        const AllocationIndex crossing = timeline().image()->allocationAt(
            area.keyAt(held->rect.left() - 6), area.bytesAt(held->rect.center().y()));
        QVERIFY(crossing != Selection::kNone);
        const QImage before = timeline().grab().toImage();
        m_window->page().selection().hover(crossing);
        const QImage after = timeline().grab().toImage();
        QVERIFY(after != before);
        QCOMPARE(after.copy(place), before.copy(place));
    }

    /// A small window keeps the figure of the peak.
    void keepThePeakInALowPlot()
    {
        open(samplePath("r1-grpo-before"), {960, 640}, 1, false);
        m_window->openView(QStringLiteral("steps"));
        QTRY_VERIFY(timeline().isSettled());
        const auto labels = paintedLabels();
        QVERIFY(std::ranges::any_of(labels,
            [](const PaintedLabel& label) { return label.text.endsWith(QStringLiteral("22.62 GiB")); }));
    }

    void theFailedRequestIsWrittenOnceInTheLane()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        for (const PaintedLabel& label : paintedLabels())
            QVERIFY2(!label.text.contains(QStringLiteral("requested")), qPrintable(label.text));
    }

    /// Notes on the last events have their flags where the labels of peak and failure would be.
    void giveWayToNotes()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        for (const std::int64_t event : {13'341, 13'340, 13'200})
            QVERIFY(m_window->notes().list().add(noteAt(NotedMoment{event})));
        const auto labels = paintedLabels();
        QVERIFY(std::ranges::any_of(labels,
            [](const PaintedLabel& label) { return label.text.endsWith(QStringLiteral("peak 22.62 GiB")); }));
        const auto* notes = canvas().findChild<NoteFlags*>();
        QCOMPARE(notes->flags().size(), 3u);
        for (const NoteFlags::Flag& flag : notes->flags())
            for (const QRectF& label : timeline().markers().labelPlaces())
                QVERIFY(!flag.rect.intersects(label)
                    && (flag.x < label.left() || flag.x > label.right() || flag.rect.top() > label.bottom()));
        m_window->notes().list().replaceAll({});
    }

    void areNotCrossedByTheGrid()
    {
        const QColor grid = ThemeColors::light().grid;
        for (int height = 560; height < 900; height += 40) {
            open(samplePath("oom-fragmentation"), {960, height}, 1, false);
            paintedLabels();
            const QImage picture = timeline().grab().toImage();
            for (const QRectF& label : timeline().markers().labelPlaces()) {
                const QRect inside = label.toRect().adjusted(1, 1, -1, -1) & picture.rect();
                for (int y = inside.top(); y <= inside.bottom(); ++y) {
                    int crossed = 0;
                    for (int x = inside.left(); x <= inside.right(); ++x)
                        crossed += picture.pixelColor(x, y) == grid ? 1 : 0;
                    QVERIFY2(crossed < 3, qPrintable(QString::number(height)));
                }
            }
        }
    }

    void areNotCrossedByTheCurveOfAFix()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        QTRY_VERIFY(m_window->page().run().study());
        const RunStudy& study = *m_window->page().run().study();
        paintedLabels();
        const QImage before = timeline().grab().toImage();
        const std::vector<QRectF> labels = timeline().markers().labelPlaces();
        QVERIFY(labels.size() >= 2);
        int shown = 0;
        for (const Finding& finding : study.findings()) {
            std::optional<FixedRun> fixed = fixedRun(study, finding);
            if (!fixed)
                continue;
            ++shown;
            timeline().showFix(std::make_shared<const FixedRun>(std::move(*fixed)));
            const std::vector<QRectF> curve = boxesAround(timeline().fix().line(), timeline().area().rect);
            for (const PaintedLabel& label : paintedLabels())
                if (label.text != timeline().fix().label() && std::ranges::count(labels, label.rect) == 0)
                    for (const QRectF& box : curve)
                        QVERIFY2(!box.intersects(label.rect), qPrintable(label.text));
            const QImage after = timeline().grab().toImage();
            for (const QRectF& label : labels) {
                QVERIFY(!timeline().fix().labelPlace().intersects(label));
                QCOMPARE(after.copy(label.toRect()), before.copy(label.toRect()));
            }
        }
        QVERIFY(shown > 0);
        timeline().showFix(nullptr);
    }

    void theFigureOfTheEndIsNotRepeatedBelowTheGauge()
    {
        open(brokenPath("truncated.pickle"), {1280, 800}, 1, false);
        const QString end = bytesText(m_window->page().analysis()->figures.finalBytes);
        for (const PaintedLabel& label : paintedLabels())
            QVERIFY2(!label.text.contains(end), qPrintable(label.text));
        QVERIFY(!m_window->page().details().text().contains(end));
    }

    void ofAChosenCapacityStandAboveItsLine()
    {
        open(samplePath("r1-grpo-before"), {1440, 900}, 1, false);
        QTRY_VERIFY(m_window->page().run().study()); // the study sets the capacity of the run's own GPU
        timeline().markers().setCapacity(
            DeviceCapacity{static_cast<Bytes>(23.69 * kGiB), CapacitySource::Chosen, "RTX 4090", -1});
        m_window->page().range().show(0, 13000, 0, 26.0 * kGiB);
        QTRY_VERIFY(timeline().isSettled());
        const double line = *timeline().markers().capacityY();
        int capacities = 0;
        for (const PaintedLabel& label : paintedLabels()) {
            QVERIFY(label.rect.bottom() <= line || label.rect.top() >= line);
            capacities += label.text.startsWith(QStringLiteral("RTX 4090"));
        }
        QCOMPARE(capacities, 1);
    }
};

HIGHWATER_APP_TEST(PaintedLabelsTest)

} // namespace highwater::gui::test

#include "painted_labels_test.moc"
