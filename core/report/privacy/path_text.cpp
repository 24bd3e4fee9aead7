#include "core/report/privacy/path_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/characters.h"
#include "core/base/text_parts.h"

namespace highwater {

namespace {

constexpr std::size_t kLongestScheme = 16;

/// Extensions of source code, of files that training runs read and write, and of recordings.
constexpr std::array kExtensions = std::to_array<std::string_view>({"arrow", "bash", "bin", "bz2", "c", "cc",
    "cfg", "ckpt", "conf", "cpp", "csv", "cu", "cuh", "cxx", "db", "dll", "dylib", "egg", "env", "err", "exe",
    "gguf", "gif", "go", "gz", "h", "h5", "hdf5", "hh", "highwater", "hpp", "htm", "html", "hwt", "hxx",
    "ini", "inl", "ipynb", "j2", "java", "jinja", "jl", "jpeg", "jpg", "js", "json", "jsonl", "lock", "log",
    "lua", "lz4", "md", "mjs", "ncu-rep", "npy", "npz", "nsys-rep", "onnx", "out", "parquet", "patch", "pb",
    "pdf", "pickle", "pkl", "pl", "png", "proto", "pt", "pth", "py", "pyc", "pyi", "pyx", "qdrep", "rb", "rs",
    "rst", "safetensors", "sbatch", "sh", "slurm", "so", "sqlite", "svg", "swift", "tar", "tgz", "tmp",
    "toml", "ts", "tsv", "tsx", "txt", "wandb", "whl", "xml", "xz", "yaml", "yml", "zip", "zsh", "zst"});
static_assert(std::is_sorted(kExtensions.begin(), kExtensions.end()));

/// True for "~/" or "~name/".
bool isHome(std::string_view text)
{
    if (!text.starts_with('~'))
        return false;
    std::size_t end = 1;
    while (end < text.size() && (isNameCharacter(text[end]) || isOneOf(text[end], ".-")))
        ++end;
    const bool isNumber = text.size() > 1 && isDigit(text[1]);
    return !isNumber && end < text.size() && text[end] == '/';
}

/// True for "C:\" or "C:/".
bool isDrive(std::string_view text)
{
    return text.size() > 2 && isLetter(text[0]) && text[1] == ':' && isOneOf(text[2], "/\\");
}

/// True for "\\server" and "\\?".
bool isShare(std::string_view text)
{
    return text.size() > 2 && text.starts_with("\\\\")
        && (isNameCharacter(text[2]) || isOneOf(text[2], ".?"));
}

/// True for slashes that are followed by a name.
bool isAbsolute(std::string_view text)
{
    const std::size_t first = std::min(text.find_first_not_of('/'), text.size());
    return first > 0 && first < text.size() && !isWordEnd(text[first]);
}

} // namespace

bool isOneOf(char c, std::string_view characters)
{
    return characters.find(c) != std::string_view::npos;
}

bool isPathEnd(char c)
{
    return isOneOf(c, "\n\r\t\"<>|;") || c == '\0';
}

bool isWordEnd(char c)
{
    return isPathEnd(c) || isOneOf(c, " ()[]{},=!&?*'`");
}

bool isNameCharacter(char c)
{
    return isLetter(c) || isDigit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool hasFileExtension(std::string_view name)
{
    name = name.substr(0, name.find_first_of(":#@"));
    while (!name.empty() && isOneOf(name.back(), ".,)"))
        name.remove_suffix(1);
    if (name.ends_with("…"))
        name.remove_suffix(std::string_view("…").size());
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return name == "Makefile" || name == "Dockerfile";
    const std::string extension = lowered(name.substr(dot + 1));
    return std::binary_search(kExtensions.begin(), kExtensions.end(), std::string_view(extension))
        || name.find(".so.") != std::string_view::npos || name.find(".tfevents.") != std::string_view::npos;
}

std::string_view lastPart(std::string_view path, std::string_view separators)
{
    const std::size_t end = path.find_last_not_of(separators);
    if (end == std::string_view::npos)
        return {};
    path = path.substr(0, end + 1);
    const std::size_t separator = path.find_last_of(separators);
    return separator == std::string_view::npos ? path : path.substr(separator + 1);
}

std::size_t countParts(std::string_view path, std::string_view separators)
{
    std::size_t parts = 0;
    for (std::size_t i = 0; i < path.size(); ++i)
        parts += !isOneOf(path[i], separators) && (i == 0 || isOneOf(path[i - 1], separators)) ? 1 : 0;
    return parts;
}

std::string_view schemeAt(std::string_view text, std::size_t at)
{
    std::size_t end = at;
    while (end < text.size() && end - at < kLongestScheme
        && (isLetter(text[end]) || (end > at && (isNameCharacter(text[end]) || isOneOf(text[end], "+.-")))))
        ++end;
    return end > at + 1 && text.substr(end).starts_with("://") ? text.substr(at, end - at)
                                                               : std::string_view();
}

std::size_t rootLength(std::string_view text, std::size_t at)
{
    const std::string_view rest = text.substr(at);
    if (isDrive(rest))
        return 3;
    if (isShare(rest))
        return 2;
    if (isHome(rest))
        return rest.find('/') + 1;
    return isAbsolute(rest) ? 1 : 0;
}

} // namespace highwater
