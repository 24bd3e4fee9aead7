#pragma once

#include <vector>

#include <QStackedWidget>

#include "app/views/pages/page.h"

namespace highwater::gui {

/// The pages of the window. One is the current one, to which commands go; another one can cover it, as the
/// report covers what it is about.
class PageStack : public QStackedWidget
{
    Q_OBJECT

public:
    using QStackedWidget::QStackedWidget;

    /// Takes the page over. The first one is the current one.
    void add(Page& page);
    const std::vector<Page*>& pages() const { return m_pages; }

    /// On screen, or covered.
    Page& current() const { return *m_current; }
    bool isCurrent(const Page& page) const { return m_current == &page; }
    /// Makes it the current one and gives it the keyboard; what covers the page itself stays in front.
    void show(Page& page);

    void cover(Page& page);
    void uncover();
    bool isCoveredBy(const Page& page) const { return m_cover == &page; }

    /// Those of the current page; while it is covered, those that do not need it in sight.
    PageOffers offers() const;
    /// The current page, or what covers it.
    Page& inSight() const { return m_cover ? *m_cover : *m_current; }
    Picture picture() const { return inSight().picture(); }
    /// The current page and what covers it.
    bool isSettled() const { return m_current->isSettled() && (!m_cover || m_cover->isSettled()); }

signals:
    /// Another current page, another cover, or the current page shows something else.
    void changed();
    /// Of the current page.
    void statusChanged();
    void settled();

private:
    void bringForward(Page& page);

    std::vector<Page*> m_pages;
    Page* m_current = nullptr;
    Page* m_cover = nullptr; ///< null: the current page is in sight
};

} // namespace highwater::gui
