#include "app/rehearse/library_writer.h"

#include <algorithm>
#include <cstring>
#include <map>

#include <elf.h>

namespace highwater::rehearse {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr const char* kUnknownCall = "highwaterUnknownCall";

std::uint32_t elfHash(const std::string& name)
{
    std::uint32_t hash = 0;
    for (const char c : name) {
        hash = (hash << 4) + static_cast<unsigned char>(c);
        const std::uint32_t top = hash & 0xf0000000U;
        hash = (hash ^ (top >> 24)) & ~top;
    }
    return hash;
}

template <typename T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void align(std::string& bytes, std::size_t alignment)
{
    bytes.resize((bytes.size() + alignment - 1) / alignment * alignment, '\0');
}

/// A string table, which has each name once.
class Strings
{
public:
    std::uint32_t add(const std::string& text)
    {
        const auto [place, isNew] = m_places.try_emplace(text, static_cast<std::uint32_t>(m_bytes.size()));
        if (isNew)
            m_bytes += text + '\0';
        return place->second;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes = std::string(1, '\0');
    std::map<std::string, std::uint32_t> m_places{{"", 0}};
};

/// Positions of the parts of the file. The address of a part is its offset in the file.
struct Layout
{
    std::uint64_t strings = 0, symbols = 0, hash = 0, versionNumbers = 0, versionDefinitions = 0;
    std::uint64_t relocations = 0, code = 0, readOnlyEnd = 0, dynamic = 0, slot = 0, end = 0;
};

class Writer
{
public:
    explicit Writer(const WrittenLibrary& library)
        : m_library(library)
    {
        collectVersions();
        collectStrings();
    }

    std::string write()
    {
        // The tables contain addresses of later parts, so the first pass only finds the positions.
        std::string file = writePass();
        file = writePass();
        return file;
    }

private:
    void collectVersions()
    {
        m_versions = m_library.versions;
        for (const WrittenFunction& symbol : m_library.symbols)
            if (!symbol.version.empty())
                m_versions.push_back(symbol.version);
        std::sort(m_versions.begin(), m_versions.end());
        m_versions.erase(std::unique(m_versions.begin(), m_versions.end()), m_versions.end());
    }

    void collectStrings()
    {
        m_strings.add(m_library.soname);
        m_strings.add(kUnknownCall);
        for (const std::string& needed : m_library.needed)
            m_strings.add(needed);
        for (const std::string& version : m_versions)
            m_strings.add(version);
        for (const WrittenFunction& symbol : m_library.symbols)
            m_strings.add(symbol.name);
    }

    /// Returns the number of a version: 1 for none, else 2 + its index in `m_versions`.
    std::uint16_t versionNumber(const std::string& version) const
    {
        if (version.empty())
            return VER_NDX_GLOBAL;
        const auto found = std::lower_bound(m_versions.begin(), m_versions.end(), version);
        return static_cast<std::uint16_t>(found - m_versions.begin() + 2);
    }

    std::string writePass()
    {
        std::string file(sizeof(Elf64_Ehdr) + 4 * sizeof(Elf64_Phdr), '\0');
        const auto add = [&](std::uint64_t& place, const std::string& bytes) {
            align(file, 16);
            place = file.size();
            file += bytes;
        };
        add(m_layout.strings, m_strings.bytes());
        add(m_layout.symbols, symbolTable());
        add(m_layout.hash, hashTable());
        add(m_layout.versionNumbers, versionNumbers());
        add(m_layout.versionDefinitions, versionDefinitions());
        add(m_layout.relocations, relocations());
        add(m_layout.code, code());
        m_layout.readOnlyEnd = file.size();
        align(file, kPage);
        add(m_layout.dynamic, dynamicSection());
        add(m_layout.slot, std::string(8, '\0'));
        m_layout.end = file.size();
        const std::string headers = fileHeaders();
        std::copy(headers.begin(), headers.end(), file.begin());
        return file;
    }

    std::uint64_t codeOffset(std::size_t symbol) const { return m_layout.code + symbol * kEntryBytes; }

    std::string symbolTable()
    {
        std::string table;
        append(table, Elf64_Sym{});
        const auto global = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, STT_FUNC));
        append(table, Elf64_Sym{m_strings.add(kUnknownCall), global, STV_DEFAULT, SHN_UNDEF, 0, 0});
        for (std::size_t i = 0; i < m_library.symbols.size(); ++i)
            append(table,
                Elf64_Sym{m_strings.add(m_library.symbols[i].name), global, STV_DEFAULT, 1, codeOffset(i),
                    kEntryBytes});
        return table;
    }

    std::string hashTable() const
    {
        const auto count = static_cast<std::uint32_t>(m_library.symbols.size() + 2);
        const std::uint32_t buckets = count / 2 + 1;
        std::vector<std::uint32_t> table(2 + buckets + count);
        table[0] = buckets;
        table[1] = count;
        for (std::uint32_t i = 2; i < count; ++i) {
            std::uint32_t& bucket = table[2 + elfHash(m_library.symbols[i - 2].name) % buckets];
            table[2 + buckets + i] = bucket;
            bucket = i;
        }
        return {reinterpret_cast<const char*>(table.data()), table.size() * sizeof table[0]};
    }

    std::string versionNumbers() const
    {
        std::string numbers;
        append(numbers, std::uint16_t{VER_NDX_LOCAL});
        append(numbers, std::uint16_t{VER_NDX_GLOBAL});
        for (const WrittenFunction& symbol : m_library.symbols)
            append(numbers, versionNumber(symbol.version));
        return numbers;
    }

