"""Rules written once, in plain Python, and run interpreted or compiled: records, hooks, kernels, their cache."""
