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
    Activation, ///< kept by forward for backward
    Temporary, ///< freed within the operator or the phase that allocated it
    Input,
    Workspace, ///< workspaces of cuBLAS, cuDNN, NCCL
    KvCache, ///< keys and values kept for the next tokens, an inference engine's pools of them among them
    BeforeRecording, ///< allocated before the recording begins, and nothing tells what for
    Unknown,
};
inline constexpr std::size_t kCategoryCount = 10;

/// "parameter", "optimizer_state", "gradient", "activation", "temporary", "input", "workspace", "kv_cache",
/// "before_recording", "unknown".
std::string_view toText(Category category);
/// Takes "engine_pool" for "kv_cache", as it was called before.
std::optional<Category> categoryFromText(std::string_view text);
/// Nothing tells what it is for.
constexpr bool isUntold(Category category)
{
    return category == Category::Unknown || category == Category::BeforeRecording;
}
/// Display names: "parameters", "optimizer state", "gradients", …
std::string_view titleOf(Category category);

/// A category rule of the user. All given conditions must hold.
struct CategoryRule
{
    Category category = Category::Unknown;
    std::string frames; ///< RE2, found in a line "function file:line" of the stack; empty: any stack
    Bytes minBytes = 0;
    Bytes maxBytes = std::numeric_limits<Bytes>::max();
    std::string phase; ///< name of the phase it was allocated in; empty: any

    bool operator==(const CategoryRule&) const = default;
};

/// Reads `[{"category": "activation", "frames": "regex", "min_bytes": 0, "max_bytes": 0, "phase":
/// "forward"}]` (`max_bytes` 0: no limit). Fails with Malformed and names the invalid rule and the reason:
/// unknown category or phase, invalid regular expression, unknown key.
Result<std::vector<CategoryRule>> parseCategoryRules(std::string_view json);
/// The same rules as JSON, formatted for editing.
std::string toJsonText(const std::vector<CategoryRule>& rules);

} // namespace highwater
