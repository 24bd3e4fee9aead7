#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::rehearse {

/// A version of PyTorch, as in "2.4" and "2.4.1+cu121".
struct TorchVersion
{
    std::string release; ///< "2.4", "2.4.1"
    std::string build = {}; ///< "cu121", which names the CUDA version; empty if it is not known

    std::string text() const { return build.empty() ? release : release + '+' + build; }
    /// Returns the release without its third number: "2.4". Versions that share it allocate alike.
    std::string series() const;
};

/// Reads "2.4", "v2.4.1" or "2.4.1+cu121"; nullopt for other texts.
std::optional<TorchVersion> torchVersionFrom(std::string_view text);

/// Returns the first version of PyTorch that a text names, such as a log ("PyTorch version: 2.4.1+cu121",
/// "torch-2.6.0+cu124"), requirements ("torch==2.4.1") or a lock file; nullopt if there is none. A bound such
/// as "torch>=2.4" is no version. O(characters).
std::optional<TorchVersion> torchVersionIn(std::string_view text);

/// Returns the commands that make a virtual environment with this PyTorch, without the CUDA libraries, which
/// a rehearsal does not need. A version with a build comes from PyTorch's index for that CUDA version.
std::string environmentCommand(const TorchVersion& version);

/// True if a build with kernels for these architectures runs on a GPU of this compute capability. They are
/// given as `torch.cuda.get_arch_list` names them: "sm_75 sm_90 compute_120". True for a list without "sm_…",
/// which reveals nothing.
bool hasKernelsFor(std::string_view architectures, int major, int minor);

/// Returns a version that has kernels for this compute capability where the installed one has none.
TorchVersion versionWithKernels(const TorchVersion& installed, int major, int minor);

} // namespace highwater::rehearse
