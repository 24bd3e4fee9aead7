#pragma once

#include <optional>
#include <string>

#include "app/cli/input/auxiliary_files.h"
#include "app/cli/input/inputs.h"

namespace highwater::cli {

/// The options of `highwater export`, as the parser fills them.
struct ExportOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string what;
    std::string filter; ///< as in a search box; empty selects all allocations
    std::string rules; ///< path of the user's category rules; may be empty
    bool noStacks = false;
    std::optional<std::string> at; ///< a moment (`namesMoment`)
    std::string range; ///< "A:B" in events (B excluded); empty selects all
    int width = 1000;
    AuxiliaryOptions auxiliaryFiles; ///< for curve and trace
    std::string mode = "allocations";
    std::string out;
    bool force = false;
};

/// Runs `highwater export`, which writes data for other programs.
int runExport(const ExportOptions& options);

} // namespace highwater::cli
