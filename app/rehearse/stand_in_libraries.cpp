#include "app/rehearse/stand_in_libraries.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace highwater::rehearse {

namespace {

/// A family of CUDA's functions, their library, and the error that those functions return which are not
/// simulated.
struct Family
{
    std::string_view prefix; ///< with which the functions' names begin
    std::string_view library; ///< with which the library's name begins
    int unsupported;
};

/// The first matching prefix counts, so "cublasLt" precedes "cublas".
constexpr std::array kFamilies{
    Family{"__cuda", "libcudart", 801},
    Family{"cudart", "libcudart", 801},
    Family{"cublasLt", "libcublasLt", 15},
    Family{"cublas", "libcublas", 15},
    Family{"cudnn", "libcudnn", 3000},
    Family{"cudss", "libcudss", 6},
    Family{"cuda", "libcudart", 801},
    Family{"cufft", "libcufft", 16},
    Family{"cuFile", "libcufile", 5011},
    Family{"cupti", "libcupti", 15},
    Family{"curand", "libcurand", 102},
    Family{"cusolver", "libcusolver", 7},
    Family{"cusparseLt", "libcusparseLt", 10},
    Family{"cusparse", "libcusparse", 10},
    Family{"nccl", "libnccl", 5},
    Family{"nvJitLink", "libnvJitLink", 6},
    Family{"nvml", "libnvidia-ml", 3},
    Family{"nvrtc", "libnvrtc", 11},
    Family{"nvshmem", "libnvshmem", 7},
    Family{"nvtx", "libnvToolsExt", 0},
    Family{"cu", "libcuda", 801},
};

/// Returns the family by the name of a symbol; null if it is of none.
const Family* familyOf(std::string_view symbol)
{
    for (const Family& family : kFamilies)
        if (symbol.starts_with(family.prefix))
            return &family;
    return nullptr;
}

/// True for names like the driver's, in which a capital follows "cu". Other names that begin with "cu" may
/// belong to any library.
bool looksLikeDriver(std::string_view symbol)
{
    return symbol.size() > 2 && symbol.starts_with("cu") && symbol[2] >= 'A' && symbol[2] <= 'Z';
}

/// True if a symbol is of one of CUDA's libraries: by its library, else by its name.
bool belongsToCuda(const ImportedSymbol& symbol)
{
    if (!symbol.library.empty())
        return isCudaLibrary(symbol.library);
    const Family* family = familyOf(symbol.name);
    return family && symbol.name.find("ZN") == std::string::npos
        && (family->prefix != "cu" || looksLikeDriver(symbol.name));
}

/// True for functions of cuBLAS whose results stay on the device: such a call does nothing and succeeds.
bool computesOnDevice(std::string_view symbol)
{
    if (!symbol.starts_with("cublas") || symbol.starts_with("cublasLt"))
        return false;
    constexpr std::array<std::string_view, 8> kNotComputing{"cublasCreate", "cublasDestroy", "cublasGet",
        "cublasSet", "cublasLogger", "cublasXerbla", "cublasInit", "cublasShutdown"};
    return std::none_of(kNotComputing.begin(), kNotComputing.end(),
               [&](auto other) { return symbol.starts_with(other); })
        || symbol.starts_with("cublasSetMatrix") || symbol.starts_with("cublasSetVector");
}

/// The libraries to write, by name. The driver and NVML are always among them.
class Plan
{
public:
    Plan(const std::vector<std::string>& standIns, const std::string& standInsPath)
        : m_standIns(standIns.begin(), standIns.end())
        , m_needed{standInsPath}
    {
        libraryNamed("libcuda.so.1");
        libraryNamed("libnvidia-ml.so.1");
    }

    void add(const ElfSymbols& program)
    {
        for (const std::string& needed : program.neededLibraries)
            if (isCudaLibrary(needed))
                libraryNamed(needed);
        for (const ImportedSymbol& symbol : program.imported)
            if (belongsToCuda(symbol))
                add(symbol);
    }

    std::vector<WrittenLibrary> takeLibraries()
    {
        std::vector<WrittenLibrary> libraries;
        for (auto& [name, library] : m_libraries)
            libraries.push_back(std::move(library));
        return libraries;
    }

private:
    WrittenLibrary& libraryNamed(const std::string& soname)
    {
        const auto [place, isNew] = m_libraries.try_emplace(soname);
        if (isNew) {
            place->second.soname = soname;
            place->second.needed = m_needed;
        }
        return place->second;
    }

    void add(const ImportedSymbol& symbol)
    {
        WrittenLibrary& target = libraryNamed(symbol.library.empty() ? "libcuda.so.1" : symbol.library);
        if (!symbol.version.empty())
            target.versions.push_back(symbol.version);
        if (m_standIns.count(symbol.name) > 0 || !m_added.insert({symbol.name, symbol.version}).second)
            return;
        const Family* family = familyOf(symbol.name);
        target.symbols.push_back(
            {symbol.name, symbol.version, computesOnDevice(symbol.name), family ? family->unsupported : 1});
    }

    std::set<std::string> m_standIns;
    std::vector<std::string> m_needed;
    std::map<std::string, WrittenLibrary> m_libraries;
    std::set<std::pair<std::string, std::string>> m_added;
};

} // namespace

bool isCudaLibrary(std::string_view soname)
{
    return std::any_of(kFamilies.begin(), kFamilies.end(), [soname](const Family& family) {
        if (!soname.starts_with(family.library))
            return false;
        const std::string_view rest = soname.substr(family.library.size());
        return rest.empty() || rest[0] == '.' || rest[0] == '-' || rest[0] == '_';
    });
}

std::vector<WrittenLibrary> planStandIns(const std::vector<ElfSymbols>& programs,
    const std::vector<std::string>& standIns, const std::string& standInsPath)
{
    Plan plan(standIns, standInsPath);
    for (const ElfSymbols& program : programs)
        plan.add(program);
    return plan.takeLibraries();
}

} // namespace highwater::rehearse
