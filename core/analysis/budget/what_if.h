#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget.h"

namespace highwater {

/// One setting and the values to try.
struct WhatIfAxis
{
    std::string key; ///< as in the configuration: "batch"
    std::vector<std::string> values;
};

/// The run with one combination of settings.
struct WhatIfCase
{
    std::vector<std::string> values; ///< one for each axis
    std::optional<std::int64_t> accumulation; ///< micro-steps that keep the effective batch, if possible
    std::optional<std::int64_t> effectiveBatch; ///< sequences of one optimizer step, over all devices
    bool keepsEffectiveBatch = true;
    Budget budget; ///< by the formulae, without calibration
    Bytes activations = 0; ///< calibrated
    Bytes low = 0; ///< calibrated, like `expected` and `high`
    Bytes expected = 0;
    Bytes high = 0;
};

/// A run with every combination of the settings. (`WhatIf` is the change of an allocator replay.)
struct WhatIfGrid
{
    std::vector<WhatIfAxis> axes;
    std::optional<std::int64_t> effectiveBatch; ///< effective batch of the unmodified run
    WhatIfCase asConfigured; ///< the unmodified run, calibrated like the cases; has no values
    /// Activations of earlier steps that were alive at the observed peak. They belong to the observed run,
    /// not to any case.
    Bytes fromEarlierSteps = 0;
    std::optional<double> activationsFactor; ///< observed / expected; not set if one of the two is unknown
    std::vector<WhatIfCase> cases; ///< every combination; the last axis changes fastest
};

/// The largest number of combinations that are computed.
inline constexpr std::size_t kMaxWhatIfCases = 512;

/// Parses "batch=1,2,4". Fails with BadRequest if a value is empty, and for settings other than batch, group,
/// seq_len, vocab, dtype, logits_dtype, logits_copies, optimizer, checkpointing and attention.
Result<WhatIfAxis> whatIfAxisFromText(const std::string& text);

/// Computes the budget of every combination. The number of micro-steps changes so that the effective batch
/// stays the same; it is rounded up if the new batch does not divide the effective batch. Activations are
/// scaled by `activationsFactor`; activations given in bytes scale with the tokens and the element type. A
/// dtype applies to all copies. Fails with BadRequest for invalid values, a setting that is given twice, and
/// more than `kMaxWhatIfCases` combinations.
Result<WhatIfGrid> whatIf(
    const RunShape& run, std::vector<WhatIfAxis> axes, std::optional<double> activationsFactor);

/// Returns what a reader of the grid has to know, as clauses: the effective batch, by how much activations
/// are scaled, and which axes change nothing, since no line of the estimate depends on them. O(cases × axes).
std::vector<std::string> whatIfNotes(const WhatIfGrid& grid);

} // namespace highwater
