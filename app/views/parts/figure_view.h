#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QWidget>

#include "app/views/parts/kept_picture.h"
#include "app/workspace/theme/theme_colors.h"
#include "core/figure/drawing/figure_sheet.h"

namespace highwater::gui {

/// Shows a figure that is built for the current size. Tooltips show the titles of the figure's shapes; shapes
/// with an id (`FigureRect::id`) can be clicked and double-clicked; with the keyboard, arrows move between
/// them, Home and End go to the first and last, Enter or Space clicks.
class FigureView : public QWidget
{
    Q_OBJECT

public:
    /// Makes the figure: called on this thread with the view's size in `width` and `height`, its theme in
    /// `dark`, and `titled` off; for a picture to be kept with `titled` on. It must not take long.
    using Maker = std::function<Figure(const FigureOptions&)>;

    explicit FigureView(QWidget* parent = nullptr);

    /// Null: nothing.
    void setMaker(Maker maker);
    void setColors(const ThemeColors& colors);
    /// Outlines the shapes with this id; none: no outline.
    void setSelected(std::optional<int> id);
    std::optional<int> selected() const { return m_selected; }

    const Figure& figure() const { return m_figure; }
    /// The ids of the figure's shapes, each once, in the order of the shapes.
    const std::vector<int>& ids() const { return m_ids; }
    /// All shapes of an id; null where there are none.
    QRectF rectOf(int id) const;
    /// What is said of this place; empty: nothing.
    QString titleAt(const QPointF& at) const;
    std::optional<int> idAt(const QPointF& at) const;

    /// To be kept: of a size of its own, with its title. It has no shapes where nothing is shown.
    Figure picture() const;
    /// Of something else than the view shows, such as the whole of what it shows a part of.
    void setPicture(std::function<Figure()> picture) { m_kept = std::move(picture); }

    QSize sizeHint() const override { return {560, 260}; }
    QSize minimumSizeHint() const override { return {240, 120}; }

signals:
    void clicked(int id);
    void doubleClicked(int id);
    /// The keyboard has gone to this shape.
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

    void make();
    void click(const QPointF& at);

private:
    void walkTo(std::ptrdiff_t position);
    void outline(QPainter& painter, int id, const QPen& pen) const;

    Maker m_maker;
    std::function<Figure()> m_kept;
    ThemeColors m_colors = ThemeColors::light();
    Figure m_figure;
    std::vector<int> m_ids;
    KeptPicture m_picture; ///< of the figure
    std::optional<int> m_selected;
    std::optional<int> m_hovered;
    std::optional<int> m_current; ///< where the keyboard is
};

} // namespace highwater::gui
