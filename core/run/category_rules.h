#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"

namespace highwater {

/// The purpose of a block of memory.
enum class Category : std::uint8_t
{
    Parameter,
    OptimizerState,
    Gradient,
    Activation, ///< Kept by forward for backward
    Temporary, ///< Freed within the operator or phase that allocated it
    Input,
    Workspace, ///< Workspaces of cuBLAS, cuDNN, NCCL
    KvCache, ///< Keys and values kept for the next tokens, including an inference engine's pools of them
    BeforeRecording, ///< Allocated before recording began, purpose unknown
    Unknown,
};
inline constexpr std::size_t kCategoryCount = 10;

/// Returns "parameter", "optimizer_state", "gradient", "activation", "temporary", "input", "workspace",
/// "kv_cache", "before_recording", "unknown".
std::string_view toText(Category category);
/// Parses these names, and "engine_pool", the former name of "kv_cache"; nullopt for other texts.
std::optional<Category> categoryFromText(std::string_view text);
/// True if the purpose is unknown.
constexpr bool isUncategorized(Category category)
{
    return category == Category::Unknown || category == Category::BeforeRecording;
}
/// Returns display names: "parameters", "optimizer state", "gradients", …
std::string_view titleOf(Category category);
/// Returns "inputs", or "inputs (guess)".
std::string titleOf(Category category, bool isGuess);

/// A rule of the user: blocks that meet all conditions get this category.
struct CategoryRule
{
    Category category = Category::Unknown;
    std::string frames; ///< RE2, searched in the lines "function file:line" of the stack; empty for any stack
    Bytes minBytes = 0;
    Bytes maxBytes = std::numeric_limits<Bytes>::max();
    std::string phase; ///< Name of the phase of the allocation; empty for any

    bool operator==(const CategoryRule&) const = default;
};

/// Reads `[{"category": "activation", "frames": "regex", "min_bytes": 0, "max_bytes": 0, "phase":
/// "forward"}]` (`max_bytes` 0 means no limit); only "category" is required. Fails as `parseJsonDocument`,
/// and with Malformed for an invalid rule; the message names the first one, counted from 1, and the reason.
Result<std::vector<CategoryRule>> parseCategoryRules(std::string_view json);
/// Returns the rules as JSON that `parseCategoryRules` reads, formatted for editing.
std::string toJsonText(const std::vector<CategoryRule>& rules);

} // namespace highwater
