#include "core/analysis/tensor_shapes/tensor_layouts.h"

namespace highwater {

const std::vector<Layout>& tensorLayouts()
{
    using enum Dimension;
    using enum LayoutKind;
    static const std::vector<Layout> all = {
        {Weight, {{Intermediate}, {Hidden}}},
        {Weight, {{Hidden}, {Hidden}}},
        {Weight, {{Hidden, 3}, {Hidden}}},
        {Weight, {{Vocabulary}, {Hidden}}},
        {Weight, {{Positions}, {Hidden}}, 1},
        {Weight, {{KeyValueWidth}, {Hidden}}, 1},
        {Weight, {{KeyValueHeads}, {HeadSize}, {Hidden}}, 1},
        {Weight, {{Hidden}}, 2},
        {Weight, {{Hidden, 3}}, 2},
        {Weight, {{Intermediate}}, 2},
        {Activation, {{Batch}, {Sequence}, {Hidden}}},
        {Activation, {{Tokens}, {Hidden}}},
        {FeedForward, {{Batch}, {Sequence}, {Intermediate}}, 1},
        {FeedForward, {{Tokens}, {Intermediate}}, 1},
        {Activation, {{Batch}, {Sequence}, {Hidden, 3}}, 1},
        {Activation, {{Tokens}, {Hidden, 3}}, 1},
        {Activation, {{Batch}, {KeyValueHeads}, {Sequence}, {HeadSize}}, 2},
        {Activation, {{Tokens}, {KeyValueWidth}}, 2},
        {Activation, {{Batch}, {Heads}, {Sequence}, {HeadSize}}, 2},
        {Activation, {{Batch}, {Heads}, {Sequence}}, 3},
        {Activation, {{Tokens}, {Heads}}, 3},
        {Activation, {{Batch}, {Sequence}}, 3},
        {Activation, {{Tokens}}, 3},
        {Attention, {{Batch}, {Heads}, {Sequence}, {Sequence}}},
        {Logits, {{Batch}, {Sequence}, {Vocabulary}}},
        {Logits, {{Batch}, {Sequence, 1, 1}, {Vocabulary}}, 1},
        {Logits, {{Tokens}, {Vocabulary}}},
    };
    return all;
}

} // namespace highwater