    std::string versionDefinitions()
    {
        std::string definitions;
        const std::size_t count = m_versions.size() + 1;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string& name = i == 0 ? m_library.soname : m_versions[i - 1];
            const bool isLast = i + 1 == count;
            Elf64_Verdef definition{};
            definition.vd_version = VER_DEF_CURRENT;
            definition.vd_flags = i == 0 ? VER_FLG_BASE : 0;
            definition.vd_ndx = static_cast<Elf64_Half>(i + 1);
            definition.vd_cnt = 1;
            definition.vd_hash = elfHash(name);
            definition.vd_aux = sizeof definition;
            definition.vd_next = isLast ? 0 : sizeof definition + sizeof(Elf64_Verdaux);
            append(definitions, definition);
            append(definitions, Elf64_Verdaux{m_strings.add(name), 0});
        }
        return definitions;
    }

    /// Makes the loader write the address of highwaterUnknownCall into the slot.
    std::string relocations() const
    {
        std::string table;
        append(table, Elf64_Rela{m_layout.slot, ELF64_R_INFO(1, kSlotRelocation), 0});
        return table;
    }

    std::string code()
    {
        std::string bytes;
        for (std::size_t i = 0; i < m_library.symbols.size(); ++i) {
            const WrittenFunction& symbol = m_library.symbols[i];
            std::string entry = symbol.succeeds
                ? successCode()
                : failureCode(codeOffset(i), m_layout.strings + m_strings.add(symbol.name), symbol.error);
            entry.resize(kEntryBytes, '\0');
            bytes += entry;
        }
        return bytes;
    }

#if defined(__x86_64__)
    static constexpr std::size_t kEntryBytes = 24;
    static constexpr Elf64_Half kMachine = EM_X86_64;
    static constexpr std::uint32_t kSlotRelocation = R_X86_64_GLOB_DAT;

    static std::string successCode()
    {
        return "\x31\xc0\xc3"; // xor eax, eax; ret
    }

    std::string failureCode(std::uint64_t at, std::uint64_t name, int error) const
    {
        // lea rdi, [rip + name]; mov esi, error; jmp [rip + slot]
        std::string bytes = "\x48\x8d\x3d";
        append(bytes, static_cast<std::int32_t>(name - (at + 7)));
        bytes += '\xbe';
        append(bytes, static_cast<std::int32_t>(error));
        bytes += "\xff\x25";
        append(bytes, static_cast<std::int32_t>(m_layout.slot - (at + 18)));
        return bytes;
    }
#else
    static constexpr std::size_t kEntryBytes = 8;
    static constexpr Elf64_Half kMachine = EM_NONE;
    static constexpr std::uint32_t kSlotRelocation = 0;

    static std::string successCode()
    {
        return {};
    }
    static std::string failureCode(std::uint64_t, std::uint64_t, int)
    {
        return {};
    }
#endif

    std::string dynamicSection()
    {
        std::string section;
        const auto add = [&](std::int64_t tag, std::uint64_t value) {
            Elf64_Dyn entry{};
            entry.d_tag = tag;
            entry.d_un.d_val = value;
            append(section, entry);
        };
        for (const std::string& needed : m_library.needed)
            add(DT_NEEDED, m_strings.add(needed));
        add(DT_SONAME, m_strings.add(m_library.soname));
        add(DT_HASH, m_layout.hash);
        add(DT_STRTAB, m_layout.strings);
        add(DT_STRSZ, m_strings.bytes().size());
        add(DT_SYMTAB, m_layout.symbols);
        add(DT_SYMENT, sizeof(Elf64_Sym));
        add(DT_RELA, m_layout.relocations);
        add(DT_RELASZ, sizeof(Elf64_Rela));
        add(DT_RELAENT, sizeof(Elf64_Rela));
        add(DT_VERSYM, m_layout.versionNumbers);
        add(DT_VERDEF, m_layout.versionDefinitions);
        add(DT_VERDEFNUM, m_versions.size() + 1);
        add(DT_NULL, 0);
        return section;
    }

    std::string fileHeaders() const
    {
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_ident[EI_DATA] = ELFDATA2LSB;
        header.e_ident[EI_VERSION] = EV_CURRENT;
        header.e_type = ET_DYN;
        header.e_machine = kMachine;
        header.e_version = EV_CURRENT;
        header.e_phoff = sizeof header;
        header.e_ehsize = sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = 4;
        std::string bytes;
        append(bytes, header);
        const std::uint64_t writable = m_layout.dynamic / kPage * kPage;
        const auto add = [&](std::uint32_t type, std::uint32_t flags, std::uint64_t begin,
                             std::uint64_t end) {
            append(bytes, Elf64_Phdr{type, flags, begin, begin, begin, end - begin, end - begin, kPage});
        };
        add(PT_LOAD, PF_R | PF_X, 0, m_layout.readOnlyEnd);
        add(PT_LOAD, PF_R | PF_W, writable, m_layout.end);
        add(PT_DYNAMIC, PF_R | PF_W, m_layout.dynamic, m_layout.slot);
        add(PT_GNU_STACK, PF_R | PF_W, 0, 0);
        return bytes;
    }

    const WrittenLibrary& m_library;
    std::vector<std::string> m_versions; ///< sorted, each once
    Strings m_strings;
    Layout m_layout;
};

} // namespace

Result<std::string> buildLibrary(const WrittenLibrary& library)
{
#if !defined(__x86_64__)
    return fail(ErrorCode::BadRequest, "rehearsals need an x86-64 machine");
#endif
    return Writer(library).write();
}

} // namespace highwater::rehearse
