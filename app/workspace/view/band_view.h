#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/band_palette.h"
#include "core/analysis/usage/allocation_filter.h"

namespace highwater::gui {

/// How the bands of the timeline are grouped and coloured, and which of them are highlighted: the mode, the
/// groups hidden or isolated in the legend, and the search results. Groups are computed off the GUI thread;
/// until those of a new mode are ready nothing changes.
class BandView : public QObject
{
    Q_OBJECT

public:
    explicit BandView(QObject* parent = nullptr);

    /// Shows another device; null: none. The mode stays where the device has it, the emphasis goes.
    /// `palette`: of single allocations and of what they are coloured by; null: the device's own.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis,
        const std::shared_ptr<const BandPalette>& palette = nullptr);
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }

    /// Those worth offering for this device, Allocations first.
    std::vector<BandMode> modes() const;
    /// The mode of devices to come, where they have it.
    void preferMode(BandMode mode) { m_wanted = mode; }
    /// Ignored if it is none of those.
    void setMode(BandMode mode);
    /// What is shown.
    BandMode mode() const { return m_mode; }
    /// The one asked for last, which may still be on its way.
    BandMode wantedMode() const { return m_wanted; }

    /// What colours and legend go by: in the modes Allocations and Site the categories, or else the call
    /// sites. Null without a device.
    std::shared_ptr<const BandGroups> groups() const
    {
        return m_shown.palette ? m_shown.palette->groups() : nullptr;
    }
    const std::shared_ptr<const BandPalette>& palette() const { return m_shown.palette; }
    /// What is stacked as wholes; null in mode Allocations.
    std::shared_ptr<const BandGroups> stacking() const { return m_shown.stack; }

    /// Fades all other groups, or releases them again.
    void toggleIsolated(GroupRank group);
    /// Fades this group, or shows it again.
    void toggleHidden(GroupRank group);
    std::optional<GroupRank> isolated() const { return m_isolated; }
    bool isHidden(GroupRank group) const { return group < m_hidden.size() && m_hidden[group]; }
    /// Whether the legend's state shows a group.
    bool isShown(GroupRank group) const { return !isHidden(group) && m_isolated.value_or(group) == group; }
    bool hasChosenGroups() const { return m_isolated || std::ranges::count(m_hidden, true) > 0; }
    /// Forgets which groups are hidden and isolated; matches stay.
    void clearEmphasis();
    /// Fades what does not match; null: nothing. It must be of this device.
    void setMatches(std::shared_ptr<const FilterResult> matches);

    /// Some allocations of a device, by allocation.
    using Highlight = std::shared_ptr<const std::vector<bool>>;
    /// Fades all other allocations, whatever the legend and the search highlight; null: no selection. It must
    /// be of this device.
    void setHighlighted(Highlight highlight);
    const Highlight& highlighted() const { return m_highlight; }

    /// By allocation, false: faded. Null: none is.
    const std::shared_ptr<const std::vector<bool>>& emphasis() const { return m_emphasis; }

signals:
    /// Of anything above.
    void changed();

private:
    using Palette = std::shared_ptr<const BandPalette>;
    /// How the bands of one mode lie and look.
    struct Look
    {
        Palette palette; ///< null: not computed yet
        std::shared_ptr<const BandGroups> stack;
    };

    Look& computed(BandMode mode) { return m_computed[static_cast<std::size_t>(mode)]; }
    static Look lookOf(const DeviceAnalysis& analysis, BandMode mode, const Palette& ofAllocations);
    void compute(BandMode mode);
    void showMode(BandMode mode);
    void forgetChosenGroups();
    void updateEmphasis();

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    BandMode m_mode = BandMode::Allocations;
    BandMode m_wanted = BandMode::Allocations;
    Look m_shown;
    std::array<Look, kBandModes> m_computed; ///< by mode, of this device
    std::vector<bool> m_hidden; ///< by group; empty: none is
    std::optional<GroupRank> m_isolated;
    std::shared_ptr<const FilterResult> m_matches;
    Highlight m_highlight;
    std::shared_ptr<const std::vector<bool>> m_emphasis;
    LatestTask m_task;
};

/// "Allocations", "Call sites", "Sizes", …: for people to choose from.
QString modeTitle(BandMode mode);
/// What it groups by: "call site", "size", …
QString groupNoun(BandMode mode);

} // namespace highwater::gui
