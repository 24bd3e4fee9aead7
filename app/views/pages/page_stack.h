#pragma once

#include <vector>

#include <QStackedWidget>

#include "app/views/pages/page.h"

namespace highwater::gui {

/// The pages of the window. Commands go to the current page. Another page can cover it, as the report covers
/// the runs that it describes.
class PageStack : public QStackedWidget
{
    Q_OBJECT

public:
    using QStackedWidget::QStackedWidget;

    /// Takes ownership of the page. The first page becomes the current one.
    void add(Page& page);
    const std::vector<Page*>& pages() const { return m_pages; }

    /// The current page, visible or covered.
    Page& current() const { return *m_current; }
    bool isCurrent(const Page& page) const { return m_current == &page; }
    /// Makes this the current page and gives it the keyboard focus. A cover over this page stays.
    void show(Page& page);

    void cover(Page& page);
    void uncover();
    bool isCoveredBy(const Page& page) const { return m_cover == &page; }

    /// Offers of the current page; while it is covered, only those that work without seeing it.
    PageOffers offers() const;
    /// The visible page: the cover if there is one, else the current page.
    Page& inSight() const { return m_cover ? *m_cover : *m_current; }
    Picture picture() const { return inSight().picture(); }
    /// True if the current page and its cover are settled.
    bool isSettled() const { return m_current->isSettled() && (!m_cover || m_cover->isSettled()); }

signals:
    /// Another page is current or covers it, or one of the two shows something else.
    void changed();
    /// Status of the current page or its cover.
    void statusChanged();
    void settled();

private:
    void bringForward(Page& page);

    std::vector<Page*> m_pages;
    Page* m_current = nullptr;
    Page* m_cover = nullptr; ///< null while the current page is visible
};

} // namespace highwater::gui
