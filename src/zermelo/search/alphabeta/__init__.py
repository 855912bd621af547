"""Alpha-beta with deepening, a table, move ordering, quiescence, chance nodes and proofs."""
