"""Agents: what an agent believes about the others, animated, with lessons that are ready to run.

scenario    the model: what a game's own file says there is to watch, and the choices a visitor may make
playback    frames that arrive while they are watched, and which of them is shown
episode     in a search process: an agent in its world, frame by frame
"""
