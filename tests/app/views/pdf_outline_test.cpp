// Reads the outline of a report's PDF, which PDF readers show next to the pages, with the library that PDF
// programs use. The macro is that library's name for: use only std::shared_ptr.
#define POINTERHOLDER_TRANSITION 4
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFOutlineDocumentHelper.hh>
#include <qpdf/QPDFPageLabelDocumentHelper.hh>
#undef POINTERHOLDER_TRANSITION

#include <QBuffer>
#include <QTest>

#include "app/views/report/pdf_outline.h"
#include "app/views/report/pdf_writer.h"
#include "tests/app/app_test_main.h"
#include "tests/app/hand_made_report.h"

namespace highwater::gui::test {

namespace {

QByteArray writtenPdf(std::shared_ptr<const Report> report)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    [[maybe_unused]] const Result<int> pages = writePdf(std::move(report), buffer, QPageSize::A4);
    return bytes;
}

std::shared_ptr<const Report> reportWithAppendix()
{
    auto report = std::make_shared<Report>(*handMadeReport(120));
    for (ReportSection section : std::vector<ReportSection>(report->sections)) {
        section.title += " in full";
        section.isAppendix = true;
        report->sections.push_back(std::move(section));
    }
    return report;
}

class ReadPdf
{
public:
    explicit ReadPdf(QByteArray bytes)
        : m_bytes(std::move(bytes))
    {
        m_pdf.setSuppressWarnings(true);
        m_pdf.processMemoryFile("test", m_bytes.constData(), static_cast<std::size_t>(m_bytes.size()));
    }

    QPDF& document() { return m_pdf; }

    /// Returns each entry's title with its page number. Nested entries have a dash before their title.
    QStringList entries()
    {
        QStringList all;
        for (QPDFOutlineObjectHelper entry : QPDFOutlineDocumentHelper(m_pdf).getTopLevelOutlines()) {
            all << described(entry, "");
            for (QPDFOutlineObjectHelper below : entry.getKids())
                all << described(below, "- ");
        }
        return all;
    }

    QStringList labels()
    {
        QPDFPageLabelDocumentHelper labels(m_pdf);
        QStringList all;
        for (std::size_t page = 0; page < m_pdf.getAllPages().size(); ++page) {
            QPDFObjectHandle label = labels.getLabelForPage(static_cast<long long>(page));
            QPDFObjectHandle prefix = label.getKey("/P");
            const std::string start = prefix.isString() ? prefix.getUTF8Value() : std::string();
            all << QString::fromStdString(start) + QString::number(label.getKey("/St").getIntValue());
        }
        return all;
    }

private:
    QString described(QPDFOutlineObjectHelper& entry, const char* mark)
    {
        const auto& pages = m_pdf.getAllPages();
        std::size_t page = 0;
        while (page < pages.size() && pages[page].getObjGen() != entry.getDestPage().getObjGen())
            ++page;
        return QStringLiteral("%1%2 @%3")
            .arg(QLatin1String(mark), QString::fromStdString(entry.getTitle()))
            .arg(page + 1);
    }

    QByteArray m_bytes;
    QPDF m_pdf;
};

} // namespace

class PdfOutlineTest : public QObject
{
    Q_OBJECT

private slots:
    void sectionsFindingsAndNotesAreInTheOutline()
    {
        const std::shared_ptr<const Report> report = handMadeReport(5);
        const QString entries = ReadPdf(writtenPdf(report)).entries().join('\n');
        for (const ReportSection& section : report->sections)
            QVERIFY2(entries.contains(QString::fromStdString(section.title) + QStringLiteral(" @")),
                qPrintable(entries));
        const QString finding = QString::fromStdString(handMadeFinding().finding.title);
        QVERIFY2(entries.contains(QStringLiteral("- %1 @").arg(finding)), qPrintable(entries));
        QVERIFY2(entries.contains(QStringLiteral("- Here it grows @")), qPrintable(entries));
    }

    void entriesLeadToPagesInOrder()
    {
        int last = 1;
        for (const QString& entry : ReadPdf(writtenPdf(reportWithAppendix())).entries()) {
            const int page = entry.section('@', -1).toInt();
            QVERIFY2(page >= last, qPrintable(entry));
            last = page;
        }
        QVERIFY(last > 3);
    }

    void pagesOfTheAppendixHaveLabelsOfTheirOwn()
    {
        const QStringList labels = ReadPdf(writtenPdf(reportWithAppendix())).labels();
        QCOMPARE(labels.first(), QStringLiteral("1"));
        QVERIFY2(labels.contains(QStringLiteral("A-1")), qPrintable(labels.join(' ')));
        QVERIFY2(labels.last().startsWith(QStringLiteral("A-")), qPrintable(labels.join(' ')));
        const qsizetype first = labels.indexOf(QStringLiteral("A-1"));
        QCOMPARE(labels[first - 1], QString::number(first));
    }

    void theReadersWindowHasTheTitleAndTheLanguage()
    {
        ReadPdf pdf(writtenPdf(handMadeReport(5)));
        QPDFObjectHandle catalog = pdf.document().getRoot();
        QCOMPARE(catalog.getKey("/Lang").getStringValue(), std::string("en"));
        QVERIFY(catalog.getKey("/ViewerPreferences").getKey("/DisplayDocTitle").getBoolValue());
    }

    void whatIsNoPdfIsRefusedInOneSentence()
    {
        const Result<QByteArray> outlined = withOutline("no document", {});
        QVERIFY(!outlined);
        QVERIFY(outlined.error().message.starts_with("its outline cannot be written"));
    }
};

HIGHWATER_APP_TEST(PdfOutlineTest)

} // namespace highwater::gui::test

#include "pdf_outline_test.moc"
