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
    std::optional<std::string> device; ///< "0", "cuda:0", "host"
    std::optional<std::int64_t> at;
    std::string group = "stack";
    std::size_t top = 20;
};

/// `highwater peaks`: what was live at the peak, or at another event.
int runPeaks(const PeaksOptions& options);

struct ConvertOptions
{
    CommonOptions common;
    std::string out;
    bool force = false;
};

/// `highwater convert`: writes a file in the own compact form.
int runConvert(const ConvertOptions& options);

struct ExportOptions
{
    CommonOptions common;
    std::optional<std::string> device;
    std::string what;
    std::string range; ///< "A:B" in events; empty: all
    int width = 1000;
    std::string mode = "allocations";
    std::string out;
    bool force = false;
};

/// `highwater export`: data for other programs.
int runExport(const ExportOptions& options);

/// `highwater bench`: seconds and bytes of each stage of opening and drawing a file.
int runBench(const CommonOptions& options);

} // namespace highwater::cli
