#pragma once

#include <cstdint>
#include <string_view>

namespace highwater::logs {

/// The form of a text, which selects its reader.
enum class ContentKind : std::uint8_t
{
    Lines,
    Notebook, ///< Jupyter: the outputs of its cells are the log
    Document, ///< one dictionary over many lines, if it turns out to be whole
    Commas, ///< a table with a line of names
    NvidiaSmi, ///< `nvidia-smi --query-gpu=… --format=csv`, with or without names
    NvidiaSmiDmon ///< `nvidia-smi dmon`
};

/// Judged by the text's beginning; lines if in doubt.
ContentKind contentKind(std::string_view prefix);

} // namespace highwater::logs
