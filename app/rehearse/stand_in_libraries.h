#pragma once

#include <string>
#include <vector>

#include "app/rehearse/elf_symbols.h"
#include "app/rehearse/library_writer.h"

namespace highwater::rehearse {

/// Whether a library's name says that it belongs to CUDA: "libcudart.so.12", "libnccl.so.2", also with the
/// hash that some wheels put into it.
bool isCudaLibrary(std::string_view soname);

/// The libraries that stand in for those of CUDA that `programs` ask for: each with its name, its version
/// nodes, and a function for every symbol that `standIns` does not define. `standInsPath` is loaded with each
/// of them. Always among them are the driver and NVML, which PyTorch opens by name.
std::vector<WrittenLibrary> planStandIns(const std::vector<ElfSymbols>& programs,
    const std::vector<std::string>& standIns, const std::string& standInsPath);

} // namespace highwater::rehearse
