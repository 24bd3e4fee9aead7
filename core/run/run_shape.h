#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/run/budget_line_name.h"
#include "core/run/element_type.h"
#include "core/run/model_shape.h"
#include "core/run/optimizer_kind.h"

namespace highwater {

/// The role of a model copy.
enum class ModelRole : std::uint8_t
{
    Policy, ///< The trained model
    Reference,
    Critic,
    Reward,
    Engine, ///< Weights of an inference engine, which also has a KV cache
};
/// Returns "policy", "reference", "critic", "reward", "engine".
std::string_view toText(ModelRole role);

/// One copy of the weights on the device.
struct ModelCopy
{
    ModelRole role = ModelRole::Policy;
    std::optional<ElementType> dtype; ///< Absent means the run's
    bool trainable = true;
    std::optional<std::int64_t> parameters; ///< Absent means those of the run's model
    bool operator==(const ModelCopy&) const = default;
};

/// The activations that are recomputed in backward instead of being kept.
enum class Checkpointing : std::uint8_t
{
    None,
    Selective, ///< Only attention is recomputed
    Full, ///< Each layer keeps only its input
};

/// How attention is computed, which decides whether scores are kept.
enum class AttentionKind : std::uint8_t
{
    Flash, ///< Never materialises the matrix of scores
    Eager, ///< The model's own code: scores, softmax and dropout as tensors
    Math, ///< The fallback of PyTorch's `scaled_dot_product_attention`, which computes in fp32
};

/// How a model's state is sharded over devices, and which parts are offloaded to the host.
struct Sharding
{
    enum class Kind : std::uint8_t
    {
        None,
        Ddp,
        Zero1,
        Zero2,
        Zero3,
        Fsdp,
    };
    enum class Offload : std::uint8_t
    {
        None,
        Optimizer, ///< Optimizer state, master weights and gradients
        All, ///< The weights as well
    };
    Kind kind = Kind::None;
    std::int64_t world = 1; ///< Number of devices
    Offload offload = Offload::None;

    bool shardsOptimizer() const { return kind >= Kind::Zero1; }
    bool shardsWeights() const { return kind == Kind::Zero3 || kind == Kind::Fsdp; }
    bool operator==(const Sharding&) const = default;
};

/// A memory need stated for one line, or for all lines together: "0.64 GB", "2-3 GiB".
struct StatedFigure
{
    std::optional<BudgetLineName> line; ///< Absent for the total
    double low = 0; ///< In the unit that `power` and `isBinary` give
    double high = 0; ///< In the same unit; larger than `low` if a range is stated
    int decimals = 0; ///< Number of decimals written; in a range, those of `high`
    int power = 3; ///< Power of 1000 or 1024: 0 bytes, 1 kilo, 2 mega, 3 giga, 4 tera
    bool isBinary = false; ///< Written as KiB, MiB, GiB, TiB
    std::string text; ///< As written
    bool operator==(const StatedFigure&) const = default;
};

/// The settings of a training run from which its memory budget is computed. Settings that are not given are
/// absent.
struct RunShape
{
    ModelShape shape; ///< From the model's file, overridden by the run's settings
    std::optional<std::int64_t> parameters; ///< Given by the user
    std::optional<std::int64_t> largestLayer; ///< Parameters of the largest layer
    std::vector<ModelCopy> copies; ///< Empty means one policy
    std::optional<ElementType> dtype;
    std::optional<ElementType> activationsDtype;
    std::optional<ElementType> logitsDtype;
    std::optional<std::int64_t> logitsCopies;
    std::optional<OptimizerKind> optimizer;
    std::optional<ElementType> optimizerDtype;
    std::optional<bool> masterWeights;
    std::optional<double> trainableShare; ///< Share of the parameters that is trained
    std::optional<std::int64_t> loraRank; ///< Adapters on all linear layers, besides the parameters
    std::optional<std::int64_t> batch; ///< Sequences; with a group, prompts
    std::optional<std::int64_t> group; ///< Samples per prompt
    std::optional<std::int64_t> sequence; ///< Tokens per sequence, padded
    std::optional<std::int64_t> accumulation;
    std::optional<std::int64_t> keyValueTokens; ///< Tokens that the KV cache holds
    std::optional<Checkpointing> checkpointing;
    std::optional<AttentionKind> attention;
    std::optional<bool> useCache; ///< Forward builds a key-value cache also in training
    Sharding sharding;
    std::optional<Bytes> activationsBytes; ///< Given by the user, in place of the formula
    std::optional<Bytes> outsideBytes; ///< Memory outside PyTorch's allocator, given by the user
    std::vector<std::string> gpus; ///< As written: names of GPUs or sizes
    std::vector<StatedFigure> stated;

    bool operator==(const RunShape&) const = default;
};

/// Reads the settings of a run's configuration file (`parseConfiguration`). They override `model`, the
/// shape from the model's own file. Fails with Malformed for unknown keys, duplicate keys, invalid values and
/// if there are no settings; the message names the key. O(settings).
Result<RunShape> parseRunShape(const std::vector<ConfigurationEntry>& entries, const ModelShape& model = {});

/// Returns the run with one setting changed. Fails with Malformed for an invalid value, for a setting that
/// the run's others exclude, and for keys that are unknown or have parts ("copies", "sharding", "stated").
Result<RunShape> withSetting(RunShape run, const std::string& key, const std::string& value);

/// Returns the path of the model's file in the settings; empty if there is none.
std::string findModelPath(const std::vector<ConfigurationEntry>& entries);

/// Parses "0.64 GB", "2-3 GiB", "16160 MiB", "637674720"; nullopt for other texts.
std::optional<StatedFigure> statedFigureFromText(const std::string& text);

} // namespace highwater
