#pragma once

#include <optional>
#include <vector>

#include <QRect>
#include <QWidget>

#include "app/timeline/parts/text_cache.h"
#include "app/workspace/theme/theme_colors.h"

namespace highwater::gui {

/// A paragraph of a FactSheet.
struct Paragraph
{
    enum class Kind
    {
        Title,
        Quiet,
        Plain,
        Heading,
        Fact, ///< a name with its value: "requested   64 MiB  67,108,864 B"
    };
    Kind kind = Kind::Plain;
    QString text; ///< the value, if this is a fact
    QString name; ///< only in a fact
    QString aside; ///< only in a fact: grey text after the value
    QString linkTip = {}; ///< if set, the value is a link with this tool tip

    bool operator==(const Paragraph&) const = default;
};

/// Titles, sentences and facts, one below the other. One widget paints all of them, because separate labels
/// would lay out the window again with every move of the mouse. Only changed lines are repainted. The owner
/// sets the height to `textHeight`. A click follows a link; on the keyboard, the arrows up and down choose a
/// link and Enter follows it.
class FactSheet : public QWidget
{
    Q_OBJECT

public:
    explicit FactSheet(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    void setParagraphs(std::vector<Paragraph> paragraphs);
    const std::vector<Paragraph>& paragraphs() const { return m_paragraphs; }
    /// Returns the whole text, one line for each paragraph.
    QString plainText() const;
    /// Returns the height of the text at the widget's width, in pixels.
    int textHeight() const { return m_textHeight; }
    /// Returns the rectangles of all pieces of text, in the order of the text. A piece is one line in one
    /// colour.
    std::vector<QRect> lineRects() const;
    /// Returns the text to copy at this height: the value of a fact, else the paragraph; empty between
    /// paragraphs.
    QString textAt(const QPoint& position) const;
    /// Returns the rectangle of a link; empty if there is none with this number.
    QRect linkRect(std::size_t link = 0) const;

signals:
    /// The number of the link counts from 0.
    void linkFollowed(std::size_t link);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent*) override { update(linkRect(m_current)); }
    void focusOutEvent(QFocusEvent*) override { update(linkRect(m_current)); }
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Role
    {
        Text,
        Quiet,
        Title,
        Heading,
        Link
    };
    /// A piece of one line in one colour.
    struct Piece
    {
        QRect rect;
        Role role = Role::Text;
        QString text;
        std::size_t paragraph = 0;

        bool operator==(const Piece&) const = default;
    };
    class Layout;

    TextCache& fontOf(Role role) { return role == Role::Title || role == Role::Heading ? m_bold : m_regular; }
    QColor colorOf(Role role) const;
    void applyFont();
    void layOut();
    std::vector<std::size_t> links() const;
    std::optional<std::size_t> linkAt(const QPoint& position) const;
    void repaintDifference(const std::vector<Piece>& oldPieces);

    ThemeColors m_colors;
    TextCache m_regular;
    TextCache m_bold;
    std::vector<Paragraph> m_paragraphs;
    std::vector<Piece> m_pieces;
    std::size_t m_current = 0; ///< number of the link that Enter follows
    int m_textHeight = 0;
};

} // namespace highwater::gui
