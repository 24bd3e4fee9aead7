#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextList>
#include <QTextTable>

#include "app/views/report/block_setter.h"
#include "app/views/report/column_widths.h"
#include "app/views/report/page_breaks.h"
#include "app/views/report/pdf_writer.h"
#include "app/views/report/report_text.h"
#include "app/views/report/text_strips.h"
#include "core/figure/drawing/figure_palette.h"
#include "core/figure/drawing/svg_theme.h"
#include "tests/app/app_test_main.h"
#include "tests/app/hand_made_report.h"

namespace highwater::gui::test {

namespace {

ReportLook plainLook()
{
    ReportLook look;
    look.font = QFont(QStringLiteral("sans-serif"), 10);
    return look;
}

/// Returns a report of one section with only this block.
std::shared_ptr<const Report> only(ReportBlock block)
{
    auto report = std::make_shared<Report>();
    report->title = "title";
    ReportSection section{ReportPart::Summary, "section", {}};
    section.blocks.push_back(std::move(block));
    report->sections.push_back(std::move(section));
    return report;
}

QTextTable* firstTable(const QTextDocument& document)
{
    for (auto part = document.rootFrame()->begin(); !part.atEnd(); ++part)
        if (auto* table = qobject_cast<QTextTable*>(part.currentFrame()))
            return table;
    return nullptr;
}

QString cellOf(const QTextTable& table, int row, int column)
{
    return table.cellAt(row, column).firstCursorPosition().block().text();
}

/// Returns strips of 10 units each.
std::vector<PageStrip> stripsOfTen(int count)
{
    std::vector<PageStrip> strips;
    for (int i = 0; i < count; ++i)
        strips.push_back({i * 10.0, i * 10.0 + 10, false});
    return strips;
}

QByteArray pdfOf(std::shared_ptr<const Report> report, int& pages)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pages = writePdf(std::move(report), buffer, QPageSize::A4).value();
    return bytes;
}

} // namespace

class ReportTextTest : public QObject
{
    Q_OBJECT

private slots:
    void longWordsGiveWayToShortOnesInATableThatIsTooWide()
    {
        Table table{"files", "",
            {{"File", "path", false}, {"State", "state", false}, {"SHA-256", "sha256", false}}, {}, {}, {}};
        table.rows = {{std::string(60, 'f'), std::string("whole"), std::string(64, 'a')}};
        const QFont font;
        const double word = QFontMetricsF(font).horizontalAdvance(QStringLiteral("whole"));
        const double room = 6 * word;
        const QList<QTextLength> widths = columnWidths(table, font, room);
        QCOMPARE(widths.size(), 3);
        QVERIFY(widths[1].rawValue() * room / 100 > word);
        QVERIFY(widths[0].rawValue() + widths[1].rawValue() + widths[2].rawValue() < 100.01);
    }

    void everyBlockOfAReportIsInItsText()
    {
        const ReportText text(handMadeReport(), plainLook());
        const QString words = text.toPlainText();
        for (const char* part : {"R1 GRPO: before and after", "before.pickle and after.pickle",
                 "The peak fell by 3.61 GiB.", "Summary", "Read this first.", "The start of the recording",
                 "21.26 GiB", "Live bytes over events", "second sentence", "Tried to allocate 2.00 GiB",
                 "train.log, line 72", "The logits are held three times", "their shape is 8 × 174",
                 "Compute the loss in chunks", "Saves 3.21 GiB", "shape that is no multiple", "Here it grows",
                 "event 5,701, step 3", "The third copy.", "What was alive at the peak", "row4 forward"})
            QVERIFY2(words.contains(QString::fromUtf8(part)), part);
    }

    void theHeadingOfAFaultHasTheColourOfOtherHeadings()
    {
        Finding fault;
        fault.kind = FindingKind::Fault;
        fault.title = "Memory leaks";
        const ReportText text(only(ReportFinding{fault, ""}), plainLook());
        QTextBlock block = text.begin();
        while (block.isValid() && block.text() != QStringLiteral("Memory leaks"))
            block = block.next();
        QVERIFY(block.isValid());
        QCOMPARE(block.begin().fragment().charFormat().foreground().color(), plainLook().colors.text);
    }

