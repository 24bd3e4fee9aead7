#include "app/rehearse/elf_symbols.h"

#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace highwater::rehearse {

namespace {

using ElfBytes = std::span<const std::byte>;

/// Thrown and caught only in this file.
struct Contradiction
{
    const char* what;
};

ElfBytes bytesAt(ElfBytes bytes, std::uint64_t offset, std::uint64_t size)
{
    if (offset > bytes.size() || size > bytes.size() - offset)
        throw Contradiction{"points beyond its end"};
    return bytes.subspan(offset, size);
}

/// Returns a copy, since the file need not be aligned.
template <typename T>
T valueAt(ElfBytes bytes, std::uint64_t offset)
{
    T value;
    std::memcpy(&value, bytesAt(bytes, offset, sizeof value).data(), sizeof value);
    return value;
}

std::string textAt(ElfBytes strings, std::uint64_t offset)
{
    const ElfBytes rest
        = bytesAt(strings, offset, strings.size() - std::min<std::uint64_t>(offset, strings.size()));
    const char* begin = reinterpret_cast<const char*>(rest.data());
    const std::size_t length = ::strnlen(begin, rest.size());
    if (length == rest.size())
        throw Contradiction{"has an unterminated name"};
    return {begin, length};
}

struct Section
{
    Elf64_Shdr header;
    ElfBytes content;
};

class Reader
{
public:
    explicit Reader(ElfBytes file)
        : m_file(file)
        , m_header(valueAt<Elf64_Ehdr>(file, 0))
    {
        if (m_header.e_shentsize != sizeof(Elf64_Shdr))
            throw Contradiction{"has sections of an unknown size"};
        for (std::uint64_t i = 0; i < m_header.e_shnum; ++i) {
            const auto header = valueAt<Elf64_Shdr>(file, sectionHeaderOffset(i));
            m_sections.push_back({header,
                header.sh_type == SHT_NOBITS ? ElfBytes() : bytesAt(file, header.sh_offset, header.sh_size)});
        }
    }

    ElfSymbols read() const
    {
        ElfSymbols found;
        if (const Section* dynamic = section(SHT_DYNAMIC))
            readNeeded(*dynamic, found);
        if (const Section* symbols = section(SHT_DYNSYM))
            readSymbols(*symbols, found);
        return found;
    }

private:
    std::uint64_t sectionHeaderOffset(std::uint64_t index) const
    {
        if (m_header.e_shoff > m_file.size())
            throw Contradiction{"points beyond its end"};
        return m_header.e_shoff + index * sizeof(Elf64_Shdr);
    }

    const Section* section(std::uint32_t type) const
    {
        for (const Section& section : m_sections)
            if (section.header.sh_type == type)
                return &section;
        return nullptr;
    }

    ElfBytes stringsOf(const Section& section) const
    {
        if (section.header.sh_link >= m_sections.size())
            throw Contradiction{"has a table without its strings"};
        return m_sections[section.header.sh_link].content;
    }

    void readNeeded(const Section& dynamic, ElfSymbols& found) const
    {
        const ElfBytes strings = stringsOf(dynamic);
        for (std::uint64_t i = 0; i + sizeof(Elf64_Dyn) <= dynamic.content.size(); i += sizeof(Elf64_Dyn)) {
            const auto entry = valueAt<Elf64_Dyn>(dynamic.content, i);
            if (entry.d_tag == DT_NULL)
                break;
            if (entry.d_tag == DT_NEEDED)
                found.neededLibraries.push_back(textAt(strings, entry.d_un.d_val));
        }
    }

    struct Version
    {
        std::string library;
        std::string name;
    };

    /// Returns the versions by the number with which symbols refer to them. The loops end, since each entry
    /// has a positive distance to the next one.
    std::map<std::uint16_t, Version> versions() const
    {
        std::map<std::uint16_t, Version> versions;
        const Section* needs = section(SHT_GNU_verneed);
        if (!needs)
            return versions;
        const ElfBytes strings = stringsOf(*needs);
        for (std::uint64_t offset = 0;;) {
            const auto file = valueAt<Elf64_Verneed>(needs->content, offset);
            const std::string library = textAt(strings, file.vn_file);
            std::uint64_t entry = offset + file.vn_aux;
            for (unsigned i = 0; i < file.vn_cnt; ++i) {
                const auto version = valueAt<Elf64_Vernaux>(needs->content, entry);
                versions[version.vna_other & 0x7fffU] = {library, textAt(strings, version.vna_name)};
                if (version.vna_next == 0)
                    break;
                entry += version.vna_next;
            }
            if (file.vn_next == 0)
                return versions;
            offset += file.vn_next;
        }
    }

    void readSymbols(const Section& table, ElfSymbols& found) const
    {
        const ElfBytes strings = stringsOf(table);
        const Section* numbers = section(SHT_GNU_versym);
        const std::map<std::uint16_t, Version> versionOf = versions();
        for (std::uint64_t i = 1; (i + 1) * sizeof(Elf64_Sym) <= table.content.size(); ++i) {
            const auto symbol = valueAt<Elf64_Sym>(table.content, i * sizeof(Elf64_Sym));
            if (symbol.st_name == 0)
                continue;
            ImportedSymbol import{textAt(strings, symbol.st_name), {}, {}};
            if (symbol.st_shndx != SHN_UNDEF) {
                found.defined.push_back(std::move(import.name));
                continue;
            }
            if (numbers) {
                const auto number = valueAt<std::uint16_t>(numbers->content, i * sizeof(std::uint16_t));
                if (const auto version = versionOf.find(number & 0x7fffU); version != versionOf.end()) {
                    import.library = version->second.library;
                    import.version = version->second.name;
                }
            }
            found.imported.push_back(std::move(import));
        }
    }

    ElfBytes m_file;
    Elf64_Ehdr m_header;
    std::vector<Section> m_sections;
};

bool isSharedLibrary(ElfBytes file)
{
    if (file.size() < sizeof(Elf64_Ehdr))
        return false;
    const auto header = valueAt<Elf64_Ehdr>(file, 0);
    return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64
        && header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_type == ET_DYN;
}

} // namespace

Result<ElfSymbols> readElfSymbols(std::span<const std::byte> file)
{
    if (!isSharedLibrary(file))
        return fail(ErrorCode::UnknownFormat, "is not a 64-bit shared library");
    try {
        return Reader(file).read();
    } catch (const Contradiction& contradiction) {
        return fail(ErrorCode::Malformed, std::string("is a shared library that ") + contradiction.what);
    }
}

Result<ElfSymbols> readElfFile(const std::string& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (file < 0 || ::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0) {
        if (file >= 0)
            ::close(file);
        return fail(ErrorCode::CannotRead, "cannot be read");
    }
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (mapped == MAP_FAILED)
        return fail(ErrorCode::CannotRead, "cannot be read");
    Result<ElfSymbols> symbols = readElfSymbols({static_cast<const std::byte*>(mapped), size});
    ::munmap(mapped, size);
    return symbols;
}

} // namespace highwater::rehearse
