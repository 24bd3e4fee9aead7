#include "app/views/pages/page_stack.h"

namespace highwater::gui {

void PageStack::add(Page& page)
{
    m_pages.push_back(&page);
    addWidget(&page);
    if (!m_current)
        m_current = &page;
    const auto passOn = [this, &page](auto signal, auto ownSignal) {
        connect(&page, signal, this, [this, &page, ownSignal] {
            if (&page == m_current || &page == m_cover)
                emit(this->*ownSignal)();
        });
    };
    passOn(&Page::changed, &PageStack::changed);
    passOn(&Page::statusChanged, &PageStack::statusChanged);
    passOn(&Page::settled, &PageStack::settled);
}

QSize PageStack::minimumSizeHint() const
{
    return currentWidget() ? currentWidget()->minimumSizeHint() : QStackedWidget::minimumSizeHint();
}

void PageStack::show(Page& page)
{
    if (m_current == &page && m_cover)
        return;
    m_current = &page;
    bringForward(page);
}

void PageStack::cover(Page& page)
{
    m_cover = &page;
    setCurrentWidget(&page);
    page.takeFocus();
    emit changed();
}

void PageStack::uncover()
{
    if (m_cover)
        bringForward(*m_current);
}

void PageStack::bringForward(Page& page)
{
    m_cover = nullptr;
    setCurrentWidget(&page);
    page.takeFocus();
    emit changed();
}

PageOffers PageStack::offers() const
{
    PageOffers offers = m_current->offers();
    if (m_cover) {
        offers.view = offers.search = offers.times = offers.steps = offers.outOfMemory = false;
        offers.toolBar = offers.sidePanel = false;
    }
    return offers;
}

} // namespace highwater::gui
