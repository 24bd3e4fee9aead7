/* cuDNN's recurrent layers: the position of each weight in the one buffer for all weights, and the memory
   that the layers keep for the backward pass. From cudnnRNNMode_t and the documentation of
   cudnnSetRNNDescriptor_v8 and cudnnGetRNNWeightParams. */
#include <stdint.h>
#include <stdlib.h>

#include "app/rehearse/stand_ins/dnn.h"
#include "app/rehearse/stand_ins/simulation.h"

enum
{
    kLstm = 2,
    kGru = 3,
    kNoBias = 0,
    kDoubleBias = 2,
    kTraining = 1
};

typedef struct Recurrent
{
    int cell; /* ReLU, tanh, kLstm or kGru */
    int bias;
    int type;
    int directions;
    int64_t input, hidden, output; /* sizes; output is smaller than hidden with a projection */
    int layers;
} Recurrent;

typedef struct Sequence
{
    int64_t vectors; /* total of all sequences */
} Sequence;

STAND_IN int cudnnCreateRNNDescriptor(Recurrent** result)
{
    *result = calloc(1, sizeof **result);
    return *result ? kDnnSuccess : kDnnNoMemory;
}

STAND_IN int cudnnDestroyRNNDescriptor(Recurrent* layers)
{
    free(layers);
    return kDnnSuccess;
}

STAND_IN int cudnnCreateRNNDataDescriptor(Sequence** result)
{
    *result = calloc(1, sizeof **result);
    return *result ? kDnnSuccess : kDnnNoMemory;
}

STAND_IN int cudnnDestroyRNNDataDescriptor(Sequence* data)
{
    free(data);
    return kDnnSuccess;
}

STAND_IN int cudnnSetRNNDescriptor_v8(Recurrent* target, int algorithm, int cell, int bias,
    int both_directions, int input_mode, int type, int precision, int math, int input, int hidden, int output,
    int layers, void* dropout, unsigned flags)
{
    (void)algorithm, (void)input_mode, (void)precision, (void)math, (void)dropout, (void)flags;
    *target = (Recurrent){cell, bias, type, both_directions ? 2 : 1, input, hidden, output, layers};
    return kDnnSuccess;
}

STAND_IN int cudnnSetRNNDataDescriptor(Sequence* target, int type, int layout, int longest, int sequences,
    int vector, const int* lengths, void* fill)
{
    (void)type, (void)layout, (void)longest, (void)vector, (void)fill;
    target->vectors = 0;
    for (int i = 0; i < sequences; i++)
        target->vectors += lengths[i];
    return kDnnSuccess;
}

static int gatesOf(const Recurrent* layers)
{
    return layers->cell == kLstm ? 4 : layers->cell == kGru ? 3 : 1;
}

static bool isProjected(const Recurrent* layers)
{
    return layers->output != layers->hidden;
}

static int64_t inputOf(const Recurrent* layers, int layer)
{
    return layer == 0 ? layers->input : layers->output * layers->directions;
}

static int biasesOf(const Recurrent* layers)
{
    return layers->bias == kNoBias ? 0 : layers->bias == kDoubleBias ? 2 : 1;
}

/* Returns the number of weights of one layer in one direction: from the input, from the previous state,
   biases, projection. */
static int64_t weightsOf(const Recurrent* layers, int layer)
{
    const int64_t matrices = gatesOf(layers) * layers->hidden * (inputOf(layers, layer) + layers->output);
    const int64_t biases = (int64_t)biasesOf(layers) * gatesOf(layers) * layers->hidden;
    return matrices + biases + (isProjected(layers) ? layers->output * layers->hidden : 0);
}

static int64_t weightsBefore(const Recurrent* layers, int pseudo_layer)
{
    int64_t sum = 0;
    for (int i = 0; i < pseudo_layer; i++)
        sum += weightsOf(layers, i / layers->directions);
    return sum;
}

STAND_IN int cudnnGetRNNWeightSpaceSize(void* handle, const Recurrent* layers, size_t* bytes)
{
    (void)handle;
    *bytes
        = (size_t)(weightsBefore(layers, layers->layers * layers->directions) * bytesOfDnnType(layers->type));
    return kDnnSuccess;
}

/* Finds a matrix and its bias. In each layer the matrices of the gates precede the biases, and the projection
   follows. The numbers count the gates
   for the input first, then those for the previous state; the number after these is the projection's. */
STAND_IN int cudnnGetRNNWeightParams(void* handle, const Recurrent* layers, int pseudo_layer,
    size_t space_bytes, char* space, int number, TensorDescription* matrix, char** matrix_at,
    TensorDescription* bias, char** bias_at)
{
    (void)handle, (void)space_bytes;
    const int gates = gatesOf(layers);
    const int64_t input = inputOf(layers, pseudo_layer / layers->directions);
    const bool is_projection = number >= 2 * gates;
    const bool is_of_input = number < gates;
    const int64_t of_state = is_projection ? gates : is_of_input ? 0 : number - gates;
    const int64_t of_input = is_of_input ? number : gates;
    int64_t matrix_begin = layers->hidden * (of_input * input + of_state * layers->output);
    const int64_t all_matrices = layers->hidden * gates * (input + layers->output);
    if (is_projection)
        matrix_begin = all_matrices + (int64_t)biasesOf(layers) * gates * layers->hidden;
    char* const begin = space + weightsBefore(layers, pseudo_layer) * bytesOfDnnType(layers->type);
    if (matrix && is_projection)
        describeMatrix(matrix, layers->type, (int)layers->output, (int)layers->hidden);
    else if (matrix)
        describeMatrix(
            matrix, layers->type, (int)layers->hidden, (int)(is_of_input ? input : layers->output));
    if (matrix_at)
        *matrix_at = begin + matrix_begin * bytesOfDnnType(layers->type);
    if (bias)
        describeMatrix(bias, layers->type, biasesOf(layers) ? (int)layers->hidden : 0, 1);
    if (bias_at)
        *bias_at = begin + (all_matrices + number * layers->hidden) * bytesOfDnnType(layers->type);
    return kDnnSuccess;
}

/* Estimates two sizes that are not documented. For the backward pass, a plain layer keeps at least its
   output. An LSTM and a GRU keep the gates, the output and one more state: the cell's, or the share of the
   state in the candidate. The forward pass works on the gates of all steps. */
STAND_IN int cudnnGetRNNTempSpaceSizes(void* handle, const Recurrent* layers, int mode, const Sequence* data,
    size_t* work_bytes, size_t* reserve_bytes)
{
    (void)handle;
    reportNote("the work space of cuDNN's recurrent layers, and what they keep for the backward pass, are "
               "estimated");
    const int64_t states = data->vectors * layers->directions * layers->hidden * bytesOfDnnType(layers->type);
    const int gates = gatesOf(layers);
    const int kept = gates == 1 ? 1 : gates + 2;
    if (work_bytes)
        *work_bytes = (size_t)(states * gates);
    if (reserve_bytes)
        *reserve_bytes = mode == kTraining ? (size_t)(states * kept * layers->layers) : 0;
    return kDnnSuccess;
}

STAND_IN int cudnnRNNForward(void** handle)
{
    return computedByDnn(handle);
}

STAND_IN int cudnnRNNBackwardData_v8(void** handle)
{
    return computedByDnn(handle);
}

STAND_IN int cudnnRNNBackwardWeights_v8(void** handle)
{
    return computedByDnn(handle);
}