    void namesThatLookLikeTagsAreShownAsTheyAre()
    {
        const ReportText text(only(ReportParagraph{"<script>alert(1)</script> &amp; <b>x</b>"}), plainLook());
        QVERIFY(text.toPlainText().contains("<script>alert(1)</script> &amp; <b>x</b>"));
    }

    void tagsInANoteAreShownAsTheyAre()
    {
        const ReportText text(only(handMadeNote(1)), plainLook());
        QVERIFY(text.toPlainText().contains("<script>alert(1)</script>"));
    }

    void notesAreSetAsTheyWereWritten()
    {
        ReportNote note = handMadeNote(7);
        note.note.text = "A **bold** and `code` [link](https://example.org)\n\n1. one\n2. two\n   - "
                         "inner\n\n> said\n\n```\nx = 1\ny = 2\n```";
        const ReportText text(only(note), plainLook());
        const QString words = text.toPlainText();
        QVERIFY(words.contains(" 7   Here it grows"));
        QVERIFY(words.contains("A bold and code link"));
        QStringList items;
        QString linked;
        for (QTextBlock block = text.begin(); block.isValid(); block = block.next()) {
            if (block.textList())
                items << QString::number(block.textList()->format().indent()) + block.text();
            for (auto piece = block.begin(); !piece.atEnd(); ++piece)
                if (piece.fragment().charFormat().isAnchor())
                    linked = piece.fragment().charFormat().anchorHref();
        }
        QCOMPARE(items, (QStringList{"1one", "1two", "2inner"}));
        QCOMPARE(linked, QStringLiteral("https://example.org"));
        QVERIFY(words.contains("x = 1\ny = 2"));
    }

    void aListThatGoesOnKeepsItsNumbers()
    {
        ReportNote note = handMadeNote(1);
        note.note.text = "1. one\n\nBetween.\n\n2. two\n3. three";
        const QString words = ReportText(only(note), plainLook()).toPlainText();
        QVERIFY2(words.contains("2. two"), qPrintable(words));
        QVERIFY2(words.contains("3. three"), qPrintable(words));
    }

    void linksThatCouldDoHarmAreText()
    {
        ReportNote note = handMadeNote(1);
        note.note.text = "[click](javascript:alert(1))";
        const ReportText text(only(note), plainLook());
        for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
            for (auto piece = block.begin(); !piece.atEnd(); ++piece)
                QVERIFY(!piece.fragment().charFormat().isAnchor());
    }

    void inTheDarkFiguresTakeItsColoursButOthersStay()
    {
        Figure figure = handMadeFigure(100, 80, "f");
        figure.shapes.emplace_back(FigureText{.text = "on data", .color = 0xffffff});
        figure.shapes.emplace_back(FigureText{.text = "label", .color = FigurePalette::light().text});
        const Figure dark = onGround(figure, {.dark = true});
        QCOMPARE(dark.background, FigurePalette::darkColors().background);
        QCOMPARE(std::get<FigureRect>(dark.shapes[0]).fill, FigureColor{0x4477aa});
        QCOMPARE(std::get<FigureText>(dark.shapes[2]).color, FigureColor{0xffffff});
        QCOMPARE(std::get<FigureText>(dark.shapes[3]).color, FigurePalette::darkColors().text);
    }

    void charactersThatMeanSomethingToADocumentMeanNothing()
    {
        QCOMPARE(textForDocument("a\nb"), QString::fromUtf8("a\u2028b"));
        QCOMPARE(textForDocument("a\u2029b\u2028c\ufffcd"), QString::fromUtf8("a\ufffdb\ufffdc\ufffdd"));
        const std::string frames = QString(QChar(0xfdd0)).append(QChar(0xfdd1)).toStdString();
        const ReportText text(only(ReportParagraph{frames + "\u2029end"}), plainLook());
        QCOMPARE(text.rootFrame()->childFrames().size(), 0);
        QVERIFY(text.lastBlock().text().endsWith("end"));
    }

