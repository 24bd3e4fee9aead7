#include "app/views/parts/fact_sheet.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStyleOptionFocusRect>

namespace highwater::gui {

namespace {
constexpr int kRowGap = 3;
constexpr int kColumnGap = 12;
constexpr int kAsideGap = 6;
constexpr int kAboveHeading = 8;
constexpr int kAboveFacts = 8;
} // namespace

/// Lays out the paragraphs, one below the other, at the width of the sheet.
class FactSheet::Layout
{
public:
    explicit Layout(FactSheet& sheet)
        : m_sheet(sheet)
    {
        for (const Paragraph& paragraph : sheet.m_paragraphs)
            if (paragraph.kind == Paragraph::Kind::Fact)
                m_nameWidth = std::max(m_nameWidth, sheet.m_regular.width(paragraph.name) + kColumnGap);
    }

    void add(std::size_t index)
    {
        const Paragraph& paragraph = m_sheet.m_paragraphs[index];
        m_paragraph = index;
        const bool isFact = paragraph.kind == Paragraph::Kind::Fact;
        if (paragraph.kind == Paragraph::Kind::Heading)
            m_top += kAboveHeading;
        else if (isFact && m_lastKind != Paragraph::Kind::Fact && m_lastKind != Paragraph::Kind::Heading)
            m_top += kAboveFacts;
        m_lastKind = paragraph.kind;
        if (isFact)
            addFact(paragraph);
        else
            addLines(0, roleOf(paragraph.kind), paragraph.text);
        m_top += kRowGap;
    }

    std::vector<Piece> takePieces() { return std::move(m_pieces); }
    int height() const { return m_top; }

private:
    static Role roleOf(Paragraph::Kind kind)
    {
        switch (kind) {
        case Paragraph::Kind::Title: return Role::Title;
        case Paragraph::Kind::Quiet: return Role::Quiet;
        case Paragraph::Kind::Heading: return Role::Heading;
        case Paragraph::Kind::Plain:
        case Paragraph::Kind::Fact: break;
        }
        return Role::Text;
    }

    void addFact(const Paragraph& fact)
    {
        addPiece(0, Role::Quiet, fact.name);
        const int right = addLines(m_nameWidth, fact.linkTip.isEmpty() ? Role::Text : Role::Link, fact.text);
        if (fact.aside.isEmpty())
            return;
        const int aside = m_sheet.m_regular.width(fact.aside);
        if (right + kAsideGap + aside <= m_sheet.width()) {
            m_top -= m_sheet.m_regular.lineHeight();
            addPiece(right + kAsideGap, Role::Quiet, fact.aside);
            m_top += m_sheet.m_regular.lineHeight();
        } else {
            addLines(m_nameWidth, Role::Quiet, fact.aside);
        }
    }

    /// Adds wrapped text and returns the right end of its last line.
    int addLines(int left, Role role, const QString& text)
    {
        int right = left;
        for (const QString& line : m_sheet.fontOf(role).linesOf(std::max(m_sheet.width() - left, 1), text)) {
            right = addPiece(left, role, line);
            m_top += m_sheet.fontOf(role).lineHeight();
        }
        return right;
    }

    int addPiece(int left, Role role, const QString& text)
    {
        TextCache& font = m_sheet.fontOf(role);
        const QRect rect(left, m_top, font.width(text), font.lineHeight());
        m_pieces.push_back({rect, role, text, m_paragraph});
        return left + rect.width();
    }

    FactSheet& m_sheet;
    std::vector<Piece> m_pieces;
    std::size_t m_paragraph = 0;
    int m_nameWidth = 0; ///< width of the column of names, in pixels
    int m_top = 0;
    Paragraph::Kind m_lastKind = Paragraph::Kind::Plain;
};

FactSheet::FactSheet(QWidget* parent)
    : QWidget(parent)
    , m_colors(ThemeColors::light())
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
    applyFont();
}

void FactSheet::setColors(const ThemeColors& colors)
{
    m_colors = colors;
    update();
}

void FactSheet::applyFont()
{
    m_regular.setFont(font());
    QFont bold = font();
    bold.setBold(true);
    m_bold.setFont(bold);
}

void FactSheet::setParagraphs(std::vector<Paragraph> paragraphs)
{
    if (paragraphs == m_paragraphs)
        return;
    m_paragraphs = std::move(paragraphs);
    layOut();
}

void FactSheet::layOut()
{
    Layout layout(*this);
    for (std::size_t i = 0; i < m_paragraphs.size(); ++i)
        layout.add(i);
    m_textHeight = layout.height();
    m_current = std::min(m_current, std::max<std::size_t>(links().size(), 1) - 1);
    repaintDifference(std::exchange(m_pieces, layout.takePieces()));
    setFocusPolicy(linkRect().isEmpty() ? Qt::NoFocus : Qt::TabFocus);
}

