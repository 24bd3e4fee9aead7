#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include <QAction>
#include <QMenu>
#include <QTest>

#include "app/views/charts/legend_bar.h"
#include "app/views/parts/arrange.h"
#include "app/workspace/tasks/qt_text.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

/// Tests what the legend says and where its entries are.
class LegendBarTest : public QObject
{
    Q_OBJECT

private:
    Selection m_selection;
    BandView m_bands;

    std::shared_ptr<const DeviceAnalysis> show(const char* sample)
    {
        const auto analysis = mainAnalysis(sample);
        m_selection.clear();
        m_bands.setAnalysis(analysis);
        return analysis;
    }
    static int rightEdge(LegendBar& legend)
    {
        int right = 0;
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            right = std::max(right, legend.rowRect(i).right());
        for (std::size_t i = 0; i < legend.extras().entries().size(); ++i)
            right = std::max(right, legend.extraRect(i).right());
        return right;
    }

private slots:
    void leadsWithTheFailureOfARunThatDied()
    {
        const auto analysis = show("oom-fragmentation");
        LegendBar legend(m_selection, m_bands);
        legend.resize(1200, legend.sizeHint().height());
        legend.setColors(ThemeColors::light());
        QVERIFY2(legend.heading().startsWith("When memory ran out: 4.37 GiB"), qPrintable(legend.heading()));
        QCOMPARE(legend.extras().entries().back().bytes,
            analysis->curve.reservedAt(analysis->figures.ooms.back().event));
        QVERIFY(
            legend.rowRect(0).left() > legend.fontMetrics().horizontalAdvance("when memory ran out:") / 2);
    }