    void tablesHaveTitlesRowsAndTotalWithFiguresToTheRight()
    {
        const ReportText text(only(handMadeTable(3)), plainLook());
        const QTextTable* table = firstTable(text);
        QVERIFY(table);
        QCOMPARE(table->rows(), 5);
        QCOMPARE(table->format().headerRowCount(), 1);
        QCOMPARE(cellOf(*table, 0, 1), QStringLiteral("Bytes"));
        QCOMPARE(cellOf(*table, 2, 1), QStringLiteral("2 MiB"));
        QCOMPARE(cellOf(*table, 4, 1), QStringLiteral("6 MiB"));
        QCOMPARE(table->cellAt(2, 1).firstCursorPosition().blockFormat().alignment(), Qt::AlignRight);
        QCOMPARE(table->cellAt(2, 0).firstCursorPosition().blockFormat().alignment(), Qt::AlignLeft);
    }

    void headingsCanBeFound()
    {
        const ReportText text(handMadeReport(), plainLook());
        QCOMPARE(text.findBlock(text.positionOf(ReportPart::Peak).value()).text(),
            QStringLiteral("What was alive at the peak"));
        QVERIFY(!text.positionOf(ReportPart::Budget));
    }

    void figuresStandAsObjectsAndCanBeFound()
    {
        const ReportText text(handMadeReport(), plainLook());
        int found = 0;
        for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
            if (const ReportFigure* figure = text.figureAt(block.position())) {
                QCOMPARE(figure->id, std::string("timeline"));
                ++found;
            }
        QCOMPARE(found, 1);
    }

    void aFigureFillsTheRoomButIsNotEnlarged()
    {
        FigureObject figures;
        ReportLook look = plainLook();
        look.room = 2000;
        figures.setLook(look);
        const ReportFigure figure{"f", "", handMadeFigure(900, 400, "w"), handMadeFigure(400, 300, "n")};
        const QTextCharFormat format = figures.add(figure);
        QCOMPARE(figures.intrinsicSize(nullptr, 0, format), QSizeF(900, 400));
        look.room = 600;
        figures.setLook(look);
        QCOMPARE(figures.intrinsicSize(nullptr, 0, format).width(), 600.0);
        look.room = 500; // too narrow for its texts, so the narrow figure is used
        figures.setLook(look);
        QCOMPARE(figures.intrinsicSize(nullptr, 0, format), QSizeF(400, 300));
        look.height = 150;
        figures.setLook(look);
        QCOMPARE(figures.intrinsicSize(nullptr, 0, format), QSizeF(200, 150));
    }

