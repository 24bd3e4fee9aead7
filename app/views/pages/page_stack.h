#pragma once

#include <vector>

#include <QStackedWidget>

#include "app/views/pages/page.h"

namespace highwater::gui {

/// The pages of the window. Commands go to the current page. Another page can cover the current one, as the
/// report covers the runs that it describes. Add a page before any other call.
class PageStack : public QStackedWidget
{
    Q_OBJECT

public:
    using QStackedWidget::QStackedWidget;

    /// Takes ownership of the page. The first page becomes the current one.
    void add(Page& page);
    const std::vector<Page*>& pages() const { return m_pages; }

    /// Returns the current page, whether it is visible or covered.
    Page& current() const { return *m_current; }
    bool isCurrent(const Page& page) const { return m_current == &page; }
    /// Makes this the current page, uncovers it and gives it the keyboard focus. If it already is the current
    /// page and is covered, it stays covered.
    void show(Page& page);

    /// Shows this page over the current one and gives it the keyboard focus.
    void cover(Page& page);
    /// Shows the current page again. Does nothing if it is not covered.
    void uncover();
    bool isCoveredBy(const Page& page) const { return m_cover == &page; }

    /// Returns the offers of the current page; while it is covered, only those that work without seeing the
    /// page.
    PageOffers offers() const;
    /// Returns the visible page: the cover if there is one, else the current page.
    Page& inSight() const { return m_cover ? *m_cover : *m_current; }
    PictureOffer picture() const { return inSight().picture(); }
    bool isSettled() const { return m_current->isSettled() && (!m_cover || m_cover->isSettled()); }

    /// Returns the minimum size of the visible page, because a hidden one must not widen the window.
    QSize minimumSizeHint() const override;

signals:
    /// Another page became the current page or its cover, or the current page or its cover shows something
    /// else.
    void changed();
    /// The status of the current page or its cover changed.
    void statusChanged();
    /// The current page or its cover has settled.
    void settled();

private:
    void bringForward(Page& page);

    std::vector<Page*> m_pages;
    Page* m_current = nullptr;
    Page* m_cover = nullptr; ///< null while the current page is visible
};

} // namespace highwater::gui
