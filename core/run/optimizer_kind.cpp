#include "core/run/optimizer_kind.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/text/near_text.h"

namespace highwater {

namespace {

using Kind = OptimizerKind;

/// Names that Highwater prints, by kind.
constexpr std::array<std::string_view, 12> kPrinted = {"adamw", "adamw-fused", "adamw-8bit", "paged-adamw",
    "adafactor", "lion", "lion-8bit", "rmsprop", "muon", "sgd", "sgd-momentum", "none"};

struct OptimizerName
{
    std::string_view name; ///< As written elsewhere
    Kind kind;
};

/// The names of transformers' `OptimizerNames`, timm's `list_optimizers`, `torch.optim`, bitsandbytes and
/// DeepSpeed. Variants of Adam that keep two values count as AdamW, and so does AdEMAMix, which keeps three.
/// torch runs them as foreach by default; those of apex, DeepSpeed and "…_fused" are one kernel. `sgd` counts
/// as torch's, which has no momentum unless it is set; timm's always has.
constexpr OptimizerName kNames[] = {
    {"adam", Kind::AdamW},
    {"adamw_torch", Kind::AdamW},
    {"adamw_hf", Kind::AdamW},
    {"adamw_anyprecision", Kind::AdamW},
    {"nadam", Kind::AdamW},
    {"nadamw", Kind::AdamW},
    {"radam", Kind::AdamW},
    {"adamax", Kind::AdamW},
    {"adamp", Kind::AdamW},
    {"adabelief", Kind::AdamW},
    {"lamb", Kind::AdamW},
    {"schedule_free_adamw", Kind::AdamW},
    {"adam_fused", Kind::AdamWFused},
    {"fused_adam", Kind::AdamWFused},
    {"fused_adamw", Kind::AdamWFused},
    {"fused_lamb", Kind::AdamWFused},
    {"adamw_torch_fused", Kind::AdamWFused},
    {"adamw_apex_fused", Kind::AdamWFused},
    {"adamw_torch_npu_fused", Kind::AdamWFused},
    {"adam_8bit", Kind::AdamW8bit},
    {"adamw_bnb", Kind::AdamW8bit},
    {"adamw_bnb_8bit", Kind::AdamW8bit},
    {"adamw_torch_8bit", Kind::AdamW8bit},
    {"bnb_adam_8bit", Kind::AdamW8bit},
    {"bnb_adamw_8bit", Kind::AdamW8bit},
    {"ademamix_8bit", Kind::AdamW8bit},
    {"paged_adam", Kind::PagedAdamW},
    {"paged_adam_8bit", Kind::PagedAdamW},
    {"paged_adamw_32bit", Kind::PagedAdamW},
    {"paged_adamw_8bit", Kind::PagedAdamW},
    {"paged_lion", Kind::PagedAdamW},
    {"paged_lion_32bit", Kind::PagedAdamW},
    {"paged_lion_8bit", Kind::PagedAdamW},
    {"adafactor_bv", Kind::Adafactor},
    {"lion_32bit", Kind::Lion},
    {"lionw", Kind::Lion},
    {"signum", Kind::Lion},
    {"bnb_lion_8bit", Kind::Lion8bit},
    {"rmsprop_tf", Kind::RmsProp},
    {"rmsprop_bnb", Kind::RmsProp},
    {"adagrad", Kind::RmsProp},
    {"momentum", Kind::SgdMomentum},
    {"sgdm", Kind::SgdMomentum},
    {"nesterov", Kind::SgdMomentum},
    {"lars", Kind::SgdMomentum},
    {"sgdw", Kind::SgdMomentum},
    {"no", Kind::None},
};

/// Returns the letters and digits of the last part of a class path, in lower case.
std::string comparable(std::string_view text)
{
    std::string name;
    for (const char c : text.substr(text.rfind('.') + 1))
        if (c >= 'A' && c <= 'Z')
            name += static_cast<char>(c - 'A' + 'a');
        else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            name += c;
    return name;
}

} // namespace

std::string_view toText(OptimizerKind optimizer)
{
    return kPrinted[static_cast<std::size_t>(optimizer)];
}

std::optional<OptimizerKind> optimizerFromText(std::string_view text)
{
    const std::string name = comparable(text);
    for (std::size_t i = 0; i < kPrinted.size(); ++i)
        if (comparable(kPrinted[i]) == name)
            return static_cast<Kind>(i);
    for (const OptimizerName& known : kNames)
        if (comparable(known.name) == name)
            return known.kind;
    return std::nullopt;
}

std::string optimizerHint(std::string_view text)
{
    std::vector<std::string_view> known(kPrinted.begin(), kPrinted.end());
    for (const OptimizerName& name : kNames)
        known.push_back(name.name);
    return fmt::format("{} (known: {}, and the names of torch, transformers and timm)",
        didYouMean(text.substr(text.rfind('.') + 1), known), fmt::join(kPrinted, ", "));
}

} // namespace highwater
