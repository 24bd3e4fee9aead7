#include "app/rehearse/library_writer.h"

#include <algorithm>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "app/rehearse/elf_symbols.h"
#include "app/rehearse/embedded_stand_ins.h"
#include "app/rehearse/stand_in_libraries.h"
#include "tests/app/rehearse/simulated_gpu.h"

namespace highwater::rehearse {

namespace {

std::span<const std::byte> bytesOf(const std::string& text)
{
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

WrittenLibrary example(const std::string& standIns)
{
    WrittenLibrary library;
    library.soname = "libexample.so.12";
    library.versions = {"EXAMPLE_1"};
    library.symbols = {{"exampleFails", "EXAMPLE_1", false, 801}, {"exampleComputes", "EXAMPLE_2", true, 0},
        {"examplePlain", "", false, 15}};
    library.needed = {standIns};
    return library;
}

} // namespace

TEST(WrittenLibrary, IsLoadedByTheSystemAndFailsWithItsError)
{
    const test::SimulatedGpu gpu("memory=67108864");
    const auto bytes = buildLibrary(example(gpu.path()));
    ASSERT_TRUE(bytes);
    const test::TemporaryLibrary file(*bytes);
    void* library = ::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << ::dlerror();
    const auto call = [&](const char* name) { return reinterpret_cast<int (*)()>(::dlsym(library, name))(); };
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(call("exampleFails"), 801);
    EXPECT_EQ(call("exampleFails"), 801);
    EXPECT_EQ(call("examplePlain"), 15);
    EXPECT_EQ(call("exampleComputes"), 0);
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_LT(said.find("exampleFails"), said.find("examplePlain")) << said;
    EXPECT_EQ(said.find("exampleComputes"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << "once for each function: " << said;
}

TEST(WrittenLibrary, HasItsSymbolsUnderTheirVersionNodes)
{
    const test::SimulatedGpu gpu("memory=67108864");
    const test::TemporaryLibrary file(*buildLibrary(example(gpu.path())));
    void* library = ::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << ::dlerror();
    EXPECT_NE(::dlvsym(library, "exampleFails", "EXAMPLE_1"), nullptr);
    EXPECT_EQ(::dlvsym(library, "exampleFails", "EXAMPLE_2"), nullptr);
    EXPECT_NE(::dlvsym(library, "exampleComputes", "EXAMPLE_2"), nullptr);
}

TEST(WrittenLibrary, AnswersToItsName)
{
    const test::SimulatedGpu gpu("memory=67108864");
    WrittenLibrary named = example(gpu.path());
    named.soname = "libhighwater_example_by_name.so.3";
    const test::TemporaryLibrary file(*buildLibrary(named));
    ASSERT_NE(::dlopen(file.path().c_str(), RTLD_NOW | RTLD_GLOBAL), nullptr);
    EXPECT_NE(::dlopen("libhighwater_example_by_name.so.3", RTLD_NOW | RTLD_NOLOAD), nullptr);
}

TEST(WrittenLibrary, MayHaveNoSymbols)
{
    const test::SimulatedGpu gpu("memory=67108864");
    const test::TemporaryLibrary file(*buildLibrary({"libempty.so.1", {"libempty.so.1"}, {}, {gpu.path()}}));
    EXPECT_NE(::dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL), nullptr) << ::dlerror();
}

TEST(StandInLibraries, HaveEverySymbolThatAProgramAsksForAndTheStandInsLack)
{
    ElfSymbols program;
    program.neededLibraries = {"libc.so.6", "libcudart.so.12", "libcublas.so.12"};
    program.imported = {{"cudaMalloc", "libcudart.so.12", "libcudart.so.12"},
        {"cudaNewThing", "libcudart.so.12", "libcudart.so.12"},
        {"cublasSgemm_v2", "libcublas.so.12", "libcublas.so.12"}, {"malloc", "libc.so.6", "GLIBC_2.2.5"},
        {"cuLaunchKernelEx", "", ""}, {"_ZN3c105ErrorE", "", ""}};
    const auto libraries = planStandIns({program}, {"cudaMalloc"}, "/core.so");
    const auto find = [&](std::string_view soname) -> const WrittenLibrary* {
        for (const WrittenLibrary& library : libraries)
            if (library.soname == soname)
                return &library;
        return nullptr;
    };
    ASSERT_EQ(libraries.size(), 4u); // runtime and cuBLAS, plus the driver and NVML, which are always there
    const WrittenLibrary* runtime = find("libcudart.so.12");
    ASSERT_TRUE(runtime);
    ASSERT_EQ(runtime->symbols.size(), 1u);
    EXPECT_EQ(runtime->symbols[0].name, "cudaNewThing");
    EXPECT_FALSE(runtime->symbols[0].succeeds);
    EXPECT_EQ(runtime->symbols[0].error, 801);
    EXPECT_EQ(runtime->versions.at(0), "libcudart.so.12");
    EXPECT_TRUE(find("libcublas.so.12")->symbols.at(0).succeeds);
    EXPECT_EQ(find("libcuda.so.1")->symbols.at(0).name, "cuLaunchKernelEx");
}

TEST(StandInLibraries, KnowTheLibrariesOfCudaByTheirNames)
{
    for (const char* name : {"libcudart.so.12", "libcublasLt.so.13", "libnccl.so.2", "libcuda.so.1",
             "libnvshmem_host.so.3", "libcudart-8774224f.so.12"})
        EXPECT_TRUE(isCudaLibrary(name)) << name;
    for (const char* name : {"libc10_cuda.so", "libtorch_cuda.so", "libcudacpp.so", "libm.so.6"})
        EXPECT_FALSE(isCudaLibrary(name)) << name;
}

TEST(ElfSymbols, OfTheStandInsNameTheirFunctions)
{
    const test::SimulatedGpu gpu("memory=67108864");
    const auto symbols = readElfFile(gpu.path());
    ASSERT_TRUE(symbols);
    EXPECT_NE(
        std::find(symbols->defined.begin(), symbols->defined.end(), "cudaMalloc"), symbols->defined.end());
    const auto takesMmap = [](const ImportedSymbol& symbol) {
        return symbol.name == "mmap" && symbol.library == "libc.so.6" && !symbol.version.empty();
    };
    EXPECT_TRUE(std::any_of(symbols->imported.begin(), symbols->imported.end(), takesMmap));
}

TEST(ElfSymbols, OfBrokenLibrariesAreAnErrorAndNoCrash)
{
    const std::string whole(embeddedStandIns());
    for (std::size_t length = 0; length < whole.size(); length += 97)
        (void)readElfSymbols(bytesOf(whole.substr(0, length)));
    EXPECT_FALSE(readElfSymbols(bytesOf(whole.substr(0, whole.size() / 2))));
    std::uint32_t random = 1;
    for (int round = 0; round < 2000; ++round) {
        std::string broken = whole;
        for (int i = 0; i < 64; ++i) {
            random = random * 1664525 + 1013904223;
            broken[(random >> 4) % broken.size()] = static_cast<char>(random >> 24);
        }
        (void)readElfSymbols(bytesOf(broken));
    }
    EXPECT_EQ(readElfSymbols({}).error().code, ErrorCode::UnknownFormat);
}

} // namespace highwater::rehearse
