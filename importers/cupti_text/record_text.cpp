#include "importers/cupti_text/record_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace highwater::cupti_text {

namespace {

using nsys::MemoryKind;

/// Longer words before those that they contain.
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
    std::uint64_t number = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, number, hexadecimal ? 16 : 10);
    return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

std::optional<bool> isReleaseWord(std::string_view text)
{
    const std::string word = plainWord(text);
    const auto contains = [&](std::string_view part) { return word.find(part) != std::string::npos; };
    if (contains("release") || contains("dealloc") || contains("free"))
        return true;
    return contains("alloc") ? std::optional(false) : std::nullopt;
}

MemoryKind kindOfWord(std::string_view text)
{
    const std::string word = plainWord(text);
    const auto found = std::find_if(kKindWords.begin(), kKindWords.end(),
        [&](const auto& known) { return word.find(known.first) != std::string::npos; });
    return found == kKindWords.end() ? MemoryKind::Unknown : found->second;
}

MemoryKind kindOfCuptiNumber(std::uint64_t number)
{
    return number < kCuptiKinds.size() ? kCuptiKinds[number] : MemoryKind::Unknown;
}

} // namespace highwater::cupti_text
