#include <algorithm>
#include <set>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QLineEdit>
#include <QStatusBar>
#include <QStyledItemDelegate>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include "app/timeline/timeline_plot.h"
#include "app/views/charts/legend_bar.h"
#include "app/views/pages/headline.h"
#include "app/views/pages/verdict_bar.h"
#include "app/views/parts/panel_tabs.h"
#include "app/views/parts/picture_export.h"
#include "app/views/segments/address_map_view.h"
#include "app/window/main/main_window.h"
#include "app/window/pages/document_page.h"
#include "app/window/theme/plain_style.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"

namespace highwater::gui::test {

namespace {

constexpr int kPixels = 2; ///< pixels of a saved picture per pixel of the screen

/// True if the colour is within two pixels: at twice the resolution, edges lie elsewhere.
bool isNearby(const QImage& image, const QPoint& at, QRgb color)
{
    for (int y = at.y() - 2; y <= at.y() + 2; ++y)
        for (int x = at.x() - 2; x <= at.x() + 2; ++x)
            if (image.valid(x, y) && image.pixel(x, y) == color)
                return true;
    return false;
}

} // namespace

class PictureTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;
    QTemporaryDir m_folder;

    DocumentPage& page() { return m_window->page(); }
    QString at(const QString& name) { return m_folder.filePath(name); }
    QString at(const char* name) { return at(QString::fromLatin1(name)); }
    void save(PicturePreset preset, const QString& path)
    {
        QVERIFY(savePicture(pictureSheet(offeredPicture(page().timeline()), preset), path).has_value());
    }

private slots:
    void initTestCase() { useScratchSettings(); }
    void init()
    {
        m_window = std::make_unique<MainWindow>(false);
        m_window->resize(1400, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        m_window->openFile(samplePath("training-6-steps-annotated"));
        QTRY_VERIFY(isOn(page()) && page().isSettled());
    }
    void cleanup() { m_window.reset(); }

    void aSavedTimelineHasTheColoursOfTheScreen()
    {
        save(PicturePreset::Screen, at("timeline.png"));
        const QImage saved(at("timeline.png"));
        TimelinePlot& plot = page().timeline();
        QVERIFY(plot.height() >= 300);
        QCOMPARE(saved.width(), plot.width() * kPixels);
        const int top = saved.height() - (page().legend().height() + plot.height()) * kPixels;
        const QImage screen = plot.canvasWidget().grab().toImage();
        const double ratio = screen.width() / static_cast<double>(plot.width());
        const QRect area = plot.area().rect.toRect();
        int points = 0;
        int same = 0;
        std::set<QRgb> colors;
        for (int y = area.top() + 4; y < area.bottom() - 4; y += 9)
            for (int x = area.left() + 4; x < area.right() - 4; x += 13) {
                const QRgb color
                    = screen.pixel(static_cast<int>(x * ratio), static_cast<int>(y * ratio)) | 0xff000000U;
                colors.insert(color);
                ++points;
                same += isNearby(saved, QPoint(x * kPixels, top + y * kPixels), color);
            }
        QVERIFY(colors.size() >= 4);
        QVERIFY2(same >= points * 9 / 10, qPrintable(QStringLiteral("%1 of %2").arg(same).arg(points)));
    }

    void aSavedTimelineHasTheCursorAndTheLegendOfItsMoment()
    {
        save(PicturePreset::Screen, at("without.png"));
        page().selection().setCursor(100);
        save(PicturePreset::Screen, at("with.png"));
        const QImage without(at("without.png"));
        const QImage with(at("with.png"));
        QCOMPARE(with.size(), without.size());
        TimelinePlot& plot = page().timeline();
        const int legend = page().legend().height() * kPixels;
        const int top = with.height() - legend - plot.height() * kPixels;
        const QRect area = plot.area().rect.toRect();
        const int x = qRound(plot.area().toX(100.5) * kPixels);
        int changed = 0;
        int rows = 0;
        for (int y = area.top() + 4; y < area.bottom() - 4; y += 5) {
            const QRect near(x - 3, top + y * kPixels, 7, 1);
            changed += with.copy(near) != without.copy(near);
            ++rows;
        }
        QVERIFY2(changed >= rows * 9 / 10, qPrintable(QStringLiteral("%1 of %2").arg(changed).arg(rows)));
        const QRect strip(0, with.height() - legend, with.width(), legend);
        QVERIFY(with.copy(strip) != without.copy(strip));
    }

    void aSavedTimelineShowsWhatIsPinned()
    {
        save(PicturePreset::Screen, at("without.png"));
        std::vector<AllocationIndex> live;
        page().analysis()->live.liveAt(page().analysis()->figures.peakEvent, live);
        page().selection().pin(*std::ranges::max_element(
            live, {}, [&](AllocationIndex i) { return page().analysis()->allocations.bytes(i); }));
        save(PicturePreset::Screen, at("with.png"));
        const QImage with(at("with.png"));
        const QRgb accent = page().colors().accent.rgb();
        int found = 0;
        for (int y = 0; y < with.height(); y += 2)
            for (int x = 0; x < with.width(); x += 2)
                found += with.pixel(x, y) == accent ? 1 : 0;
        QVERIFY(found > 20);
    }

    void theTitleIsTheHeadline()
    {
        const QString headline = page().verdict().headline().verdict();
        QVERIFY(!headline.isEmpty());
        save(PicturePreset::Screen, at("timeline.svg"));
        const QString svg = QString::fromUtf8(contentOf(at("timeline.svg")));
        QVERIFY(svg.contains(QStringLiteral("<title>%1</title>").arg(headline.toHtmlEscaped())));
        const QString firstWord = headline.section(QLatin1Char(' '), 0, 0).toHtmlEscaped();
        QVERIFY(svg.contains(QLatin1Char('>') + firstWord));
    }

    void textsOfTheTimelineStayTextsInSvg()
    {
        save(PicturePreset::Screen, at("texts.svg"));
        const QString svg = QString::fromUtf8(contentOf(at("texts.svg")));
        QVERIFY(svg.contains(QStringLiteral(" MiB</text>")) || svg.contains(QStringLiteral(" GiB</text>")));
    }

    void aSlideIsWhiteAndOfItsSize()
    {
        m_window->setTheme(ThemeChoice::Dark);
        save(PicturePreset::Slide, at("slide.png"));
        const QImage slide(at("slide.png"));
        QCOMPARE(slide.size(), QSize(1920, 1080));
        QCOMPARE(slide.pixelColor(1, 1), QColor(Qt::white));
        m_window->setTheme(ThemeChoice::System);
    }

    void copyingSaysSo()
    {
        page().timeline().setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(m_window->statusBar()->currentMessage(), QStringLiteral("Picture copied"));
    }

    void theFileAndTheViewAreSuggestedAsName()
    {
        const QFileInfo file(QString::fromStdString(page().document()->path));
        const QString stem = file.fileName().section(QLatin1Char('.'), 0, 0);
        QCOMPARE(offeredPicture(page().timeline()).path,
            file.dir().filePath(stem + QStringLiteral("-timeline.png")));
        QVERIFY(page().panelTabs().open(QStringLiteral("segments")));
        QCOMPARE(offeredPicture(*page().panelTabs().findChild<AddressMapView*>()).path,
            file.dir().filePath(stem + QStringLiteral("-segments.png")));
    }

    void aFileDialogShowsWholeNamesAndNoSeconds()
    {
        const QString name = QString(60, QLatin1Char('n')) + QStringLiteral(".pickle");
        QFile file(at(name));
        QVERIFY(file.open(QFile::WriteOnly));
        file.close();
        QFileDialog dialog(m_window.get(), QString(), at(QString()));
        PlainStyle(ThemeColors::light()).polish(&dialog); // tests have no theme
        dialog.show();
        auto* const files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
        QVERIFY(files);
        QTRY_VERIFY(files->columnWidth(0) > files->fontMetrics().horizontalAdvance(name));
        const auto* const dates = qobject_cast<QStyledItemDelegate*>(files->itemDelegateForColumn(3));
        QVERIFY(dates);
        QCOMPARE(dates->displayText(QStringLiteral("30 Nov 2026 05:51:01"), QLocale::c()),
            QStringLiteral("30 Nov 2026 05:51"));
    }

    void savingSaysSo()
    {
        page().timeline().setFocus();
        QTimer timer;
        connect(&timer, &QTimer::timeout, this, [this, &timer] {
            auto* const dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            timer.stop();
            dialog->findChild<QLineEdit*>()->setText(at("saved.png"));
            QTest::keyClick(dialog, Qt::Key_Return);
        });
        timer.start(10);
        m_window->actions().savePicture->trigger();
        QVERIFY(QFile::exists(at("saved.png")));
        QCOMPARE(m_window->statusBar()->currentMessage(), QStringLiteral("Saved saved.png"));
    }
};

HIGHWATER_APP_TEST(PictureTest)

} // namespace highwater::gui::test

#include "picture_test.moc"
