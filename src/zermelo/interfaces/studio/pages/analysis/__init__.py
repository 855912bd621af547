"""Analysis: the search of a position as a tree that opens on click, and every move with what answers it.

position       the model: the position that is searched, checked and drawn
limits         what the fields of a search say, checked
tree           what is known of the tree, what is open in it, which rows are to be seen
rows, style    parts of the view: rows, tables and sentences as HTML; the look
searches       in a search process: alpha-beta, MCTS, max^n, the textbook's; one form of answer (task.py)
tree_json      the form in which a tree is sent
"""
