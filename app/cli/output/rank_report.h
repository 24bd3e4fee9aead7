#pragma once

#include <memory>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/ranks/rank_table.h"

namespace highwater::cli {

/// Compares the files of one command with each other, as ranks where their ranks are known. Files are added
/// in any order.
class RankReport
{
public:
    void add(RankFile file) { m_files.push_back(std::make_shared<const RankFile>(std::move(file))); }
    /// True if there is more than one file.
    bool hasSeveralFiles() const { return m_files.size() > 1; }
    /// True if at least two files have devices or cannot be read. Logs beside one snapshot are not ranks.
    bool hasSeveralRanks() const;

    /// Returns `{"median_peak_bytes", "groups": […], "outliers": […], "sentences": […]}`; the median is null
    /// if the files fall into several groups.
    nlohmann::ordered_json json() const;
    /// Prints a table with one row per device, by rank, or per file without a device, and the sentences about
    /// it.
    void print() const;

private:
    /// Returns the table in order of rank.
    RankTable table() const;

    std::vector<std::shared_ptr<const RankFile>> m_files;
};

} // namespace highwater::cli
