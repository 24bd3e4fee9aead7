#include "app/window/manual/manual_browser.h"

#include <cmath>

#include <QEvent>
#include <QImage>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>

#include "app/window/manual/manual_pages.h"

namespace highwater::gui {

namespace {

constexpr int kPictureWidth = 720;
constexpr int kMargin = 20;
constexpr int kLineHeight = 125; ///< in percent

/// Returns a cursor that selects the block.
QTextCursor cursorOver(const QTextBlock& block)
{
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    return cursor;
}

bool isCode(const QTextBlock& block)
{
    return block.blockFormat().hasProperty(QTextFormat::BlockCodeFence)
        || block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// False for code and pictures, whose line height must not change.
bool isText(const QTextBlock& block)
{
    return !isCode(block) && !block.text().contains(QChar::ObjectReplacementCharacter);
}

} // namespace

ManualBrowser::ManualBrowser(QWidget* parent)
    : QTextBrowser(parent)
{
    setOpenExternalLinks(true);
    document()->setDocumentMargin(kMargin);
    // A connection is used instead of an override, because going back loads a page without calling this
    // class.
    connect(this, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        m_place = url;
        formatPage();
        if (url.hasFragment())
            scrollToAnchor(url.fragment());
    });
}

QString ManualBrowser::file() const
{
    return m_place.path().mid(QUrl(manualUrl({})).path().size());
}

QVariant ManualBrowser::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    const QUrl url = source().resolved(name);
    QImage picture(QLatin1Char(':') + url.path());
    const int width = static_cast<int>(std::lround(kPictureWidth * devicePixelRatioF()));
    if (picture.width() > width)
        picture = picture.scaledToWidth(width, Qt::SmoothTransformation);
    picture.setDevicePixelRatio(devicePixelRatioF());
    return picture;
}

void ManualBrowser::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_place.isEmpty())
        reload(); // links get their colour from the palette when the page is read
}

/// Formats headings, code and tables. Also needed if only the anchor changes, because Qt reloads a page that
/// was changed after loading.
void ManualBrowser::formatPage()
{
    formatHeadings();
    formatCode();
    formatTables();
}

void ManualBrowser::formatHeadings()
{
    const std::vector<ManualHeading> headings = headingsOf(QString::fromUtf8(
        QTextBrowser::loadResource(QTextDocument::MarkdownResource, m_place).toByteArray()));
    auto heading = headings.begin();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format;
        if (isText(block))
            format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
        QTextCursor cursor = cursorOver(block);
        if (block.blockFormat().headingLevel() > 0 && heading != headings.end()) {
            QTextCharFormat name;
            name.setAnchor(true);
            name.setAnchorNames({heading->anchor});
            cursor.mergeCharFormat(name);
            format.setTopMargin(heading->level == 1 ? 4 : 20);
            format.setBottomMargin(8);
            ++heading;
        }
        cursor.mergeBlockFormat(format);
    }
}

void ManualBrowser::formatCode()
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (!isCode(block))
            continue;
        QTextBlockFormat format;
        format.setBackground(palette().alternateBase());
        format.setNonBreakableLines(true);
        cursorOver(block).mergeBlockFormat(format);
    }
}

void ManualBrowser::formatTables()
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextTable* const table = QTextCursor(block).currentTable();
        if (!table || table->firstPosition() != block.position())
            continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(5);
        format.setCellSpacing(0);
        format.setBorder(1);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        format.setBorderCollapse(true);
        format.setBorderBrush(palette().mid());
        format.setTopMargin(6);
        format.setBottomMargin(10);
        table->setFormat(format);
    }
}

} // namespace highwater::gui
