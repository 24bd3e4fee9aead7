#include "app/views/report/page_breaks.h"

#include <algorithm>
#include <optional>

namespace highwater::gui {

namespace {

/// A last page that is less full than this looks like a mistake.
constexpr double kLeastShareOfLastPage = 0.15;

class PageBreaker
{
public:
    /// Page `shortPage`, counted from 0, is lower than the others by `lessHeight`.
    PageBreaker(const std::vector<PageStrip>& strips, double pageHeight,
        std::optional<std::size_t> shortPage = {}, double lessHeight = 0)
        : m_strips(strips)
        , m_height(pageHeight)
        , m_shortPage(shortPage)
        , m_lessHeight(lessHeight)
    {
    }

    std::vector<PageSpan> pages()
    {
        while (m_next < m_strips.size())
            addPage();
        if (m_pages.empty())
            m_pages.push_back({});
        return std::move(m_pages);
    }

private:
    double nextTop() const { return std::max(m_strips[m_next].top, m_cut); }

    void addPage()
    {
        const PageStrip& first = m_strips[m_next];
        const double header = first.headerBottom - first.headerTop;
        // A header that would take half of the page or more is not repeated.
        const bool repeats = header > 0 && header < m_height / 2;
        const double begin = nextTop();
        const double end
            = begin + m_height - (m_shortPage == m_pages.size() ? m_lessHeight : 0) - (repeats ? header : 0);
        PageSpan page{begin, end, repeats ? first.headerTop : 0, repeats ? first.headerBottom : 0};
        const std::size_t beyond = firstBeyond(end);
        if (beyond == m_next) { // this strip is higher than the page
            m_cut = end;
        } else {
            m_next = lastBreak(beyond);
            page.bottom = m_strips[m_next - 1].bottom;
        }
        m_pages.push_back(page);
    }

    /// Returns the index of the first strip that does not fit above `end`.
    std::size_t firstBeyond(double end) const
    {
        std::size_t beyond = m_next;
        while (beyond < m_strips.size() && m_strips[beyond].bottom <= end)
            ++beyond;
        return beyond;
    }

    /// Returns the strip that begins the next page: moves the break up before strips that must stay with the
    /// following one, unless no strip would remain on the page.
    std::size_t lastBreak(std::size_t beyond) const
    {
        if (beyond == m_strips.size())
            return beyond;
        std::size_t breakAt = beyond;
        while (breakAt > m_next && m_strips[breakAt - 1].keepWithNext)
            --breakAt;
        return breakAt == m_next ? beyond : breakAt;
    }

    const std::vector<PageStrip>& m_strips;
    double m_height;
    std::optional<std::size_t> m_shortPage;
    double m_lessHeight;
    std::vector<PageSpan> m_pages;
    std::size_t m_next = 0; ///< first strip that is not completely on a page
    double m_cut = 0; ///< position above which everything is on a page
};

} // namespace

std::vector<PageSpan> breakPages(const std::vector<PageStrip>& strips, double pageHeight)
{
    std::vector<PageSpan> pages = PageBreaker(strips, pageHeight).pages();
    const double leastHeight = pageHeight * kLeastShareOfLastPage;
    const double lastHeight = pages.back().bottom - pages.back().top;
    if (pages.size() < 2 || lastHeight >= leastHeight)
        return pages;
    std::vector<PageSpan> evened
        = PageBreaker(strips, pageHeight, pages.size() - 2, leastHeight - lastHeight).pages();
    return evened.size() == pages.size() ? evened : pages;
}

} // namespace highwater::gui
