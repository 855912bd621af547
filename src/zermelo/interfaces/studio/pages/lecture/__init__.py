"""The lecture's algorithms, one step at a time."""
