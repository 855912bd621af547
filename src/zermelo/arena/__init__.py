"""The arena: players against each other, fairly, and what can be said of them afterwards.

plan         which games are played, by whom, from which position and with which dice: all of it from one seed
playing      one game
records      games kept as lines of JSON, read and replayed
export       … and in the formats of other programs, where a game has one
worker       games played in a process of its own
crew         many such processes, and what becomes of them when something goes wrong
campaign     a plan carried out: workers, records, resumption, stopping early
statistics   scores, Elo differences, their intervals, sequential tests
ratings      one scale for many players
summary      what a match or a tournament says
"""
