#pragma once

#include <map>
#include <memory>
#include <optional>

#include <QObject>

#include "app/workspace/document/run_state.h"
#include "app/workspace/tasks/latest_task.h"
#include "core/study/fixed_run.h"

namespace highwater::gui {

/// The run with the fix of the finding that the user points at, else of the one that the user keeps on
/// screen. It is computed off the GUI thread when it is first wanted, and known until the study changes.
class FixPreview : public QObject
{
    Q_OBJECT

public:
    /// `run` must outlive the preview.
    explicit FixPreview(const RunState& run, QObject* parent = nullptr);

    /// Points at a finding of the study, by its number; nullopt for none.
    void pointAt(std::optional<std::size_t> finding);
    /// Keeps the fix of a finding on screen until another one is kept; nullopt for none.
    void keep(std::optional<std::size_t> finding);
    std::optional<std::size_t> kept() const { return m_kept; }
    /// Returns the run with the fix; null while none is wanted, while it is computed, and if the finding has
    /// no computed saving.
    std::shared_ptr<const FixedRun> shown() const;

signals:
    /// `shown` may have changed.
    void changed();

private:
    void show();
    void forget();
    std::optional<std::size_t> wanted() const { return m_pointed ? m_pointed : m_kept; }

    const RunState& m_run;
    std::optional<std::size_t> m_pointed;
    std::optional<std::size_t> m_kept;
    std::map<std::size_t, std::shared_ptr<const FixedRun>> m_known; ///< by number of the finding
    LatestTask m_task;
};

} // namespace highwater::gui
