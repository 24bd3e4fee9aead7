#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/app/rehearse/simulated_gpu.h"
#include "tests/support/sample_files.h"

namespace highwater::rehearse {

using test::kCudaSuccess;
using test::kMebibyte;
using test::kSmallMemory;
using test::SimulatedGpu;

namespace {

constexpr int kLstm = 2;
constexpr int kGru = 3;
constexpr int kFloat = 0;
constexpr int kHalf = 2;
constexpr int kDoubleBias = 2;

struct Layers
{
    int cell = kLstm, bidirectional = 0, type = kFloat, input = 10, hidden = 20, output = 20, layers = 1;
};

/// Descriptors of cuDNN's recurrent layers.
class Recurrent
{
public:
    explicit Recurrent(const Layers& layers)
        : m_gpu(kSmallMemory)
    {
        m_gpu("cudnnCreateRNNDescriptor", &m_layers);
        m_gpu("cudnnSetRNNDescriptor_v8", m_layers, 0, layers.cell, kDoubleBias, layers.bidirectional, 0,
            layers.type, layers.type, 0, layers.input, layers.hidden, layers.output, layers.layers,
            static_cast<void*>(nullptr), 0u);
    }
    ~Recurrent() { m_gpu("cudnnDestroyRNNDescriptor", m_layers); }
    Recurrent(const Recurrent&) = delete;
    Recurrent& operator=(const Recurrent&) = delete;

    std::size_t weightBytes() const
    {
        std::size_t bytes = 0;
        m_gpu("cudnnGetRNNWeightSpaceSize", static_cast<void*>(nullptr), m_layers, &bytes);
        return bytes;
    }
    /// Returns the offset of a matrix in the weight space, in bytes, and its sizes.
    std::array<std::int64_t, 3> matrix(int layer, int number) const
    {
        return part("cudnnGetRNNWeightParams", layer, number, true);
    }
    std::array<std::int64_t, 3> bias(int layer, int number) const
    {
        return part("cudnnGetRNNWeightParams", layer, number, false);
    }
    /// Returns the bytes that are kept for the backward pass.
    std::size_t reserveBytes(int sequences, int length, bool isTraining) const
    {
        void* data = nullptr;
        const std::vector<int> lengths(static_cast<std::size_t>(sequences), length);
        m_gpu("cudnnCreateRNNDataDescriptor", &data);
        m_gpu("cudnnSetRNNDataDescriptor", data, kFloat, 0, length, sequences, 10, lengths.data(),
            static_cast<void*>(nullptr));
        std::size_t work = 0;
        std::size_t reserve = 0;
        m_gpu("cudnnGetRNNTempSpaceSizes", static_cast<void*>(nullptr), m_layers, isTraining ? 1 : 0, data,
            &work, &reserve);
        m_gpu("cudnnDestroyRNNDataDescriptor", data);
        return reserve;
    }

private:
    std::array<std::int64_t, 3> part(const char* name, int layer, int number, bool isMatrix) const
    {
        void* description = nullptr;
        m_gpu("cudnnCreateTensorDescriptor", &description);
        char* const space = reinterpret_cast<char*>(std::uintptr_t{1} << 40);
        char* begin = nullptr;
        void* const none = nullptr;
        if (isMatrix)
            m_gpu(name, none, m_layers, layer, weightBytes(), space, number, description, &begin, none, none);
        else
            m_gpu(name, none, m_layers, layer, weightBytes(), space, number, none, none, description, &begin);
        int type = -1;
        int dimensions = 0;
        std::array<int, 3> sizes{};
        std::array<int, 3> strides{};
        m_gpu("cudnnGetTensorNdDescriptor", description, 3, &type, &dimensions, sizes.data(), strides.data());
        m_gpu("cudnnDestroyTensorDescriptor", description);
        EXPECT_EQ(dimensions, 3);
        return {begin - space, sizes[1], sizes[2]};
    }

