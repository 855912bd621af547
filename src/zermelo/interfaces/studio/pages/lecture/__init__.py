"""Lecture: an algorithm on a small tree, one step at a time, forwards and back.

walkthrough     the model: the tree, the algorithm, the order, the step, the quiz
lesson          one algorithm on one tree, run to its end and shown step by step
trees           small trees: from games, typed, random; with other leaves, in another order
quiz            what is asked, and what was answered
code, words     the algorithm as pseudo-code, a step as a sentence
panels, look    parts of the view: where the tree comes from, the quiz; HTML, styles and scripts
"""
