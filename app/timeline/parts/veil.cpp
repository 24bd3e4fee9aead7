#include "app/timeline/parts/veil.h"

#include <QEvent>
#include <QPainter>

namespace highwater::gui {

namespace {
constexpr int kBlink = 120; ///< in milliseconds
constexpr int kVeilOpacity = 170;
} // namespace

Veil::Veil(QWidget& host)
    : QWidget(&host)
    , m_host(host)
{
    setObjectName(QStringLiteral("veil"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    m_later.setSingleShot(true);
    m_later.setInterval(kBlink);
    m_later.callOnTimeout(this, [this] {
        setGeometry(m_host.rect());
        raise();
        show();
    });
    host.installEventFilter(this);
}

void Veil::setStale(bool isStale)
{
    if (!isStale) {
        m_later.stop();
        hide();
    } else if (isHidden() && !m_later.isActive()) {
        m_later.start();
    }
}

bool Veil::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(m_host.rect());
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent*)
{
    QColor color = palette().color(QPalette::Window);
    color.setAlpha(kVeilOpacity);
    QPainter(this).fillRect(rect(), color);
}

} // namespace highwater::gui