    SimulatedGpu m_gpu;
    void* m_layers = nullptr;
};

using Part = std::array<std::int64_t, 3>;

/// True if the content of device memory is known: a library wrote zeros there. Content written by a kernel is
/// unknown.
bool isKnown(const SimulatedGpu& gpu, const void* at, std::size_t bytes)
{
    return gpu("highwaterKnowsBytes", at, bytes) != 0;
}

char* deviceMemory(const SimulatedGpu& gpu)
{
    void* block = nullptr;
    EXPECT_EQ(gpu("cudaMalloc", &block, 2 * kMebibyte), kCudaSuccess);
    return static_cast<char*>(block);
}

} // namespace

TEST(RecurrentLayers, HaveTheWeightsThatPyTorchWouldHave)
{
    // torch.nn.LSTM(10, 20): weight_ih 80 × 10, weight_hh 80 × 20, two biases of 80.
    EXPECT_EQ(Recurrent({}).weightBytes(), 4u * (80 * 10 + 80 * 20 + 2 * 80));
    // torch.nn.GRU(10, 20, num_layers=2, bidirectional=True).half(): the second layer reads both directions.
    const Layers gru{.cell = kGru, .bidirectional = 1, .type = kHalf, .layers = 2};
    EXPECT_EQ(
        Recurrent(gru).weightBytes(), 2u * 2 * (60 * 10 + 60 * 20 + 2 * 60 + 60 * 40 + 60 * 20 + 2 * 60));
    // torch.nn.LSTM(10, 20, proj_size=5): weight_hh 80 × 5 and weight_hr 5 × 20.
    EXPECT_EQ(Recurrent({.output = 5}).weightBytes(), 4u * (80 * 10 + 80 * 5 + 2 * 80 + 5 * 20));
}

TEST(RecurrentLayers, LayEachLayersMatricesBeforeItsBiases)
{
    const Recurrent lstm({.layers = 2});
    EXPECT_EQ(lstm.matrix(0, 0), (Part{0, 20, 10}));
    EXPECT_EQ(lstm.matrix(0, 1), (Part{4 * 200, 20, 10}));
    EXPECT_EQ(lstm.matrix(0, 4), (Part{4 * 800, 20, 20}));
    EXPECT_EQ(lstm.bias(0, 0), (Part{4 * 2400, 20, 1}));
    EXPECT_EQ(lstm.bias(0, 7), (Part{4 * (2400 + 7 * 20), 20, 1}));
    EXPECT_EQ(lstm.matrix(1, 0), (Part{4 * 2560, 20, 20}));
    EXPECT_EQ(Recurrent({.output = 5}).matrix(0, 8), (Part{4 * (800 + 400 + 160), 5, 20}));
}

TEST(RecurrentLayers, KeepGatesOutputAndCellForTheBackwardPassOnly)
{
    const Recurrent lstm({});
    EXPECT_EQ(lstm.reserveBytes(3, 7, true), 4u * 3 * 7 * 20 * (4 + 2));
    EXPECT_EQ(lstm.reserveBytes(3, 7, false), 0u);
    EXPECT_EQ(Recurrent({.cell = 1}).reserveBytes(3, 7, true), 4u * 3 * 7 * 20);
}

TEST(FourierPlans, NeedAsMuchRoomAsTheNumbersThatTheyTransform)
{
    const SimulatedGpu gpu(kSmallMemory);
    int plan = -1;
    ASSERT_EQ(gpu("cufftCreate", &plan), 0);
    const std::array<long long, 2> sizes{16, 32};
    const long long* const none = nullptr;
    constexpr int kComplexFloat = 4;
    std::size_t bytes = 0;
    ASSERT_EQ(gpu("cufftXtMakePlanMany", plan, 2, sizes.data(), none, 1LL, 1LL, kComplexFloat, none, 1LL, 1LL,
                  kComplexFloat, 5LL, &bytes, kComplexFloat),
        0);
    EXPECT_EQ(bytes, 5u * 16 * 32 * 8);
    EXPECT_EQ(gpu("cufftXtExec", plan, none, none, 1), 0);
    EXPECT_NE(gpu("cufftXtExec", plan + 1, none, none, 1), 0);
}

TEST(Solvers, SayHowMuchRoomTheyNeedAndThatTheySucceeded)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* handle = nullptr;
    ASSERT_EQ(gpu("cusolverDnCreate", &handle), 0);
    char* const memory = deviceMemory(gpu);
    void* const none = nullptr;
    int room = -1;
    ASSERT_EQ(gpu("cusolverDnSgetrf_bufferSize", handle, 100, 50, none, 100, &room), 0);
    EXPECT_EQ(room, 100 * 64);
    EXPECT_FALSE(isKnown(gpu, memory, 4));
    ASSERT_EQ(gpu("cusolverDnSgetrf", handle, 100, 50, none, 100, none, none, memory), 0);
    EXPECT_TRUE(isKnown(gpu, memory, 4));
    EXPECT_FALSE(isKnown(gpu, memory, 8));
    gpu("cusolverDnDestroy", handle);
}

