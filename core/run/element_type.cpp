#include "core/run/element_type.h"

#include <array>
#include <utility>

namespace highwater {

namespace {

using Name = std::pair<std::string_view, ElementType>;

/// The first name of each type is the one that `toText` returns.
constexpr std::array<Name, 16> kTypeNames = {{{"fp32", ElementType::Fp32}, {"float32", ElementType::Fp32},
    {"float", ElementType::Fp32}, {"fp16", ElementType::Fp16}, {"float16", ElementType::Fp16},
    {"half", ElementType::Fp16}, {"bf16", ElementType::Bf16}, {"bfloat16", ElementType::Bf16},
    {"fp8", ElementType::Fp8}, {"float8", ElementType::Fp8}, {"float8_e4m3fn", ElementType::Fp8},
    {"float8_e5m2", ElementType::Fp8}, {"int8", ElementType::Int8}, {"8bit", ElementType::Int8},
    {"nf4", ElementType::Nf4}, {"4bit", ElementType::Nf4}}};

} // namespace

std::string_view toText(ElementType type)
{
    for (const Name& name : kTypeNames)
        if (name.second == type)
            return name.first;
    return "fp32";
}

std::optional<ElementType> elementTypeFromText(std::string_view text)
{
    constexpr std::string_view prefix = "torch.";
    if (text.starts_with(prefix))
        text.remove_prefix(prefix.size());
    for (const Name& name : kTypeNames)
        if (name.first == text)
            return name.second;
    return std::nullopt;
}

ElementBytes bytesOf(ElementType type)
{
    switch (type) {
    case ElementType::Fp32: return {4, 1};
    case ElementType::Fp16:
    case ElementType::Bf16: return {2, 1};
    case ElementType::Fp8:
    case ElementType::Int8: return {1, 1};
    case ElementType::Nf4: return {2113, 4096};
    }
    return {};
}

bool isTrainable(ElementType type)
{
    return type == ElementType::Fp32 || type == ElementType::Fp16 || type == ElementType::Bf16;
}

} // namespace highwater
