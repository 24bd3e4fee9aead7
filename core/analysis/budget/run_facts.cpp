#include "core/analysis/budget/run_facts.h"

#include <algorithm>

#include "core/analysis/budget/gpu_fit.h"
#include "core/analysis/budget/model_weights.h"

namespace highwater {

std::optional<ElementType> dtypeOf(const RunShape& run)
{
    return run.dtype ? run.dtype : run.shape.dtype;
}

std::optional<ElementType> dtypeOf(const RunShape& run, const ModelCopy& copy)
{
    return copy.dtype ? copy.dtype : dtypeOf(run);
}

AttentionKind attentionOf(const RunShape& run)
{
    if (run.attention)
        return *run.attention;
    const auto hasNoKernel
        = [](const GpuModel& gpu) { return gpu.profile.major > 0 && gpu.profile.major < 8; };
    if (run.gpus.empty() || activationType(run) != ElementType::Bf16)
        return AttentionKind::Flash;
    const Result<std::vector<GpuModel>> gpus = chooseGpus(run.gpus);
    return gpus && std::ranges::all_of(*gpus, hasNoKernel) ? AttentionKind::Math : AttentionKind::Flash;
}

std::vector<ModelCopy> modelCopies(const RunShape& run)
{
    return run.copies.empty() ? std::vector<ModelCopy>(1) : run.copies;
}

std::optional<ElementType> activationType(const RunShape& run)
{
    std::optional<ElementType> type = dtypeOf(run);
    for (const ModelCopy& copy : modelCopies(run))
        if (copy.role == ModelRole::Policy && copy.dtype)
            type = copy.dtype;
    if (run.activationsDtype)
        type = run.activationsDtype;
    return type && !isTrainable(*type) ? ElementType::Bf16 : type;
}

bool trains(const RunShape& run)
{
    const std::vector<ModelCopy> copies = modelCopies(run);
    return std::ranges::any_of(copies, &ModelCopy::trainable);
}

ModelShape completedShape(const RunShape& run)
{
    ModelShape shape = run.shape;
    if (!shape.family)
        shape.family = shape.keyValueHeads
                || (shape.intermediate && shape.hidden && *shape.intermediate != 4 * *shape.hidden)
            ? ModelFamily::Llama
            : ModelFamily::Gpt2;
    return shape;
}

std::optional<Formula> sequencesPerForward(const RunShape& run)
{
    if (!run.batch)
        return std::nullopt;
    return run.group ? Formula(*run.batch) * *run.group : Formula(*run.batch);
}

std::optional<std::int64_t> effectiveBatch(const RunShape& run)
{
    const std::optional<Formula> sequences = sequencesPerForward(run);
    if (!sequences)
        return std::nullopt;
    const Formula product = *sequences * run.accumulation.value_or(1) * run.sharding.world;
    return product.overflows() ? std::nullopt : std::optional(product.value());
}

Result<std::optional<std::int64_t>> parameterCount(const RunShape& run, std::vector<std::string>& missing)
{
    if (run.parameters)
        return run.parameters;
    const ModelShape shape = completedShape(run);
    missing = missingForWeights(shape);
    if (!missing.empty()) {
        const bool hasShape = shape.vocab || shape.hidden || shape.layers || shape.heads;
        if (!hasShape)
            missing.clear();
        missing.insert(missing.begin(), "parameters");
        return std::nullopt;
    }
    const Formula count = countParameters(weightGroups(shape));
    if (count.overflows())
        return fail(
            ErrorCode::Malformed, "describes a model with more parameters than can be counted (2^63)");
    return count.value();
}

} // namespace highwater
