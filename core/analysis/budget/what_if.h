#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/budget/budget.h"

namespace highwater {

/// One setting, and what it is tried with.
struct WhatIfAxis
{
    std::string key; ///< as in the configuration: "batch"
    std::vector<std::string> values;
};

/// The run with other settings.
struct WhatIfCase
{
    std::vector<std::string> values; ///< one for each axis
    std::optional<std::int64_t> accumulation; ///< that keeps the effective batch as far as it can be kept
    std::optional<std::int64_t> effectiveBatch; ///< sequences of one optimizer step, over all devices
    bool keepsEffectiveBatch = true;
    Budget budget; ///< by the formulae, without calibration
    Bytes activations = 0; ///< calibrated
    Bytes low = 0; ///< calibrated, as are the next two
    Bytes expected = 0;
    Bytes high = 0;
};

struct WhatIf
{
    std::vector<WhatIfAxis> axes;
    std::optional<std::int64_t> effectiveBatch; ///< of the run as it is
    Bytes expected = 0; ///< of the run as it is, calibrated
    std::optional<double> activationsFactor; ///< observed against expected; absent: nothing was observed
    std::vector<WhatIfCase> cases; ///< every combination; the last axis changes fastest
};

/// Most combinations that are worked out.
inline constexpr std::size_t kMostWhatIfCases = 512;

/// "batch=1,2,4". Fails with BadRequest for settings that are no axis: batch, group, seq_len, vocab, dtype,
/// logits_dtype, logits_copies, optimizer, checkpointing and attention are.
Result<WhatIfAxis> whatIfAxisFromText(const std::string& text);

/// The budget of every combination. Micro-steps adapt so that the effective batch stays; where it is no
/// multiple, there is one more of them. Activations are scaled by `activationsFactor`; activations given as
/// bytes go with the tokens and the type. A dtype is that of all copies. Fails with BadRequest for values
/// that cannot be and for more than `kMostWhatIfCases`.
Result<WhatIf> whatIf(
    const RunShape& run, std::vector<WhatIfAxis> axes, std::optional<double> activationsFactor);

} // namespace highwater
