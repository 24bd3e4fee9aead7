#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <QString>

#include "app/workspace/document/device_analysis.h"
#include "core/study/run_study.h"

namespace highwater::gui {

/// Files of a run beside the one on screen: path and trace.
using OpenCompanions = std::vector<std::pair<QString, std::shared_ptr<const Trace>>>;

/// What is found in the run on screen, and what it was found in.
struct DeviceFindings
{
    std::shared_ptr<const DeviceAnalysis> analysis;
    OpenCompanions companions;
    std::vector<Finding> findings; ///< by grade, then by bytes

    /// Those that name memory which need not be used, of grade A or B.
    std::size_t faults() const;
};

} // namespace highwater::gui
