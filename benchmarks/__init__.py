"""Speed, measured beside a peer in the same run, because machines are noisy: `make bench`."""
