#include "app/timeline/highlight_chip.h"

#include <QTest>

#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/labels/painted_texts.h"

namespace highwater::gui::test {

namespace {

/// A chip for all allocations of a device, which have several call sites.
struct ChipScene
{
    explicit ChipScene(const QString& name)
        : chip(bands, &plot)
    {
        const auto analysis = mainAnalysis("training-6-steps-annotated");
        plot.resize(1000, 400);
        plot.show();
        bands.setAnalysis(analysis);
        bands.setHighlighted(
            std::make_shared<const std::vector<bool>>(analysis->allocations.size(), true), name);
    }
    /// Returns the text as painted.
    QString painted()
    {
        PaintedTexts texts;
        chip.grab();
        return texts.all.value(0);
    }

    BandView bands;
    QWidget plot;
    HighlightChip chip;
};

} // namespace

class HighlightChipTest : public QObject
{
    Q_OBJECT

private slots:
    void namesWhatIsHighlighted()
    {
        ChipScene scene(QStringLiteral("model / block[3]"));
        QTRY_VERIFY(scene.chip.text().startsWith(QStringLiteral("model / block[3] · ")));
        QCOMPARE(scene.painted(), scene.chip.text());
    }

    void keepsTheFiguresWhereRoomIsScarce()
    {
        ChipScene scene(QString(QStringLiteral("module / ")).repeated(20));
        QTRY_VERIFY(!scene.chip.text().isEmpty());
        scene.chip.resize(400, scene.chip.height());
        const QString bytes = scene.chip.text().section(QStringLiteral(" · "), -1);
        QVERIFY2(scene.painted().endsWith(bytes), qPrintable(scene.painted()));
    }

    void addsUpNothingThatIsNeverInUseTogether()
    {
        ChipScene scene({});
        const DeviceAnalysis& analysis = *scene.bands.analysis();
        std::vector<bool> elsewhere;
        for (AllocationIndex i = 0; i < analysis.allocations.size(); ++i)
            elsewhere.push_back(!analysis.allocations.isLiveAt(i, analysis.figures.peakEvent));
        scene.bands.setHighlighted(std::make_shared<const std::vector<bool>>(std::move(elsewhere)), {});
        QTRY_VERIFY2(scene.chip.text().endsWith(QStringLiteral(" at a time")), qPrintable(scene.chip.text()));
    }
};

HIGHWATER_APP_TEST(HighlightChipTest)

} // namespace highwater::gui::test

#include "highlight_chip_test.moc"
