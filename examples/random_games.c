/* Random games in C, without Python: the rules come from Sunglade's prebuilt library.

   python -m sunglade.prebuilding --into build/prebuilt             builds it; wheels carry it in sunglade/prebuilt
   python -m sunglade.prebuilding.header > sunglade.h
   cc -O2 -I. examples/random_games.c build/prebuilt/linux-x86-64-v2.so -o random_games
   ./random_games 1000 2 7                                          games, players, seed

   Prints how many actions were played and the sum of all points: the same numbers on every machine. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sunglade.h"

static uint64_t random_state;

/* SplitMix64. */
static uint64_t next_random(void) {
    uint64_t mixed = random_state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

int main(int count, char **words) {
    const long games = count > 1 ? atol(words[1]) : 1000;
    const int players = count > 2 ? atoi(words[2]) : 2;
    random_state = count > 3 ? strtoull(words[3], NULL, 10) : 0;
    if (games < 1 || players < 2 || players > 4) {
        fprintf(stderr, "usage: random_games GAMES PLAYERS SEED\n");
        return 2;
    }
    long long actions = 0, points = 0;
    for (long game = 0; game < games; game++) {
        sunglade_record position;
        sunglade_legal_list legal;
        memcpy(&position, SUNGLADE_START[players], sizeof position);
        while (position.phase != SUNGLADE_OVER) {
            const int64_t n = kernel_legal_legal(&position, &legal);
            kernel_apply_apply(&position, legal.action[next_random() % (uint64_t)n]);
            actions++;
        }
        for (int player = 0; player < players; player++) points += kernel_score_points(&position, player);
    }
    printf("%lld actions, %lld points\n", actions, points);
    return 0;
}
