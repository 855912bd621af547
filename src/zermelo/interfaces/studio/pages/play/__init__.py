"""A game against a program or between programs."""
