#pragma once

#include <cstdint>
#include <string_view>

namespace highwater::logs {

/// The form of a text, which selects its reader.
enum class ContentKind : std::uint8_t
{
    Lines,
    Notebook, ///< Jupyter notebook: the outputs of its cells are the log
    /// One dictionary over many lines, or one with a `log_history`; read as lines if it is not complete
    Document,
    Commas, ///< a table with a header
    NvidiaSmi, ///< `nvidia-smi --query-gpu=… --format=csv`, with or without header
    NvidiaSmiDmon ///< `nvidia-smi dmon`
};

/// Judges by the beginning of the text; returns Lines if in doubt.
ContentKind contentKind(std::string_view prefix);

} // namespace highwater::logs
