#include "app/workspace/view/band_view.h"

#include <algorithm>
#include <utility>

#include "app/workspace/tasks/qt_text.h"
#include "core/analysis/composition/band_stack.h"

namespace highwater::gui {

BandView::BandView(QObject* parent)
    : QObject(parent)
{
}

void BandView::setAnalysis(
    std::shared_ptr<const DeviceAnalysis> analysis, const std::shared_ptr<const BandPalette>& palette)
{
    const bool samePalette = !palette || cachedLook(BandMode::Allocations).palette == palette;
    if (m_analysis == analysis && samePalette)
        return;
    m_task.drop();
    m_analysis = std::move(analysis);
    m_looks = {};
    m_matches.reset();
    m_highlight.reset();
    m_highlightName.clear();
    forgetChosenGroups();
    m_shown = {};
    m_mode = BandMode::Allocations;
    const BandMode wanted = firstMode();
    if (m_analysis) {
        const Palette basePalette = palette ? palette : m_analysis->allocationPalette();
        cachedLook(BandMode::Allocations) = {basePalette, nullptr};
        cachedLook(BandMode::Site) = {basePalette, m_analysis->siteStack};
        m_mode = cachedLook(wanted).palette ? wanted : BandMode::Allocations;
        m_shown = cachedLook(m_mode);
    }
    m_wantedMode = m_mode;
    updateEmphasis();
    emit changed();
    requestMode(wanted);
}

/// Returns the mode in which a device is shown at first: the chosen one, else the preferred one, if the
/// device has it.
BandMode BandView::firstMode() const
{
    for (const BandMode mode : {m_chosenMode.value_or(m_preferredMode), m_preferredMode})
        if (m_analysis && std::ranges::count(m_analysis->bandModes, mode) > 0)
            return mode;
    return BandMode::Allocations;
}

std::vector<BandMode> BandView::modes() const
{
    return m_analysis ? m_analysis->bandModes : std::vector<BandMode>();
}

void BandView::setMode(BandMode mode)
{
    if (!m_analysis || std::ranges::count(m_analysis->bandModes, mode) == 0)
        return;
    m_chosenMode = mode;
    requestMode(mode);
}

void BandView::requestMode(BandMode mode)
{
    if (mode == m_wantedMode)
        return;
    m_wantedMode = mode;
    if (cachedLook(mode).palette)
        showMode(mode);
    else
        computeLook(mode);
}

BandView::Look BandView::makeLook(const DeviceAnalysis& analysis, BandMode mode, const Palette& basePalette)
{
    const std::int64_t peak = analysis.figures.peakEvent;
    if (mode == BandMode::Category) {
        const bool isShared = basePalette->groups()->mode == mode;
        return {isShared ? basePalette : analysis.categoryPalette,
            std::make_shared<const BandGroups>(stackBands(
                analysis.study, analysis.live, *analysis.siteGroups, analysis.keptBlocks, peak, mode))};
    }
    const auto groups = std::make_shared<const BandGroups>(groupBands(
        *analysis.trace, analysis.live, analysis.sites, peak, mode, &analysis.categories, &analysis.steps));
    return {std::make_shared<const BandPalette>(groups, analysis.live), groups};
}

void BandView::computeLook(BandMode mode)
{
    const Palette basePalette = cachedLook(BandMode::Allocations).palette;
    m_task.run([this, mode, analysis = m_analysis, basePalette]() -> LatestTask::Delivery {
        return [this, mode, analysis, look = makeLook(*analysis, mode, basePalette)] {
            if (analysis != m_analysis)
                return;
            cachedLook(mode) = look;
            if (mode == m_wantedMode)
                showMode(mode);
        };
    });
}

void BandView::showMode(BandMode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    const Palette previousPalette = m_shown.palette;
    m_shown = cachedLook(mode);
    if (m_shown.palette != previousPalette) {
        forgetChosenGroups();
        updateEmphasis();
    }
    emit changed();
}

void BandView::toggleIsolated(GroupRank group)
{
    if (!m_shown.palette || group >= m_shown.palette->groups()->groups.size())
        return;
    if (m_isolated == group) {
        m_isolated.reset();
    } else {
        m_isolated = group;
        if (isHidden(group))
            m_hidden[group] = false;
    }
    updateEmphasis();
    emit changed();
}

void BandView::toggleHidden(GroupRank group)
{
    if (!m_shown.palette || group >= m_shown.palette->groups()->groups.size())
        return;
    m_hidden.resize(m_shown.palette->groups()->groups.size());
    m_hidden[group] = !m_hidden[group];
    if (m_isolated == group)
        m_isolated.reset();
    updateEmphasis();
    emit changed();
}

void BandView::clearEmphasis()
{
    if (!hasChosenGroups())
        return;
    forgetChosenGroups();
    updateEmphasis();
    emit changed();
}

void BandView::setMatches(std::shared_ptr<const FilterResult> matches)
{
    if (matches && (!m_analysis || matches->matches.size() != m_analysis->allocations.size()))
        matches.reset();
    if (matches == m_matches)
        return;
    m_matches = std::move(matches);
    updateEmphasis();
    emit changed();
}

void BandView::setHighlighted(Highlight highlight, const QString& name)
{
    if (highlight && (!m_analysis || highlight->size() != m_analysis->allocations.size()))
        highlight.reset();
    if (highlight == m_highlight)
        return;
    m_highlight = std::move(highlight);
    m_highlightName = m_highlight ? name : QString();
    updateEmphasis();
    emit changed();
}

QString BandView::highlightName() const
{
    if (m_highlight)
        return m_highlightName;
    return m_isolated ? toQString(groups()->groups[*m_isolated].label) : QString();
}

void BandView::forgetChosenGroups()
{
    m_hidden.clear();
    m_isolated.reset();
}

void BandView::updateEmphasis()
{
    if (m_highlight) {
        m_emphasis = m_highlight;
        return;
    }
    if (!hasChosenGroups()) {
        m_emphasis.reset();
        if (m_matches)
            m_emphasis = {m_matches, &m_matches->matches};
        return;
    }
    const BandGroups& groups = *m_shown.palette->groups();
    std::vector<bool> isGroupShown(groups.groups.size());
    for (std::size_t group = 0; group < isGroupShown.size(); ++group)
        isGroupShown[group] = isShown(static_cast<GroupRank>(group));
    auto emphasis = std::make_shared<std::vector<bool>>(m_analysis->allocations.size());
    for (AllocationIndex i = 0; i < emphasis->size(); ++i)
        (*emphasis)[i] = isGroupShown[groups.rank(i)] && (!m_matches || m_matches->matches[i]);
    m_emphasis = std::move(emphasis);
}

QString modeTitle(BandMode mode)
{
    switch (mode) {
    case BandMode::Site: return BandView::tr("Call sites");
    case BandMode::SizeClass: return BandView::tr("Sizes");
    case BandMode::Stream: return BandView::tr("Streams");
    case BandMode::Pool: return BandView::tr("Pools");
    case BandMode::Category: return BandView::tr("Categories");
    case BandMode::Step: return BandView::tr("Allocated in step");
    case BandMode::Module: return BandView::tr("Modules");
    case BandMode::Allocations: break;
    }
    return BandView::tr("Allocations");
}

QString groupNoun(BandMode mode)
{
    switch (mode) {
    case BandMode::SizeClass: return BandView::tr("size");
    case BandMode::Stream: return BandView::tr("stream");
    case BandMode::Pool: return BandView::tr("pool");
    case BandMode::Category: return BandView::tr("category");
    case BandMode::Step: return BandView::tr("step");
    case BandMode::Module: return BandView::tr("module");
    case BandMode::Allocations:
    case BandMode::Site: break;
    }
    return BandView::tr("call site");
}

QString guessText()
{
    return BandView::tr(
        "Guess: nothing in the recording decides it. Details give the reason for each allocation");
}

} // namespace highwater::gui
