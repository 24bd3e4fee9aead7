#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace highwater {

/// The type of a tensor's elements.
enum class ElementType : std::uint8_t
{
    Fp32,
    Fp16,
    Bf16,
    Fp8,
    Int8,
    Nf4, ///< Four bits plus the constants of its blocks, as QLoRA stores frozen weights
};

/// Returns "fp32", "fp16", "bf16", "fp8", "int8", "nf4".
std::string_view toText(ElementType type);
/// Parses these names, and those of PyTorch and Hugging Face configurations ("bfloat16", "torch.float32");
/// nullopt for other texts.
std::optional<ElementType> elementTypeFromText(std::string_view text);

/// Bytes of one element as a fraction. NF4 has 4 bits, plus 8 for each 64 elements and 32 for each 64 × 256
/// elements (double quantisation, Dettmers et al., arXiv 2305.14314): 4.127 bits, 2113/4096 bytes.
struct ElementBytes
{
    std::int64_t numerator = 1;
    std::int64_t denominator = 1;
};
ElementBytes bytesOf(ElementType type);

/// True if gradients can be computed for such elements: 16 bits and more.
bool isTrainable(ElementType type);

} // namespace highwater
