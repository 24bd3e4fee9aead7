#include "core/analysis/budget/temporary_bytes.h"

#include <algorithm>

#include "core/analysis/budget/model_weights.h"
#include "core/analysis/budget/run_facts.h"

namespace highwater {

namespace {

/// DeepSpeed's defaults, in elements: the bucket size, and the parameters that stage 3 keeps gathered.
constexpr std::int64_t kBucketElements = 500'000'000;
constexpr std::int64_t kGatheredElements = 1'000'000'000;

/// Returns the elements that are gathered at a time; nullopt if neither a setting nor the shape gives them.
std::optional<Formula> gatheredLayer(const RunShape& run)
{
    if (run.largestLayer)
        return Formula(*run.largestLayer);
    const ModelShape shape = completedShape(run);
    if (!missingForWeights(shape).empty())
        return std::nullopt;
    const std::vector<WeightGroup> weights = weightGroups(shape);
    if (run.sharding.kind == Sharding::Kind::Zero3)
        return largestMatrix(weights);
    return largestGatheredUnit(weights, *shape.layers + effectiveDecoderLayers(shape).value_or(0));
}

/// Returns the bytes per element of the policy's weights during computation.
std::int64_t computeBytes(const RunShape& run)
{
    return bytesOf(activationType(run).value_or(ElementType::Bf16)).numerator;
}

/// Returns the bytes of ZeRO's communication buckets, and with stage 3 of the parameters kept gathered.
Formula bucketBytes(const RunShape& run, std::int64_t parameters)
{
    const std::int64_t elementBytes = computeBytes(run);
    switch (run.sharding.kind) {
    case Sharding::Kind::Zero1:
    case Sharding::Kind::Zero2: return Formula(std::min(parameters, kBucketElements)) * elementBytes;
    case Sharding::Kind::Zero3:
        return Formula(std::min(parameters, kBucketElements)) * elementBytes
            + Formula(std::min(parameters, kGatheredElements)) * elementBytes;
    default: return {};
    }
}

/// Returns the bytes of the 16-bit copies of fp32 weights that autocast keeps until its context ends.
Formula castCopies(const RunShape& run, std::int64_t parameters)
{
    const bool casts = dtypeOf(run) == ElementType::Fp32 && run.activationsDtype
        && *run.activationsDtype != ElementType::Fp32 && trains(run);
    return casts ? Formula(parameters) * 2 : Formula();
}

} // namespace

TemporaryBytes temporaryBytes(const RunShape& run, std::optional<std::int64_t> parameters,
    const Formula& step, const std::optional<Formula>& forward)
{
    TemporaryBytes temporary;
    FormulaRange& range = temporary.range;
    if (run.sharding.shardsWeights() && parameters) {
        const std::optional<Formula> layer = gatheredLayer(run);
        temporary.isLayerMissing = !layer;
        if (layer) {
            range = FormulaRange::exactly(*layer * (2 * computeBytes(run)));
            if (run.sharding.kind == Sharding::Kind::Fsdp)
                range.high = range.high + *layer * computeBytes(run);
        }
    }
    const std::int64_t castBytes = parameters ? castCopies(run, *parameters).value() : 0;
    if (parameters) {
        range.likely = range.likely + castCopies(run, *parameters);
        range.high = range.high + castCopies(run, *parameters) + bucketBytes(run, *parameters);
    }
    if (forward)
        range.likely = range.likely + (step - Formula(forward->value() + castBytes));
    range.high = range.high + step;
    return temporary;
}

} // namespace highwater
