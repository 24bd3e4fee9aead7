#include "importers/cupti_text/record_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text_parts.h"

namespace highwater::cupti_text {

namespace {

using nsys::MemoryKind;

/// A word that contains another one precedes it, because the first match applies.
constexpr std::array<std::pair<std::string_view, MemoryKind>, 7> kKindWords
    = {{{"managedstatic", MemoryKind::ManagedStatic}, {"devicestatic", MemoryKind::DeviceStatic},
        {"managed", MemoryKind::Managed}, {"device", MemoryKind::Device}, {"pinned", MemoryKind::Pinned},
        {"pageable", MemoryKind::Pageable}, {"array", MemoryKind::Array}}};

constexpr std::array kCuptiKinds
    = {MemoryKind::Unknown, MemoryKind::Pageable, MemoryKind::Pinned, MemoryKind::Device, MemoryKind::Array,
        MemoryKind::Managed, MemoryKind::DeviceStatic, MemoryKind::ManagedStatic};

} // namespace

std::string plainWord(std::string_view text)
{
    std::string plain;
    for (const char c : text) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            plain += c;
        else if (c >= 'A' && c <= 'Z')
            plain += static_cast<char>(c - 'A' + 'a');
    }
    return plain;
}

std::optional<std::uint64_t> wholeNumber(std::string_view text)
{
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    text.remove_prefix(hexadecimal ? 2 : 0);
    return parsedNumber<std::uint64_t>(text, hexadecimal ? 16 : 10);
}

std::optional<bool> isReleaseWord(std::string_view text)
{
    const std::string word = plainWord(text);
    if (containsAny(word, {"release", "dealloc", "free"}))
        return true;
    return contains(word, "alloc") ? std::optional(false) : std::nullopt;
}

MemoryKind kindOfWord(std::string_view text)
{
    const std::string word = plainWord(text);
    const auto found
        = std::ranges::find_if(kKindWords, [&](const auto& known) { return contains(word, known.first); });
    return found == kKindWords.end() ? MemoryKind::Unknown : found->second;
}

MemoryKind kindOfCuptiNumber(std::uint64_t number)
{
    return number < kCuptiKinds.size() ? kCuptiKinds[number] : MemoryKind::Unknown;
}

} // namespace highwater::cupti_text
