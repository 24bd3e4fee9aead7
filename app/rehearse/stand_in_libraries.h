#pragma once

#include <string>
#include <vector>

#include "app/rehearse/elf_symbols.h"
#include "app/rehearse/library_writer.h"

namespace highwater::rehearse {

/// True if a library's name shows that it belongs to CUDA: "libcudart.so.12", "libnccl.so.2", also with the
/// hash that some wheels put into it.
bool isCudaLibrary(std::string_view soname);

/// Plans the libraries that stand in for CUDA libraries that `programs` need: each with its name, its version
/// nodes, and a function for every symbol that `standIns` does not define. Each of them loads `standInsPath`.
/// The driver and NVML are always included, since PyTorch opens them by name.
std::vector<WrittenLibrary> planStandIns(const std::vector<ElfSymbols>& programs,
    const std::vector<std::string>& standIns, const std::string& standInsPath);

} // namespace highwater::rehearse
