#pragma once

#include <cstddef>
#include <string>

namespace highwater::test {

inline constexpr std::size_t kMebibyte = std::size_t{1} << 20; ///< in the type of the GPU functions' sizes
inline constexpr int kCudaSuccess = 0;
inline constexpr const char* kSmallMemory = "memory=67108864"; ///< a profile: 64 MiB

/// The stand-in libraries, loaded again with separate devices: "devices=2;memory=1073741824". Removed at the
/// end.
class SimulatedGpu
{
public:
    explicit SimulatedGpu(const std::string& profile);
    ~SimulatedGpu();
    SimulatedGpu(const SimulatedGpu&) = delete;
    SimulatedGpu& operator=(const SimulatedGpu&) = delete;

    /// Calls a function of the stand-ins.
    template <typename Returned, typename... Given>
    Returned call(const char* name, Given... given) const
    {
        return reinterpret_cast<Returned (*)(Given...)>(find(name))(given...);
    }
    template <typename... Given>
    int operator()(const char* name, Given... given) const
    {
        return call<int>(name, given...);
    }
    const std::string& path() const { return m_path; }

private:
    void* find(const char* name) const;

    std::string m_path;
    void* m_library = nullptr;
};

/// A file with this content, removed at the end.
class TemporaryLibrary
{
public:
    explicit TemporaryLibrary(std::string_view bytes);
    ~TemporaryLibrary();
    TemporaryLibrary(const TemporaryLibrary&) = delete;
    TemporaryLibrary& operator=(const TemporaryLibrary&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace highwater::test
