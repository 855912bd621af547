"""A training as a folder: its settings, snapshots, curves, progress."""
