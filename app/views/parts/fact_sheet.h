#pragma once

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
        Fact, ///< "requested   64.00 MiB  67,108,864 B": a name and its values
    };
    Kind kind = Kind::Plain;
    QString text; ///< of a fact, the value
    QString name; ///< of a fact
    QString aside; ///< of a fact: said in quiet after the value

    bool operator==(const Paragraph&) const = default;
};

/// Titles, sentences and facts under each other, painted as one: a label for each of them would lay out the
/// window with every move of the mouse. What does not change is not painted anew.
class FactSheet : public QWidget
{
    Q_OBJECT

public:
    explicit FactSheet(QWidget* parent = nullptr);

    void setColors(const ThemeColors& colors);
    void setParagraphs(std::vector<Paragraph> paragraphs);
    const std::vector<Paragraph>& paragraphs() const { return m_paragraphs; }
    /// All of it, a line for each paragraph.
    QString plainText() const;
    /// The height that the text takes at the widget's width.
    int textHeight() const { return m_textHeight; }
    /// Rectangles of the lines of one colour, in the order of the text.
    std::vector<QRect> lineRects() const;
    /// What a copy of this place would take: the value of the fact there, else the text; empty between them.
    QString textAt(const QPoint& position) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Role
    {
        Text,
        Quiet,
        Title,
        Heading
    };
    /// One line of one colour.
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
    void repaintDifference(const std::vector<Piece>& before);

    ThemeColors m_colors;
    TextCache m_regular;
    TextCache m_bold;
    std::vector<Paragraph> m_paragraphs;
    std::vector<Piece> m_pieces;
    int m_textHeight = 0;
};

} // namespace highwater::gui
