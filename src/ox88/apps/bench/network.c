/* The network's kernels in C: a forward pass, and updates of accumulators. `ox88 bench network` compares the speeds. */

#include <stdint.h>

enum { INPUTS = 768, ACTIVATION_UNIT = 255, OUTPUT_UNIT = 64, NOWHERE = 64 };

typedef struct {
    int16_t input_weights[INPUTS][HIDDEN], input_bias[HIDDEN], output_weights[BUCKETS][2][HIDDEN];
    int64_t output_bias[BUCKETS], scale;
} Network;

typedef struct {
    int16_t neurons[2][HIDDEN];
    int64_t views[2];
} Accumulator;

typedef struct {
    int64_t count;
    struct { uint8_t piece, from_square, to_square; } list[3];
} Changes;

static int64_t floor_divided(int64_t number, int64_t by) {
    return number / by - (number % by < 0);
}

static int64_t output(const Network *network, const Accumulator *accumulator, int turn, int bucket) {
    int64_t total = 0;
    for (int other = 0; other < 2; other++) {
        int32_t total_of_side = 0;
        for (int i = 0; i < HIDDEN; i++) {
            int16_t neuron = accumulator->neurons[turn ^ other][i];
            neuron = neuron < 0 ? 0 : neuron > ACTIVATION_UNIT ? ACTIVATION_UNIT : neuron;
            int16_t weighted = neuron * network->output_weights[bucket][other][i];
            total_of_side += (int32_t)weighted * neuron;
        }
        total += total_of_side;
    }
    int64_t value = floor_divided(total, ACTIVATION_UNIT) + network->output_bias[bucket];
    return floor_divided(value * network->scale, ACTIVATION_UNIT * OUTPUT_UNIT);
}

static const int16_t *row(const Network *network, int piece, int square, int side, int view) {
    int theirs = piece >> 3 != side;
    return network->input_weights[(theirs * 6 + (piece & 7) - 1) * 64 + (square ^ view)];
}

static void update(
    const Network *network, Accumulator *restrict accumulator, const Accumulator *restrict before,
    const Changes *changes, int side
) {
    const int16_t *added[2], *removed[2];
    int view = before->views[side], additions = 0, removals = 0;
    for (int i = 0; i < changes->count; i++) {
        int piece = changes->list[i].piece, from = changes->list[i].from_square, to = changes->list[i].to_square;
        if (from != NOWHERE) removed[removals++] = row(network, piece, from, side, view);
        if (to != NOWHERE) added[additions++] = row(network, piece, to, side, view);
    }
    accumulator->views[side] = view;
    const int16_t *restrict old = before->neurons[side];
    int16_t *restrict new = accumulator->neurons[side];
    if (additions == 2)
        for (int i = 0; i < HIDDEN; i++) new[i] = old[i] + added[0][i] + added[1][i] - removed[0][i] - removed[1][i];
    else if (removals == 2)
        for (int i = 0; i < HIDDEN; i++) new[i] = old[i] + added[0][i] - removed[0][i] - removed[1][i];
    else
        for (int i = 0; i < HIDDEN; i++) new[i] = old[i] + added[0][i] - removed[0][i];
}

/* The loops are here, so that a call from Python costs nothing. `plies` is a power of two. */

int64_t run_outputs(const Network *network, const Accumulator *accumulators, int64_t plies, int64_t times) {
    int64_t sum = 0;
    for (int64_t i = 0; i < times; i++) sum += output(network, &accumulators[i & (plies - 1)], i & 1, i & (BUCKETS - 1));
    return sum;
}

void run_updates(
    const Network *network, Accumulator *accumulators, const Changes *moves, int64_t plies, int64_t count, int64_t times
) {
    for (int64_t i = 0, move = 0; i < times; i++) {
        int64_t ply = i & (plies - 1);
        for (int side = 0; side < 2; side++)
            update(network, &accumulators[ply + 1], &accumulators[ply], &moves[move], side);
        if (++move == count) move = 0;
    }
}
