"""Trainings and tournaments, while they run and afterwards."""