void FactSheet::repaintDifference(const std::vector<Piece>& oldPieces)
{
    QRegion dirty;
    for (std::size_t i = 0; i < std::max(oldPieces.size(), m_pieces.size()); ++i) {
        if (i < oldPieces.size() && i < m_pieces.size() && oldPieces[i] == m_pieces[i])
            continue;
        if (i < oldPieces.size())
            dirty += oldPieces[i].rect;
        if (i < m_pieces.size())
            dirty += m_pieces[i].rect;
    }
    update(dirty);
}

QColor FactSheet::colorOf(Role role) const
{
    if (role == Role::Link)
        return m_colors.accent;
    return role == Role::Text || role == Role::Title ? m_colors.text : m_colors.quietText;
}

void FactSheet::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    for (const QRect& rect : event->region())
        painter.fillRect(rect, m_colors.surface);
    for (const Piece& piece : m_pieces) {
        if (!event->region().intersects(piece.rect))
            continue;
        painter.setPen(colorOf(piece.role));
        fontOf(piece.role).draw(painter, piece.rect.topLeft(), piece.text);
    }
    if (hasFocus() && !linkRect(m_current).isEmpty()) {
        QStyleOptionFocusRect option;
        option.initFrom(this);
        option.rect = linkRect(m_current);
        style()->drawPrimitive(QStyle::PE_FrameFocusRect, &option, &painter, this);
    }
}

/// Returns the paragraphs that are links.
std::vector<std::size_t> FactSheet::links() const
{
    std::vector<std::size_t> links;
    for (std::size_t i = 0; i < m_paragraphs.size(); ++i)
        if (!m_paragraphs[i].linkTip.isEmpty())
            links.push_back(i);
    return links;
}

QRect FactSheet::linkRect(std::size_t link) const
{
    const std::vector<std::size_t> all = links();
    QRect rect;
    for (const Piece& piece : m_pieces)
        if (link < all.size() && piece.role == Role::Link && piece.paragraph == all[link])
            rect |= piece.rect;
    return rect;
}

std::optional<std::size_t> FactSheet::linkAt(const QPoint& position) const
{
    for (std::size_t link = 0; link < links().size(); ++link)
        if (linkRect(link).contains(position))
            return link;
    return std::nullopt;
}

void FactSheet::mouseMoveEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> link = linkAt(event->pos());
    setCursor(link ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(link ? m_paragraphs[links()[*link]].linkTip : QString());
}

void FactSheet::mousePressEvent(QMouseEvent* event)
{
    event->setAccepted(event->button() == Qt::LeftButton && linkAt(event->pos()));
}

void FactSheet::mouseReleaseEvent(QMouseEvent* event)
{
    const std::optional<std::size_t> link = linkAt(event->pos());
    if (event->button() != Qt::LeftButton || !link)
        return;
    m_current = *link;
    emit linkFollowed(*link);
}

void FactSheet::keyPressEvent(QKeyEvent* event)
{
    const std::size_t count = links().size();
    const QRect before = linkRect(m_current);
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        emit linkFollowed(m_current);
    else if (event->key() == Qt::Key_Down && m_current + 1 < count)
        ++m_current;
    else if (event->key() == Qt::Key_Up && m_current > 0)
        --m_current;
    else
        return QWidget::keyPressEvent(event);
    update(before.united(linkRect(m_current)));
}

void FactSheet::resizeEvent(QResizeEvent* event)
{
    if (event->size().width() != event->oldSize().width())
        layOut();
}

void FactSheet::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) {
        applyFont();
        layOut();
        update();
    }
    QWidget::changeEvent(event);
}

QString FactSheet::plainText() const
{
    QString text;
    for (const Paragraph& paragraph : m_paragraphs) {
        for (const QString& part : {paragraph.name, paragraph.text, paragraph.aside})
            text += part.isEmpty() ? part : part + QLatin1Char(' ');
        text += QLatin1Char('\n');
    }
    return text;
}

std::vector<QRect> FactSheet::lineRects() const
{
    std::vector<QRect> rects;
    for (const Piece& piece : m_pieces)
        rects.push_back(piece.rect);
    return rects;
}

QString FactSheet::textAt(const QPoint& position) const
{
    for (const Piece& piece : m_pieces)
        if (position.y() >= piece.rect.top() && position.y() <= piece.rect.bottom())
            return m_paragraphs[piece.paragraph].text;
    return {};
}

} // namespace highwater::gui
