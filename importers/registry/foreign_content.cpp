#include "importers/registry/foreign_content.h"

#include <array>

#include "core/base/text_format.h"
#include "core/base/text_parts.h"
#include "importers/nsys/nsys_importer.h"
#include "importers/protobuf/wire_reader.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestPointer = 2048;
constexpr std::size_t kTarMagicOffset = 257;

struct Magic
{
    std::string_view beginning;
    std::string_view predicate;
};

constexpr std::array kMagics = {
    Magic{"PK\x03\x04", "is a zip archive; unpack it first"},
    Magic{"PK\x05\x06", "is an empty zip archive"},
    Magic{"7z\xBC\xAF\x27\x1C", "is a 7z archive; unpack it first"},
    Magic{"Rar!\x1A\x07", "is a rar archive; unpack it first"},
    Magic{"\xFD"
          "7zXZ",
        "is compressed with xz; unpack it first (xz -d)"},
    Magic{"BZh", "is compressed with bzip2; unpack it first (bzip2 -d)"},
    Magic{"\x04\x22\x4D\x18", "is compressed with lz4; unpack it first (lz4 -d)"},
    Magic{"\x89HDF\r\n", "is an HDF5 file, not a recording"},
    Magic{"\x7F"
          "ELF",
        "is a program or library, not a recording"},
    Magic{"\x89PNG", "is a picture; open the recording it was drawn from"},
    Magic{"%PDF-", "is a PDF document, not a recording"},
    Magic{"\x93NUMPY", "is a NumPy array, not a recording"},
};

/// Returns the text between the first `key` and the end of its line; empty if there is no key.
std::string_view restOfLine(std::string_view text, std::string_view key)
{
    const std::size_t keyBegin = text.find(key);
    if (keyBegin == std::string_view::npos)
        return {};
    const std::string_view rest = text.substr(keyBegin + key.size());
    return trimmed(rest.substr(0, rest.find_first_of("\r\n")));
}

/// Returns advice for a file that only points to the content, as Git LFS and git-annex leave it.
std::optional<std::string> pointerAdvice(std::string_view text)
{
    text = trimmed(text.substr(0, kLongestPointer));
    if (text.starts_with("version https://git-lfs.github.com/spec/")) {
        const auto size = parsedNumber<std::int64_t>(restOfLine(text, "\nsize "));
        return "is a Git LFS pointer" + (size ? " to " + formatBytes(*size) : std::string())
            + ", not the file; \"git lfs pull\" fetches it";
    }
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const bool isAnnex = line.starts_with("/annex/objects/") || contains(line, ".git/annex/objects/");
    if (isAnnex && line.find(' ') == std::string_view::npos)
        return std::string("is a git-annex pointer, not the file; \"git annex get\" fetches it");
    return std::nullopt;
}

/// True for a list of Perfetto's TracePacket messages. The first must be whole and have a time or the number
/// of its sequence, because a text that begins with an empty line looks like an incomplete message.
bool isPerfettoTrace(std::string_view prefix)
{
    constexpr std::uint32_t kPacket = 1;
    constexpr std::uint32_t kTimestamp = 8;
    constexpr std::uint32_t kSequence = 10;
    constexpr std::size_t kShortFile = 512; // smaller files are read whole
    protobuf::WireReader packets(prefix);
    protobuf::Field packet;
    if (!packets.next(packet) || packet.number != kPacket || packet.kind != protobuf::Field::Kind::Bytes)
        return false;
    protobuf::WireReader fields(packet.content);
    bool isPlaced = false;
    for (protobuf::Field field; fields.next(field);)
        isPlaced = isPlaced
            || (field.kind == protobuf::Field::Kind::Varint
                && (field.number == kTimestamp || field.number == kSequence));
    if (!isPlaced || fields.isBroken())
        return false;
    while (packets.next(packet))
        if (packet.number != kPacket)
            return false;
    return !packets.isBroken() || prefix.size() > kShortFile; // the prefix of a file may end within a packet
}

} // namespace

std::optional<std::string> describeForeignContent(std::string_view prefix)
{
    if (isPerfettoTrace(prefix))
        return "is a Perfetto trace (.pftrace), in which torch.profiler writes no memory; export the profile "
               "as trace.json.gz, with profile_memory=True, or record a memory snapshot";
    if (sniffNsysReport(prefix))
        return std::string(kNsysReportAdvice);
    for (const Magic& magic : kMagics)
        if (prefix.starts_with(magic.beginning))
            return std::string(magic.predicate);
    if (prefix.size() > kTarMagicOffset && prefix.substr(kTarMagicOffset).starts_with("ustar"))
        return std::string("is a tar archive; unpack it first");
    return pointerAdvice(prefix);
}

} // namespace highwater
