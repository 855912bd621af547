"""The arena: players against each other, fairly, and what can be said of them afterwards.

match           one call: players against each other, and who is the better one
tournament      one call: everybody against everybody
plan            which games are played, by whom, from which position and with which dice: all of it from one seed
playing         one game
match_players   the players of a plan, set up
match_runner    a plan carried out: workers, records, resumption, stopping early
worker_pool     many processes that play, and what becomes of them when something goes wrong
worker          one of them
records         games kept as lines of JSON, read and replayed
export          … and in the formats of other programs, where a game has one
session         a game in progress that people take part in
statistics      scores, Elo differences, their intervals, sequential tests
ratings         one scale for many players
standings       the table of a tournament
summary         what a match or a tournament says
"""
