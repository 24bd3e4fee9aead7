#include "tests/fuzz/sections.h"

#include <cstring>
#include <vector>

#include <zstd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL

#include "importers/native/native_format.h"
#include "importers/summary/summary_format.h"

namespace highwater::fuzz {

namespace {

/// Sections begin in the same way in both formats.
using summary::SectionHead;

constexpr std::size_t kHeadBytes = 16; ///< magic, version, number of sections
constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

struct Section
{
    std::uint32_t id = 0;
    std::string raw;
};

std::optional<Section> takeSection(std::string_view& bytes)
{
    SectionHead head;
    if (bytes.size() < sizeof head)
        return std::nullopt;
    std::memcpy(&head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    if (head.rawBytes > kMaxBytes || head.storedBytes > bytes.size())
        return std::nullopt;
    Section section{head.id, std::string(head.rawBytes, '\0')};
    const std::size_t made
        = ZSTD_decompress(section.raw.data(), section.raw.size(), bytes.data(), head.storedBytes);
    bytes.remove_prefix(head.storedBytes);
    return made == head.rawBytes ? std::optional(std::move(section)) : std::nullopt;
}

/// The checksum covers the raw bytes in a recording, and the stored bytes in a summary.
void append(std::string& file, const Section& section, bool isSummary)
{
    std::string stored(ZSTD_compressBound(section.raw.size()), '\0');
    stored.resize(ZSTD_compress(stored.data(), stored.size(), section.raw.data(), section.raw.size(), 1));
    SectionHead head{section.id, 0, section.raw.size(), stored.size(), 0};
    head.checksum = isSummary
        ? XXH3_64bits_withSeed(stored.data(), stored.size(), summary::sectionSeed(head.id, head.rawBytes))
        : XXH3_64bits_withSeed(section.raw.data(), section.raw.size(), head.id);
    file.append(reinterpret_cast<const char*>(&head), sizeof head);
    file += stored;
}

} // namespace

std::optional<std::string> withSectionChanged(
    std::string_view file, std::uint64_t which, const std::function<std::string(std::string section)>& change)
{
    const bool isSummary = file.starts_with(summary::kMagic);
    if (file.size() < kHeadBytes || (!isSummary && !file.starts_with(native::kMagic)))
        return std::nullopt;
    std::vector<Section> sections;
    for (std::string_view rest = file.substr(kHeadBytes); !rest.empty();) {
        std::optional<Section> section = takeSection(rest);
        if (!section)
            return std::nullopt;
        sections.push_back(*std::move(section));
    }
    if (sections.empty())
        return std::nullopt;
    Section& chosen = sections[which % sections.size()];
    chosen.raw = change(std::move(chosen.raw));
    std::string out(file.substr(0, kHeadBytes));
    for (const Section& section : sections)
        append(out, section, isSummary);
    return out;
}

} // namespace highwater::fuzz
