// The yardstick for compiled plain alpha-beta: the same search over the same rules, in recursive C++.
// Prints: value nodes seconds (best of `repeats`).    usage: connect_four DEPTH REPEATS
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <limits>

using Board = std::uint64_t;
constexpr int WIDTH = 7, HEIGHT = 6, STRIDE = HEIGHT + 1;
constexpr Board bottom() {
    Board b = 0;
    for (int c = 0; c < WIDTH; ++c) b |= Board(1) << (c * STRIDE);
    return b;
}
constexpr Board BOTTOM = bottom(), FULL = BOTTOM * ((Board(1) << HEIGHT) - 1);

struct State {
    Board mine = 0, mask = 0;
    std::int64_t turn = 0;
};

static bool four(Board discs) {
    for (int shift : {1, STRIDE - 1, STRIDE, STRIDE + 1}) {
        Board pairs = discs & (discs >> shift);
        if (pairs & (pairs >> (2 * shift))) return true;
    }
    return false;
}

static std::int64_t nodes = 0;

// From player 0's view, fail-soft, children in the order of the columns; a leaf at the depth limit is worth 0.
static double search(const State& s, int depth, double alpha, double beta) {
    ++nodes;
    if (four(s.mine ^ s.mask)) return s.turn == 0 ? -1.0 : 1.0;
    if (s.mask == FULL || depth == 0) return 0.0;
    const bool maximizing = s.turn == 0;
    double best = maximizing ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    for (int column = 0; column < WIDTH; ++column) {
        if (s.mask & (Board(1) << (column * STRIDE + HEIGHT - 1))) continue;
        State child;
        child.mine = s.mine ^ s.mask;
        child.mask = s.mask | (s.mask + (Board(1) << (column * STRIDE)));
        child.turn = 1 - s.turn;
        const double value = search(child, depth - 1, alpha, beta);
        if (maximizing) {
            if (value > best) best = value;
            if (best > alpha) alpha = best;
        } else {
            if (value < best) best = value;
            if (best < beta) beta = best;
        }
        if (alpha >= beta) break;
    }
    return best;
}

int main(int argc, char** argv) {
    const int depth = argc > 1 ? std::atoi(argv[1]) : 11, repeats = argc > 2 ? std::atoi(argv[2]) : 5;
    const double infinity = std::numeric_limits<double>::infinity();
    double best = infinity, value = 0;
    for (int i = 0; i < repeats; ++i) {
        nodes = 0;
        const auto began = std::chrono::steady_clock::now();
        value = search(State{}, depth, -infinity, infinity);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        if (took.count() < best) best = took.count();
    }
    std::printf("%g %lld %.6f\n", value, static_cast<long long>(nodes), best);
}
