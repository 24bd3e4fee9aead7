#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "core/analysis/budget/budget.h"
#include "core/run/configuration.h"
#include "core/run/run_shape.h"

namespace highwater::test {

using LineName = BudgetLineName;

/// Reads a run's configuration in YAML or JSON, optionally with a model's config.json.
inline Result<RunShape> readRun(std::string_view text, std::string_view model = {})
{
    const auto entries = parseConfiguration(text);
    if (!entries)
        return tl::unexpected(entries.error());
    if (model.empty())
        return parseRunShape(*entries);
    return parseConfiguration(model).and_then(parseModelShape).and_then([&entries](const ModelShape& shape) {
        return parseRunShape(*entries, shape);
    });
}

/// Returns the budget of a configuration; fails the test if there is none.
inline Budget budgetOf(std::string_view text, std::string_view model = {})
{
    const Result<RunShape> run = readRun(text, model);
    EXPECT_TRUE(run) << run.error().message;
    if (!run)
        return {};
    const Result<Budget> budget = expectedBudget(*run);
    EXPECT_TRUE(budget) << budget.error().message;
    return budget.value_or(Budget());
}

/// Returns the bytes of one line; −1 if there is none.
inline Bytes lineOf(const Budget& budget, BudgetLineName name)
{
    const BudgetLine* const line = budget.find(name);
    return line ? line->likely() : -1;
}

inline double gib(Bytes bytes)
{
    return static_cast<double>(bytes) / static_cast<double>(kGiB);
}

} // namespace highwater::test
