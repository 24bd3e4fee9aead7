#include "app/views/parts/panel_tabs.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QApplication>
#include <QTabBar>
#include <QToolButton>

#include "app/views/parts/arrange.h"
#include "app/views/parts/line_icon.h"

namespace highwater::gui {

namespace {

/// Heights of a view in pixels: at least the border, a header of 24 and three rows of findings; usually about
/// six rows.
constexpr int kLeastView = 1 + 24 + 3 * 28;
constexpr int kUsualView = 192;

QToolButton* makeButton(const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setProperty("flat", true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

PanelTabs::PanelTabs(QWidget* parent)
    : QTabWidget(parent)
    , m_expand(makeButton(QStringLiteral("expandQuestions"), this))
    , m_collapse(makeButton(QStringLiteral("collapseQuestions"), this))
{
    named(this, "questionTabs", tr("Views of the run"));
    auto* corner = new QWidget(this);
    layRow(corner, {m_expand, m_collapse}, {{0, 0, 6, 0}, -1});
    setTabPosition(South); // so that the tabs stay in place, whatever height a view has
    setCornerWidget(corner, Qt::BottomRightCorner);
    connect(m_expand, &QToolButton::clicked, this,
        [this] { setExtent(m_extent == Extent::Expanded ? Extent::Shared : Extent::Expanded); });
    connect(m_collapse, &QToolButton::clicked, this,
        [this] { setExtent(m_extent == Extent::Collapsed ? Extent::Shared : Extent::Collapsed); });
    connect(tabBar(), &QTabBar::tabBarClicked, this, &PanelTabs::clickTab);
    connect(this, &QTabWidget::currentChanged, this, &PanelTabs::keepFocus);
    connect(this, &QTabWidget::currentChanged, this, &PanelTabs::extentChanged);
    applyExtent();
}

void PanelTabs::add(AnalysisPanel* view, const QString& name, const QString& title, const QString& tip)
{
    view->setObjectName(name);
    const int index = addTab(view, title);
    setTabToolTip(index, tip);
    m_tips << tip;
    m_views.push_back(view);
    connect(view, &AnalysisPanel::eventRequested, this, &PanelTabs::eventRequested);
    connect(view, &AnalysisPanel::viewOfEventRequested, this, &PanelTabs::viewOfEventRequested);
    connect(view, &AnalysisPanel::rangeRequested, this, &PanelTabs::rangeRequested);
    connect(view, &AnalysisPanel::allocationRequested, this, &PanelTabs::allocationRequested);
    connect(view, &AnalysisPanel::allocationPinned, this, &PanelTabs::allocationPinned);
    connect(view, &AnalysisPanel::timelineWanted, this, &PanelTabs::timelineWanted);
    connect(view, &AnalysisPanel::noteRequested, this, &PanelTabs::noteRequested);
    connect(view, &AnalysisPanel::settled, this, [this, view] {
        if (view == current())
            emit settled();
    });
}

bool PanelTabs::open(const QString& name)
{
    const auto found = std::ranges::find_if(
        m_views, [&](const AnalysisPanel* view) { return view->objectName() == name; });
    if (found == m_views.end())
        return false;
    const int tab = indexOf(*found);
    m_awaited = isTabEnabled(tab) ? QString() : name;
    if (!m_awaited.isEmpty())
        return true;
    setCurrentIndex(tab);
    if (m_extent == Extent::Collapsed)
        setExtent(Extent::Shared);
    return true;
}

void PanelTabs::setOffered(const AnalysisPanel* view, bool offered, const QString& whyNot)
{
    const int tab = indexOf(view);
    if (tab == currentIndex() && !offered)
        setCurrentIndex(0);
    setTabEnabled(tab, offered);
    setTabToolTip(tab, offered ? m_tips.value(tab) : whyNot);
    if (offered && view->objectName() == m_awaited)
        open(m_awaited);
    emit this->offered();
}

QString PanelTabs::openName() const
{
    return m_extent == Extent::Collapsed || !current() ? QString() : current()->objectName();
}

AnalysisPanel* PanelTabs::current() const
{
    return static_cast<AnalysisPanel*>(currentWidget());
}

void PanelTabs::showDevice(const std::shared_ptr<const DeviceAnalysis>& analysis)
{
    for (AnalysisPanel* view : m_views)
        view->showDevice(analysis);
}

void PanelTabs::setColors(const ThemeColors& colors)
{
    for (AnalysisPanel* view : m_views)
        view->setColors(colors);
}

void PanelTabs::setCapacity(const std::optional<DeviceCapacity>& capacity)
{
    for (AnalysisPanel* view : m_views)
        view->setCapacity(capacity);
}

/// Opens the panel if it is collapsed.
void PanelTabs::clickTab(int index)
{
    if (index >= 0 && m_extent == Extent::Collapsed)
        setExtent(Extent::Shared);
}

/// Gives the focus to the tabs if Qt has passed it from the previous view to a control of the opened one. A
/// table or tree keeps the focus.
void PanelTabs::keepFocus()
{
    const QWidget* const focus = QApplication::focusWidget();
    if (current() && current()->isAncestorOf(focus) && !qobject_cast<const QAbstractItemView*>(focus))
        tabBar()->setFocus();
}

void PanelTabs::setExtent(Extent extent)
{
    if (extent == Extent::Collapsed)
        m_awaited.clear();
    if (m_extent == extent)
        return;
    m_extent = extent;
    applyExtent();
    emit extentChanged();
}

QSize PanelTabs::minimumSizeHint() const
{
    return {320, heightWithView(kLeastView)};
}

QSize PanelTabs::sizeHint() const
{
    return {900, heightWithView(kUsualView)};
}

int PanelTabs::heightWithView(int viewHeight) const
{
    return tabBar()->sizeHint().height() + (m_extent == Extent::Collapsed ? 0 : viewHeight);
}

void PanelTabs::applyExtent()
{
    const bool expanded = m_extent == Extent::Expanded;
    const bool collapsed = m_extent == Extent::Collapsed;
    setMaximumHeight(collapsed ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
    updateGeometry();
    m_expand->setIcon(lineIcon(expanded ? LineIcon::Restore : LineIcon::Expand));
    m_expand->setToolTip(expanded ? tr("Restore timeline height") : tr("Expand over timeline"));
    m_expand->setVisible(!collapsed);
    m_collapse->setIcon(lineIcon(collapsed ? LineIcon::Up : LineIcon::Collapse));
    m_expand->setAccessibleName(m_expand->toolTip());
    m_collapse->setToolTip(collapsed ? tr("Restore panel") : tr("Collapse panel"));
    m_collapse->setAccessibleName(m_collapse->toolTip());
}

} // namespace highwater::gui