    void putsKeptMemoryAfterTheGroupsThatItIsAPartOf()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.resize(1900, legend.sizeHint().height());
        legend.setColors(ThemeColors::light());
        const auto place = [&](const QString& label) {
            const auto& rows = legend.rows();
            const auto row = std::ranges::find(rows, label, &LegendRow::label);
            return row == rows.end() ? -1
                                     : legend.rowRect(static_cast<std::size_t>(row - rows.begin())).left();
        };
        QVERIFY(place("parameters") >= 0 && place("parameters") < place("optimizer state"));
        QVERIFY(place("gradients") < place("KV cache") && place("KV cache") < place("activations"));
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            QVERIFY(legend.rowRect(i).left() < legend.extraRect(0).left());
        const LegendExtras::Entry& kept = legend.extras().entries().front();
        QCOMPARE(LegendExtras::labelOf(kept), QStringLiteral("kept from earlier steps"));
    }

    void givesFiguresToAllEntriesOrNone()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        QFont bold = smallFont(legend.font());
        bold.setBold(true);
        const int figure
            = QFontMetrics(smallFont(legend.font())).horizontalAdvance("999.99 MiB") + kLegendGap;
        for (int width = 450; width < 1900; width += 50) {
            legend.resize(width, legend.sizeHint().height());
            int withFigure = 0;
            int withoutFigure = 0;
            for (std::size_t i = 0; i < legend.rows().size(); ++i) {
                const QRect rect = legend.rowRect(i);
                const int name = QFontMetrics(bold).horizontalAdvance(legend.rows()[i].label);
                if (rect.isNull())
                    continue;
                const bool hasFigure = rect.width() >= name + kLegendSwatch + kLegendGap + figure - 4;
                ++(hasFigure ? withFigure : withoutFigure);
            }
            QVERIFY2(withFigure == 0 || withoutFigure == 0, qPrintable(QString::number(width)));
            QVERIFY2(width < 1850 || withoutFigure == 0, qPrintable(QString::number(width)));
        }
        QVERIFY(legend.extraRect(0).width() > figure + kLegendSwatch); // kept memory
    }

    void showsTheLargestWithoutFiguresWhereNotAllNamesFit()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        legend.resize(600, legend.sizeHint().height());
        QVERIFY(!legend.moreRect().isNull());
        Bytes leastShown = std::numeric_limits<Bytes>::max();
        Bytes mostHidden = 0;
        std::size_t shown = 0;
        const int figure = QFontMetrics(smallFont(legend.font())).horizontalAdvance("999.99 MiB");
        QFont bold = smallFont(legend.font());
        bold.setBold(true);
        for (std::size_t i = 0; i < legend.rows().size(); ++i) {
            const LegendRow& row = legend.rows()[i];
            if (!row.group)
                continue;
            const Bytes bytes = m_bands.groups()->groups[*row.group].bytesAtPeak;
            if (legend.rowRect(i).isNull()) {
                mostHidden = std::max(mostHidden, bytes);
                continue;
            }
            ++shown;
            leastShown = std::min(leastShown, bytes);
            const int name = QFontMetrics(bold).horizontalAdvance(row.label);
            QVERIFY2(legend.rowRect(i).width() < name + kLegendSwatch + 2 * kLegendGap + figure,
                qPrintable(row.label));
        }
        QVERIFY(shown >= 3);
        QVERIFY(mostHidden <= leastShown);
    }

    void namesLittleKeptMemoryAfterLargerGroups()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        const Bytes kept = legend.extras().entries().front().bytesAtPeak;
        QVERIFY(kept > 0);
        for (int width = 300; width < 900; width += 50) {
            legend.resize(width, legend.sizeHint().height());
            if (legend.moreRect().isNull() || legend.extraRect(0).isNull())
                continue;
            for (std::size_t i = 0; i < legend.rows().size(); ++i)
                if (const auto group = legend.rows()[i].group; group && legend.rowRect(i).isNull())
                    QVERIFY(m_bands.groups()->groups[*group].bytesAtPeak <= kept);
        }
    }

    void namesOrCountsEverySeries()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        for (int width = 300; width < 1900; width += 50) {
            legend.resize(width, legend.sizeHint().height());
            const std::unique_ptr<QMenu> menu(legend.makeMenu());
            for (std::size_t i = 0; i < legend.extras().entries().size(); ++i) {
                const QString label = LegendExtras::labelOf(legend.extras().entries()[i]);
                const QList<QAction*> actions = menu->actions();
                const bool isInMenu = std::ranges::count(actions, label, &QAction::text) > 0;
                QVERIFY2(legend.extraRect(i).isNull() == isInMenu, qPrintable(label));
                QVERIFY(!isInMenu || !legend.moreRect().isNull());
            }
        }
    }

    void hasAtMostEightEntriesForModulesAndTheColoursOfAllInItsMenu()
    {
        BandView bands;
        bands.setAnalysis(mainAnalysis("r1-grpo-before"));
        bands.setMode(BandMode::Module);
        QTRY_COMPARE(bands.mode(), BandMode::Module);
        LegendBar legend(m_selection, bands);
        legend.setColors(ThemeColors::light());
        QVERIFY(bands.groups()->groups.size() > 8);
        QVERIFY(legend.rows().size() <= 8);
        const std::unique_ptr<QMenu> menu(legend.makeMenu());
        QVERIFY(!menu->actions().isEmpty());
        for (const QAction* action : menu->actions())
            QVERIFY2(!action->icon().isNull(), qPrintable(action->text()));
    }

    /// The families of layers and what is outside of modules: no entry is smaller than a hidden one.
    void showsTheLargestModulesWhereNotAllNamesFit()
    {
        BandView bands;
        bands.setAnalysis(mainAnalysis("r1-grpo-before"));
        bands.setMode(BandMode::Module);
        QTRY_COMPARE(bands.mode(), BandMode::Module);
        LegendBar legend(m_selection, bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        legend.resize(800, legend.sizeHint().height());
        Bytes leastShown = std::numeric_limits<Bytes>::max();
        Bytes mostHidden = 0;
        for (std::size_t i = 0; i < legend.rows().size(); ++i) {
            const Bytes bytes = legend.rows()[i].bytesAtPeak;
            if (legend.rowRect(i).isNull())
                mostHidden = std::max(mostHidden, bytes);
            else
                leastShown = std::min(leastShown, bytes);
        }
        QVERIFY(mostHidden <= leastShown);
        QVERIFY(legend.extras().entries().front().isKept);
    }

    void noTwoEntriesForModulesHaveOneColour()
    {
        BandView bands;
        bands.setAnalysis(mainAnalysis("r1-grpo-before"));
        bands.setMode(BandMode::Module);
        QTRY_COMPARE(bands.mode(), BandMode::Module);
        std::set<QRgb> colors;
        for (const LegendRow& row : legendRows(bands, bands.analysis()->curve.peak().event, 6))
            if (row.color.isValid())
                QVERIFY2(colors.insert(row.color.rgb()).second, qPrintable(row.label));
    }

    void hasOneEntryWithAColourForAFamilyOfModules()
    {
        BandView bands;
        bands.setAnalysis(mainAnalysis("../rehearsed/modules-gpt"));
        bands.setMode(BandMode::Module);
        QTRY_COMPARE(bands.mode(), BandMode::Module);
        const std::int64_t peak = bands.analysis()->curve.peak().event;
        std::set<std::string> families;
        Bytes sum = 0;
        for (const BandGroup& group : bands.groups()->groups)
            if (!group.familyTitle.empty()) {
                families.insert(group.familyTitle);
                sum += group.bytesAtPeak;
            }
        QVERIFY(!families.empty());
        Bytes shown = 0;
        for (const LegendRow& row : legendRows(bands, peak))
            if (families.contains(row.label.toStdString())) {
                QVERIFY(row.color.isValid());
                shown += row.bytes;
            }
        QCOMPARE(shown, sum);
    }

    void namesEveryCategoryBeforeItGivesAFigure()
    {
        show("r1-grpo-before");
        LegendBar legend(m_selection, m_bands);
        legend.setColors(ThemeColors::light());
        legend.show(); // hidden widgets hear of a new size only then
        legend.resize(960, legend.sizeHint().height()); // half a screen
        QVERIFY(legend.moreRect().isNull());
        for (std::size_t i = 0; i < legend.rows().size(); ++i)
            QVERIFY2(!legend.rowRect(i).isNull(), qPrintable(legend.rows()[i].label));
    }
};

HIGHWATER_APP_TEST(LegendBarTest)

} // namespace highwater::gui::test

#include "legend_bar_test.moc"
