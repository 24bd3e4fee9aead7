#include "core/analysis/categories/category_reason.h"

namespace highwater {

std::string_view toText(CategoryReason reason)
{
    static constexpr std::array<std::string_view, kCategoryReasonCount> kTexts = {
        "nothing tells what it is",
        "the file says so",
        "a category rule of yours says so",
        "a library asks for its workspace there",
        "it has the size of cuBLAS's workspace, and is never freed or at once",
        "FSDP or DataParallel makes parameters there",
        "DDP or FSDP makes gradient buffers there",
        "a key-value cache is made there",
        "the model is made, loaded or moved there",
        "code that prepares data made it",
        "the optimizer made it and keeps it",
        "code behind a backward made it, keeps it, and it has a parameter's size",
        "the optimizer freed it",
        "zero_grad frees it",
        "a backward left it behind, and it has a parameter's size",
        "it is freed where gradients are copied for the reduction",
        "a later backward frees it",
        "it is freed in the phase that made it",
        "it outlives the module that made it, not the phase",
        "the model made it and it outlives the phase",
        "checkpointing computes it again in backward",
        "it is freed in the step that made it",
        "it is freed within a few events",
        "it is freed soon, and nothing trains",
        "it was made in the phase that the recording or a failure cuts off",
        "a backward left it, and no parameter has its size",
        "it was there before the model ran and freed after",
        "others of its stack were that when they were freed",
        "it has a parameter's size and stays",
        "there is one for each trained parameter",
        "there is one more for each trained parameter, and each backward adds to it",
        "there is one more for each trained parameter",
        "the same model in another precision, kept from before the first step",
        "parameters come from the same stack",
        "older than the recording, and too many for buffers",
        "the model is only run, and weights come in such numbers",
        "your code made it outside of the model and keeps it",
        "it holds as many bytes as all weights together, which were freed for it",
        "twice the bytes of a parameter, for all of them: copies in 32 bits",
        "it has as many bytes as all weights of a model: the same in one block",
        "it was made with others that match the model's weights one to one",
        "a backward left it, it stays, and a parameter that no optimizer works on has its size",
        "each step makes it anew",
        "it was freed before the next one was made",
        "gradients of its size are all known: a result",
        "it was allocated before the recording begins, and nothing else tells",
    };
    return kTexts[static_cast<std::size_t>(reason)];
}

} // namespace highwater
