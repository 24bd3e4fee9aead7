#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>

#include "app/views/parts/picture_export.h"
#include "tests/app/app_test_main.h"
#include "tests/app/app_test_support.h"
#include "tests/app/hand_made_report.h"

namespace highwater::gui::test {

namespace {

Picture geometry()
{
    return {handMadeFigure(300, 200, "a <picture>")};
}

Picture painting()
{
    return {QSizeF(30, 20), [](QPainter& painter) { painter.fillRect(0, 0, 30, 20, Qt::red); }};
}

} // namespace

class PictureExportTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString at(const char* name) { return m_folder.filePath(QLatin1String(name)); }

private slots:
    void geometryBecomesSvgWithItsTitleEscaped()
    {
        QVERIFY(savePicture(geometry(), at("a.svg")).has_value());
        QVERIFY(contentOf(at("a.svg")).contains("<title>a &lt;picture&gt;</title>"));
    }

    void aPngHasAsManyPixelsAsItsScaleSays()
    {
        QVERIFY(savePicture(geometry(), at("a.png"), 1).has_value());
        QCOMPARE(QImage(at("a.png")).size(), QSize(300, 200));
        QVERIFY(savePicture(geometry(), at("b.PNG"), 4).has_value());
        QCOMPARE(QImage(at("b.PNG")).size(), QSize(1200, 800));
        QCOMPARE(QImage(at("b.PNG")).pixelColor(600, 400), QColor(0x44, 0x77, 0xaa));
    }

    void aPdfHoldsVectorsOnAPageOfThePicturesSize()
    {
        QVERIFY(savePicture(geometry(), at("a.pdf")).has_value());
        const QByteArray pdf = contentOf(at("a.pdf"));
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
        QVERIFY2(pdf.contains("/MediaBox [0 0 225"), pdf.constData()); // 300 pixels at 96 per inch
    }

    void whatIsOnlyPaintedIsSavedInEveryFormat()
    {
        QVERIFY(savePicture(painting(), at("p.svg")).has_value());
        QVERIFY(contentOf(at("p.svg")).contains("fill=\"#ff0000\""));
        QVERIFY(savePicture(painting(), at("p.png"), 2).has_value());
        QCOMPARE(QImage(at("p.png")).pixelColor(59, 39), QColor(Qt::red));
        QVERIFY(savePicture(painting(), at("p.pdf")).has_value());
    }

    void whatCannotBeWrittenIsSaidInASentence()
    {
        QVERIFY(!savePicture(geometry(), at("a.gif")));
        QVERIFY(!savePicture(geometry(), at("a.png"), 200));
        QVERIFY(!savePicture(geometry(), at("a.png"), 0));
        QVERIFY(!savePicture(Picture(), at("none.png")));
        QVERIFY(!savePicture(geometry(), QStringLiteral("/no such folder/a.png")));
    }

    void aWidgetIsKeptAsItPaintsItself()
    {
        QLabel label;
        label.setStyleSheet("background: #00ff00");
        label.resize(40, 30);
        QVERIFY(savePicture(pictureOf(label), at("w.png"), 2).has_value());
        QCOMPARE(QImage(at("w.png")).size(), QSize(80, 60));
        QCOMPARE(QImage(at("w.png")).pixelColor(40, 30), QColor(0, 255, 0));
    }

    void textsOfAWidgetStayTextsInSvg()
    {
        QLabel label(QStringLiteral("live & reserved"));
        label.resize(200, 30);
        QVERIFY(savePicture(pictureOf(label), at("t.svg")).has_value());
        QVERIFY2(contentOf(at("t.svg")).contains(">live &amp; reserved</text>"), contentOf(at("t.svg")));
    }

    void aTitleIsAboveThePicture()
    {
        const PictureOffer offer{[](const PictureRoom&) { return painting(); }, {QStringLiteral("Leak"), {}}};
        const PictureSheet sheet = pictureSheet(offer, PicturePreset::Screen);
        QVERIFY(sheet.picture.size().height() > 30);
        QVERIFY(savePicture(sheet, at("titled.svg")).has_value());
        QVERIFY(contentOf(at("titled.svg")).contains(">Leak</text>"));
    }

    void aPaperColumnIs85MillimetresWide()
    {
        const PictureOffer offer{[](const PictureRoom&) { return painting(); }, {QStringLiteral("Leak"), {}}};
        QVERIFY(savePicture(pictureSheet(offer, PicturePreset::Paper), at("paper.svg")).has_value());
        QVERIFY(contentOf(at("paper.svg")).contains("width=\"321.26\"")); // at 96 pixels per inch
    }

    void offeredPicturesAreCopiedFromTheContextMenu()
    {
        QWidget widget;
        offerPicture(widget, [](const PictureRoom&) { return geometry(); });
        QCOMPARE(
            pictureSheet(offeredPicture(widget), PicturePreset::Screen).picture.size(), QSizeF(300, 200));
        QCOMPARE(widget.contextMenuPolicy(), Qt::ActionsContextMenu);
        widget.findChild<QAction*>("copyPicture")->trigger();
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        QVERIFY(data->hasImage());
        QVERIFY(data->data("image/svg+xml").contains("a &lt;picture&gt;"));
        QVERIFY(!offeredPicture(QWidget()).source);
    }
};

HIGHWATER_APP_TEST(PictureExportTest)

} // namespace highwater::gui::test

#include "picture_export_test.moc"
