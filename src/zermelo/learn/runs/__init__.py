"""A training as a folder that can be trusted.

run.py         create, go on, stop               snapshots.py   what is on disk, and whether it fits together
progress.py    strength, at fixed times          curves.py      as CSV, SVG and PNG
"""
