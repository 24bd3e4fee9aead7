#include "tests/app/rehearse/simulated_gpu.h"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

#include "app/rehearse/embedded_stand_ins.h"

namespace highwater::test {

namespace {

std::string writeLibrary(std::string_view bytes)
{
    std::string path = (std::filesystem::temp_directory_path() / "highwater-library-XXXXXX").string();
    const int file = ::mkstemp(path.data());
    if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        throw std::runtime_error("cannot write " + path);
    ::close(file);
    return path;
}

} // namespace

SimulatedGpu::SimulatedGpu(const std::string& profile)
    : m_path(writeLibrary(rehearse::embeddedStandIns()))
{
    ::setenv("HIGHWATER_SIMULATED_GPU", profile.c_str(), 1);
    m_library = ::dlopen(m_path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!m_library)
        throw std::runtime_error(::dlerror());
    int count = 0;
    (*this)("cudaGetDeviceCount", &count); // reads the profile
    ::unsetenv("HIGHWATER_SIMULATED_GPU");
}

SimulatedGpu::~SimulatedGpu()
{
    ::unlink(m_path.c_str());
}

void* SimulatedGpu::find(const char* name) const
{
    void* function = ::dlsym(m_library, name);
    if (!function)
        throw std::runtime_error(std::string("the stand-ins have no ") + name);
    return function;
}

TemporaryLibrary::TemporaryLibrary(std::string_view bytes)
    : m_path(writeLibrary(bytes))
{
}

TemporaryLibrary::~TemporaryLibrary()
{
    ::unlink(m_path.c_str());
}

} // namespace highwater::test
