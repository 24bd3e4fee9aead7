#pragma once

#include <string>
#include <vector>

#include "app/rehearse/elf_symbols.h"
#include "app/rehearse/library_writer.h"

namespace highwater::rehearse {

/// True if a library's name shows that it belongs to CUDA: "libcudart.so.12", "libnccl.so.2", also with the
/// hash that some wheels put into it.
bool isCudaLibrary(std::string_view soname);

/// Plans the libraries that replace the CUDA libraries that `programs` need. Each one has the name and the
/// version nodes of the original, and a function for every imported symbol that is not in `standIns`, the
/// symbols of the library at `standInsPath`. Each one loads that library. The driver and NVML are always
/// included, since PyTorch opens them by name.
std::vector<WrittenLibrary> planStandIns(const std::vector<ElfSymbols>& programs,
    const std::vector<std::string>& standIns, const std::string& standInsPath);

} // namespace highwater::rehearse
