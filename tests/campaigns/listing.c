/* Lets the listing of micro-Max search positions. test_micromax.py puts the reader's copy before these lines,
   with its main() renamed and the node limit as a variable. A line on stdin is a position: the limit, the side to move,
   the evaluation, the square of en passant and the 129 numbers of the board. A line on stdout is what came of it. */

#undef main

int main(void)
{
    int square, number, side, score, is_made;

    for (square = 136; square < 1035; square++)
        T[square] = random() >> 9;
    while (scanf("%d %d %d %d", &node_limit, &side, &Q, &number) == 4) {
        O = number;
        for (square = 0; square < 129; square++) {
            if (scanf("%d", &number) != 1)
                return 1;
            b[square] = number;
        }
        K = L = N = 0;
        memset(A, 0, sizeof A);
        score = D(side, -I, I, Q, 1, 1, O, 8, 0);
        printf("%d %d %d %d", score, N, K, L);
        memset(A, 0, sizeof A);
        is_made = D(side, -I, I, Q, 1, 1, O, 9, 2) == I;
        printf(" %d %d %d\n", is_made, Q, O);
        fflush(stdout);
    }
    return 0;
}
