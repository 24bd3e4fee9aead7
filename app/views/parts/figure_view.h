#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/cached_picture.h"
#include "app/views/picture/picture_sheet.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater::gui {

/// Returns the tool tip at a position: the whole of a text that is cut there, and the title of the topmost
/// rectangle or polygon with one; empty if there is neither.
QString titleAt(const std::vector<FigureShape>& shapes, const QPointF& position);

/// Shows a figure that is built for the current size and kept as a picture. Tool tips show the titles of
/// shapes. Shapes with an id (`FigureRect::id`) can be clicked and double-clicked; on the keyboard, arrows,
/// Home and End move between them, and Enter or Space clicks. The figure can be copied and saved from the
/// context menu.
class FigureView : public QWidget
{
    Q_OBJECT

public:
    /// Makes the figure. It is called on the GUI thread and must not take long. The options have the view's
    /// size in `width` and `height` and its theme in `dark` and `contrast`, or those of a picture to be
    /// saved; the last call was always for the view.
    using Maker = std::function<Figure(const FigureOptions&)>;

    explicit FigureView(QWidget* parent = nullptr);

    /// Sets the function that makes the figure, and calls it; null shows nothing.
    void setMaker(Maker maker);
    void setColors(const ThemeColors& colors);
    /// Outlines the shapes with this id; nullopt removes the outline.
    void setSelected(std::optional<int> id);
    std::optional<int> selected() const { return m_selected; }

    const Figure& figure() const { return m_figure; }
    /// Returns the ids of the figure's shapes, without duplicates, in the order of the shapes.
    const std::vector<int>& ids() const { return m_ids; }
    /// Returns the bounding rectangle of all shapes with this id; null if there are none.
    QRectF rectOf(int id) const;
    /// Returns the tool tip at this position; empty if there is none.
    QString titleAt(const QPointF& position) const;
    /// Returns the id of the topmost shape at this position, else of one a few pixels away; nullopt if there
    /// is none.
    std::optional<int> idAt(const QPointF& position) const;

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    void clicked(int id);
    void doubleClicked(int id);
    /// An arrow key, Home or End moved to this shape.
    void walked(int id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent*) override { make(); }
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

    /// Marks the shapes with this id: by a rectangle around them, unless overridden.
    virtual void outline(QPainter& painter, int id, const QPen& pen) const;

    /// Makes the figure again.
    void make();
    /// Acts as a click at this position.
    void click(const QPointF& position);

private:
    Figure madeFor(const QSizeF& room, Ground ground) const;
    Picture pictureFor(const PictureRoom& room);
    void walkTo(std::ptrdiff_t position);

    Maker m_maker;
    ThemeColors m_colors = ThemeColors::light();
    Figure m_figure;
    std::vector<int> m_ids;
    CachedPicture m_picture; ///< the painted figure
    std::optional<int> m_selected;
    std::optional<int> m_hovered;
    std::optional<int> m_current; ///< shape with the keyboard focus
};

} // namespace highwater::gui
