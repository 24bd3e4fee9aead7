#include "core/analysis/categories/category_reason.h"

namespace highwater {

std::string_view toText(CategoryReason reason)
{
    static constexpr std::array<std::string_view, kCategoryReasonCount> kTexts = {
        "nothing in the file identifies it",
        "the file records it",
        "one of your category rules matches",
        "a library allocates its workspace there",
        "it has the size of cuBLAS's workspace and is freed at once or never",
        "FSDP or DataParallel allocates parameters there",
        "DDP or FSDP allocates gradient buffers there",
        "a KV cache is allocated there",
        "the model is created, loaded or moved there",
        "code that prepares data allocated it",
        "the optimizer allocated it and keeps it",
        "code after a backward allocated and kept it, and it has a parameter's size",
        "the optimizer freed it",
        "zero_grad frees it",
        "a backward kept it, and it has a parameter's size",
        "it is freed where gradients are copied for reduction",
        "a later backward frees it",
        "it is freed in the phase that allocated it",
        "it outlives the module that allocated it, but not the phase",
        "the model allocated it, and it outlives the phase",
        "checkpointing recomputes it in backward",
        "it is freed in the step that allocated it",
        "it is freed within a few events",
        "it is freed soon, and nothing is trained",
        "the phase that allocated it is cut off",
        "a backward kept it, and no parameter has its size",
        "it was allocated before the model ran and freed after",
        "other blocks of its stack were in this category when they were freed",
        "it has a parameter's size and stays",
        "there is one per trained parameter",
        "there is one more per trained parameter, and each backward adds to it",
        "there is one more per trained parameter",
        "the same model in another precision, kept from before the first step",
        "parameters come from the same stack",
        "it was allocated before recording began, with too many others for buffers",
        "the model is only run, and weights have such counts",
        "your code allocated it outside the model and keeps it",
        "it has as many bytes as all weights together, which were freed for it",
        "there is one of twice the bytes per parameter, as fp32 copies have",
        "it has as many bytes as all weights of a model, in one block",
        "it was allocated with others that match the model's weights one to one",
        "a backward kept it, and it has the size of a parameter that no optimizer updates",
        "each step allocates it anew",
        "it was freed before the next one was allocated",
        "all gradients of its size are known, so it is a result",
        "it stays from before the first pass, as weights do (no stacks were recorded)",
        "each of the blocks that stay from the beginning has one more of its size (no stacks were recorded)",
        "it has the size of a block that stays from the beginning (no stacks were recorded)",
        "it is in a long chain of blocks freed in reverse order, as a backward does (no stacks were "
        "recorded)",
        "it was allocated before recording began, and nothing else identifies it",
    };
    return kTexts[static_cast<std::size_t>(reason)];
}

} // namespace highwater
