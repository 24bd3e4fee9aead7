#include "app/views/parts/line_icon.h"

#include <algorithm>
#include <initializer_list>

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace highwater::gui {

namespace {

constexpr double kGrid = 16;
constexpr double kLine = 1.25;

/// A path made of separate polylines.
struct Lines : QPainterPath
{
    Lines() = default;
    Lines(std::initializer_list<QPointF> points)
        : QPainterPath(*points.begin())
    {
        for (const QPointF& point : points)
            lineTo(point);
    }
    friend Lines operator+(Lines a, const QPainterPath& b)
    {
        a.addPath(b);
        return a;
    }
};

Lines lines(std::initializer_list<QPointF> points)
{
    return Lines(points);
}

Lines box(double left, double top, double right, double bottom)
{
    Lines path;
    path.addRoundedRect(QRectF(QPointF(left, top), QPointF(right, bottom)), 1, 1);
    return path;
}

Lines folder()
{
    return lines({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5}, {13.5, 5}, {13.5, 13}, {2, 13}});
}

Lines openFolder()
{
    return lines({{2, 13}, {2, 3.5}, {6, 3.5}, {7.5, 5}, {13, 5}, {13, 7}})
        + lines({{2, 13}, {4.5, 7}, {15, 7}, {12.5, 13}, {2, 13}});
}

Lines page()
{
    return lines({{3.5, 14}, {3.5, 2}, {9.5, 2}, {12.5, 5}, {12.5, 14}, {3.5, 14}})
        + lines({{9.5, 2}, {9.5, 5}, {12.5, 5}});
}

QPainterPath pathOf(LineIcon icon)
{
    switch (icon) {
    case LineIcon::Open: return openFolder();
    case LineIcon::Folder: return folder();
    case LineIcon::File: return page();
    case LineIcon::Report: return page() + lines({{6, 8.5}, {10, 8.5}}) + lines({{6, 11}, {10, 11}});
    case LineIcon::Compare:
        return lines({{2, 5}, {13, 5}}) + lines({{5, 2}, {2, 5}, {5, 8}}) + lines({{3, 11}, {14, 11}})
            + lines({{11, 8}, {14, 11}, {11, 14}});
    case LineIcon::Search: {
        Lines path;
        path.addEllipse(QPointF(7, 7), 4.5, 4.5);
        return path + lines({{10.5, 10.5}, {14, 14}});
    }
    case LineIcon::Note:
        return lines({{3.5, 14.5}, {3.5, 2}}) + lines({{3.5, 2.5}, {13, 2.5}, {11, 5.75}, {13, 9}, {3.5, 9}});
    case LineIcon::Copy:
        return box(5.5, 5.5, 13.5, 13.5) + lines({{3, 10.5}, {2.5, 2.5}, {10.5, 2.5}, {10.5, 3}});
    case LineIcon::Drop:
        return lines({{8, 2}, {8, 10.5}}) + lines({{4.5, 7}, {8, 10.5}, {11.5, 7}})
            + lines({{2.5, 14}, {13.5, 14}});
    case LineIcon::Expand:
        return lines({{2.5, 6}, {2.5, 2.5}, {6, 2.5}}) + lines({{10, 2.5}, {13.5, 2.5}, {13.5, 6}})
            + lines({{13.5, 10}, {13.5, 13.5}, {10, 13.5}}) + lines({{6, 13.5}, {2.5, 13.5}, {2.5, 10}});
    case LineIcon::Restore:
        return lines({{6, 2.5}, {6, 6}, {2.5, 6}}) + lines({{13.5, 6}, {10, 6}, {10, 2.5}})
            + lines({{10, 13.5}, {10, 10}, {13.5, 10}}) + lines({{2.5, 10}, {6, 10}, {6, 13.5}});
    case LineIcon::Collapse: return lines({{3, 12.5}, {13, 12.5}});
    case LineIcon::Close: return lines({{4, 4}, {12, 12}}) + lines({{12, 4}, {4, 12}});
    case LineIcon::Up: return lines({{4, 10}, {8, 6}, {12, 10}});
    case LineIcon::Down: return lines({{4, 6}, {8, 10}, {12, 6}});
    }
    return {};
}

class LineIconEngine : public QIconEngine
{
public:
    explicit LineIconEngine(LineIcon icon)
        : m_icon(icon)
    {
    }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(rect.topLeft());
        // A wider icon has room at its right, so that it does not touch the text that follows.
        const double scale = std::min(rect.width(), rect.height()) / kGrid;
        painter->scale(scale, scale);
        painter->setPen(QPen(QGuiApplication::palette().color(group, QPalette::ButtonText), kLine,
            Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        painter->drawPath(pathOf(m_icon));
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        if (size.isEmpty())
            return {};
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new LineIconEngine(*this); }

private:
    LineIcon m_icon;
};

} // namespace

QIcon lineIcon(LineIcon icon)
{
    return QIcon(new LineIconEngine(icon));
}

} // namespace highwater::gui