TEST(Solvers, SayOfEachMatrixOfABatchThatItWentWell)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* handle = nullptr;
    ASSERT_EQ(gpu("cusolverDnCreate", &handle), 0);
    void* const none = nullptr;
    char* const memory = deviceMemory(gpu);
    ASSERT_EQ(gpu("cusolverDnSgesvdjBatched", handle, 1, 8, 8, none, 8, none, none, 8, none, 8, none, 64,
                  memory, none, 6),
        0);
    EXPECT_TRUE(isKnown(gpu, memory, 6 * 4));
    EXPECT_FALSE(isKnown(gpu, memory, 7 * 4));
    void* blas = nullptr;
    gpu("cublasCreate_v2", &blas);
    char* const other = memory + 4096;
    ASSERT_EQ(gpu("cublasSgetrfBatched", blas, 8, none, 8, none, other, 3), 0);
    EXPECT_TRUE(isKnown(gpu, other, 3 * 4));
    gpu("cusolverDnDestroy", handle);
    gpu("cublasDestroy_v2", blas);
}

TEST(SparseProducts, NeedNoRoom)
{
    const SimulatedGpu gpu(kSmallMemory);
    void* handle = nullptr;
    void* matrix = nullptr;
    ASSERT_EQ(gpu("cusparseCreate", &handle), 0);
    ASSERT_EQ(gpu("cusparseCreateCsr", &matrix), 0);
    void* const none = nullptr;
    std::size_t bytes = 7;
    ASSERT_EQ(gpu("cusparseSpMM_bufferSize", handle, 0, 0, none, matrix, none, none, none, 0, 0, &bytes), 0);
    EXPECT_EQ(bytes, 0u);
    EXPECT_EQ(gpu("cusparseSpMM", handle), 0);
    gpu("cusparseDestroySpMat", matrix);
    gpu("cusparseDestroy", handle);
}

TEST(SimulatedLibraries, TellTheTensorsThatAConvolutionConnects)
{
    const test::TemporaryFolder folder;
    setenv("HIGHWATER_NOTES", (folder.path() / "calls").c_str(), 1);
    const SimulatedGpu gpu(kSmallMemory);
    const auto made = [&](int attribute, int type, std::int64_t count, const void* values) {
        void* descriptor = nullptr;
        gpu("cudnnBackendCreateDescriptor", 5, &descriptor);
        gpu("cudnnBackendSetAttribute", descriptor, attribute, type, count, values);
        gpu("cudnnBackendFinalize", descriptor);
        return descriptor;
    };
    const std::int64_t sizes[4] = {2, 3, 5, 7};
    const auto tensor = [&](int type) {
        void* descriptor = nullptr;
        gpu("cudnnBackendCreateDescriptor", 5, &descriptor);
        gpu("cudnnBackendSetAttribute", descriptor, 901, 1, std::int64_t{1}, static_cast<const void*>(&type));
        gpu("cudnnBackendSetAttribute", descriptor, 902, 3, std::int64_t{4}, static_cast<const void*>(sizes));
        gpu("cudnnBackendFinalize", descriptor);
        return descriptor;
    };
    const void* const tensors[3] = {tensor(0), tensor(3), tensor(10)}; // float, int8, int64
    const void* const operation = made(703, 15, 3, tensors);
    void* const heuristics = made(201, 15, 1, &operation);
    void* config = made(300, 0, 0, nullptr);
    std::int64_t count = 0;
    gpu("cudnnBackendGetAttribute", heuristics, 202, 15, std::int64_t{1}, &count,
        static_cast<void*>(&config));
    void* const plan = made(401, 15, 1, &config);
    std::int64_t workspace = -1;
    gpu("cudnnBackendGetAttribute", plan, 402, 3, std::int64_t{1}, &count, static_cast<void*>(&workspace));
    unsetenv("HIGHWATER_NOTES");
    EXPECT_EQ(workspace, 0);
    std::string line;
    std::ifstream calls(folder.path() / "calls");
    std::getline(calls, line);
    EXPECT_EQ(line, "~ 2730 bytes are the tensors of a convolution");
}

} // namespace highwater::rehearse
