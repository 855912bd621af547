// The yardsticks for compiled plain alpha-beta, in recursive C++; both visit the same nodes as zermelo's kernel.
//   rules   the same search over the same rules: player, actions (into a list), apply (on a copy), utility, kept apart
//   fused   written for this one game: columns are tried as they are found, nothing is listed
// Prints: value nodes seconds (best of `repeats`).    usage: connect_four rules|fused DEPTH REPEATS
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

constexpr int OVER = -2;

struct ConnectFour {
    static int player(const State& s) { return four(s.mine ^ s.mask) || s.mask == FULL ? OVER : int(s.turn); }
    static int actions(const State& s, std::int64_t* out) {
        int n = 0;
        for (int column = 0; column < WIDTH; ++column)
            if (!(s.mask & (Board(1) << (column * STRIDE + HEIGHT - 1)))) out[n++] = column;
        return n;
    }
    static void apply(State& s, std::int64_t column) {
        s.mine ^= s.mask;
        s.mask |= s.mask + (Board(1) << (column * STRIDE));
        s.turn = 1 - s.turn;
    }
    static void utility(const State& s, double* out) {
        const bool won = four(s.mine ^ s.mask);
        out[s.turn] = won ? -1.0 : 0.0;
        out[1 - s.turn] = won ? 1.0 : 0.0;
    }
    static constexpr int max_actions = WIDTH;
};

// From player 0's view, fail-soft; a leaf at the depth limit is worth 0. Any rules with these four functions will do.
template <class Rules, class S>
static double search_rules(const S& s, int depth, double alpha, double beta) {
    ++nodes;
    const int player = Rules::player(s);
    if (player == OVER) {
        double payoff[2];
        Rules::utility(s, payoff);
        return payoff[0];
    }
    if (depth == 0) return 0.0;
    std::int64_t out[Rules::max_actions];
    const int n = Rules::actions(s, out);
    const bool maximizing = player == 0;
    double best = maximizing ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    for (int i = 0; i < n; ++i) {
        S child = s;
        Rules::apply(child, out[i]);
        const double value = search_rules<Rules>(child, depth - 1, alpha, beta);
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

// The same values by hand, for this game alone.
static double search_fused(const State& s, int depth, double alpha, double beta) {
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
        const double value = search_fused(child, depth - 1, alpha, beta);
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
    if (argc != 4) return 2;
    const bool fused = argv[1][0] == 'f';
    const int depth = std::atoi(argv[2]), repeats = std::atoi(argv[3]);
    const double infinity = std::numeric_limits<double>::infinity();
    double best = infinity, value = 0;
    for (int i = 0; i < repeats; ++i) {
        nodes = 0;
        const auto began = std::chrono::steady_clock::now();
        value = fused ? search_fused(State{}, depth, -infinity, infinity)
                      : search_rules<ConnectFour>(State{}, depth, -infinity, infinity);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
        if (took.count() < best) best = took.count();
    }
    std::printf("%g %lld %.6f\n", value, static_cast<long long>(nodes), best);
}
