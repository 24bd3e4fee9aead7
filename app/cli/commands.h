#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/cli/inputs.h"

namespace highwater::cli {

struct InfoOptions
{
    CommonOptions common;
    bool hash = false;
};

/// `highwater info`: what each file holds, in figures.
int runInfo(const InfoOptions& options);

struct PeaksOptions
{
    CommonOptions common;
    std::optional<std::string> device; ///< "0", "cuda:0", "host:0"
    std::optional<std::int64_t> at;
    std::string group = "stack";
    std::size_t top = 20;
};

/// `highwater peaks`: what was live at the peak, or at another event.
int runPeaks(const PeaksOptions& options);

} // namespace highwater::cli