    void figuresArePaintedWhereTheyStand()
    {
        ReportText text(only(ReportFigure{"f", "", handMadeFigure(400, 200, "w"), {}}), plainLook());
        text.setTextWidth(640);
        QImage image(text.size().toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        text.drawContents(&painter);
        painter.end();
        int blue = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                blue += (image.pixel(x, y) & 0xffffff) == 0x4477aa ? 1 : 0;
        QCOMPARE(blue, 380 * 140);
    }

    void pagesEndBetweenStrips()
    {
        QCOMPARE(breakPages(stripsOfTen(5), 25), (std::vector<PageSpan>{{0, 20}, {20, 40}, {40, 50}}));
        QCOMPARE(breakPages({}, 25), (std::vector<PageSpan>{{}}));
    }

    void aLastPageOfAFewLinesTakesMoreFromThePageBefore()
    {
        QCOMPARE(breakPages(stripsOfTen(21), 200), (std::vector<PageSpan>{{0, 180}, {180, 210}}));
        QCOMPARE(breakPages(stripsOfTen(23), 200), (std::vector<PageSpan>{{0, 200}, {200, 230}}));
    }

    void whatIsKeptTogetherGoesToTheNextPage()
    {
        std::vector<PageStrip> strips = stripsOfTen(5);
        strips[1].keepWithNext = true;
        QCOMPARE(breakPages(strips, 25), (std::vector<PageSpan>{{0, 10}, {10, 30}, {30, 50}}));
    }

    void whatIsKeptTogetherAndTooHighForAPageIsParted()
    {
        std::vector<PageStrip> strips = stripsOfTen(4);
        for (PageStrip& strip : strips)
            strip.keepWithNext = true;
        QCOMPARE(breakPages(strips, 25), (std::vector<PageSpan>{{0, 20}, {20, 40}}));
    }

    void aStripHigherThanAPageIsCut()
    {
        QCOMPARE(breakPages({{0, 60, false}, {60, 70, false}}, 25),
            (std::vector<PageSpan>{{0, 25}, {25, 50}, {50, 70}}));
    }

    void titlesOfATableAreRepeatedAndTakeRoom()
    {
        std::vector<PageStrip> strips = stripsOfTen(6);
        for (std::size_t row = 1; row < strips.size(); ++row) {
            strips[row].headerTop = 0;
            strips[row].headerBottom = 10;
        }
        QCOMPARE(breakPages(strips, 30), (std::vector<PageSpan>{{0, 30}, {30, 50, 0, 10}, {50, 60, 0, 10}}));
    }

    void stripsOfATextFollowEachOtherAndHeadingsAreKept()
    {
        ReportText text(handMadeReport(30), plainLook());
        text.setTextWidth(640);
        const std::vector<PageStrip> strips = stripsOf(text);
        QVERIFY(strips.size() > 50);
        for (std::size_t i = 1; i < strips.size(); ++i)
            QVERIFY2(strips[i].top >= strips[i - 1].bottom - 1, qPrintable(QString::number(i)));
        QVERIFY(strips.front().keepWithNext); // the title
        // A title stays with the first row, and the last row stays with the total. Only the empty end of the
        // text follows.
        const auto titles = static_cast<std::size_t>(
            std::find_if(strips.begin(), strips.end(), [](const PageStrip& s) { return s.headerBottom > 0; })
            - strips.begin());
        QVERIFY(strips[titles - 1].keepWithNext);
        QVERIFY(strips[titles].keepWithNext);
        QVERIFY(!strips[titles + 1].keepWithNext);
        QVERIFY(strips[titles + 29].keepWithNext);
    }

    void aSmallTableIsNotParted()
    {
        ReportText text(handMadeReport(6), plainLook());
        text.setTextWidth(640);
        const std::vector<PageStrip> strips = stripsOf(text);
        const auto titles
            = std::ranges::find_if(strips, [](const PageStrip& s) { return s.headerBottom > 0; });
        QVERIFY(titles != strips.end());
        QVERIFY(std::all_of(titles, titles + 6, [](const PageStrip& s) { return s.keepWithNext; }));
    }

    void aPdfHasPagesWithTextAndNoPixels()
    {
        int pages = 0;
        const QByteArray pdf = pdfOf(handMadeReport(5), pages);
        QVERIFY(pages >= 1);
        QVERIFY(pdf.startsWith("%PDF"));
        QCOMPARE(pdf.count("/Type /Page "), pages);
        QVERIFY(!pdf.contains("/Subtype /Image"));
        QVERIFY(pdf.contains("/FontFile"));
    }

    void longTablesGoOnOverPages()
    {
        int few = 0;
        int many = 0;
        (void)pdfOf(handMadeReport(5), few);
        (void)pdfOf(handMadeReport(200), many);
        QVERIFY2(many >= few + 2, qPrintable(QString::number(many)));
    }

    void aReportWithoutSectionsIsOnePage()
    {
        auto report = std::make_shared<Report>();
        report->title = "nothing";
        int pages = 0;
        (void)pdfOf(report, pages);
        QCOMPARE(pages, 1);
    }

    void aPdfThatCannotBeWrittenSaysSoAndLeavesNothing()
    {
        const Result<int> pages = savePdf(handMadeReport(), QStringLiteral("/no such folder/report.pdf"));
        QVERIFY(!pages);
        QVERIFY(pages.error().message.find("cannot be saved") != std::string::npos);
    }

    void aPdfReplacesTheFileThatWasThere()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("report.pdf"));
        QFile old(path);
        QVERIFY(old.open(QIODevice::WriteOnly));
        old.write("old");
        old.close();
        QVERIFY(savePdf(handMadeReport(), path, QPageSize::Letter).has_value());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith("%PDF"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }
};

HIGHWATER_APP_TEST(ReportTextTest)

} // namespace highwater::gui::test

#include "report_text_test.moc"
