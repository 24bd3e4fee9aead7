#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QObject>
#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "app/workspace/tasks/latest_task.h"
#include "app/workspace/theme/band_palette.h"
#include "core/analysis/categories/allocation_filter.h"

namespace highwater::gui {

/// How the bands of the timeline are grouped, coloured and highlighted: the mode, the groups hidden or
/// isolated in the legend, and the search results. Groups are computed off the GUI thread; nothing changes
/// until those of a new mode are ready.
class BandView : public QObject
{
    Q_OBJECT

public:
    explicit BandView(QObject* parent = nullptr);

    /// Shows another device; null for none. The mode that the user chose is kept for devices that support it;
    /// the emphasis is cleared. `palette` colours single allocations; null for the device's own. Does nothing
    /// if both are on screen already.
    void setAnalysis(std::shared_ptr<const DeviceAnalysis> analysis,
        const std::shared_ptr<const BandPalette>& palette = nullptr);
    const std::shared_ptr<const DeviceAnalysis>& analysis() const { return m_analysis; }

    /// Returns the modes worth offering for this device, Allocations first.
    std::vector<BandMode> modes() const;
    /// Sets the mode for later devices that lack the one that the user chose, or if none was chosen.
    void preferMode(BandMode mode) { m_preferredMode = mode; }
    /// Ignored if the device does not support the mode.
    void setMode(BandMode mode);
    /// Returns the mode on screen.
    BandMode mode() const { return m_mode; }
    /// Returns the mode requested last, which may still be pending.
    BandMode wantedMode() const { return m_wantedMode; }

    /// Returns the groups that colours and legend use: those of the mode, but in the modes Allocations and
    /// Site the categories if the device has several. Null without a device.
    std::shared_ptr<const BandGroups> groups() const
    {
        return m_shown.palette ? m_shown.palette->groups() : nullptr;
    }
    const std::shared_ptr<const BandPalette>& palette() const { return m_shown.palette; }
    /// Returns the palette on screen if this device is on screen, else the first one of `analysis`, which may
    /// not be null.
    std::shared_ptr<const BandPalette> paletteFor(const std::shared_ptr<const DeviceAnalysis>& analysis) const
    {
        return analysis == m_analysis && palette() ? palette() : analysis->allocationPalette();
    }
    /// Returns the groups whose bands are stacked as a whole; null in mode Allocations.
    std::shared_ptr<const BandGroups> stacking() const { return m_shown.stack; }

    /// Fades all other groups, or ends that if this group is isolated. The group is then no longer hidden.
    void toggleIsolated(GroupRank group);
    /// Fades this group, or shows it again; ends its isolation.
    void toggleHidden(GroupRank group);
    std::optional<GroupRank> isolated() const { return m_isolated; }
    bool isHidden(GroupRank group) const { return group < m_hidden.size() && m_hidden[group]; }
    /// True if the legend does not fade the group.
    bool isShown(GroupRank group) const { return !isHidden(group) && m_isolated.value_or(group) == group; }
    bool hasChosenGroups() const { return m_isolated || std::ranges::count(m_hidden, true) > 0; }
    /// Forgets the hidden and isolated groups; matches stay.
    void clearEmphasis();
    /// Fades allocations that do not match; null fades none. Must belong to this device.
    void setMatches(std::shared_ptr<const FilterResult> matches);

    /// A flag for each allocation of a device.
    using Highlight = std::shared_ptr<const std::vector<bool>>;
    /// Fades all other allocations, overriding legend and search; null ends the highlight. Must belong to
    /// this device. The name says what the allocations have in common, such as "left behind by step 6"; empty
    /// if it is not known. A highlight that is set again keeps its first name.
    void setHighlighted(Highlight highlight, const QString& name = {});
    const Highlight& highlighted() const { return m_highlight; }
    /// Returns the name of what is highlighted or isolated in the legend; empty if there is none.
    QString highlightName() const;

    /// Returns the allocations that are not faded, by allocation; null if none is faded.
    const std::shared_ptr<const std::vector<bool>>& emphasis() const { return m_emphasis; }

signals:
    /// Any of the above may have changed.
    void changed();

private:
    using Palette = std::shared_ptr<const BandPalette>;
    /// How the bands of one mode are stacked and coloured.
    struct Look
    {
        Palette palette; ///< null if not computed yet
        std::shared_ptr<const BandGroups> stack;
    };

    Look& cachedLook(BandMode mode) { return m_looks[static_cast<std::size_t>(mode)]; }
    static Look makeLook(const DeviceAnalysis& analysis, BandMode mode, const Palette& basePalette);
    BandMode firstMode() const;
    void requestMode(BandMode mode);
    void computeLook(BandMode mode);
    void showMode(BandMode mode);
    void forgetChosenGroups();
    void updateEmphasis();

    std::shared_ptr<const DeviceAnalysis> m_analysis;
    BandMode m_mode = BandMode::Allocations;
    BandMode m_wantedMode = BandMode::Allocations;
    BandMode m_preferredMode = BandMode::Allocations;
    std::optional<BandMode> m_chosenMode; ///< by the user, also while a device lacks it
    Look m_shown;
    std::array<Look, kBandModeCount> m_looks; ///< by mode, of this device
    std::vector<bool> m_hidden; ///< by group; empty if none is hidden
    std::optional<GroupRank> m_isolated;
    std::shared_ptr<const FilterResult> m_matches;
    Highlight m_highlight;
    QString m_highlightName;
    std::shared_ptr<const std::vector<bool>> m_emphasis;
    LatestTask m_task;
};

/// Name of the mode for the user: "Allocations", "Call sites", "Sizes", …
QString modeTitle(BandMode mode);
/// Noun for a group of the mode: "call site", "size", …
QString groupNoun(BandMode mode);

/// Explains the word "guess" after the name of a category.
QString guessText();

} // namespace highwater::gui
